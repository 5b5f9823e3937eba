/* See later_sums.h. */
#include "machine/later_sums.h"
#include "base/lanes.h"
#include "machine/device.h"
#include "machine/worker.h"
#include "ref/atomic.h"
#include "ref/number.h"
#include <stdlib.h>
#include <string.h>

#define KIND_SHIFT  62 /* in an address: enum wg_sum_kind above it */
#define ADDRESS(at) ((at) & ((UINT64_C(1) << KIND_SHIFT) - 1))

enum {
    MANY = 1 << 17, /* additions of a claim that are made at once where they can */
    MOST = 1 << 23, /* kept by one claim, or by all that have ended, until the frontier is waited for */
    NAP_NS = 50 * 1000,
};

struct addition {
    uint64_t at, value;
};
/* Additions [first, end) of a block that follow each other. */
struct stretch {
    uint64_t block, first, end;
};

struct wg_sum_claim {
    struct wg_later_sums *of;
    struct wg_grid *grid;
    uint64_t begin, end; /* units */
    uint64_t left;       /* of them, that have not ended */
    bool mixed;          /* blocks took turns */
    uint64_t n, room;
    struct addition *v;
    WG_VEC(struct stretch) stretches;
    struct wg_sum_claim *next;
};

struct wg_later_sums {
    struct wg_later_span spans[WG_LATER_SPANS];
    uint32_t nspans;
    pthread_mutex_t lock;
    struct wg_sum_claim *spare; /* with the memory that they had */
    struct wg_sum_claim *ended; /* by their begin */
    _Atomic uint64_t kept;      /* additions of these */
    _Atomic uint64_t frontier;  /* a unit */
};

