/* See stray.h. */
#include "machine/stray.h"
#include "machine/device.h"
#include "machine/overrun.h"
#include "machine/watch/watch.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    PIECE = 64 * 1024, /* that is opened at a time */
    MOST_PIECES = 4096,
    MOST_RUNS = 16, /* of units, to find places; each may take as long as this */
    MOST_TOLD = 32,
    MOST_EACH = 4, /* of these runs, for one instruction or one kernel's overruns */
    MOST_CLOSED =
        64, /* launches after which pages are closed: it costs each of them some tens of microseconds */
};

struct wg_stray_piece {
    uint64_t base, end;
    bool open;
};
struct wg_strays {
    /* Under the memory's lock. */
    struct wg_stray_piece v[MOST_PIECES]; /* by base, disjoint */
    uint32_t n;
    /* Places in the source that were told of. */
    pthread_mutex_t told_lock;
    uint64_t code[MOST_TOLD];  /* machine code that met one, or kernels (overrun.h) */
    uint32_t times[MOST_TOLD]; /* that it was looked at */
    char *told[MOST_TOLD];     /* the place, as a text */
    uint32_t ncode, ntold, runs, closed;
};

struct wg_strays *wg_strays_new(void) {
    struct wg_strays *s = wg_xcalloc(1, sizeof *s);
    pthread_mutex_init(&s->told_lock, NULL);
    return s;
}

void wg_strays_free(struct wg_strays *s) {
    for (uint32_t i = 0; i < s->ntold; i++) free(s->told[i]);
    pthread_mutex_destroy(&s->told_lock);
    free(s);
}

/* ---- pages ---- */

static bool open_piece(struct wg_stray_piece *p) {
    p->open = p->open || mprotect((void *)p->base, p->end - p->base, PROT_READ | PROT_WRITE) == 0;
    return p->open;
}

static void drop_piece(struct wg_strays *s, uint32_t i) {
    struct wg_stray_piece *p = &s->v[i];
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    if (mmap((void *)p->base, p->end - p->base, PROT_NONE, flags, -1, 0) == MAP_FAILED) {
        madvise((void *)p->base, p->end - p->base, MADV_DONTNEED);
        mprotect((void *)p->base, p->end - p->base, PROT_NONE);
    }
    memmove(p, p + 1, (s->n - i - 1) * sizeof *p);
    s->n--;
}

void wg_stray_clear(struct wg_memory *m, uint64_t from, uint64_t to) {
    struct wg_strays *s = m->strays;
    for (uint32_t i = s->n; i-- > 0;)
        if (s->v[i].base < to && s->v[i].end > from) drop_piece(s, i);
}

void wg_stray_trim(struct wg_memory *m) {
    struct wg_strays *s = m->strays;
    uint64_t low, high;
    for (uint32_t i = s->n; i-- > 0;)
        if (!wg_memory_near(m, s->v[i].base, &low, &high)) drop_piece(s, i);
}

/* Makes the piece of the room around the address. */
static bool make_piece(struct wg_memory *m, uint64_t a) {
    struct wg_strays *s = m->strays;
    uint64_t low, high, base = a & ~(uint64_t)(PIECE - 1), end = base + PIECE;
    uint32_t at = 0;
    if (s->n == MOST_PIECES || !wg_memory_near(m, a, &low, &high)) return false;
    while (at < s->n && s->v[at].base <= a) at++;
    if (at && s->v[at - 1].end > low) low = s->v[at - 1].end;
    if (at < s->n && s->v[at].base < high) high = s->v[at].base;
    struct wg_stray_piece p = {.base = base > low ? base : low, .end = end < high ? end : high};
    if (p.base > a || p.end <= a || !open_piece(&p)) return false;
    memmove(s->v + at + 1, s->v + at, (s->n - at) * sizeof *s->v);
    s->v[at] = p;
    s->n++;
    return true;
}

static bool open_at(struct wg_memory *m, uint64_t a) {
    struct wg_strays *s = m->strays;
    pthread_rwlock_wrlock(&m->lock);
    uint32_t i = 0;
    while (i < s->n && s->v[i].end <= a) i++;
    bool good = i < s->n && s->v[i].base <= a ? open_piece(&s->v[i]) : make_piece(m, a);
    pthread_rwlock_unlock(&m->lock);
    return good;
}

static void close_all(struct wg_memory *m) {
    struct wg_strays *s = m->strays;
    pthread_rwlock_wrlock(&m->lock);
    s->closed++;
    for (uint32_t i = 0; i < s->n; i++) {
        struct wg_stray_piece *p = &s->v[i];
        if (p->open && mprotect((void *)p->base, p->end - p->base, PROT_NONE) == 0) p->open = false;
    }
    pthread_rwlock_unlock(&m->lock);
}

bool wg_stray_may(struct wg_memory *m, uint64_t address) {
    uint64_t low, high;
    pthread_rwlock_rdlock(&m->lock);
    bool may = wg_memory_near(m, address, &low, &high);
    pthread_rwlock_unlock(&m->lock);
    return may;
}

/* ---- while a launch runs ---- */

/* Several places in the source may share an instruction, in functions that LLVM or we made of what recurs: one
 * place in a block, another one in the next, or of another kernel. So one instruction is looked at some times. */
