/* Loop interchange of grid-stride loops: see interchange.h.
 *
 *     guard:   i = ...; if (i >= n) goto exit         i0 = ...; i = i0; done = 0;
 *     pre:     step = ...                             step = ...; ahead = step
 *                                             again:  if (not all threads of the block iterate) goto rest
 *                                                     i' = i0 + done; ... i' ...; barrier
 *                                                     done += step; ahead = 0; goto again
 *                                             rest:   i = i0 + done; if (i >= n) goto exit
 *     loop:    ... i ...; i += step;          loop:   ... as before
 *              if (i < n) goto loop                   if (i < n) goto loop
 *     exit:                                   exit:
 *
 * Whether all threads execute an iteration: the number that is compared with the bound is its value in the
 * block's last thread minus what depends on the thread's index, at most `span`. If the last thread's is below
 * the bound, and nothing wraps on the way down from it, so are all. The first iteration is interchanged only
 * if there is a second one (`ahead`), because a single one is in the best order already.
 *
 * Sweeps: `done` starts with the iterations that the block has run, and after `again` a block that sweeps
 * with others leaves. Whether all threads have an iteration is tested for the last thread of the last of
 * these blocks.
 *
 * Scalar evolution is not asked for the last thread's value (last_of), because the answer is code in the IR: copies of
 * the kernel's own operations with other operands, and beside each how far the threads' values are apart. A sum would
 * have to be expanded into such operations again, quotients and minima among them.
 */
#include "analysis/plan.h"
#include "analysis/interchange.h"
#include "analysis/loop_copy.h"
#include "cfg/constant.h"
#include "analysis/effects.h"
#include "analysis/flow.h"
#include "analysis/grid_loop.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 16, MOST_LOOPS = 2, CACHED = 2 << 20 };

static const struct wg_ir_instr *at(const struct wg_loop_copy *c, struct wg_at where) {
    return &c->f->blocks[where.block].instrs[where.instr];
}

static uint32_t index_of(const struct wg_loop_copy *c, const struct wg_counter *x) {
    return (uint32_t)(x - c->l.counter);
}

/* ---- the block's last thread ---- */

/* A value in that thread: in others it is less by what depends on their indices, by up to span. */
struct last {
    bool known;
    struct wg_ir_opd x;
    uint64_t span, max; /* max: it is no more than that in any thread; UINT64_MAX: not known */
};

enum { LIMIT = 1 << 30 };

static struct last last_of(struct wg_loop_copy *c, const struct wg_ir_opd *o, bool ahead, uint32_t depth);

static bool same_in_block(const struct wg_loop_copy *c, const struct wg_ir_opd *o, uint32_t depth) {
    if (o->kind != WG_O_REG) return o->kind == WG_O_IMM;
    const struct wg_ir_instr *in = c->l.def[o->index];
    if (!in || depth > MOST_DEPTH || c->l.in_loop[o->index]) return false;
    if (in->op == WG_OP_MOV_SREG)
        return wg_sreg_of_block(in->sreg) &&
               !(c->sweeps && (in->sreg == WG_SR_ctaid_x || in->sreg == WG_SR_smid));
    if (in->op == WG_OP_LD) return wg_loads_for_launch(in);
    if (wg_op_flags(in->op) || in->op == WG_OP_ACTIVEMASK) return false;
    for (uint32_t k = 0; k < in->nsrc; k++)
        if (!same_in_block(c, &in->src[k], depth + 1)) return false;
    return true;
}

/* A number that is known now. */
static bool known_number(const struct wg_loop_copy *c, const struct wg_ir_opd *o, uint64_t *x) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? c->l.def[o->index] : NULL;
    if (o->kind == WG_O_IMM) {
        *x = o->imm;
        return true;
    }
    if (!in) return false;
    if (in->op == WG_OP_MOV || (in->op == WG_OP_CVT && wg_is_index_arithmetic(in)))
        return known_number(c, &in->src[0], x);
    if (in->op != WG_OP_MOV_SREG || in->sreg < WG_SR_ntid_x || in->sreg > WG_SR_ntid_z) return false;
    *x = c->o->ntid[in->sreg - WG_SR_ntid_x];
    return true;
}

