/* See combine.h. */
#include "machine/combine.h"
#include "base/clock.h"
#include "machine/device.h"
#include "machine/worker.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    WINDOW = 1 << 20,
    PATIENCE = 4,
    PATIENCE_OPEN = 64,
    PATIENCE_MOST = 1 << 20,
    FEW_ADDS = 4, /* of warps, between two publications: locked additions would have been as good */
    REGRETS = 8,
    PUBLISH_NS = 20 * 1000 * 1000,
    LOOK_NS = 10 * 1000, /* reading the clock more often would be a large part of quick blocks */
    MOST_QUICK = 63,
    LINE = 64,
};

void wg_sums_init(struct wg_sums *s) {
    s->at = aligned_alloc(_Alignof(struct wg_combiner), WG_COMBINERS * sizeof *s->at);
    if (!s->at) abort();
    for (uint32_t i = 0; i < WG_COMBINERS; i++) {
        s->at[i] = (struct wg_combiner){.from = WG_NOTHING_PENDING};
        s->use[i] = (struct wg_sums_use){.patience = PATIENCE};
    }
}

void wg_sums_free(struct wg_sums *s) {
    if (s->memory) munmap(s->memory, (size_t)WINDOW * WG_COMBINERS);
    s->memory = NULL;
    free(s->at);
}

/* ---- publishing ---- */

static uint64_t any_in_line(const uint64_t *line) {
    uint64_t any = 0;
    for (uint32_t i = 0; i < LINE / 8; i++) any |= line[i];
    return any;
}

/* Not instrumented by sanitizers: the memory is the kernel's. */
__attribute__((no_sanitize("address", "thread", "alignment"))) static uint32_t
publish_line(uint64_t to, uint64_t *sums, uint32_t element) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < LINE / element; i++) {
        if (element == 4) {
            uint32_t x = ((uint32_t *)sums)[i];
            if (!x) continue;
            ((uint32_t *)sums)[i] = 0;
            __atomic_fetch_add((uint32_t *)(uintptr_t)(to + i * 4), x, __ATOMIC_RELAXED);
        } else {
            uint64_t x = sums[i];
            if (!x) continue;
            sums[i] = 0;
            __atomic_fetch_add((uint64_t *)(uintptr_t)(to + i * 8), x, __ATOMIC_RELAXED);
        }
        n++;
    }
    return n;
}

static uint32_t publish_stretch(struct wg_combiner *c, struct wg_sums_use *use, uint64_t from, uint64_t to) {
    uint32_t n = 0;
    for (use->next = from; use->next < to; use->next += LINE) {
        uint64_t *sums = (uint64_t *)(uintptr_t)(use->next + c->shift);
        if (any_in_line(sums)) n += publish_line(use->next, sums, use->element);
    }
    return n;
}

static void forget(struct wg_combiner *c) {
    c->from = WG_NOTHING_PENDING;
    c->bytes = c->adds = 0;
}

/* Publishes the sums of one window; returns their number. *fault: an address that is unmapped; the additions
 * to it and to later addresses are lost. */
static uint32_t publish_one(struct wg_worker *w, uint32_t which, uint64_t *fault) {
    struct wg_combiner *c = &w->sums.at[which];
    struct wg_sums_use *use = &w->sums.use[which];
    uint32_t n;
    sigjmp_buf gone;
    if (!c->adds) return 0;
    if (sigsetjmp(gone, 0)) {
        w->guard = NULL;
        *fault = use->next;
        memset((void *)(uintptr_t)(use->base + c->shift), 0, use->bytes);
        forget(c);
        return 0;
    }
    w->guard = &gone;
    atomic_signal_fence(memory_order_seq_cst);
    /* Each worker begins at another place, so that two of them do not contend for the same cache lines all
     * along. */
    uint64_t lines = c->bytes / LINE, n_workers = w->pool->nworkers;
    uint64_t middle = c->from + lines * w->index / n_workers * LINE;
    n = publish_stretch(c, use, middle, c->from + c->bytes);
    n += publish_stretch(c, use, c->from, middle);
    atomic_signal_fence(memory_order_seq_cst);
    w->guard = NULL;
    forget(c);
    return n;
}

static uint64_t publish_all(struct wg_worker *w) {
    uint64_t fault = 0;
    for (uint32_t i = 0; i < WG_COMBINERS; i++) publish_one(w, i, &fault);
    w->sums.since = wg_now_ns();
    return fault;
}

void wg_combine_publish(struct wg_worker *w) {
    if (wg_sums_pending(&w->sums)) publish_all(w);
}

static void close_window(struct wg_sums *s, uint32_t which) {
    forget(&s->at[which]);
    s->use[which].base = s->use[which].bytes = 0;
}

void wg_combine_close(struct wg_worker *w) {
    wg_combine_publish(w);
    for (uint32_t i = 0; i < WG_COMBINERS; i++) {
        close_window(&w->sums, i);
        w->sums.use[i] = (struct wg_sums_use){.patience = PATIENCE};
    }
}

