/* See physical.h. */
#include "machine/memory/physical.h"
#include "machine/memory/shadow.h"
#include "machine/status.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME  "warpglass memory of device "
#define WHOLE (UINT64_C(1) << 46) /* bytes of a device's file: holes but for what is used */

static pthread_mutex_t places_lock = PTHREAD_MUTEX_INITIALIZER; /* of all `places` and `used` */

/* ---- files ---- */

/* NULL, with errno. */
static struct wg_store *new_store(uint32_t ordinal, uint64_t bytes) {
    char name[64];
    snprintf(name, sizeof name, NAME "%u", ordinal);
    int file = memfd_create(name, MFD_CLOEXEC);
    if (file < 0) return NULL;
    if (ftruncate(file, (off_t)bytes) != 0) {
        int reason = errno;
        close(file);
        errno = reason;
        return NULL;
    }
    struct wg_store *s = wg_xcalloc(1, sizeof *s);
    *s = (struct wg_store){.file = file, .refs = 1};
    return s;
}

void wg_store_drop(struct wg_store *s) {
    if (!s || atomic_fetch_sub(&s->refs, 1) != 1) return;
    close(s->file);
    free(s);
}

/* Under the memory's lock. */
static bool find_bytes(struct wg_memory *m, struct wg_physical *p) {
    if (p->exportable) return (p->store = new_store(p->ordinal, p->bytes)) != NULL;
    if (!m->store && !(m->store = new_store(p->ordinal, WHOLE))) return false;
    p->store = m->store;
    atomic_fetch_add(&p->store->refs, 1);
    p->offset = p->store->used;
    p->store->used += p->bytes;
    return true;
}

/* ---- life ---- */

enum wg_status wg_physical_new(struct wg_memory *m, uint32_t ordinal, uint64_t bytes, bool exportable,
                               struct wg_physical **out) {
    struct wg_physical *p = wg_xcalloc(1, sizeof *p);
    *p = (struct wg_physical){
        .of = m, .ordinal = ordinal, .bytes = bytes, .exportable = exportable, .refs = 1};
    pthread_rwlock_wrlock(&m->lock);
    enum wg_status status = wg_memory_count(m, bytes);
    if (status == WG_OK && !find_bytes(m, p)) {
        status = wg_fail(WG_OUT_OF_MEMORY, "the host refused %llu bytes of shared memory: %s",
                         (unsigned long long)bytes, strerror(errno));
        wg_memory_uncount(m, bytes);
    }
    if (status == WG_OK) *WG_PUSH(&m->physical) = p;
    pthread_rwlock_unlock(&m->lock);
    if (status != WG_OK) free(p);
    *out = status == WG_OK ? p : NULL;
    return status;
}

static bool ordinal_of(int file, uint32_t *ordinal) {
    static const char before[] = "/memfd:" NAME;
    char path[64], name[128];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ssize_t n = readlink(path, name, sizeof name - 1);
    if (n < 0) return false;
    name[n] = 0;
    *ordinal = (uint32_t)strtoul(name + (n > (ssize_t)sizeof before ? sizeof before - 1 : 0), NULL, 10);
    return strncmp(name, before, sizeof before - 1) == 0;
}

struct wg_physical *wg_physical_import(int file) {
    struct stat s;
    uint32_t ordinal;
    if (fstat(file, &s) != 0 || s.st_size <= 0 || !ordinal_of(file, &ordinal)) return NULL;
    int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (own < 0) return NULL;
    struct wg_physical *p = wg_xcalloc(1, sizeof *p);
    *p = (struct wg_physical){
        .ordinal = ordinal, .bytes = (uint64_t)s.st_size, .exportable = true, .used = true, .refs = 1};
    p->store = wg_xcalloc(1, sizeof *p->store);
    *p->store = (struct wg_store){.file = own, .refs = 1};
    return p;
}

int wg_physical_export(struct wg_physical *p) {
    int file = fcntl(p->store->file, F_DUPFD_CLOEXEC, 0);
    pthread_mutex_lock(&places_lock);
    p->used = true;
    for (uint32_t i = 0; i < p->places.n; i++)
        wg_shadow_define(p->places.v[i].m, p->places.v[i].at, p->places.v[i].bytes);
    pthread_mutex_unlock(&places_lock);
    return file;
}

void wg_physical_hold(struct wg_physical *p) { atomic_fetch_add(&p->refs, 1); }

/* Its device does not count it any more. */
static void leave(struct wg_physical *p) {
    struct wg_memory *m = p->of;
    if (!m) return;
    pthread_rwlock_wrlock(&m->lock);
    for (uint32_t i = m->physical.n; i-- > 0;)
        if (m->physical.v[i] == p) m->physical.v[i] = m->physical.v[--m->physical.n];
    wg_memory_uncount(m, p->bytes);
    pthread_rwlock_unlock(&m->lock);
}

void wg_physical_drop(struct wg_physical *p) {
    if (atomic_fetch_sub(&p->refs, 1) != 1) return;
    leave(p);
    if (!p->exportable)
        fallocate(p->store->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)p->offset,
                  (off_t)p->bytes);
    wg_store_drop(p->store);
    free(p->places.v);
    free(p);
}

/* ---- places ---- */

void wg_physical_show(struct wg_physical *p, struct wg_memory *m, uint64_t at, uint64_t bytes) {
    pthread_mutex_lock(&places_lock);
    *WG_PUSH(&p->places) = (struct wg_physical_place){m, at, bytes};
    for (uint32_t i = 0; p->used && i < p->places.n; i++)
        wg_shadow_define(p->places.v[i].m, p->places.v[i].at, p->places.v[i].bytes);
    p->used = true;
    pthread_mutex_unlock(&places_lock);
}

void wg_physical_hide(struct wg_physical *p, const struct wg_memory *m, uint64_t at) {
    pthread_mutex_lock(&places_lock);
    for (uint32_t i = p->places.n; i-- > 0;)
        if (p->places.v[i].m == m && p->places.v[i].at == at) p->places.v[i] = p->places.v[--p->places.n];
    pthread_mutex_unlock(&places_lock);
}