/* The span that the instruction's result has, of those of its sources. False: not linear, or it may wrap
 * round before it is widened. */
static bool span_of(const struct wg_loop_copy *c, const struct wg_ir_instr *in, const struct last *s,
                    struct last *to) {
    uint64_t by = 0;
    bool wide = in->mod[WG_MC_MULW] == WG_M_wide;
    switch (in->op) {
    case WG_OP_MOV: to->span = s[0].span, to->max = s[0].max; return true;
    case WG_OP_CVT:
        to->span = s[0].span, to->max = s[0].max;
        return true; /* what is extended is asked for: last_of_instr */
    case WG_OP_ADD_I: to->span = s[0].span + s[1].span; return in->mod[WG_MC_SAT] == WG_M_none;
    case WG_OP_SUB_I: to->span = s[0].span; return s[1].span == 0 && in->mod[WG_MC_SAT] == WG_M_none;
    case WG_OP_SHL:
        to->span = s[0].span << (in->src[1].imm & 31);
        return in->src[1].kind == WG_O_IMM && in->src[1].imm < 31;
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
        if (!wide && in->mod[WG_MC_MULW] != WG_M_lo) return false; /* high halves alone saturate */
        to->span = in->op == WG_OP_MAD_I ? s[2].span : 0;
        if (s[0].span == 0 && s[1].span == 0) return true;
        uint32_t k = s[0].span ? 0 : 1;
        if (!known_number(c, &in->src[!k], &by) || by >= LIMIT) return false;
        to->span += s[k].span * by;
        if (s[k].max < LIMIT && in->op == WG_OP_MUL_I) to->max = s[k].max * by;
        return !wide || s[k].max < LIMIT;
    default: return false;
    }
}

/* The operand in a register with one definition, for rematerialization; emits the instructions it takes. */
static struct wg_ir_opd written_once(struct wg_loop_copy *c, const struct wg_ir_opd *o) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? c->l.def[o->index] : NULL;
    struct wg_ir_opd from[3], to = *o;
    if (!in || wg_bits_has(c->l.once, o->index) || in->nsrc > 3 || in->ndst != 1) return to;
    for (uint32_t k = 0; k < in->nsrc; k++) from[k] = written_once(c, &in->src[k]);
    to.index = wg_loop_new_like(c, o->index);
    struct wg_ir_instr *made = wg_loop_copy_instr(c, in);
    for (uint32_t k = 0; k < in->nsrc; k++) made->src[k] = from[k];
    *made->dst = wg_loop_reg(to.index);
    return to;
}

static struct last last_of_tid(const struct wg_loop_copy *c, uint32_t sreg) {
    uint64_t most = c->o->ntid[sreg - WG_SR_tid_x] - 1;
    return (struct last){true, wg_loop_number(most), most, most};
}

/* Of the blocks of a sweep. */
static struct last last_of_blocks(struct wg_loop_copy *c, const struct wg_ir_instr *in) {
    uint32_t r = in->dst[0].index, x = wg_loop_new_like(c, r);
    struct wg_ir_opd own = wg_loop_read(c, WG_SR_ctaid_x, wg_loop_new_like(c, r)),
                     last = wg_loop_read(c, WG_SR_last_x, wg_loop_new_like(c, r));
    wg_loop_make(c, WG_OP_MAX_I, WG_T_U32, x, 2, own, last);
    return (struct last){true, wg_loop_reg(x), WG_SWEEP_BLOCKS - 1, WG_SWEEP_MOST_X};
}

static uint32_t new_condition(struct wg_loop_copy *c) { return wg_loop_new_like(c, c->l.ask->dst[0].index); }

static uint32_t both_of(struct wg_loop_copy *c, uint32_t p, uint32_t q) {
    uint32_t both = new_condition(c);
    wg_loop_make(c, WG_OP_AND, WG_T_PRED, both, 2, wg_loop_reg(p), wg_loop_reg(q));
    return both;
}