static void note(struct wg_grid *g, const struct wg_warp *w, uint64_t address, uint64_t code) {
    const struct wg_cta *c = w->machine;
    const struct wg_block *b = w->block;
    /* Code may have gone on to this block by itself. */
    uint64_t unit = (c->index + (c->unit->more - c->unit->ctas[0].block.more)) / g->shape.nctas;
    uint32_t same = 0;
    bool again = false; /* when the unit runs once more all its places are found */
    pthread_mutex_lock(&g->lock);
    for (uint32_t i = 0; i < g->nstrays; i++) {
        same += g->strays[i].code == code;
        again |= g->strays[i].code == code && g->strays[i].unit == unit;
    }
    if (!again && same < MOST_EACH && g->nstrays < WG_STRAYS_KEPT) {
        struct wg_stray_seen *s = &g->strays[g->nstrays++];
        *s = (struct wg_stray_seen){.code = code, .address = address, .unit = unit};
        memcpy(s->block, b->ctaid, sizeof s->block);
    }
    pthread_mutex_unlock(&g->lock);
}

bool wg_stray_pass(struct wg_worker *w, uint64_t address, uint64_t code) {
    struct wg_device *dev = w->pool->dev;
    const struct wg_warp *warp = atomic_load_explicit(&w->warp, memory_order_relaxed);
    struct wg_grid *g = ((const struct wg_cta *)warp->machine)->unit->grid;
    if (dev->options.strict || wg_checks(dev) || !open_at(&dev->memory, address)) return false;
    if (!g->replayed && !g->dry) note(g, warp, address, code);
    g->strayed = true;
    return true;
}

/* ---- when it has ended ---- */

static bool is_known(struct wg_strays *s, uint64_t code) {
    for (uint32_t i = 0; i < s->ncode; i++)
        if (s->code[i] == code) return s->times[i]++ >= MOST_EACH;
    if (s->ncode == MOST_TOLD) return false;
    s->code[s->ncode] = code;
    s->times[s->ncode++] = 1;
    return false;
}

static void tell(struct wg_grid *g, const struct wg_stray_place *p) {
    struct wg_strays *s = g->dev->memory.strays;
    char *text = wg_stray_text(g, p, s->ntold == 0);
    size_t place = strcspn(text, "\n"); /* its first line: where in the source, and in which kernel */
    bool known = s->ntold == MOST_TOLD;
    for (uint32_t i = 0; i < s->ntold && !known; i++)
        known = strlen(s->told[i]) == place && !memcmp(s->told[i], text, place);
    if (!known) {
        s->told[s->ntold] = strndup(text, place);
        if (s->told[s->ntold]) s->ntold++;
        if (g->dev->options.on_stray) g->dev->options.on_stray(text);
    }
    free(text);
}

/* Of places in one unit, each; `unknown` if there are none. */
static void tell_found(struct wg_grid *g, struct wg_stray_places *found,
                       const struct wg_stray_place *unknown) {
    for (uint32_t k = 0; k < found->n; k++) tell(g, &found->v[k]);
    if (!found->n) tell(g, unknown);
    free(found->v);
}

static void tell_strays(struct wg_grid *g) {
    struct wg_strays *s = g->dev->memory.strays;
    for (uint32_t i = 0; i < g->nstrays; i++) {
        const struct wg_stray_seen *seen = &g->strays[i];
        struct wg_stray_places found = {0};
        if (is_known(s, seen->code) || s->ntold == MOST_TOLD) continue;
        if (s->runs++ < MOST_RUNS) wg_replay_strays(g, seen->unit, &found);
        struct wg_stray_place unknown = {.fault = {.kind = WG_FAULT_ADDRESS, .lane = WG_LANES}};
        unknown.fault.address = seen->address;
        memcpy(unknown.block, seen->block, sizeof unknown.block);
        tell_found(g, &found, &unknown);
    }
}

static void tell_overrun(struct wg_grid *g) {
    struct wg_strays *s = g->dev->memory.strays;
    struct wg_stray_places found = {0};
    uint64_t unit;
    if (is_known(s, (uint64_t)g->func) || s->ntold == MOST_TOLD) return;
    for (uint32_t i = 0; !found.n && (unit = wg_overrun_unit(g, i)) != UINT64_MAX; i++)
        if (s->runs++ < MOST_RUNS) wg_replay_strays(g, unit, &found);
    struct wg_stray_place unknown = {.fault = {.kind = WG_FAULT_ADDRESS, .lane = WG_LANES}};
    unknown.fault.address = g->overrun.at;
    unknown.block[0] = WG_BLOCK_UNKNOWN;
    tell_found(g, &found, &unknown);
}

void wg_stray_launch_ended(struct wg_grid *g) {
    struct wg_strays *s = g->dev->memory.strays;
    bool overrun = g->overrun.seen && !g->dev->options.strict;
    if ((g->nstrays || overrun) && g->dev->options.on_stray) {
        pthread_mutex_lock(&s->told_lock);
        tell_strays(g);
        if (overrun) tell_overrun(g);
        pthread_mutex_unlock(&s->told_lock);
    }
    if (!g->strayed) return;
    if (s->closed < MOST_CLOSED) close_all(&g->dev->memory);
}
