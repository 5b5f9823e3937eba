/* Warp-synchronous rows: shuffles, votes and the like. run.c calls them once all lanes of the mask have
 * arrived: `lanes` are those of the mask that have not exited. */
#include "ref/lane.h"

static uint64_t src_of(struct ref_warp *w, uint32_t lane, const struct ref_ins *i, uint32_t k,
                       uint32_t bits) {
    return ref_bits(&w->lane[lane], i, k, bits);
}

uint32_t wg_ref_shfl_source(const struct ref_lane *l, const struct ref_ins *i, bool *in_range) {
    int b = (int)ref_bits(l, i, 1, 5), lane = (int)l->id, j;
    uint32_t c = (uint32_t)ref_bits(l, i, 2, 32);
    int clamp = (int)(c & 31), segment = (int)(c >> 8 & 31);
    int max = (lane & segment) | (clamp & ~segment), min = lane & segment;
    switch (i->mod[WG_MC_SHFL]) {
    case WG_M_up: j = lane - b, *in_range = j >= max; break;
    case WG_M_down: j = lane + b, *in_range = j <= max; break;
    case WG_M_bfly: j = lane ^ b, *in_range = j <= max; break;
    default: j = min | (b & ~segment), *in_range = j <= max; break;
    }
    return *in_range ? (uint32_t)j : l->id;
}

/* Reading from a lane that does not run the shuffle at the same time gives 0, as an H100 does
 * (docs/warps.md). */
static void shfl(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint64_t result[WG_LANES];
    uint32_t in_range = 0;
    REF_FOR_LANES(k, lanes) {
        bool ok;
        uint32_t from = wg_ref_shfl_source(&w->lane[k], i, &ok);
        if (ok) in_range |= 1u << k;
        result[k] = lanes >> from & 1 ? src_of(w, from, i, 0, 32) : 0;
    }
    REF_FOR_LANES(k, lanes) {
        ref_set(&w->lane[k], i, result[k]);
        if (i->ndst > 1) ref_set_bits(&w->lane[k], i, 1, in_range >> k & 1, 1);
    }
}

static uint32_t ballot_of(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint32_t r = 0;
    REF_FOR_LANES(k, lanes) r |= (uint32_t)ref_pred(&w->lane[k], i, 0) << k;
    return r;
}
static void vote(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint32_t yes = ballot_of(w, i, lanes);
    bool r;
    switch (i->mod[WG_MC_VOTE]) {
    case WG_M_all: r = yes == lanes; break;
    case WG_M_any: r = yes != 0; break;
    default: r = yes == lanes || yes == 0; break;
    }
    REF_FOR_LANES(k, lanes) ref_set_bits(&w->lane[k], i, 0, r, 1);
}
static void vote_ballot(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint32_t yes = ballot_of(w, i, lanes);
    REF_FOR_LANES(k, lanes) ref_set_bits(&w->lane[k], i, 0, yes, 32);
}

static void match(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    bool all = i->mod[WG_MC_VOTE] == WG_M_all;
    uint32_t result[WG_LANES];
    REF_FOR_LANES(k, lanes) {
        uint32_t same = 0;
        REF_FOR_LANES(j, lanes)
        if (src_of(w, j, i, 0, i->bits) == src_of(w, k, i, 0, i->bits)) same |= 1u << j;
        result[k] = all && same != lanes ? 0 : same;
    }
    REF_FOR_LANES(k, lanes) {
        ref_set_bits(&w->lane[k], i, 0, result[k], 32);
        if (i->ndst > 1) ref_set_bits(&w->lane[k], i, 1, result[k] != 0, 1);
    }
}

static uint32_t reduce(const struct ref_ins *i, uint32_t a, uint32_t b) {
    bool less = i->is_signed ? (int32_t)a < (int32_t)b : a < b;
    switch (i->mod[WG_MC_AOP]) {
    case WG_M_add: return a + b;
    case WG_M_min: return less ? a : b;
    case WG_M_max: return less ? b : a;
    case WG_M_and: return a & b;
    case WG_M_or: return a | b;
    default: return a ^ b;
    }
}
static void redux(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint32_t first = (uint32_t)__builtin_ctz(lanes), r = (uint32_t)src_of(w, first, i, 0, 32);
    REF_FOR_LANES(k, lanes & (lanes - 1)) r = reduce(i, r, (uint32_t)src_of(w, k, i, 0, 32));
    REF_FOR_LANES(k, lanes) ref_set(&w->lane[k], i, r);
}

/* The lowest lane is elected. */
static void elect(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {
    uint32_t leader = (uint32_t)__builtin_ctz(lanes);
    REF_FOR_LANES(k, lanes) {
        ref_set_bits(&w->lane[k], i, 0, leader, 32);
        if (i->ndst > 1) ref_set_bits(&w->lane[k], i, 1, k == leader, 1);
    }
}

static void bar_warp(struct ref_warp *w, const struct ref_ins *i, uint32_t lanes) {}

/* The lanes that run this instruction together. */
REF_LANE_ROW(activemask) { ref_set(l, i, l->warp->group); }

const struct ref_row wg_ref_warp_rows[WG_OP_COUNT] = {
    [WG_OP_SHFL] = {.group = shfl},
    [WG_OP_VOTE] = {.group = vote},
    [WG_OP_VOTE_BALLOT] = {.group = vote_ballot},
    [WG_OP_MATCH] = {.group = match},
    [WG_OP_REDUX] = {.group = redux},
    [WG_OP_ELECT] = {.group = elect},
    [WG_OP_BAR_WARP] = {.group = bar_warp},
    [WG_OP_ACTIVEMASK] = {.lane = activemask},
};