void wg_combine_tick(struct wg_worker *w, uint64_t ended) {
    struct wg_sums *s = &w->sums;
    if (!wg_sums_pending(s) || (s->unlooked += (uint32_t)ended) <= s->quick) return;
    uint64_t now = wg_now_ns();
    bool soon = now - s->looked < LOOK_NS;
    s->quick = !soon ? 0 : s->quick < MOST_QUICK ? 2 * s->quick + 1 : s->quick;
    s->looked = now;
    s->unlooked = 0;
    if (now - s->since > PUBLISH_NS) publish_all(w);
}

/* ---- windows ---- */

static bool open_window(struct wg_worker *w, uint32_t which, uint64_t at, uint32_t element) {
    struct wg_sums *s = &w->sums;
    struct wg_span span;
    if (!wg_memory_find(&w->pool->dev->memory, at, &span) || span.reserved) return false;
    if (span.kind != WG_MEM_DEVICE && span.kind != WG_MEM_MANAGED && span.kind != WG_MEM_MODULE) return false;
    if (!s->memory) {
        void *p = mmap(NULL, (size_t)WINDOW * WG_COMBINERS, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) return false;
        s->memory = p;
    }
    uint64_t end = (span.end + WG_MEMORY_PAD + WG_PAGE - 1) & ~(uint64_t)(WG_PAGE - 1);
    uint64_t base = span.base & ~(uint64_t)(LINE - 1); /* a managed variable of the host may be anywhere */
    if (end - base > WINDOW && at - base > WINDOW / 2) base = (at & ~(uint64_t)(WG_PAGE - 1)) - WINDOW / 2;
    struct wg_sums_use *use = &s->use[which];
    if (!wg_sums_pending(s)) s->since = wg_now_ns();
    use->element = element;
    use->base = base;
    use->bytes = end - base < WINDOW ? end - base : WINDOW;
    s->at[which].shift = (uint64_t)s->memory + (uint64_t)which * WINDOW - base;
    return true;
}

static void be_patient(struct wg_sums_use *use) {
    use->misses = use->regrets = 0;
    use->patience = use->patience < PATIENCE_MOST / 16 ? use->patience * 16 : PATIENCE_MOST;
}

/* True: both are in the window, and additions to them may be pending. The window doubles on the side where it
 * was too small, so that additions that drift do not take this path each time. */
static bool note(struct wg_combiner *c, const struct wg_sums_use *use, uint64_t low, uint64_t high) {
    if (low - use->base >= use->bytes || high - use->base >= use->bytes) return false;
    uint64_t from = low & ~(uint64_t)(LINE - 1), to = (high & ~(uint64_t)(LINE - 1)) + LINE;
    if (c->bytes) {
        uint64_t was = c->from, end = was + c->bytes, first = use->base, last = use->base + use->bytes;
        if (from >= was)
            from = was;
        else if (was - from < c->bytes)
            from = was - first < c->bytes ? first : was - c->bytes;
        if (to <= end)
            to = end;
        else if (to - end < c->bytes)
            to = last - end < c->bytes ? last : end + c->bytes;
    }
    c->from = from;
    c->bytes = to - from;
    return true;
}

static void miss(struct wg_worker *w, uint32_t which, uint64_t at, uint32_t element) {
    struct wg_combiner *c = &w->sums.at[which];
    struct wg_sums_use *use = &w->sums.use[which];
    if (++use->misses < use->patience) return;
    bool used = c->adds >= use->misses;
    use->misses = 0;
    if (use->bytes && used) return;
    if (use->bytes) { /* most additions are outside */
        publish_all(w);
        close_window(&w->sums, which);
        be_patient(use);
    } else if (open_window(w, which, at, element)) {
        if (use->patience < PATIENCE_OPEN) use->patience = PATIENCE_OPEN;
    } else {
        be_patient(use);
    }
}

static struct wg_worker *worker_of(const struct wg_warp *w) {
    return ((struct wg_cta *)w->machine)->unit->worker;
}

bool wg_combine_service_miss(struct wg_warp *warp, uint32_t which, uint64_t low, uint64_t high,
                             uint32_t element) {
    struct wg_worker *w = worker_of(warp);
    if (note(&w->sums.at[which], &w->sums.use[which], low, high)) return true;
    w->in_service = true;
    miss(w, which, low, element);
    w->in_service = false;
    return false;
}

/* Whether a window pays: it does not if it is published after only a few additions again and again. */
static void judge(struct wg_worker *w, uint32_t which, uint64_t adds) {
    struct wg_sums_use *use = &w->sums.use[which];
    if (adds >= FEW_ADDS) {
        use->regrets = 0;
        return;
    }
    if (++use->regrets < REGRETS) return;
    close_window(&w->sums, which);
    be_patient(use);
}

void wg_combine_service_publish(struct wg_warp *warp, uint32_t touched) {
    struct wg_worker *w = worker_of(warp);
    uint64_t adds[WG_COMBINERS];
    w->in_service = true;
    for (uint32_t i = 0; i < WG_COMBINERS; i++) adds[i] = w->sums.at[i].adds;
    uint64_t fault = publish_all(w);
    for (uint32_t i = 0; i < WG_COMBINERS; i++)
        if (w->sums.use[i].bytes && (i == touched || adds[i])) judge(w, i, adds[i]);
    w->in_service = false;
    if (fault) *(volatile uint8_t *)(uintptr_t)fault; /* and this time it is the kernel's fault */
}