/* Emits whether the last thread's value is so far above the least number that no thread's is below it. */
static uint32_t ask_at_least(struct wg_loop_copy *c, const struct last *x, uint8_t type, uint64_t least) {
    uint32_t is = new_condition(c);
    wg_loop_make(c, WG_OP_SETP, type, is, 2, x->x, wg_loop_number(least + x->span))->mod[WG_MC_CMP] = WG_M_ge;
    return is;
}

/* Emits whether no thread's value of the operand has wrapped round, up to the last one's, x. Unsigned numbers of the first
 * threads are near 0, but a sweep's last block is no less than this one, whose threads are near to each other. */
static uint32_t ask_no_wrap(struct wg_loop_copy *c, const struct wg_ir_opd *o, const struct last *x,
                            uint8_t type, bool ahead, uint32_t depth) {
    if (wg_type_kind(type) == WG_K_S)
        return ask_at_least(c, x, type, UINT64_C(1) << (wg_type_bits(type) - 1));
    if (!c->sweeps) return ask_at_least(c, x, type, 0);
    c->sweeps = false;
    struct last own = last_of(c, o, ahead, depth);
    c->sweeps = true;
    uint32_t near = ask_at_least(c, &own, type, 0), above = new_condition(c);
    wg_loop_make(c, WG_OP_SETP, type, above, 2, x->x, own.x)->mod[WG_MC_CMP] = WG_M_ge;
    return both_of(c, near, above);
}

static struct last last_of_instr(struct wg_loop_copy *c, const struct wg_ir_instr *in, bool ahead,
                                 uint32_t depth) {
    struct last none = {0}, s[3] = {{0}}, to = {.known = true, .max = UINT64_MAX};
    if (in->op == WG_OP_MOV_SREG && in->sreg <= WG_SR_tid_z) return last_of_tid(c, in->sreg);
    if (in->op == WG_OP_MOV_SREG && in->sreg == WG_SR_ctaid_x && c->sweeps) return last_of_blocks(c, in);
    if (!wg_is_index_arithmetic(in) && in->op != WG_OP_MOV) return none;
    for (uint32_t k = 0; k < in->nsrc; k++) {
        s[k] = last_of(c, &in->src[k], ahead, depth + 1);
        if (!s[k].known) return none;
    }
    if (!span_of(c, in, s, &to) || to.span >= LIMIT) return none;
    if (in->op == WG_OP_CVT && s[0].span && s[0].max >= LIMIT) {
        uint32_t kept = ask_no_wrap(c, &in->src[0], &s[0], in->type2, ahead, depth + 1);
        c->extended = c->extended == WG_NO_REG ? kept : both_of(c, c->extended, kept);
    }
    struct wg_ir_instr *made = wg_loop_copy_instr(c, in);
    for (uint32_t k = 0; k < in->nsrc; k++) made->src[k] = s[k].x;
    uint32_t r = wg_loop_new_like(c, in->dst[0].index);
    c->instrs.v[c->instrs.n - 1].dst[0] = wg_loop_reg(r);
    to.x = wg_loop_reg(r);
    return to;
}

