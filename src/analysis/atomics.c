/* See atomics.h. */
#include "analysis/atomics.h"
#include "analysis/flow.h"

/* ---- what differs from lane to lane ---- */

struct spread {
    const struct wg_atomics *x;
    const uint32_t *ndefs;
    struct wg_growing varying;
    bool part; /* some branch may diverge: a register with several definitions may be varying */
};

static bool differs(const struct wg_atomics *x, const struct wg_ir_opd *o) {
    return o->kind == WG_O_REG && wg_bits_has(x->varying, o->index);
}

static bool is_varying_load(const struct wg_ir_instr *in) {
    switch (in->space) {
    case WG_S_PARAM:
    case WG_S_CONST: return false;
    case WG_S_GLOBAL:
    case WG_S_SHARED: return !wg_ir_is_weak(in);
    default: return true; /* local memory is each lane's own */
    }
}

static bool makes_varying(const struct spread *s, const struct wg_ir_instr *in) {
    const struct wg_atomics *x = s->x;
    if (in->op == WG_OP_MOV_SREG) return !wg_sreg_of_block(in->sreg);
    if (wg_op_is(in->op, WG_IS_LOAD)) {
        bool argument = in->src[0].kind == WG_O_SYM && !x->f->entry && in->space == WG_S_PARAM;
        if (argument || is_varying_load(in)) return true;
    } else if (wg_op_flags(in->op) & ~(uint32_t)WG_F_CC) {
        return true; /* atomics, calls, warp-level operations */
    }
    if (in->guard != WG_NO_REG && wg_bits_has(x->varying, in->guard)) return true;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (differs(x, &in->src[i])) return true;
    return in->op == WG_OP_ACTIVEMASK;
}

static void spread_block(struct spread *s, const struct wg_ir_block *blk) {
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        bool vary = makes_varying(s, in);
        for (uint32_t d = 0; d < in->ndst; d++)
            if (in->dst[d].kind == WG_O_REG && (vary || (s->part && s->ndefs[in->dst[d].index] > 1)))
                wg_grow(&s->varying, in->dst[d].index);
        if (in->op == WG_OP_CALL) wg_each_def(in, wg_grow, &s->varying);
    }
    bool asks = blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX;
    if (!asks || s->part || !wg_bits_has(s->x->varying, blk->cond)) return;
    s->part = s->varying.grew = true;
}

static void find_varying(struct wg_arena *a, const struct wg_atomics *x) {
    const struct wg_ir_func *f = x->f;
    struct spread s = {.x = x, .ndefs = wg_count_defs(a, f), .varying = {x->varying, true}};
    while (s.varying.grew) {
        s.varying.grew = false;
        for (uint32_t b = 0; b < f->nblocks; b++) spread_block(&s, &f->blocks[b]);
    }
}

struct wg_atomics wg_atomics_find(struct wg_arena *a, const struct wg_ir_func *f, const uint64_t *wanted) {
    struct wg_atomics x = {.f = f, .wanted = wanted, .varying = wg_bits_new(a, f->nregs + 1)};
    find_varying(a, &x);
    return x;
}

/* ---- rules ---- */

static bool is_used(const struct wg_atomics *x, const struct wg_ir_instr *in) {
    return in->op == WG_OP_ATOM && in->dst[0].kind == WG_O_REG && wg_bits_has(x->wanted, in->dst[0].index);
}

static bool is_whole(const struct wg_ir_instr *in) { /* a number without a fraction */
    return wg_type_kind(in->type) != WG_K_F;
}

static bool is_reduction(const struct wg_atomics *x, const struct wg_ir_instr *in) {
    if (in->space != WG_S_GLOBAL) return false;     /* there is no generic one */
    if (wg_type_bits(in->type) == 16) return false; /* a loop of compare-and-swap */
    if (in->op == WG_OP_RED) return true;
    uint8_t sem = in->mod[WG_MC_SEM], op = in->mod[WG_MC_AOP];
    bool ordered = sem != WG_M_none && sem != WG_M_relaxed;
    return !is_used(x, in) && !ordered && op != WG_M_exch && op != WG_M_cas;
}

static bool is_one_lane(const struct wg_atomics *x, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    if (!is_whole(in) || differs(x, &in->src[0])) return false;
    switch (in->mod[WG_MC_AOP]) {
    case WG_M_add: return bits == 32 || (bits == 64 && !differs(x, &in->src[1]));
    case WG_M_min:
    case WG_M_max:
    case WG_M_and:
    case WG_M_or:
    case WG_M_xor: return bits == 32 && !is_used(x, in);
    default: return false;
    }
}

static uint8_t shared_way(const struct wg_ir_instr *in) {
    switch (in->mod[WG_MC_AOP]) {
    case WG_M_cas: return WG_SHARED_WAY_SWAP;
    case WG_M_exch:
    case WG_M_inc:
    case WG_M_dec: return WG_SHARED_WAY_NATIVE;
    default: return is_whole(in) && wg_type_bits(in->type) == 32 ? WG_SHARED_WAY_NATIVE : WG_SHARED_WAY_LOOP;
    }
}

struct wg_atomic_made wg_atomic_made(const struct wg_atomics *x, const struct wg_ir_instr *in) {
    return (struct wg_atomic_made){.used = is_used(x, in),
                                   .reduces = is_reduction(x, in),
                                   .one_lane = is_one_lane(x, in),
                                   .way = shared_way(in)};
}
