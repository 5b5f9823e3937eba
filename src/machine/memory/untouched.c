/* See untouched.h. */
#include "machine/memory/untouched.h"
#include "base/arena.h"
#include "machine/memory/shadow.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* An entry of /proc/self/pagemap has these bits where the page is in memory, or swapped out. */
#define PAGE_IS_THERE (UINT64_C(3) << 62)

struct region {
    uint64_t base, size, pages, left; /* `left`: pages that nobody has touched */
    bool *touched;
};
struct wg_untouched {
    pthread_mutex_t lock;
    int pagemap;
    WG_VEC(struct region) v;
};

void wg_untouched_open(struct wg_memory *m) {
    int pagemap = m->shadow ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
    if (pagemap < 0) return;
    m->untouched = wg_xcalloc(1, sizeof *m->untouched);
    pthread_mutex_init(&m->untouched->lock, NULL);
    m->untouched->pagemap = pagemap;
}

void wg_untouched_close(struct wg_memory *m) {
    struct wg_untouched *u = m->untouched;
    if (!u) return;
    for (uint32_t i = 0; i < u->v.n; i++) free(u->v.v[i].touched);
    free(u->v.v);
    close(u->pagemap);
    pthread_mutex_destroy(&u->lock);
    free(u);
    m->untouched = NULL;
}

/* Calls `seen` for each page that is there and was not. False: the host's kernel does not say. */
static bool look(int pagemap, struct region *r, void (*seen)(void *user, uint64_t at, uint64_t bytes),
                 void *user) {
    enum { AT_ONCE = 512 };
    uint64_t entries[AT_ONCE];
    for (uint64_t p = 0; p < r->pages; p += AT_ONCE) {
        uint64_t n = r->pages - p < AT_ONCE ? r->pages - p : AT_ONCE;
        ssize_t bytes = (ssize_t)(n * sizeof *entries);
        if (pread(pagemap, entries, (size_t)bytes, (off_t)((r->base / WG_PAGE + p) * sizeof *entries)) !=
            bytes)
            return false;
        for (uint64_t k = 0; k < n; k++) {
            uint64_t at = (p + k) * WG_PAGE, room = r->size - at;
            if (!(entries[k] & PAGE_IS_THERE) || r->touched[p + k]) continue;
            r->touched[p + k] = true;
            r->left--;
            seen(user, r->base + at, room < WG_PAGE ? room : WG_PAGE);
        }
    }
    return true;
}

static void do_nothing(void *user, uint64_t at, uint64_t bytes) { (void)user, (void)at, (void)bytes; }
static void define(void *user, uint64_t at, uint64_t bytes) { wg_shadow_define(user, at, bytes); }

bool wg_untouched_add(struct wg_memory *m, uint64_t base, uint64_t size) {
    uint64_t pages = (size + WG_PAGE - 1) / WG_PAGE;
    struct region r = {base, size, pages, pages, NULL};
    if (!m->untouched) return false;
    madvise((void *)base, pages * WG_PAGE, MADV_NOHUGEPAGE); /* one page, and not its neighbours */
    r.touched = wg_xcalloc(pages, sizeof *r.touched);
    if (!look(m->untouched->pagemap, &r, do_nothing, NULL) || r.left < r.pages) {
        free(r.touched);
        return false;
    }
    pthread_mutex_lock(&m->untouched->lock);
    *WG_PUSH(&m->untouched->v) = r;
    pthread_mutex_unlock(&m->untouched->lock);
    return true;
}

void wg_untouched_forget(struct wg_memory *m, uint64_t base) {
    struct wg_untouched *u = m->untouched;
    if (!u) return;
    pthread_mutex_lock(&u->lock);
    for (uint32_t i = 0; i < u->v.n; i++) {
        if (u->v.v[i].base != base) continue;
        free(u->v.v[i].touched);
        u->v.v[i] = u->v.v[--u->v.n];
        break;
    }
    pthread_mutex_unlock(&u->lock);
}

void wg_untouched_settle(struct wg_memory *m) {
    struct wg_untouched *u = m->untouched;
    if (!u) return;
    pthread_mutex_lock(&u->lock);
    for (uint32_t i = 0; i < u->v.n; i++) {
        struct region *r = &u->v.v[i];
        if (r->left && !look(u->pagemap, r, define, m)) wg_shadow_define(m, r->base, r->size);
    }
    pthread_mutex_unlock(&u->lock);
}