/* Emits the instructions it takes. ahead: the value of the next iteration, before the first one. */
static struct last last_of(struct wg_loop_copy *c, const struct wg_ir_opd *o, bool ahead, uint32_t depth) {
    struct last none = {0};
    if (depth > MOST_DEPTH) return none;
    if (same_in_block(c, o, 0)) return (struct last){true, written_once(c, o), 0, UINT64_MAX};
    if (o->kind != WG_O_REG) return none;
    const struct wg_counter *x = c->l.counts[o->index];
    if (!x) return c->l.def[o->index] ? last_of_instr(c, c->l.def[o->index], ahead, depth) : none;
    uint32_t k = index_of(c, x);
    bool before = c->before_loop;
    c->before_loop = true;
    struct last to = last_of_instr(c, at(c, x->init), ahead, depth);
    c->before_loop = before;
    if (before) return to; /* a counter's initial value is another one's before the loop */
    uint8_t type = at(c, x->add)->type;
    uint32_t sum = wg_loop_new_like(c, x->reg);
    wg_loop_make(c, WG_OP_ADD_I, type, sum, 2, to.x, wg_loop_reg(c->done[k]));
    to.x = wg_loop_reg(sum);
    to.max = UINT64_MAX;
    c->asked[k] = true;
    if (!ahead) return to;
    sum = wg_loop_new_like(c, x->reg);
    wg_loop_make(c, WG_OP_ADD_I, type, sum, 2, to.x, wg_loop_reg(c->ahead[k]));
    to.x = wg_loop_reg(sum);
    return to;
}

/* Emits whether all threads have an iteration; WG_NO_REG: unknown. */
static uint32_t ask_all(struct wg_loop_copy *c, bool ahead) {
    const struct wg_ir_instr *ask = c->l.ask;
    if (wg_type_kind(ask->type) == WG_K_F) return WG_NO_REG;
    c->extended = WG_NO_REG;
    struct last x = last_of(c, &ask->src[0], ahead, 0), n = last_of(c, &ask->src[1], ahead, 0);
    if (!x.known || !n.known || n.span || !wg_asks_below(&c->l)) return WG_NO_REG;
    uint32_t is_below = new_condition(c);
    wg_loop_make(c, WG_OP_SETP, ask->type, is_below, 2, x.x, n.x)->mod[WG_MC_CMP] =
        wg_as_below(ask->mod[WG_MC_CMP]);
    uint32_t all = both_of(c, is_below, ask_no_wrap(c, &ask->src[0], &x, ask->type, ahead, 0));
    return c->extended == WG_NO_REG ? all : both_of(c, all, c->extended);
}

/* Emits whether the block sweeps with others. */
static uint32_t ask_together(struct wg_loop_copy *c) {
    uint32_t together = wg_loop_new_like(c, c->l.ask->dst[0].index);
    struct wg_ir_opd last = wg_loop_read(c, WG_SR_last_x, wg_loop_new_like(c, c->l.ctaid));
    wg_loop_make(c, WG_OP_SETP, WG_T_U32, together, 2, last, wg_loop_number(0))->mod[WG_MC_CMP] = WG_M_ne;
    return together;
}

/* Sums are loop-carried through the warp's frame. Where the data fits the host's caches, that costs more than
 * memory order gains. Additions by atomics gain by sweeps alone. */
static uint32_t ask_if_worth_it(struct wg_loop_copy *c, uint32_t cond) {
    const struct wg_ir_instr *ask = c->l.ask;
    if (c->l.adds) {
        uint32_t together = ask_together(c), all = wg_loop_new_like(c, together);
        wg_loop_make(c, WG_OP_AND, WG_T_PRED, all, 2, wg_loop_reg(cond), wg_loop_reg(together));
        return all;
    }
    if (!c->l.kept) return cond;
    uint32_t is_large = wg_loop_new_like(c, ask->dst[0].index), both = wg_loop_new_like(c, ask->dst[0].index);
    wg_loop_make(c, WG_OP_SETP, ask->type, is_large, 2, written_once(c, &ask->src[1]),
                 wg_loop_number(CACHED / c->l.bytes))
        ->mod[WG_MC_CMP] = WG_M_ge;
    wg_loop_make(c, WG_OP_AND, WG_T_PRED, both, 2, wg_loop_reg(cond), wg_loop_reg(is_large));
    return both;
}

/* ---- blocks ---- */

static uint32_t moved(const struct wg_loop_copy *c, uint32_t b) {
    return b == WG_NO_REG || b < c->l.first ? b : b - c->l.first + c->loop;
}

