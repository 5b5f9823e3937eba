/* See shared_event.h. */
#include "machine/shared_event.h"
#include "base/arena.h"
#include "machine/park.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { BYTES = 4096, MAGIC = 0x57474556, LOOK_NS = 20 * 1000 * 1000 };

/* What the processes share. Numbers of records start from 1 and may wrap. */
struct page {
    uint32_t magic;
    wg_word latest, ended;
};
struct wg_shared_event {
    struct page *page;
    int file;
    _Atomic uint32_t refs;
    atomic_bool locked;
};

static struct wg_shared_event *map(int file) {
    struct page *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (p == MAP_FAILED) return NULL;
    struct wg_shared_event *e = wg_xcalloc(1, sizeof *e);
    e->page = p;
    e->file = file;
    e->refs = 1;
    return e;
}

struct wg_shared_event *wg_shared_event_new(void) {
    int file = memfd_create("warpglass event", MFD_CLOEXEC);
    if (file < 0) return NULL;
    struct wg_shared_event *e = ftruncate(file, BYTES) == 0 ? map(file) : NULL;
    if (e) e->page->magic = MAGIC;
    if (!e) close(file);
    return e;
}

struct wg_shared_event *wg_shared_event_open(int file) {
    struct stat s;
    if (fstat(file, &s) != 0) return NULL;
    errno = EINVAL;
    struct wg_shared_event *e = s.st_size == BYTES ? map(file) : NULL;
    if (!e || e->page->magic == MAGIC) return e;
    munmap(e->page, BYTES);
    free(e);
    return NULL;
}

struct wg_shared_event *wg_shared_event_hold(struct wg_shared_event *e) {
    atomic_fetch_add(&e->refs, 1);
    return e;
}

void wg_shared_event_drop(struct wg_shared_event *e) {
    if (!e || atomic_fetch_sub(&e->refs, 1) != 1) return;
    munmap(e->page, BYTES);
    close(e->file);
    free(e);
}

int wg_shared_event_file(const struct wg_shared_event *e) { return e->file; }

/* ---- records ---- */

static struct flock first_byte(short type) {
    return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
}

uint32_t wg_shared_event_record(struct wg_shared_event *e) {
    struct flock l = first_byte(F_RDLCK);
    if (!atomic_exchange(&e->locked, true)) fcntl(e->file, F_OFD_SETLK, &l);
    return atomic_fetch_add(&e->page->latest, 1) + 1;
}

static bool is_later(uint32_t a, uint32_t b) { return (int32_t)(a - b) > 0; }

void wg_shared_event_ends(struct wg_shared_event *e, uint32_t number) {
    uint32_t now = atomic_load(&e->page->ended);
    while (is_later(number, now) && !atomic_compare_exchange_weak(&e->page->ended, &now, number)) {
    }
    syscall(SYS_futex, &e->page->ended, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

uint32_t wg_shared_event_latest(const struct wg_shared_event *e) { return atomic_load(&e->page->latest); }

/* Whether another process lives that has recorded it. */
static bool others_record(const struct wg_shared_event *e) {
    struct flock l = first_byte(F_WRLCK);
    return fcntl(e->file, F_OFD_GETLK, &l) != 0 || l.l_type != F_UNLCK;
}

static bool has_ended(const struct wg_shared_event *e, uint32_t number) {
    return !is_later(number, atomic_load(&e->page->ended));
}

bool wg_shared_event_ended(struct wg_shared_event *e, uint32_t number) {
    return has_ended(e, number) || !others_record(e);
}

bool wg_shared_event_wait(struct wg_shared_event *e, uint32_t number) {
    struct timespec t = {.tv_nsec = LOOK_NS};
    uint32_t now = atomic_load(&e->page->ended);
    if (is_later(number, now)) syscall(SYS_futex, &e->page->ended, FUTEX_WAIT, now, &t, NULL, 0);
    return wg_shared_event_ended(e, number);
}