struct wg_later_sums *wg_later_new(const struct wg_later_span *spans, uint32_t n) {
    struct wg_later_sums *s = wg_xcalloc(1, sizeof *s);
    memcpy(s->spans, spans, n * sizeof *spans);
    s->nspans = n;
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

static void free_claims(struct wg_sum_claim *c) {
    for (struct wg_sum_claim *next; c; c = next) {
        next = c->next;
        free(c->v);
        free(c->stretches.v);
        free(c);
    }
}

void wg_later_free(struct wg_later_sums *s) {
    if (!s) return;
    free_claims(s->ended);
    free_claims(s->spare);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- making them ---- */

static const uint8_t plain_add[WG_MC_COUNT] = {[WG_MC_AOP] = WG_M_add};

/* What is neither tiny nor no number: most. */
static bool is_normal(uint32_t bits) {
    uint32_t exponent = bits >> 23 & 0xff;
    return (exponent != 0 && exponent != 0xff) || bits << 1 == 0;
}

static uint64_t sum_of(uint64_t a, uint64_t b, enum wg_sum_kind kind) {
    bool f64 = kind == WG_SUM_F64;
    if (!f64 && is_normal((uint32_t)a) && is_normal((uint32_t)b)) {
        uint32_t bits[2] = {(uint32_t)a, (uint32_t)b}, sum;
        float f[2], r;
        memcpy(f, bits, sizeof f);
        r = f[0] + f[1];
        memcpy(&sum, &r, sizeof sum);
        if (is_normal(sum)) return sum;
    }
    if (f64) { /* nothing is flushed */
        uint64_t bits[2] = {a, b};
        double f[2], r;
        memcpy(f, bits, sizeof f);
        r = f[0] + f[1];
        memcpy(bits, &r, sizeof r);
        if (r == r) return bits[0];
    }
    struct ref_ins add = {.type = f64 ? WG_T_F64 : WG_T_F32,
                          .mod = plain_add,
                          .bits = f64 ? 64 : 32,
                          .ones = f64 ? UINT64_MAX : UINT32_MAX,
                          .format = f64 ? &ref_f64 : &ref_f32};
    uint64_t old[2] = {a, 0}, now[2];
    ref_atomic_apply(&(struct ref_atomic){.ins = &add, .b = {b, 0}, .keeps = kind == WG_SUM_F32_KEPT}, old,
                     now);
    return now[0];
}

/* Another launch may add to the same. No sanitizer's business: the memory is the kernel's. */
__attribute__((no_sanitize("address", "thread", "alignment"))) static void add(const struct addition *a) {
    enum wg_sum_kind kind = a->at >> KIND_SHIFT;
    void *at = (void *)(uintptr_t)ADDRESS(a->at);
    if (kind == WG_SUM_F64) {
        uint64_t *p = at, seen = __atomic_load_n(p, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(p, &seen, sum_of(seen, a->value, kind), true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
        }
    } else {
        uint32_t *p = at, seen = __atomic_load_n(p, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(p, &seen, (uint32_t)sum_of(seen, a->value, kind), true,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
    }
}

static int by_block(const void *a, const void *b) {
    const struct stretch *x = a, *y = b;
    if (x->block != y->block) return x->block < y->block ? -1 : 1;
    return x->first < y->first ? -1 : 1;
}

/* What is kept is made, and kept no longer. Memory that was freed meanwhile, which is a fault of the
 * program's, gets no more. */
static void make(struct wg_worker *w, struct wg_sum_claim *c) {
    sigjmp_buf gone;
    if (c->mixed) qsort(c->stretches.v, c->stretches.n, sizeof *c->stretches.v, by_block);
    if (!sigsetjmp(gone, 0)) {
        w->guard = &gone;
        atomic_signal_fence(memory_order_seq_cst);
        for (uint32_t i = 0; i < c->stretches.n; i++)
            for (uint64_t k = c->stretches.v[i].first; k < c->stretches.v[i].end; k++) add(&c->v[k]);
        atomic_signal_fence(memory_order_seq_cst);
    }
    w->guard = NULL;
    c->n = 0;
    c->stretches.n = 0;
}

static bool is_at_frontier(const struct wg_sum_claim *c) {
    return atomic_load_explicit(&c->of->frontier, memory_order_acquire) == c->begin;
}

static void nap(void) {
    struct timespec t = {.tv_nsec = NAP_NS};
    nanosleep(&t, NULL);
}

/* Under the lock: those at the frontier. */
static void make_ended(struct wg_worker *w, struct wg_later_sums *s) {
    while (s->ended && is_at_frontier(s->ended)) {
        struct wg_sum_claim *c = s->ended;
        s->ended = c->next;
        atomic_fetch_sub(&s->kept, c->n);
        make(w, c);
        atomic_store_explicit(&s->frontier, c->end, memory_order_release);
        c->next = s->spare;
        s->spare = c;
    }
}

/* ---- claims ---- */

struct wg_sum_claim *wg_later_begin(struct wg_worker *w, struct wg_grid *g, uint64_t begin, uint64_t end) {
    struct wg_later_sums *s = g->later;
    pthread_mutex_lock(&s->lock);
    struct wg_sum_claim *c = s->spare;
    if (c) s->spare = c->next;
    pthread_mutex_unlock(&s->lock);
    if (!c) c = wg_xcalloc(1, sizeof *c);
    c->of = s;
    c->mixed = false;
    c->grid = g;
    c->begin = begin;
    c->end = end;
    c->left = end - begin;
    w->claim = c;
    return c;
}

void wg_later_ended(struct wg_worker *w, struct wg_sum_claim *c, uint64_t units) {
    struct wg_later_sums *s = c->of;
    struct wg_grid *g = c->grid;
    uint64_t begin = c->begin;
    if (w->claim == c) w->claim = NULL;
    if ((c->left -= units)) return;
    pthread_mutex_lock(&s->lock);
    struct wg_sum_claim **at = &s->ended;
    while (*at && (*at)->begin < c->begin) at = &(*at)->next;
    c->next = *at;
    *at = c;
    atomic_fetch_add(&s->kept, c->n);
    make_ended(w, s);
    pthread_mutex_unlock(&s->lock);
    /* The owner of the blocks at the frontier waits for no one. */
    while (atomic_load(&s->kept) > MOST && atomic_load(&s->frontier) <= begin && !wg_grid_stops(g, 0)) nap();
}

/* ---- additions ---- */

/* There is much: it is made now, if nothing is before it, and in the end when that is so. */
static void relieve(struct wg_worker *w, struct wg_sum_claim *c) {
    while (c->n > MOST && !c->mixed && !is_at_frontier(c) && !wg_grid_stops(c->grid, 0)) nap();
    if (!c->mixed && is_at_frontier(c)) make(w, c);
}

static bool is_within(const struct wg_later_sums *s, uint64_t at, uint32_t bytes) {
    for (uint32_t i = 0; i < s->nspans; i++)
        if (at >= s->spans[i].base && at + bytes <= s->spans[i].end) return true;
    return false;
}

static struct stretch *stretch_of(struct wg_sum_claim *c, uint64_t block) {
    struct stretch *last = c->stretches.n ? &c->stretches.v[c->stretches.n - 1] : NULL;
    if (last && last->block == block) return last;
    c->mixed |= last && block < last->block;
    last = WG_PUSH(&c->stretches);
    *last = (struct stretch){block, c->n, c->n};
    return last;
}

uint32_t wg_later_service_add(struct wg_warp *warp, uint32_t lanes, const uint64_t *at, const uint64_t *b,
                              enum wg_sum_kind kind) {
    const struct wg_unit *u = ((struct wg_cta *)warp->machine)->unit;
    struct wg_sum_claim *c = u->claim;
    uint32_t left = 0, bytes = kind == WG_SUM_F64 ? 8 : 4;
    u->worker->in_service = true;
    if (c->room < c->n + WG_LANES) {
        c->room = 2 * c->room + 8 * WG_LANES;
        c->v = wg_xrealloc(c->v, c->room * sizeof *c->v);
    }
    struct stretch *s = stretch_of(c, wg_block_index(warp->block));
    WG_EACH_LANE(l, lanes) {
        if (at[l] % bytes == 0 && is_within(c->of, at[l], bytes))
            c->v[c->n++] = (struct addition){at[l] | (uint64_t)kind << KIND_SHIFT, b[l]};
        else
            left |= 1u << l;
    }
    s->end = c->n;
    if (c->n > MANY) relieve(u->worker, c);
    u->worker->in_service = false;
    return left;
}