/* A block that stays, but for what a counter is before the loop: that is a register of its own, too. */
static void copy_instrs(struct wg_loop_copy *c, uint32_t b) {
    const struct wg_ir_block *blk = &c->f->blocks[b];
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        uint32_t k = 0;
        while (k < c->l.ncounters && (c->l.counter[k].init.block != b || c->l.counter[k].init.instr != i))
            k++;
        struct wg_ir_opd from[3];
        const struct wg_ir_instr *in = &blk->instrs[i];
        for (uint32_t s = 0; s < in->nsrc && k < c->l.ncounters; s++) from[s] = written_once(c, &in->src[s]);
        struct wg_ir_instr *to = wg_loop_copy_instr(c, in);
        if (k == c->l.ncounters) continue;
        for (uint32_t s = 0; s < in->nsrc; s++) to->src[s] = from[s];
        *to->dst = wg_loop_reg(c->init[k]);
        c->of = &blk->instrs[i];
        if (c->sweeps) { /* the register itself is the rest's */
            c->name[c->l.counter[k].reg] = c->init[k];
            continue;
        }
        uint32_t bits = wg_type_bits(at(c, c->l.counter[k].add)->type);
        wg_loop_make(c, WG_OP_MOV, bits == 64 ? WG_T_B64 : WG_T_B32, c->l.counter[k].reg, 1,
                     wg_loop_reg(c->init[k]), wg_loop_number(0));
    }
}

static void copy_outside(struct wg_loop_copy *c, uint32_t b) {
    const struct wg_ir_block *blk = &c->f->blocks[b];
    copy_instrs(c, b);
    struct wg_ir_block *to = wg_loop_end_block(c, blk, moved(c, blk->loop), 1, 0, 0);
    to->term = blk->term;
    to->uniform = blk->uniform;
    to->outer = moved(c, blk->outer);
    to->nsucc = blk->nsucc;
    to->succ = WG_NEW_N(c->a, uint32_t, blk->nsucc + 1);
    for (uint32_t k = 0; k < blk->nsucc; k++) to->succ[k] = moved(c, blk->succ[k]);
}

/* The counter's total step over the iterations that the block has run. */
static void begin_sweep(struct wg_loop_copy *c, uint32_t k) {
    const struct wg_ir_instr *add = at(c, c->l.counter[k].add);
    bool wide = wg_type_bits(add->type) == 64;
    struct wg_ir_opd done = wg_loop_read(c, WG_SR_iteration, wg_loop_new_like(c, c->done[k]));
    wg_loop_make(c, WG_OP_MUL_I, wide ? WG_T_U64 : WG_T_U32, c->done[k], 2, done, add->src[1])
        ->mod[WG_MC_MULW] = WG_M_lo;
    if (!c->asked[k]) return;
    uint32_t first = wg_loop_new_like(c, c->l.ask->dst[0].index);
    wg_loop_make(c, WG_OP_SETP, wide ? WG_T_U64 : WG_T_U32, first, 2, done, wg_loop_number(0))
        ->mod[WG_MC_CMP] = WG_M_eq;
    wg_loop_make(c, WG_OP_SELP, wide ? WG_T_B64 : WG_T_B32, c->ahead[k], 3, add->src[1], wg_loop_number(0))
        ->src[2] = wg_loop_reg(first);
}

/* The code before the loop, now without the guard's test. */
static void make_before(struct wg_loop_copy *c) {
    copy_instrs(c, c->l.guard);
    if (c->l.pre != WG_NO_REG) copy_instrs(c, c->l.pre);
    for (uint32_t r = 0; r < c->f->nregs; r++) c->name[r] = r;
    c->of = c->l.ask;
    for (uint32_t k = 0; k < c->l.ncounters; k++) {
        const struct wg_ir_instr *add = at(c, c->l.counter[k].add);
        uint8_t type = wg_type_bits(add->type) == 64 ? WG_T_B64 : WG_T_B32;
        if (c->sweeps) {
            begin_sweep(c, k);
            continue;
        }
        wg_loop_make(c, WG_OP_MOV, type, c->done[k], 1, wg_loop_number(0), wg_loop_number(0));
        if (c->asked[k]) wg_loop_make(c, WG_OP_MOV, type, c->ahead[k], 1, add->src[1], wg_loop_number(0));
    }
    wg_loop_end_block(c, &c->f->blocks[c->l.guard], WG_NO_REG, 1, c->again, 0);
}

