/* Uniformity tests of divergent branches: whether a whole warp goes one way, by comparing scalars.
 *
 *     if (x > 0 && x < width - 1) ...          x = base + lane
 *
 * In most warps all lanes agree, and comparing the first or last lane proves it: base > 0 and base + 31 <
 * width - 1. Where the test holds the warp branches as a whole without any lane comparison. The comparison of
 * all lanes is emitted on the other path, after the test. The test is conservative: it need not find every
 * such warp.
 *
 * Without mask registers a mask is made anew, lane by lane, for each access, and masked accesses are slow. There the
 * blocks in which some lanes may have exited are emitted twice, once for warps of which none has, as constant masks.
 */
#include "jit/instr/instr.h"
#include "analysis/plan.h"
#include "cfg/cfg.h"
#include "jit/warp/function.h"

#include <stdio.h>

enum { MOST_MADE = 16 };

/* The only definition of a register, if it is in this block. */
static const struct wg_ir_instr *maker_here(const struct wg_emit *e, uint32_t reg) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    if (e->an->cfg.ndefs[reg] != 1) return NULL;
    for (uint32_t i = blk->ninstrs; i-- > 0;) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        for (uint32_t d = 0; d < in->ndst; d++) {
            if (in->dst[d].kind != WG_O_REG || in->dst[d].index != reg) continue;
            return in->guard == WG_NO_REG && in->ndst == 1 ? in : NULL;
        }
    }
    return NULL;
}

/* Whether no instruction after this one, which is of this block, writes the register. */
static bool stays_here(const struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    for (const struct wg_ir_instr *next = in + 1; next < blk->instrs + blk->ninstrs; next++)
        for (uint32_t d = 0; d < next->ndst; d++)
            if (next->dst[d].kind == WG_O_REG && next->dst[d].index == reg) return false;
    return true;
}

/* Whether its source registers still hold the values it read: they are written once, or, for an instruction of
 * this block, not after it. Where warps run side by side, registers of several values are not looked at. */
static bool sources_stay(const struct wg_emit *e, const struct wg_ir_instr *in) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    bool here = !e->sides && in >= blk->instrs && in < blk->instrs + blk->ninstrs;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        if (in->src[i].kind != WG_O_REG || e->an->cfg.ndefs[in->src[i].index] <= 1) continue;
        if (!here || !stays_here(e, in, in->src[i].index)) return false;
    }
    return true;
}

/* ---- comparisons ---- */

enum order { LT, LE, GT, GE, NE, NONE };

static enum order order_of(const struct wg_ir_instr *in, bool wanted) {
    static const enum order opposite[] = {GE, GT, LE, LT, NONE, NONE};
    enum order o = NONE;
    switch (in->mod[WG_MC_CMP]) {
    case WG_M_lt:
    case WG_M_lo: o = LT; break;
    case WG_M_le:
    case WG_M_ls: o = LE; break;
    case WG_M_gt:
    case WG_M_hi: o = GT; break;
    case WG_M_ge:
    case WG_M_hs: o = GE; break;
    case WG_M_ne: return wanted ? NE : NONE;
    case WG_M_eq: return wanted ? NONE : NE;
    default: break;
    }
    return wanted ? o : opposite[o];
}

static enum order swapped(enum order o) {
    static const enum order other[] = {GT, GE, LT, LE, NE, NONE};
    return other[o];
}

static bool is_unsigned_order(const struct wg_ir_instr *in) {
    switch (in->mod[WG_MC_CMP]) {
    case WG_M_lo:
    case WG_M_ls:
    case WG_M_hi:
    case WG_M_hs: return true;
    default: return wg_type_kind(in->type) != WG_K_S;
    }
}

/* The greatest offset of a lane from lane 0. False: some lanes are below lane 0, so the unsigned offset is
 * huge. */
static bool span_of(const struct wg_value *v, uint64_t *span) {
    *span = 0;
    for (int l = 0; l < WG_LANES; l++)
        if ((uint64_t)v->k[l] > *span) *span = (uint64_t)v->k[l];
    return *span < INT32_MAX;
}

