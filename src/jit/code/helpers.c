/* Runtime functions called by generated code: rare operations, lane by lane. See helpers.h. */
#include <stdatomic.h>
#include "jit/code/helpers.h"
#include "warp/touch.h"
#include "warp/device_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES(l, mask)                                                                                       \
    for (uint32_t left_ = (mask), l = 0; left_ && (l = (uint32_t)__builtin_ctz(left_), 1); left_ &= left_ - 1)

/* The layout of wait.resume is function.c's: block, home / 64 of a result, whether it is a predicate. */
void wg_jit_release(struct wg_warp *w, uint8_t *frame, uint32_t *waits) {
    uint32_t kept = 0;
    bool whole = w->nwait == 1 && w->wait[0].kind == WG_WAIT_BLOCK && w->wait[0].lanes == w->live;
    for (uint32_t i = 0; i < w->nwait; i++) {
        struct wg_wait *x = &w->wait[i];
        if (x->kind == WG_WAIT_WARP) continue; /* they are in `waits` */
        if (!x->released && !whole) {          /* a whole warp at a barrier resumes only when it is over */
            w->wait[kept++] = *x;
            continue;
        }
        uint32_t block = x->resume & 0x7fff, home = x->resume >> 15 & 0xffff;
        waits[block] |= x->lanes;
        if (home == 0xffff) continue;
        uint32_t *to = (uint32_t *)(frame + (size_t)home * 64);
        if (x->resume >> 31)
            *to = (*to & ~x->lanes) | (x->result ? x->lanes : 0);
        else
            LANES(l, x->lanes) to[l] = x->result;
    }
    w->nwait = kept;
}

void wg_jit_wait_in_vain(struct wg_warp *w, uint32_t lanes, uint32_t site, uint32_t loc) {
    if (!lanes) return;
    w->wait[w->nwait++] = (struct wg_wait){.kind = WG_WAIT_WARP, .lanes = lanes, .site = site, .loc = loc};
}

uint32_t wg_jit_named_unlike(const uint32_t *members, uint32_t mask) {
    uint32_t unlike = 0, rest = mask;
    while (rest) {
        uint32_t l = (uint32_t)__builtin_ctz(rest), named = members[l] & mask, differ = 0;
        LANES(j, named) differ |= members[j] ^ members[l];
        if (differ) unlike |= 1u << l;
        rest &= ~(differ ? 1u << l : named | 1u << l); /* mostly groups of lanes that name just each other */
    }
    return unlike;
}

uint32_t wg_jit_next_waiting(const uint32_t *waits, uint32_t from, uint32_t n) {
    enum { STEP = 8 };
    uint32_t b = from, any = 0;
    for (; b + STEP <= n; b += STEP) { /* of thousands of blocks a few have lanes */
        for (uint32_t i = 0; i < STEP; i++) any |= waits[b + i];
        if (any) break;
    }
    while (b < n && !waits[b]) b++;
    return b;
}

void wg_jit_runs_lowest(const uint32_t *waits, uint32_t block) {
    uint32_t lower = wg_jit_next_waiting(waits, 0, block);
    if (lower == block) return;
    fprintf(stderr, "warpglass: lanes go on at block %u while others wait at block %u (a bug in Warpglass)\n",
            block, lower);
    abort();
}

uint32_t wg_jit_refused(struct wg_warp *w, const uint64_t *at, uint32_t mask, uint32_t bytes) {
    uint32_t refused = 0;
    LANES(l, mask) refused |= (uint32_t)!wg_may_touch(w, at[l], bytes) << l;
    return refused;
}

void wg_jit_scatter_small(const uint64_t *at, const uint64_t *x, uint32_t mask, uint32_t bytes) {
    LANES(l, mask) memcpy((void *)(uintptr_t)at[l], &x[l], bytes);
}

/* ---- atomics ---- */

