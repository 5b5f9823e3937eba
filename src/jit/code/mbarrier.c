/* mbarrier operations, called by generated code lane by lane: see warp/mbarrier.h for the layout.
 *
 * Lanes that arrive at one mbarrier in one instruction arrive as one, as on an H200: each is told how it was before, and where fewer
 * arrivals are pending than there are lanes, it is a fault.
 *
 * Blocks of a cluster share one thread, so plain reads and writes will do. The fields are changed in place:
 *
 *     arrive          bits - count;  drop: - (count << 20) as well
 *     expect_tx       bits + (bytes << 40), into the sign and no further
 *     phase over      bits 0..19 and 40..60 all zero: + (1 << 61), and expected goes to pending
 */
#include "jit/code/helpers.h"
#include "warp/mbarrier.h"

static const uint64_t count_mask = WG_MBARRIER_MOST, valid = UINT64_C(1) << WG_MBARRIER_VALID_AT;
static const uint64_t tx_mask = ((UINT64_C(1) << WG_MBARRIER_TX_BITS) - 1) << WG_MBARRIER_TX_AT;
static const uint64_t phase_mask = UINT64_C(3) << WG_MBARRIER_PHASE_AT;

/* bytes: of either sign. */
static bool add_tx(uint64_t *b, int64_t bytes) {
    int64_t tx = (int64_t)(*b << (64 - WG_MBARRIER_PHASE_AT)) >> (64 - WG_MBARRIER_TX_BITS);
    tx += bytes;
    if (tx > WG_MBARRIER_MOST || tx < -WG_MBARRIER_MOST) return false;
    *b = (*b & ~tx_mask) | ((uint64_t)tx << WG_MBARRIER_TX_AT & tx_mask);
    return true;
}
_Static_assert(WG_MBARRIER_TX_AT + WG_MBARRIER_TX_BITS == WG_MBARRIER_PHASE_AT, "tx lies below the phase");

/* bytes: to come besides. */
static bool arrive(uint64_t *bar, uint64_t count, bool drops, uint32_t bytes) {
    uint64_t b = *bar, dropped = drops ? count : 0;
    if (count == 0 || count > (b & count_mask) || dropped > (b >> WG_MBARRIER_EXPECTED_AT & count_mask))
        return false;
    if (bytes && !add_tx(&b, bytes)) return false;
    *bar = wg_mbarrier_ended_if_complete(b - count - (dropped << WG_MBARRIER_EXPECTED_AT));
    return true;
}

static bool arrives(uint32_t op) { return op == WG_OP_MBARRIER_ARRIVE || op == WG_OP_MBARRIER_ARRIVE_NC; }

static bool arrive_as_one(uint64_t *bar, uint64_t *x, uint32_t lanes, uint32_t code) {
    bool expects = code >> 24 & 1;
    uint64_t count = 0, bytes = 0, before = *bar;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t given = (uint32_t)x[__builtin_ctz(m)];
        if (!expects && !given) return false;
        count += expects ? 1 : given;
        bytes += expects ? given : 0;
    }
    if (!(before & valid) || bytes > WG_MBARRIER_MOST) return false;
    if (!arrive(bar, count, (code >> 16 & 0xff) == WG_M_arrive_drop, (uint32_t)bytes)) return false;
    for (uint32_t m = lanes; m; m &= m - 1) x[__builtin_ctz(m)] = before;
    return true;
}

static bool change(uint64_t *bar, uint64_t *x, uint32_t op, uint32_t operation, uint32_t code) {
    uint32_t count = (uint32_t)*x;
    if (op == WG_OP_MBARRIER_INIT) {
        *bar = valid | (uint64_t)count << WG_MBARRIER_EXPECTED_AT | count;
        return count != 0 && count <= WG_MBARRIER_MOST;
    }
    if (op == WG_OP_MBARRIER_INVAL) {
        if (code >> 26 & 1) *bar = 0;
        return true;
    }
    if (!(*bar & valid)) return false;
    switch (op) {
    case WG_OP_CP_ASYNC_ARRIVE:
        if (!(code >> 25 & 1)) return true; /* one more arrival is expected, and has arrived */
        return arrive(bar, count, false, 0);
    case WG_OP_MBARRIER_TX:
        if (!add_tx(bar, operation == WG_M_expect_tx ? (int64_t)count : -(int64_t)count)) return false;
        *bar = wg_mbarrier_ended_if_complete(*bar);
        return true;
    case WG_OP_MBARRIER_WAIT: *x = ((*x ^ *bar) & phase_mask) != 0; return true;
    default: *x = (*x ^ *bar >> WG_MBARRIER_PHASE_AT) & 1; return true;
    }
}