/* The same value, opaque to LLVM, which would otherwise split one test into two again. */
static LLVMValueRef kept_apart(struct wg_emit *e, LLVMValueRef x) {
    LLVMTypeRef t = LLVMFunctionType(e->i64, &e->i64, 1, 0);
    LLVMValueRef nothing = LLVMGetInlineAsm(t, "", 0, "=r,0", 4, 0, 0, LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(e->L.b, t, nothing, &x, 1, "");
}

/* base + 0 .. span, which wraps as 32-bit numbers do, against a bound; computed in 64 bits, where neither
 * wraps. Where `given` is false the bound is moved out of reach: so a condition that is uniform over the
 * thread block costs no test of its own in each warp. */
static LLVMValueRef compare_span(struct wg_emit *e, LLVMValueRef base, uint64_t span, LLVMValueRef bound,
                                 enum order o, bool is_signed, bool stays_below, LLVMValueRef *given) {
    LLVMBuilderRef b = e->L.b;
    if (o == NE)
        return LLVMBuildICmp(b, LLVMIntUGT, LLVMBuildSub(b, bound, base, ""), wg_i32(e, (uint32_t)span), "");
    LLVMValueRef first = wg_emit_resize(e, base, 64, is_signed),
                 limit = wg_emit_resize(e, bound, 64, is_signed);
    if (*given) {
        LLVMValueRef off = LLVMBuildZExt(b, LLVMBuildNot(b, *given, ""), e->i64, "");
        off = kept_apart(e, LLVMBuildShl(b, off, wg_i64(e, 40), ""));
        limit = o == LT || o == LE ? LLVMBuildSub(b, limit, off, "") : LLVMBuildAdd(b, limit, off, "");
        *given = NULL;
    }
    if (o == LT || o == LE) {
        limit = LLVMBuildSub(b, limit, wg_i64(e, span), "");
        return LLVMBuildICmp(b, o == LT ? LLVMIntSLT : LLVMIntSLE, first, limit, "");
    }
    LLVMValueRef above = LLVMBuildICmp(b, o == GT ? LLVMIntSGT : LLVMIntSGE, first, limit, "");
    if (stays_below) return above;
    uint64_t most = (is_signed ? INT32_MAX : UINT32_MAX) - span;
    return LLVMBuildAnd(b, above, LLVMBuildICmp(b, LLVMIntSLE, first, wg_i64(e, most), ""), "");
}

static LLVMValueRef compare(struct wg_emit *e, const struct wg_ir_instr *in, bool wanted,
                            LLVMValueRef *given) {
    enum order o = order_of(in, wanted);
    if (wg_type_bits(in->type) != 32 || wg_type_kind(in->type) == WG_K_F || o == NONE) return NULL;
    struct wg_value x = wg_operand(e, &in->src[0], 32), y = wg_operand(e, &in->src[1], 32);
    const struct wg_ir_opd *lanes = &in->src[0];
    if (x.kind == WG_UNIFORM) {
        struct wg_value z = x;
        x = y;
        y = z;
        lanes = &in->src[1];
        o = swapped(o);
    }
    uint64_t span;
    if (x.kind != WG_AFFINE || !x.k || x.r || y.kind != WG_UNIFORM || !span_of(&x, &span)) return NULL;
    LLVMValueRef covered = o == NE ? NULL : wg_spans_sides(e, in, lanes->index, x.base, &span);
    if (covered) return covered;
    bool is_signed = !is_unsigned_order(in);
    uint64_t max = wg_operand_fact(e->an, e->v, lanes).max;
    return compare_span(e, x.base, span, y.base, o, is_signed, max <= (is_signed ? INT32_MAX : UINT32_MAX),
                        given);
}

static LLVMValueRef compare_scalars(struct wg_emit *e, const struct wg_ir_instr *in, bool wanted) {
    static const LLVMIntPredicate signed_[] = {LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
    static const LLVMIntPredicate unsigned_[] = {LLVMIntULT, LLVMIntULE, LLVMIntUGT, LLVMIntUGE};
    enum order o = order_of(in, wanted);
    struct wg_value x = wg_operand(e, &in->src[0], 32), y = wg_operand(e, &in->src[1], 32);
    if (x.kind != WG_UNIFORM || y.kind != WG_UNIFORM) return NULL;
    LLVMValueRef base = wg_emit_resize(e, x.base, 32, false), bound = wg_emit_resize(e, y.base, 32, false);
    return LLVMBuildICmp(e->L.b, is_unsigned_order(in) ? unsigned_[o] : signed_[o], base, bound, "");
}

/* max(a, b) below a bound, as clang writes `x < n && y < n`, or min(a, b) above one: tests both operands. */
static LLVMValueRef compare_both(struct wg_emit *e, const struct wg_ir_instr *in, bool wanted,
                                 LLVMValueRef *given) {
    for (uint32_t i = 0; i < 2 && in->nsrc == 2; i++) {
        enum order o = i ? swapped(order_of(in, wanted)) : order_of(in, wanted);
        bool reg = in->src[i].kind == WG_O_REG;
        const struct wg_ir_instr *of = reg ? maker_here(e, in->src[i].index) : NULL;
        if (!of || of->nsrc != 2 || !sources_stay(e, of)) continue;
        if (!(of->op == WG_OP_MAX_I && (o == LT || o == LE)) &&
            !(of->op == WG_OP_MIN_I && (o == GT || o == GE)))
            continue;
        if (of->type != (is_unsigned_order(in) ? WG_T_U32 : WG_T_S32)) continue;
        LLVMValueRef all = NULL, rest = *given;
        for (uint32_t k = 0; k < 2; k++) {
            struct wg_ir_opd src[2] = {in->src[0], in->src[1]};
            struct wg_ir_instr part = *in;
            src[i] = of->src[k];
            part.src = src;
            LLVMValueRef x = compare_scalars(e, &part, wanted);
            if (!x) x = compare(e, &part, wanted, &rest);
            if (!x) return NULL;
            all = all ? LLVMBuildAnd(e->L.b, all, x, "") : x;
        }
        *given = rest;
        return all;
    }
    return NULL;
}

/* ---- conditions ---- */

struct made { /* what is to be rematerialized */
    const struct wg_ir_instr *in;
    bool known;
    uint32_t lanes; /* the lanes in which it is set, where the test holds and it is known */
};
struct wg_lane_test {
    struct made made[MOST_MADE];
    uint32_t n;
    bool parts;         /* may test for fewer lanes than all, given by the thread's index */
    bool saves;         /* avoids a comparison of lanes */
    bool part;          /* the current operand is part of a rematerialized value */
    LLVMValueRef given; /* the uniform conditions that must hold as well; NULL: none */
};

/* The definition of a predicate: in this block, or where the phase began. */
static const struct wg_ir_instr *made(struct wg_emit *e, uint32_t reg, struct wg_lane_test *s) {
    const struct wg_ir_instr *in = s->part ? NULL : maker_here(e, reg);
    if (in) return in;
    in = e->whole ? e->run.runner->remakes(e, reg, s->part) : NULL;
    s->part |= in != NULL;
    return in;
}

static LLVMValueRef lanes_are(struct wg_emit *e, const struct wg_ir_opd *o, bool wanted, bool known,
                              struct wg_lane_test *s, uint32_t *lanes);

static LLVMValueRef lanes_of_two(struct wg_emit *e, const struct wg_ir_instr *in, bool wanted, bool known,
                                 struct wg_lane_test *s, uint32_t *lanes) {
    bool both = (in->op == WG_OP_AND) == wanted;
    uint32_t other = UINT32_MAX;
    LLVMValueRef x = lanes_are(e, &in->src[0], wanted, known && both, s, lanes), y = NULL;
    if (x || !both) y = lanes_are(e, &in->src[1], wanted, known && both, s, &other);
    if (both) *lanes &= other;
    if (!both && (*lanes & other) != UINT32_MAX) return NULL;
    if (!x || !y) return both ? NULL : x ? x : y;
    return both ? LLVMBuildAnd(e->L.b, x, y, "") : LLVMBuildOr(e->L.b, x, y, "");
}

static LLVMValueRef lanes_made(struct wg_emit *e, const struct wg_ir_instr *in, bool wanted, bool known,
                               struct wg_lane_test *s, uint32_t *to) {
    LLVMValueRef lanes = wg_thread_lanes(e, in->dst[0].index);
    if (lanes && s->parts && LLVMIsAConstantInt(lanes)) {
        *to = (uint32_t)LLVMConstIntGetZExtValue(lanes) ^ (wanted ? 0 : UINT32_MAX);
        return LLVMConstInt(e->i1, 1, 0);
    }
    if (lanes) {
        s->saves = true;
        return LLVMBuildICmp(e->L.b, LLVMIntEQ, lanes, wg_i32(e, wanted ? UINT32_MAX : 0), "");
    }
    switch (in->op) {
    case WG_OP_SETP: {
        LLVMValueRef none = NULL, *given = known ? &s->given : &none;
        LLVMValueRef x = compare(e, in, wanted, given);
        if (!x) x = compare_both(e, in, wanted, given);
        s->saves |= x != NULL;
        return x;
    }
    case WG_OP_NOT: return lanes_are(e, &in->src[0], !wanted, known, s, to);
    case WG_OP_AND:
    case WG_OP_OR: return lanes_of_two(e, in, wanted, known, s, to);
    default: return NULL;
    }
}

/* A scalar that holds only if the predicate is `wanted` in exactly these lanes; NULL: none is available. */
static LLVMValueRef lanes_are(struct wg_emit *e, const struct wg_ir_opd *o, bool wanted, bool known,
                              struct wg_lane_test *s, uint32_t *lanes) {
    *lanes = UINT32_MAX;
    if (o->kind != WG_O_REG) return NULL;
    wanted ^= o->negated;
    if (e->an->facts[e->v][o->index].kind == WG_UNIFORM) {
        LLVMValueRef x = wg_value_get(e, o->index)->base;
        if (known) return LLVMConstInt(e->i1, 1, 0); /* `given` tests it */
        return wanted ? x : LLVMBuildNot(e->L.b, x, "");
    }
    bool part = s->part;
    const struct wg_ir_instr *in = made(e, o->index, s);
    if (!in && part) return NULL;
    if (!in) { /* a mask computed in another block */
        LLVMValueRef m = wg_emit_mask(e, wg_value_vec(e, wg_value_get(e, o->index)));
        return LLVMBuildICmp(e->L.b, LLVMIntEQ, m, wg_i32(e, wanted ? UINT32_MAX : 0), "");
    }
    if (s->n == MOST_MADE || !sources_stay(e, in)) return NULL;
    struct made *m = &s->made[s->n++];
    *m = (struct made){in, known, 0};
    LLVMValueRef x = lanes_made(e, in, wanted, known, s, lanes);
    s->part = part;
    m->lanes = *lanes ^ (wanted ? 0 : UINT32_MAX);
    return x;
}

/* The conditions on uniform values that `o` being `wanted` implies. */
static void gather_given(struct wg_emit *e, const struct wg_ir_opd *o, bool wanted, unsigned depth,
                         struct wg_lane_test *s) {
    if (o->kind != WG_O_REG || depth == MOST_MADE) return;
    wanted ^= o->negated;
    if (e->an->facts[e->v][o->index].kind == WG_UNIFORM) {
        if (wg_is_of_first(e, o->index)) return; /* the first warp's test covers it */
        LLVMValueRef x = wg_value_get(e, o->index)->base;
        if (!wanted) x = LLVMBuildNot(e->L.b, x, "");
        s->given = s->given ? LLVMBuildAnd(e->L.b, s->given, x, "") : x;
        return;
    }
    bool part = s->part, both = false;
    const struct wg_ir_instr *in = made(e, o->index, s);
    if (in && sources_stay(e, in)) {
        both = in->op == (wanted ? WG_OP_AND : WG_OP_OR);
        if (in->op == WG_OP_NOT) gather_given(e, &in->src[0], !wanted, depth + 1, s);
    }
    for (uint32_t i = 0; i < 2 && both; i++) gather_given(e, &in->src[i], wanted, depth + 1, s);
    s->part = part;
}

static bool is_made(const struct wg_lane_test *s, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->made[i].in == in) return true;
    return false;
}

/* In program order, for the lanes that have not been compared so far. */
void wg_fn_make_again(struct wg_emit *e, const struct wg_lane_test *s) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        if (!is_made(s, in)) continue;
        for (uint32_t j = 0; j < in->nsrc; j++) {
            uint32_t r = in->src[j].kind == WG_O_REG ? in->src[j].index : WG_NO_REG;
            if (r != WG_NO_REG && e->regs.have[r] && e->regs.cur[r].kind == WG_AFFINE)
                e->regs.cur[r].vec = NULL;
        }
        wg_emit_instr(e, in);
    }
}