static void add_barrier(struct wg_loop_copy *c) {
    struct wg_ir_instr *in = wg_loop_make(c, WG_OP_BAR_SYNC, 0, 0, 1, wg_loop_number(0), wg_loop_number(0));
    in->ndst = 0;
}

static bool varies_anew(const struct wg_ir_instr *in) {
    if (in->op == WG_OP_MOV_SREG) return in->sreg <= WG_SR_tid_z;
    if (wg_op_is(in->op, WG_IS_COPY)) return true;
    return wg_is_index_arithmetic(in);
}

/* Rematerializes an operand defined before the loop from values uniform for the block, so that no warp keeps
 * it live; the operand itself, where it is not arithmetic alone. */
static struct wg_ir_opd anew(struct wg_loop_copy *c, const struct wg_ir_opd *o, uint32_t depth) {
    struct wg_ir_opd from[3], itself = *o;
    if (o->kind != WG_O_REG || o->negated) return itself;
    const struct wg_ir_instr *in = c->l.def[o->index];
    const struct wg_counter *x = c->l.counts[o->index];
    if (x) {
        in = at(c, x->init);
        itself.index = c->init[index_of(c, x)];
    }
    if (!c->sweeps || !in || depth > MOST_DEPTH || (!x && c->l.in_loop[o->index])) return itself;
    if ((!x && same_in_block(c, o, 0)) || !varies_anew(in)) return itself;
    for (uint32_t k = 0; k < in->nsrc; k++) from[k] = anew(c, &in->src[k], depth + 1);
    struct wg_ir_instr *made = wg_loop_copy_instr(c, in);
    for (uint32_t k = 0; k < in->nsrc; k++) made->src[k] = from[k];
    itself.index = made->dst[0].index = wg_loop_new_like(c, o->index);
    return itself;
}

static struct wg_ir_opd init_of(struct wg_loop_copy *c, uint32_t k) {
    struct wg_ir_opd counter = wg_loop_reg(c->l.counter[k].reg);
    return anew(c, &counter, 0);
}

/* A copy of the loop's blocks: an iteration that all threads run. */
static void make_iteration(struct wg_loop_copy *c) {
    const struct wg_grid_loop *l = &c->l;
    for (uint32_t r = 0; r < c->f->nregs; r++)
        c->name[r] = wg_bits_has(l->own, r) ? wg_loop_new_like(c, r) : r;
    for (uint32_t k = 0; k < l->ncounters; k++) {
        uint32_t r = l->counter[k].reg;
        struct wg_ir_opd init = init_of(c, k);
        c->name[r] = wg_loop_new_like(c, r);
        wg_loop_make(c, WG_OP_ADD_I, at(c, l->counter[k].add)->type, c->name[r], 2, init,
                     wg_loop_reg(c->done[k]));
    }
    for (uint32_t b = l->first; b < l->first + l->n; b++) {
        const struct wg_ir_block *blk = &c->f->blocks[b];
        bool last = b + 1 == l->first + l->n;
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            const struct wg_ir_instr *in = &blk->instrs[i];
            uint32_t r = in->ndst == 1 && in->dst[0].kind == WG_O_REG ? in->dst[0].index : WG_NO_REG;
            struct wg_ir_instr *to = wg_loop_copy_instr(c, in);
            if (r == WG_NO_REG || !l->counts[r]) continue;
            uint32_t next = wg_loop_new_like(c, r); /* from here on it is the next iteration's */
            *to->dst = wg_loop_reg(next);
            c->name[r] = next;
        }
        if (last) add_barrier(c);
        uint32_t nsucc = last ? 1 : blk->nsucc, to[2] = {c->after, c->after};
        for (uint32_t k = 0; k < nsucc && !last; k++) to[k] = blk->succ[k] - l->first + c->iteration;
        struct wg_ir_block *made = wg_loop_end_block(c, blk, c->again, nsucc, to[0], to[nsucc - 1]);
        if (nsucc == 2) made->cond = c->name[blk->cond];
    }
    for (uint32_t r = 0; r < c->f->nregs; r++) c->name[r] = r;
}