static float bf16_to_float(uint16_t x) {
    uint32_t bits = (uint32_t)x << 16;
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static uint16_t float_to_bf16(float f) {
    uint32_t bits;
    memcpy(&bits, &f, 4);
    if (f != f) return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static uint16_t add_half(uint16_t a, uint16_t b, bool bf16) {
    if (bf16) return float_to_bf16(bf16_to_float(a) + bf16_to_float(b));
    _Float16 x, y;
    memcpy(&x, &a, 2);
    memcpy(&y, &b, 2);
    x = (_Float16)((float)x + (float)y);
    memcpy(&a, &x, 2);
    return x != x ? 0x7fff : a;
}

/* A subnormal f32 becomes zero of its sign. */
static uint32_t flushed(uint32_t bits) { return bits & 0x7f800000 ? bits : bits & 0x80000000; }

static uint32_t add_f32(uint32_t a, uint32_t b) {
    float x, y;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    x += y;
    memcpy(&a, &x, 4);
    return x != x ? 0x7fffffff : a;
}

static bool is_nan64(uint64_t bits) { return (bits & INT64_MAX) > 0x7ffull << 52; }

/* Of two NaNs shared memory keeps the old one, quieted; global memory gets the new one, unchanged. */
static uint64_t add_f64(uint64_t old, uint64_t b, bool shared) {
    const uint64_t quiet = 1ull << 51, none = 0xfff8ull << 48;
    double x, y;
    memcpy(&x, &old, 8);
    memcpy(&y, &b, 8);
    x += y;
    if (x != x && !shared) return is_nan64(b) ? b : is_nan64(old) ? old : none;
    if (x != x) return is_nan64(old) ? old | quiet : is_nan64(b) ? b | quiet : none;
    memcpy(&old, &x, 8);
    return old;
}

static uint64_t add_float(uint64_t old, uint64_t b, enum wg_type t) {
    switch (t) {
    case WG_T_F32: return add_f32((uint32_t)old, (uint32_t)b);
    case WG_T_F64: return add_f64(old, b, true);
    case WG_T_F16X2:
    case WG_T_BF16X2: {
        bool bf = t == WG_T_BF16X2;
        return add_half((uint16_t)old, (uint16_t)b, bf) |
               (uint64_t)add_half((uint16_t)(old >> 16), (uint16_t)(b >> 16), bf) << 16;
    }
    default: return add_half((uint16_t)old, (uint16_t)b, t == WG_T_BF16);
    }
}

static int64_t as_signed(uint64_t x, uint32_t bits) {
    return bits == 64 ? (int64_t)x : (int64_t)(x << (64 - bits)) >> (64 - bits);
}

static uint64_t changed(uint64_t old, uint64_t b, uint64_t c, enum wg_mod op, enum wg_type t) {
    uint32_t bits = wg_type_bits(t);
    uint64_t m = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    bool sgn = wg_type_kind(t) == WG_K_S;
    b &= m, c &= m, old &= m;
    switch (op) {
    case WG_M_add: return wg_type_kind(t) == WG_K_F ? add_float(old, b, t) : (old + b) & m;
    case WG_M_exch: return b;
    case WG_M_cas: return old == b ? c : old;
    case WG_M_and: return old & b;
    case WG_M_or: return old | b;
    case WG_M_xor: return old ^ b;
    case WG_M_inc: return old >= b ? 0 : old + 1;
    case WG_M_dec: return old == 0 || old > b ? b : old - 1;
    case WG_M_min: return sgn ? (as_signed(old, bits) < as_signed(b, bits) ? old : b) : (old < b ? old : b);
    case WG_M_max: return sgn ? (as_signed(old, bits) > as_signed(b, bits) ? old : b) : (old > b ? old : b);
    default: return old;
    }
}

/* One lane's atomic on `bits` bits: a compare-and-swap loop. Where nobody reads the old
 * value, one that would stay as it is need not be locked: most of a maximum's operands are below it. */
#define CHANGE(type)                                                                                         \
    do {                                                                                                     \
        type *p = (type *)(uintptr_t)at, was = __atomic_load_n(p, __ATOMIC_RELAXED), next;                   \
        do {                                                                                                 \
            next = (type)changed(was, b, c, op, t);                                                          \
            if (unread && next == was) break;                                                                \
        } while (!__atomic_compare_exchange_n(p, &was, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));    \
        return was;                                                                                          \
    } while (0)

/* Spin locks retry while another thread holds them: only a swap that may succeed is a locked instruction. */
#define SWAP(type)                                                                                           \
    do {                                                                                                     \
        type *p = (type *)(uintptr_t)at, was = __atomic_load_n(p, __ATOMIC_SEQ_CST);                         \
        if (was == (type)b)                                                                                  \
            __atomic_compare_exchange_n(p, &was, (type)c, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
        return was;                                                                                          \
    } while (0)

/* f32 additions in global memory flush operands and results, as hardware does; those in shared memory do
 * not. */
static uint64_t add_f32_in_global(uint64_t at, uint32_t b) {
    uint32_t *p = (uint32_t *)(uintptr_t)at, was = __atomic_load_n(p, __ATOMIC_RELAXED), next;
    do next = flushed(add_f32(flushed(was), flushed(b)));
    while (!__atomic_compare_exchange_n(p, &was, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return was;
}

static uint64_t add_f64_in_global(uint64_t at, uint64_t b) {
    uint64_t *p = (uint64_t *)(uintptr_t)at, was = __atomic_load_n(p, __ATOMIC_RELAXED), next;
    do next = add_f64(was, b, false);
    while (!__atomic_compare_exchange_n(p, &was, next, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    return was;
}

static uint64_t change_shared_by_threads(uint64_t at, uint64_t b, uint64_t c, enum wg_mod op, enum wg_type t,
                                         uint32_t code) {
    bool unread = code & WG_ATOMIC_UNREAD;
    switch (wg_type_bits(t)) {
    case 16: CHANGE(uint16_t);
    case 32:
        if (op == WG_M_cas) SWAP(uint32_t);
        if (op == WG_M_add && t == WG_T_F32 && !(code & WG_ATOMIC_KEEPS))
            return add_f32_in_global(at, (uint32_t)b);
        if (op == WG_M_add && wg_type_kind(t) != WG_K_F)
            return __atomic_fetch_add((uint32_t *)(uintptr_t)at, (uint32_t)b, __ATOMIC_SEQ_CST);
        CHANGE(uint32_t);
    default:
        if (op == WG_M_cas) SWAP(uint64_t);
        if (op == WG_M_add && t == WG_T_F64) return add_f64_in_global(at, b);
        CHANGE(uint64_t);
    }
}

static uint64_t change_own(uint64_t at, uint64_t b, uint64_t c, enum wg_mod op, enum wg_type t) {
    uint64_t old = 0, next;
    size_t bytes = wg_type_bits(t) / 8;
    memcpy(&old, (void *)(uintptr_t)at, bytes);
    next = changed(old, b, c, op, t);
    memcpy((void *)(uintptr_t)at, &next, bytes);
    return old;
}

void wg_jit_atomic(const struct wg_warp *w, const uint64_t *at, const uint64_t *b, const uint64_t *c,
                   uint64_t *out, uint32_t mask, uint32_t code) {
    enum wg_type t = code & 0xff;
    enum wg_mod op = code >> 8 & 0xff;
    uint64_t own = (uint64_t)(uintptr_t)w->block->cluster_shared,
             bytes = (uint64_t)w->block->cluster_nctarank * WG_SHARED_STRIDE;
    bool added = w->block->adds_later && op == WG_M_add && (t == WG_T_F32 || t == WG_T_F64) &&
                 !(code & (WG_ATOMIC_SHARED | WG_ATOMIC_GENERIC));
    enum wg_sum_kind kind = t == WG_T_F64            ? WG_SUM_F64
                            : code & WG_ATOMIC_KEEPS ? WG_SUM_F32_KEPT
                                                     : WG_SUM_F32;
    if (added) mask = w->block->services->add_later((struct wg_warp *)w, mask, at, b, kind);
    LANES(l, mask) {
        if ((code & WG_ATOMIC_SHARED) || ((code & WG_ATOMIC_GENERIC) && at[l] - own < bytes))
            out[l] = change_own(at[l], b[l], c[l], op, t);
        else
            out[l] = change_shared_by_threads(at[l], b[l], c[l], op, t, code);
    }
}

void wg_jit_atomic_wide(const uint64_t *at, const uint64_t (*b)[WG_LANES], const uint64_t (*c)[WG_LANES],
                        uint64_t (*out)[WG_LANES], uint32_t mask, uint32_t swaps) {
    LANES(l, mask) {
        unsigned __int128 *p = (unsigned __int128 *)(uintptr_t)at[l], was, seen = 0;
        unsigned __int128 first = (unsigned __int128)b[1][l] << 64 | b[0][l];
        unsigned __int128 next = swaps ? (unsigned __int128)c[1][l] << 64 | c[0][l] : first;
        do {
            was = seen;
            seen = __sync_val_compare_and_swap(p, swaps ? first : was, next);
        } while (!swaps && seen != was);
        out[0][l] = (uint64_t)seen;
        out[1][l] = (uint64_t)(seen >> 64);
    }
}

uint32_t wg_jit_combine_miss(struct wg_warp *w, uint32_t which, uint64_t low, uint64_t high,
                             uint32_t element) {
    return w->block->services->combine_miss(w, which, low, high, element);
}

uint32_t wg_jit_combine_lanes(struct wg_warp *w, uint32_t which, const uint64_t *at, uint32_t mask,
                              uint32_t element) {
    uint64_t low = UINT64_MAX, high = 0;
    LANES(l, mask) {
        if (at[l] < low) low = at[l];
        if (at[l] > high) high = at[l];
    }
    return w->block->services->combine_miss(w, which, low, high, element);
}
void wg_jit_publish(struct wg_warp *w, uint32_t touched) { w->block->services->publish(w, touched); }

/* ---- over the lanes of a warp ---- */

uint32_t wg_jit_match_any(const uint64_t *x, const uint64_t *members, uint64_t *out, uint32_t mask,
                          uint32_t bits) {
    uint64_t m = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    LANES(l, mask) {
        uint32_t same = 0, in = (uint32_t)members[l] & mask;
        LANES(o, in) same |= (uint32_t)((x[o] & m) == (x[l] & m)) << o;
        out[l] = same;
    }
    return 0;
}

uint32_t wg_jit_match_all(const uint64_t *x, const uint64_t *members, uint64_t *out, uint32_t mask,
                          uint32_t bits) {
    uint64_t m = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    uint32_t pred = 0;
    LANES(l, mask) {
        bool all = true;
        uint32_t in = (uint32_t)members[l] & mask;
        LANES(o, in) all &= (x[o] & m) == (x[l] & m);
        out[l] = all ? in : 0;
        pred |= (uint32_t)all << l;
    }
    return pred;
}

uint32_t wg_jit_redux(const uint64_t *x, const uint64_t *members, uint64_t *out, uint32_t mask,
                      uint32_t code) {
    enum wg_type t = code & 0xff;
    enum wg_mod op = code >> 8 & 0xff;
    for (uint32_t rest = mask; rest;) {
        uint32_t in = (uint32_t)members[__builtin_ctz(rest)] & mask, alike = 0;
        uint64_t acc = 0;
        bool first = true;
        LANES(o, in) {
            acc = first ? x[o] & UINT32_MAX : changed(acc, x[o], 0, op, t);
            first = false;
        }
        LANES(l, rest) if (((uint32_t)members[l] & mask) == in) {
            out[l] = acc;
            alike |= 1u << l;
        }
        rest &= ~alike;
    }
    return 0;
}

/* ---- the machine ---- */

void wg_jit_vprintf(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b, uint64_t *c,
                    uint64_t *d) {
    (void)c, (void)d;
    uint32_t ret[WG_LANES] = {0};
    w->block->services->vprintf(w, id, lanes, a, b, ret);
    LANES(l, lanes) a[l] = ret[l];
}

void wg_jit_malloc(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b, uint64_t *c,
                   uint64_t *d) {
    (void)b, (void)c, (void)d;
    uint64_t ret[WG_LANES] = {0};
    w->block->services->malloc(w, id, lanes, a, ret);
    LANES(l, lanes) a[l] = ret[l];
}

void wg_jit_free(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b, uint64_t *c,
                 uint64_t *d) {
    (void)b, (void)c, (void)d;
    w->block->services->free(w, id, lanes, a);
}

void wg_jit_device_runtime(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b,
                           uint64_t *c, uint64_t *d) {
    uint64_t ret[WG_LANES] = {0};
    w->block->services->device_runtime(w, id, lanes, a, b, c, d, ret);
    LANES(l, lanes) a[l] = ret[l];
}

void wg_jit_launch_device(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b,
                          uint64_t *c, uint64_t *d) {
    (void)c, (void)d;
    uint64_t what[WG_LANES] = {0}, ret[WG_LANES] = {0};
    LANES(l, lanes) what[l] = WG_RUNTIME_GO;
    w->block->services->device_runtime(w, id, lanes, what, a, b, b, ret);
    LANES(l, lanes) a[l] = ret[l];
}

void wg_jit_assertfail(struct wg_warp *w, uint32_t id, uint32_t lanes, uint64_t *a, uint64_t *b, uint64_t *c,
                       uint64_t *d) {
    uint32_t line[WG_LANES] = {0};
    LANES(l, lanes) line[l] = (uint32_t)c[l];
    w->block->services->assertfail(w, lanes, a, b, line, d);
}

void wg_jit_bar_arrive(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t threads) {
    w->block->services->bar_arrive(w, lanes, id, threads);
}

void wg_jit_cluster_arrive(struct wg_warp *w, uint32_t lanes) {
    w->block->services->cluster_arrive(w, lanes);
}
uint64_t wg_jit_clock(struct wg_warp *w) { return w->block->services->clock(w); }
uint64_t wg_jit_globaltimer(struct wg_warp *w) { return w->block->services->globaltimer(w); }

/* ---- checks ---- */

uint32_t wg_jit_check_access(struct wg_warp *w, uint32_t which, uint32_t lanes, const uint64_t *address,
                             const uint64_t *value, uint64_t variable) {
    struct wg_check_ask ask = {.id = which & (INT32_MAX >> 1),
                               .inside = which >> 30 & 1,
                               .converged = which >> 31,
                               .variable = (int64_t)variable,
                               .address = address,
                               .value = value};
    return w->block->services->check_access(w, lanes, &ask);
}
uint32_t wg_jit_check_spread(struct wg_warp *w, uint64_t which, const struct wg_check_spread *spread,
                             uint64_t base, uint64_t scale, const uint64_t *value) {
    struct wg_check_ask ask = {.id = (uint32_t)spread->id,
                               .inside = which >> 32 & 1,
                               .converged = spread->converged,
                               .variable = spread->variable,
                               .spread = spread,
                               .base = base,
                               .scale = scale,
                               .value = value};
    return w->block->services->check_access(w, (uint32_t)which, &ask);
}
void wg_jit_check_event(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t event, const uint64_t *a,
                        const uint64_t *b) {
    w->block->services->check_event(w, lanes, id, event, a, b);
}
void wg_jit_check_defined(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t decides) {
    w->block->services->check_defined(w, lanes, id, decides);
}
void wg_jit_check_undefined(struct wg_warp *w, uint32_t lanes, uint32_t id, uint32_t access,
                            const uint64_t *address) {
    w->block->services->check_undefined(w, lanes, id, access, address);
}

static bool is_whole(uint64_t line) {
    const volatile uint64_t *s = (const volatile uint64_t *)line;
    uint64_t all = UINT64_MAX;
    for (int i = 0; i < 8; i++) all &= s[i];
    return all == UINT64_MAX;
}

/* Another worker may write something undefined into the line right then, and would clear its byte afterwards
 * (wg_shadow_undefined): so it is looked at once more. */
void wg_jit_mark_lines(struct wg_warp *w, uint64_t at, uint64_t bytes) {
    enum { LINE = 64 };
    const struct wg_block *b = w->block;
    uint64_t arena = b->lines - 2 * b->shadow;
    for (uint64_t a = at & ~(uint64_t)(LINE - 1); a < at + bytes; a += LINE) {
        _Atomic uint8_t *line = (_Atomic uint8_t *)(b->lines + (a - arena) / LINE);
        if (atomic_load_explicit(line, memory_order_relaxed) == UINT8_MAX || !is_whole(a + b->shadow))
            continue;
        atomic_store(line, UINT8_MAX);
        if (!is_whole(a + b->shadow)) atomic_store(line, 0);
    }
}