void wg_fn_flush_unmade(struct wg_emit *e, const struct wg_lane_test *s) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->made[i].known) e->regs.dirty[s->made[i].in->dst[0].index] = false;
    wg_value_flush(e, e->an->cfg.live_out[e->block]);
}

void wg_fn_flush_known(struct wg_emit *e, const struct wg_lane_test *s) {
    struct wg_value kept[MOST_MADE];
    bool had[MOST_MADE]; /* for values of the phase, `cur` may be from another block */
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t r = s->made[i].in->dst[0].index;
        kept[i] = e->regs.cur[r];
        had[i] = e->regs.have[r];
        if (s->made[i].known) wg_value_set_vec(e, r, wg_emit_bits(e, wg_i32(e, s->made[i].lanes)));
    }
    wg_value_flush(e, e->an->cfg.live_out[e->block]);
    for (uint32_t i = s->n; i-- > 0;) {
        uint32_t r = s->made[i].in->dst[0].index;
        e->regs.cur[r] = kept[i];
        e->regs.have[r] = had[i];
        if (!had[i]) e->regs.dirty[r] = false;
    }
}

int wg_fn_usual_way(const struct wg_emit *e) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    const struct wg_region *r = e->an->region[e->block];
    if (!r) r = e->an->aside[e->block];
    for (int s = 0; s < 2; s++) {
        bool past = r ? blk->succ[s] == r->join : wg_leads_to_exit(e->func, blk->succ[s]);
        if (past) return 1 - s;
    }
    return -1;
}