static void make_after(struct wg_loop_copy *c) {
    for (uint32_t k = 0; k < c->l.ncounters; k++) {
        const struct wg_ir_instr *add = at(c, c->l.counter[k].add);
        wg_loop_make(c, WG_OP_ADD_I, add->type, c->done[k], 2, wg_loop_reg(c->done[k]), add->src[1]);
        uint8_t type = wg_type_bits(add->type) == 64 ? WG_T_B64 : WG_T_B32;
        if (c->asked[k])
            wg_loop_make(c, WG_OP_MOV, type, c->ahead[k], 1, wg_loop_number(0), wg_loop_number(0));
    }
    const struct wg_ir_block *like = &c->f->blocks[c->l.guard];
    if (!c->sweeps) {
        wg_loop_end_block(c, like, c->again, 1, c->again, 0);
        return;
    }
    uint32_t together = ask_together(c);
    struct wg_ir_block *b = wg_loop_end_block(c, like, c->again, 2, c->leave, c->again);
    b->cond = together;
    b->cond_neg = false;
    b = wg_loop_end_block(c, like, WG_NO_REG, 0, 0, 0);
    b->term = WG_TERM_RET;
    b->goes_on = true;
}

/* The loop's own exit test, of the counters' current values. */
static uint32_t ask_anew(struct wg_loop_copy *c, uint32_t r, uint32_t depth) {
    const struct wg_ir_instr *in = c->l.def[r];
    if (!c->l.in_loop[r] || c->l.counts[r]) return r;
    uint32_t from[3] = {0};
    for (uint32_t k = 0; k < in->nsrc; k++)
        if (in->src[k].kind == WG_O_REG) from[k] = ask_anew(c, in->src[k].index, depth + 1);
    struct wg_ir_instr *to = wg_loop_copy_instr(c, in);
    for (uint32_t k = 0; k < in->nsrc; k++)
        if (in->src[k].kind == WG_O_REG) to->src[k].index = from[k];
    uint32_t made = wg_loop_new_like(c, r);
    *c->instrs.v[c->instrs.n - 1].dst = wg_loop_reg(made);
    return made;
}

static void make_rest(struct wg_loop_copy *c) {
    const struct wg_grid_loop *l = &c->l;
    const struct wg_ir_block *latch = &c->f->blocks[l->first + l->n - 1];
    for (uint32_t k = 0; k < l->ncounters; k++) {
        struct wg_ir_opd init = init_of(c, k);
        wg_loop_make(c, WG_OP_ADD_I, at(c, l->counter[k].add)->type, l->counter[k].reg, 2, init,
                     wg_loop_reg(c->done[k]));
    }
    uint32_t cond = ask_anew(c, latch->cond, 0), exit = moved(c, l->exit);
    bool back = latch->succ[0] == l->first;
    struct wg_ir_block *b =
        wg_loop_end_block(c, latch, WG_NO_REG, 2, back ? c->loop : exit, back ? exit : c->loop);
    b->cond = cond;
    b->rare = true;
}

