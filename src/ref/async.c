/* Asynchronous copies into shared memory, and mbarriers. A copy completes with its instruction, which is an
 * order that the machine allows. Layout of an mbarrier: warp/mbarrier.h. */
#include "ref/access.h"
#include "warp/mbarrier.h"
#include "warp/slices.h"

/* ---- cp.async ---- */

uint32_t wg_ref_copied_bytes(const struct ref_lane *l, const struct ref_ins *i) {
    uint32_t size = (uint32_t)i->src[2].imm;
    if (i->nsrc < 4) return size;
    if (i->src[3].kind == REF_REG && i->src[3].bits == 1) return ref_pred(l, i, 3) ? 0 : size;
    uint32_t n = (uint32_t)ref_bits(l, i, 3, 32);
    return n < size ? n : size;
}

/* What is not read becomes zero. */
REF_LANE_ROW(cp_async) {
    uint32_t size = (uint32_t)i->src[2].imm, n = wg_ref_copied_bytes(l, i);
    uint64_t v[2] = {0, 0};
    if (n) {
        uint64_t from = wg_ref_further_address(l, i, 1, WG_S_GLOBAL, size, WG_ACCESS_LOAD);
        if (!from) return;
        wg_ref_peek(l, from, v, size);
        if (n < 8) v[0] = ref_low(v[0], n * 8);
        if (n < 16) v[1] = n > 8 ? ref_low(v[1], (n - 8) * 8) : 0;
    }
    uint64_t to = wg_ref_address(l, i, size, WG_ACCESS_STORE);
    if (to) wg_ref_poke(l, to, v, size);
}

/* ---- mbarriers ---- */

struct mbarrier {
    uint32_t pending, expected, phase;
    int32_t tx;
    bool valid;
};

static struct mbarrier unpack(uint64_t bits) {
    return (struct mbarrier){
        .pending = (uint32_t)ref_low(bits, WG_MBARRIER_COUNT_BITS),
        .expected = (uint32_t)ref_low(bits >> WG_MBARRIER_EXPECTED_AT, WG_MBARRIER_COUNT_BITS),
        .tx =
            (int32_t)ref_signed(ref_low(bits >> WG_MBARRIER_TX_AT, WG_MBARRIER_TX_BITS), WG_MBARRIER_TX_BITS),
        .phase = (uint32_t)ref_low(bits >> WG_MBARRIER_PHASE_AT, 2),
        .valid = bits >> WG_MBARRIER_VALID_AT & 1,
    };
}

static uint64_t pack(const struct mbarrier *b) {
    return b->pending | (uint64_t)b->expected << WG_MBARRIER_EXPECTED_AT |
           ref_low((uint64_t)(int64_t)b->tx, WG_MBARRIER_TX_BITS) << WG_MBARRIER_TX_AT |
           (uint64_t)(b->phase & 3) << WG_MBARRIER_PHASE_AT | (uint64_t)b->valid << WG_MBARRIER_VALID_AT;
}

static void misuse(struct ref_lane *l, const struct ref_ins *i, uint64_t at) {
    wg_ref_fault(l, i, WG_FAULT_MBARRIER, at, 8);
}

/* The barrier's place: 0 after a fault. */
static uint64_t place(struct ref_lane *l, const struct ref_ins *i) {
    uint64_t at = wg_ref_address(l, i, 8, WG_ACCESS_ATOMIC);
    if (!at || wg_ref_in_space(l, at, WG_S_SHARED, true)) return at;
    misuse(l, i, at);
    return 0;
}

static void put(struct ref_lane *l, uint64_t at, struct mbarrier b) {
    if (b.pending == 0 && b.tx == 0) {
        b.pending = b.expected;
        b.phase++;
    }
    uint64_t bits = pack(&b);
    wg_ref_poke(l, at, &bits, 8);
}

static bool add_tx(struct mbarrier *b, int64_t bytes) {
    int64_t tx = b->tx + bytes;
    if (tx < -WG_MBARRIER_MOST || tx > WG_MBARRIER_MOST) return false;
    b->tx = (int32_t)tx;
    return true;
}

bool wg_ref_mbarrier_done(struct ref_lane *l, uint64_t at, uint32_t bytes) {
    uint64_t bits;
    wg_ref_peek(l, at, &bits, 8);
    struct mbarrier b = unpack(bits);
    if (!b.valid || !add_tx(&b, -(int64_t)bytes)) return false;
    put(l, at, b);
    return true;
}

REF_LANE_ROW(init) {
    uint32_t count = (uint32_t)ref_bits(l, i, 1, 32);
    uint64_t at = place(l, i);
    if (!at) return;
    if (count == 0 || count > WG_MBARRIER_MOST) {
        misuse(l, i, at);
        return;
    }
    struct mbarrier b = {.pending = count, .expected = count, .valid = true};
    uint64_t bits = pack(&b);
    wg_ref_poke(l, at, &bits, 8);
}

REF_LANE_ROW(inval) {
    uint64_t at = place(l, i), none = 0;
    if (at && l->warp->code->opts.check) wg_ref_poke(l, at, &none, 8);
}

/* What a lane brings to the mbarrier at `at`. False: a fault, or the access was refused. */
static bool arrival(struct ref_lane *l, const struct ref_ins *i, uint64_t *at, uint32_t *x) {
    *x = i->nsrc > 1 ? (uint32_t)ref_bits(l, i, 1, 32) : 1;
    *at = place(l, i);
    if (!*at && i->ir->guard == WG_NO_REG) ref_set_bits(l, i, 0, 0, 64); /* it was refused */
    return *at != 0;
}