struct wg_lane_test *wg_fn_test_lanes(struct wg_emit *e, int way, LLVMValueRef *holds, uint32_t *lanes) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    struct wg_lane_test *s = WG_NEW(&e->an->arena, struct wg_lane_test);
    struct wg_ir_opd cond = {.kind = WG_O_REG, .index = blk->cond};
    bool wanted = (way == 0) != blk->cond_neg;
    s->parts = lanes != NULL;
    uint32_t all = UINT32_MAX;
    gather_given(e, &cond, wanted, 0, s);
    *holds = lanes_are(e, &cond, wanted, true, s, lanes ? lanes : &all);
    if (!*holds || (!s->saves && (!lanes || *lanes == UINT32_MAX))) return NULL;
    if (s->given) *holds = LLVMBuildAnd(e->L.b, *holds, s->given, "");
    return s;
}

void wg_fn_try_all_lanes(struct wg_emit *e, const struct wg_ir_block *blk) {
    int way = wg_fn_usual_way(e);
    LLVMValueRef all;
    if (way < 0 || e->v != WG_CONVERGED || !wg_may_use(e->opts, WG_FORM_all_lanes)) return;
    struct wg_lane_test *s = wg_fn_test_lanes(e, way, &all, NULL);
    if (!s) return;
    wg_plan_yes(e->opts, WG_FORM_all_lanes, blk->ninstrs ? &blk->instrs[blk->ninstrs - 1] : NULL);
    wg_fn_flush_unmade(e, s);
    LLVMBasicBlockRef together = wg_new_bb(e, "together"), lanes = wg_new_bb(e, "lanes");
    LLVMBuildCondBr(e->L.b, all, together, lanes);
    LLVMPositionBuilderAtEnd(e->L.b, together);
    wg_fn_flush_known(e, s);
    wg_fn_goto_block(e, blk->succ[way]);
    LLVMPositionBuilderAtEnd(e->L.b, lanes);
    wg_fn_make_again(e, s);
}

/* ---- code for all lanes ---- */

void wg_fn_begin_all_lanes(struct wg_emit *e) {
    enum { MOST = 160 }; /* instructions that are emitted twice */
    uint32_t n = 0;
    if (!e->whole || !e->L.avx2 || e->L.avx512 || e->opts->sites || e->opts->check ||
        !wg_may_use(e->opts, WG_FORM_all_lanes))
        return;
    for (uint32_t b = 0; b < e->func->nblocks; b++)
        if (!wg_bits_has(e->an->full, b)) n += e->func->blocks[b].ninstrs;
    if (n == 0 || n > MOST) return;
    e->masks.all_bb = WG_NEW_N(&e->an->arena, LLVMBasicBlockRef, e->func->nblocks);
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        char name[32];
        snprintf(name, sizeof name, "a.%u", b);
        if (!wg_bits_has(e->an->full, b)) e->masks.all_bb[b] = wg_new_bb(e, name);
    }
}