static const struct wg_ir_func *copied(struct wg_loop_copy *c, uint32_t cond) {
    struct wg_ir_func *f = WG_NEW(c->a, struct wg_ir_func);
    struct wg_ir_instr *asks = WG_NEW_N(c->a, struct wg_ir_instr, c->instrs.n + 1);
    uint32_t nasks = c->instrs.n;
    memcpy(asks, c->instrs.v, nasks * sizeof *asks);
    c->instrs.n = 0;
    for (uint32_t b = 0; b < c->l.guard; b++) copy_outside(c, b);
    make_before(c);
    for (uint32_t i = 0; i < nasks; i++) *WG_PUSH(&c->instrs) = asks[i];
    wg_loop_end_block(c, &c->f->blocks[c->l.guard], c->again, 2, c->iteration, c->rest)->cond = cond;
    c->blocks.v[c->again].cond_neg = false;
    make_iteration(c);
    make_after(c);
    make_rest(c);
    for (uint32_t b = c->l.first; b < c->f->nblocks; b++) copy_outside(c, b);
    c->blocks.v[c->loop + c->l.n - 1].rare = true;
    *f = *c->f;
    f->sweeps |= c->sweeps;
    wg_flow_install(c->a, f, c->regs.v, c->regs.n, c->blocks.v, c->blocks.n);
    wg_drop_unused(c->a, f, c->rest); /* the exit test, mostly */
    return f;
}

/* NULL: not a grid-stride loop, or not interchangeable. */
static const struct wg_ir_func *interchanged(struct wg_arena *a, const struct wg_ir_module *m,
                                             const struct wg_ir_func *f, const struct wg_code_opts *o,
                                             uint32_t header, struct wg_cfg *alive) {
    struct wg_loop_copy c = {.a = a, .f = f, .o = o};
    const struct wg_ir_func *made = NULL;
    if (!wg_find_grid_loop(a, f, header, alive, &c.l)) return NULL;
    c.sweeps = !o->grid_waits && wg_may_use(o, WG_FORM_sweeps) && wg_may_sweep(a, m, f, &c.l);
    if (c.l.adds && !c.sweeps) return NULL;
    c.again = c.l.guard + 1;
    c.iteration = c.again + 1;
    c.after = c.iteration + c.l.n;
    c.leave = c.after + 1;
    c.rest = c.sweeps ? c.leave + 1 : c.leave;
    c.loop = c.rest + 1;
    c.of = c.l.ask;
    for (uint32_t r = 0; r < f->nregs; r++) *WG_PUSH(&c.regs) = f->regs[r];
    c.name = WG_NEW_N(a, uint32_t, f->nregs + 1);
    for (uint32_t r = 0; r < f->nregs; r++) c.name[r] = r;
    for (uint32_t k = 0; k < c.l.ncounters; k++) {
        c.init[k] = wg_loop_new_like(&c, c.l.counter[k].reg);
        c.done[k] = wg_loop_new_like(&c, c.l.counter[k].reg);
        c.ahead[k] = wg_loop_new_like(&c, c.l.counter[k].reg);
    }
    uint32_t now = ask_all(&c, false), next = now == WG_NO_REG ? now : ask_all(&c, true);
    if (next != WG_NO_REG) {
        uint32_t both = wg_loop_new_like(&c, now);
        wg_loop_make(&c, WG_OP_AND, WG_T_PRED, both, 2, wg_loop_reg(now), wg_loop_reg(next));
        made = copied(&c, ask_if_worth_it(&c, both));
    }
    free(c.instrs.v);
    free(c.blocks.v);
    free(c.regs.v);
    return made;
}

const struct wg_ir_func *wg_interchange(struct wg_arena *a, const struct wg_ir_module *m,
                                        const struct wg_ir_func *f, const struct wg_code_opts *o) {
    struct wg_cfg alive = {0}; /* liveness in f only */
    uint32_t found = 0;
    if (!o->whole_blocks || !wg_may_use(o, WG_FORM_interchange)) return f;
    if (o->ntid[0] * o->ntid[1] * o->ntid[2] <= WG_LANES) return f; /* there is but one order */
    for (uint32_t h = 1; h < f->nblocks && found < MOST_LOOPS; h++) {
        const struct wg_ir_func *made = f->blocks[h].loop == h ? interchanged(a, m, f, o, h, &alive) : NULL;
        if (!made) continue;
        wg_plan_yes(o, WG_FORM_interchange, f->blocks[h].instrs);
        h += made->nblocks - f->nblocks; /* the loop itself is there now */
        f = made;
        found++;
    }
    wg_arena_free(&alive.arena);
    return f;
}