/* arrive and arrive_drop, with a count or with bytes to come: the lanes at one mbarrier as one. */
static bool arrive_at(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes, uint64_t at,
                      const uint32_t x[WG_LANES]) {
    bool expects = i->mod[WG_MC_EXPECT] == WG_M_expect_tx, drops = i->mod[WG_MC_AOP] == WG_M_arrive_drop,
         good = true;
    struct ref_lane *first = &w->lane[__builtin_ctz(lanes)];
    uint64_t bits, count = 0;
    int64_t bytes = 0;
    wg_ref_peek(first, at, &bits, 8);
    struct mbarrier b = unpack(bits);
    REF_FOR_LANES(k, lanes) {
        good &= expects || x[k];
        count += expects ? 1 : x[k];
        bytes += expects ? x[k] : 0;
    }
    if (!good || !b.valid || count > b.pending || (drops && count > b.expected) ||
        (expects && !add_tx(&b, bytes))) {
        misuse(first, i, at);
        return false;
    }
    b.pending -= (uint32_t)count;
    if (drops) b.expected -= (uint32_t)count;
    put(first, at, b);
    REF_FOR_LANES(k, lanes) ref_set_bits(&w->lane[k], i, 0, bits, 64);
    return true;
}

static void arrive(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint64_t at[WG_LANES];
    uint32_t x[WG_LANES], left = 0;
    REF_FOR_LANES(k, lanes) {
        if (arrival(&w->lane[k], i, &at[k], &x[k])) left |= 1u << k;
        if (w->faulted) return;
    }
    while (left) {
        uint64_t place = at[__builtin_ctz(left)];
        uint32_t same = 0;
        REF_FOR_LANES(k, left)
        if (at[k] == place) same |= 1u << k;
        if (!arrive_at(w, i, same, place, x)) return;
        left &= ~same;
    }
}

/* Without .noinc the copies' arrival is one more that the phase waits for, and has come already. */
REF_LANE_ROW(copies_arrive) {
    uint64_t at = place(l, i), bits;
    if (!at) return;
    wg_ref_peek(l, at, &bits, 8);
    struct mbarrier b = unpack(bits);
    bool counted = i->mod[WG_MC_NOINC] == WG_M_noinc;
    if (!b.valid || (counted && b.pending == 0)) {
        misuse(l, i, at);
        return;
    }
    if (!counted) return;
    b.pending--;
    put(l, at, b);
}

REF_LANE_ROW(change_tx) {
    int64_t bytes = (uint32_t)ref_bits(l, i, 1, 32);
    uint64_t at = place(l, i), bits;
    if (!at) return;
    wg_ref_peek(l, at, &bits, 8);
    struct mbarrier b = unpack(bits);
    if (!b.valid || !add_tx(&b, i->mod[WG_MC_AOP] == WG_M_expect_tx ? bytes : -bytes)) {
        misuse(l, i, at);
        return;
    }
    put(l, at, b);
}

/* After a failed wait, others get the time slice as soon as the lane spins. */
REF_LANE_ROW(wait_for) {
    uint64_t at = place(l, i), bits;
    if (!at) return;
    wg_ref_peek(l, at, &bits, 8);
    struct mbarrier b = unpack(bits);
    if (!b.valid) {
        misuse(l, i, at);
        return;
    }
    bool over = i->op == WG_OP_MBARRIER_WAIT ? unpack(ref_bits(l, i, 1, 64)).phase != b.phase
                                             : (ref_bits(l, i, 1, 32) & 1) != (b.phase & 1);
    ref_set_bits(l, i, 0, over, 1);
    if (over) return;
    l->warp->wg->spent = WG_IN_VAIN;
}

REF_LANE_ROW(pending_count) { ref_set_bits(l, i, 0, unpack(ref_bits(l, i, 0, 64)).pending, 32); }

REF_LANE_ROW(nothing) {}

const struct ref_row wg_ref_async_rows[WG_OP_COUNT] = {
    [WG_OP_CP_ASYNC] = {.lane = cp_async},
    [WG_OP_FENCE_PROXY_ALIAS] = {.lane = nothing},
    [WG_OP_FENCE_PROXY] = {.lane = nothing},
    [WG_OP_FENCE_TENSORMAP] = {.lane = nothing},
    [WG_OP_FENCE_MBARRIER] = {.lane = nothing},
    [WG_OP_GRIDDEPCONTROL] = {.lane = nothing},
    [WG_OP_SETMAXNREG] = {.lane = nothing},
    [WG_OP_CP_ASYNC_COMMIT] = {.lane = nothing},
    [WG_OP_CP_ASYNC_WAIT] = {.lane = nothing},
    [WG_OP_CP_ASYNC_WAIT_ALL] = {.lane = nothing},
    [WG_OP_CP_ASYNC_ARRIVE] = {.lane = copies_arrive},
    [WG_OP_MBARRIER_INIT] = {.lane = init},
    [WG_OP_MBARRIER_INVAL] = {.lane = inval},
    [WG_OP_MBARRIER_ARRIVE] = {.lane = arrive},
    [WG_OP_MBARRIER_ARRIVE_NC] = {.lane = arrive},
    [WG_OP_MBARRIER_TX] = {.lane = change_tx},
    [WG_OP_MBARRIER_WAIT] = {.lane = wait_for},
    [WG_OP_MBARRIER_WAIT_PARITY] = {.lane = wait_for},
    [WG_OP_MBARRIER_PENDING] = {.lane = pending_count},
};