/* ---- lanes that all name one mbarrier ---- */

static bool all_are(const uint64_t *x, uint32_t mask, uint64_t what) {
    uint64_t other = 0;
    if (mask == UINT32_MAX) { /* as vectors */
        for (uint32_t l = 0; l < WG_LANES; l++) other |= x[l] ^ what;
        return !other;
    }
    for (; mask; mask &= mask - 1) other |= x[__builtin_ctz(mask)] ^ what;
    return !other;
}

/* The results of inactive lanes are not read. */
static bool arrive_together(uint64_t *bar, uint64_t *x, uint32_t mask) {
    uint64_t b = *bar, n = (uint64_t)__builtin_popcount(mask);
    if (!all_are(x, mask, 1) || (b & count_mask) < n) return false;
    for (uint32_t l = 0; l < WG_LANES; l++) x[l] = b;
    *bar = wg_mbarrier_ended_if_complete(b - n);
    return true;
}

static bool ask_together(uint64_t b, uint64_t *x, bool token) {
    uint64_t now = token ? b : b >> WG_MBARRIER_PHASE_AT, of = token ? phase_mask : 1;
    for (uint32_t l = 0; l < WG_LANES; l++) x[l] = ((x[l] ^ now) & of) != 0;
    return true;
}

/* False: they have to be done one by one. */
static bool change_together(uint64_t *bar, uint64_t *x, uint32_t mask, uint32_t code) {
    if (!(*bar & valid)) return false;
    switch (code & 0xffff) {
    case WG_OP_MBARRIER_WAIT: return ask_together(*bar, x, true);
    case WG_OP_MBARRIER_WAIT_PARITY: return ask_together(*bar, x, false);
    case WG_OP_CP_ASYNC_ARRIVE: return !(code >> 25 & 1) || arrive_together(bar, x, mask);
    case WG_OP_MBARRIER_ARRIVE:
    case WG_OP_MBARRIER_ARRIVE_NC:
        return !(code >> 24 & 1) && (code >> 16 & 0xff) != WG_M_arrive_drop && arrive_together(bar, x, mask);
    default: return false;
    }
}

static uint32_t lanes_at(const uint64_t *at, uint32_t mask, uint64_t place) {
    uint32_t lanes = 0;
    for (; mask; mask &= mask - 1)
        if (at[__builtin_ctz(mask)] == place) lanes |= mask & -mask;
    return lanes;
}

uint32_t wg_jit_mbarrier(const struct wg_warp *w, const uint64_t *at, uint64_t *x, uint32_t mask,
                         uint32_t code) {
    uint64_t own = (uint64_t)(uintptr_t)w->block->cluster_shared,
             bytes = (uint64_t)w->block->cluster_nctarank * WG_SHARED_STRIDE;
    if (mask & (mask - 1)) {
        uint64_t one = at[__builtin_ctz(mask)];
        if (one - own < bytes && all_are(at, mask, one) &&
            change_together((uint64_t *)(uintptr_t)one, x, mask, code))
            return 0;
    }
    for (uint32_t same; mask; mask &= ~same) {
        uint32_t l = (uint32_t)__builtin_ctz(mask), op = code & 0xffff;
        uint64_t *bar = (uint64_t *)(uintptr_t)at[l];
        same = arrives(op) ? lanes_at(at, mask, at[l]) : 1u << l;
        if (at[l] - own >= bytes) return l + 1;
        if (!(arrives(op) ? arrive_as_one(bar, x, same, code)
                          : change(bar, &x[l], op, code >> 16 & 0xff, code)))
            return l + 1;
    }
    return 0;
}

bool wg_jit_mbarrier_done(uint64_t at, uint32_t bytes) {
    uint64_t *bar = (uint64_t *)(uintptr_t)at;
    if (at % 8 || !(*bar & valid) || !add_tx(bar, -(int64_t)bytes)) return false;
    *bar = wg_mbarrier_ended_if_complete(*bar);
    return true;
}
