/* Scalarization of divergent loops: loops with lane-dependent trip counts and scattered accesses run one lane
 * after the other, each to its end, in scalar registers.
 *
 *     for (int k = begin[row]; k < begin[row + 1]; k++) sum += value[k] * x[column[k]];
 *     for (int top = 1; top > 0;) if (!left[top]) top--; else ...          each lane with a stack of its own
 *
 * The three gathers of an iteration cost 32 lanes' worth however few lanes are left, and where lanes part in the
 * loop, each of its blocks runs for a few of them. A lane's own accesses cost one each, and out-of-order execution
 * overlaps one lane's last iterations with the next one's first. Nothing in the loop waits for other lanes, so any
 * order of the lanes is one that independent threads may have.
 *
 * GENERAL only, after lanes have diverged: registers are in the frame there, so one lane's are read and
 * written individually. The loop's other blocks also have their code for all lanes, for those that arrive there from
 * CONVERGED; they run one by one from the loop's head on.
 */
#include "jit/emit/issue.h"
#include "analysis/plan.h"
#include "jit/warp/one_lane.h"
#include "cfg/cfg.h"
#include "jit/warp/function.h"

enum { FEWEST_SCATTERED = 2, MOST_INSTRS_EACH = 24, MOST_INSTRS_EACH_OF_SEVERAL = 16 };

/* A natural loop with one block behind it. */
struct loop {
    uint32_t head, out;
    wg_bits made; /* registers that it writes */
    bool several; /* blocks */
    /* while it is emitted */
    wg_bits read; /* varying registers live into it */
    struct wg_one_lane lane;
    LLVMValueRef *begin;   /* [register] a lane's initial values */
    LLVMValueRef *var;     /* [register] what blocks of the loop leave for others */
    LLVMBasicBlockRef *bb; /* [block] */
    LLVMBasicBlockRef end;
};

/* Its blocks, in order. */
#define EACH_BLOCK_OF(k, l)                                                                                  \
    for (uint32_t k = (l)->head; k < e->func->nblocks; k++)                                                  \
        if (wg_in_loop(e->func, k, (l)->head))

static bool varies(const struct wg_emit *e, uint32_t reg) {
    uint8_t kind = e->an->facts[e->v][reg].kind;
    return kind != WG_UNIFORM && kind != WG_AFFINE;
}

/* Whether the frame holds it lane by lane. */
static bool lies_by_lanes(const struct wg_emit *e, uint32_t reg) {
    return varies(e, reg) && wg_reg_bits(e, reg) >= 8;
}

static bool source_fits(const struct wg_emit *e, const struct wg_ir_opd *o, const uint64_t *made) {
    if (o->kind != WG_O_REG) return true;
    if (o->negated) return false;
    if (wg_bits_has(made, o->index)) return true;
    if (varies(e, o->index)) return lies_by_lanes(e, o->index);
    const struct wg_fact *f = &e->an->facts[e->v][o->index];
    return wg_is_line(f->k) && wg_is_line(f->r);
}

static bool instr_fits(const struct wg_emit *e, const struct wg_ir_instr *in, const uint64_t *made) {
    bool selects = in->op == WG_OP_SETP || in->op == WG_OP_SELP;
    if (in->guard != WG_NO_REG || (selects ? in->ndst != 1 : !wg_one_lane_fits(e, in))) return false;
    for (uint32_t s = 0; s < in->nsrc; s++)
        if (!source_fits(e, &in->src[s], made)) return false;
    return true;
}

static bool is_scattered(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return in->src[0].kind == WG_O_REG && varies(e, in->src[0].index);
}

/* Whether it goes on in the loop or to the one block behind it. */
static bool ends_fit(const struct wg_emit *e, struct loop *l, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    if (blk->term != WG_TERM_BR && blk->term != WG_TERM_CBR) return false;
    if (blk->term == WG_TERM_CBR && !wg_bits_has(l->made, blk->cond)) return false;
    for (uint32_t i = 0; i < blk->nsucc; i++) {
        if (wg_in_loop(e->func, blk->succ[i], l->head)) continue;
        if (l->out != WG_NO_REG && l->out != blk->succ[i]) return false;
        l->out = blk->succ[i];
    }
    return true;
}

static void note_made(void *user, uint32_t reg) { wg_bits_add(user, reg); }

static struct loop loop_at(const struct wg_emit *e, uint32_t b) {
    struct loop l = {.head = b, .out = WG_NO_REG, .made = wg_bits_new(&e->an->arena, e->func->nregs)};
    EACH_BLOCK_OF(k, &l) {
        l.several |= k != b;
        for (uint32_t i = 0; i < e->func->blocks[k].ninstrs; i++)
            wg_each_def(&e->func->blocks[k].instrs[i], note_made, l.made);
    }
    return l;
}

/* Whether a value of it is wanted before or behind the loop. */
static bool is_kept(const struct wg_emit *e, const struct loop *l, uint32_t reg) {
    return wg_bits_has(e->an->cfg.live_in[l->head], reg) || wg_bits_has(e->an->cfg.live_in[l->out], reg);
}

/* Where lanes only leave one by one, loads alone; where they also part inside, all accesses take turns anyway. */
static bool pays(const struct loop *l, uint32_t parts, uint32_t loads, uint32_t stores, uint32_t instrs) {
    if (!l->several) return !stores && loads >= FEWEST_SCATTERED && instrs <= loads * MOST_INSTRS_EACH;
    uint32_t scattered = loads + stores;
    return parts > 1 && scattered >= FEWEST_SCATTERED && instrs <= scattered * MOST_INSTRS_EACH_OF_SEVERAL;
}

/* Whether all lanes may run all of it by themselves, and gain by it. */
static bool fits(const struct wg_emit *e, struct loop *l) {
    uint32_t loads = 0, stores = 0, instrs = 0, parts = 0;
    EACH_BLOCK_OF(k, l) {
        const struct wg_ir_block *blk = &e->func->blocks[k];
        if (wg_bits_has(e->an->spins, k) || !ends_fit(e, l, k)) return false;
        parts += blk->term == WG_TERM_CBR && varies(e, blk->cond);
        for (uint32_t i = 0; i < blk->ninstrs; i++) {
            const struct wg_ir_instr *in = &blk->instrs[i];
            if (!instr_fits(e, in, l->made)) return false;
            loads += in->op == WG_OP_LD && is_scattered(e, in);
            stores += in->op == WG_OP_ST;
        }
        instrs += blk->ninstrs;
    }
    if (l->out == WG_NO_REG || !parts) return false;
    WG_BITS_EACH(r, l->made, e->func->nregs)
    if (is_kept(e, l, r) && !lies_by_lanes(e, r)) return false;
    return pays(l, parts, loads, stores, instrs);
}

bool wg_fn_lane_loop_fits(struct wg_emit *e, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    const struct wg_code_opts *o = e->opts;
    if (e->v != WG_GENERAL || !wg_may_use(o, WG_FORM_lane_loops) || e->an->tile_bits || e->access.ncombine)
        return false;
    if (blk->loop != b) return false;
    for (uint32_t k = 0; k < e->out.checks.n; k++)
        if (e->out.checks.v[k].block == b) return false; /* CONVERGED enters it in the middle */
    struct loop l = loop_at(e, b);
    if (!fits(e, &l)) return false;
    wg_plan_yes(o, WG_FORM_lane_loops, blk->instrs);
    return true;
}

/* ---- the code ---- */

static LLVMTypeRef type_of(const struct wg_emit *e, uint32_t reg) {
    return LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, reg));
}

struct reading {
    struct wg_emit *e;
    struct loop *l;
};

static void note_read(void *user, uint32_t reg) {
    struct reading *x = user;
    if (wg_bits_has(x->l->made, reg)) return;
    if (varies(x->e, reg))
        wg_bits_add(x->l->read, reg);
    else
        wg_value_get(x->e, reg);
}

/* Values that are uniform or linear in the lane are loaded before the first lane. */
static void find_registers(struct wg_emit *e, struct loop *l) {
    uint32_t n = e->func->nregs;
    struct reading x = {e, l};
    l->read = wg_bits_new(&e->an->arena, n);
    l->lane.x = WG_NEW_N(&e->an->arena, LLVMValueRef, n);
    l->begin = WG_NEW_N(&e->an->arena, LLVMValueRef, n);
    l->var = WG_NEW_N(&e->an->arena, LLVMValueRef, n);
    l->bb = WG_NEW_N(&e->an->arena, LLVMBasicBlockRef, e->func->nblocks);
    EACH_BLOCK_OF(k, l) {
        const struct wg_ir_block *blk = &e->func->blocks[k];
        l->bb[k] = wg_new_bb(e, "lane.block");
        for (uint32_t i = 0; i < blk->ninstrs; i++) wg_each_use(&blk->instrs[i], note_read, &x);
        WG_BITS_EACH(r, l->made, n)
        if (!l->var[r] && (wg_bits_has(e->an->cfg.live_in[k], r) || is_kept(e, l, r)))
            l->var[r] = LLVMBuildAlloca(e->entry_b, type_of(e, r), "lane.var");
    }
}

static void begin_lane(struct wg_emit *e, struct loop *l) {
    WG_BITS_EACH(r, l->read, e->func->nregs)
    l->begin[r] = LLVMBuildLoad2(e->L.b, type_of(e, r), wg_slot_of_lane(e, r, l->lane.number), "");
    WG_BITS_EACH(r, l->made, e->func->nregs)
    if (wg_bits_has(e->an->cfg.live_in[l->head], r)) {
        LLVMValueRef x = LLVMBuildLoad2(e->L.b, type_of(e, r), wg_slot_of_lane(e, r, l->lane.number), "");
        LLVMBuildStore(e->L.b, x, l->var[r]);
    }
    LLVMBuildBr(e->L.b, l->bb[l->head]);
}

static void end_lane(struct wg_emit *e, struct loop *l) {
    LLVMPositionBuilderAtEnd(e->L.b, l->end);
    WG_BITS_EACH(r, l->made, e->func->nregs)
    if (wg_bits_has(e->an->cfg.live_in[l->out], r)) {
        LLVMValueRef x = LLVMBuildLoad2(e->L.b, type_of(e, r), l->var[r], "");
        LLVMBuildStore(e->L.b, x, wg_slot_of_lane(e, r, l->lane.number));
    }
}

static LLVMBasicBlockRef way_to(const struct loop *l, uint32_t to) { return l->bb[to] ? l->bb[to] : l->end; }

/* Block k for one lane. */
static void emit_block(struct wg_emit *e, struct loop *l, uint32_t k) {
    const struct wg_ir_block *blk = &e->func->blocks[k];
    LLVMPositionBuilderAtEnd(e->L.b, l->bb[k]);
    e->block = k;
    WG_BITS_EACH(r, l->read, e->func->nregs) l->lane.x[r] = l->begin[r];
    WG_BITS_EACH(r, l->made, e->func->nregs)
    l->lane.x[r] =
        wg_bits_has(e->an->cfg.live_in[k], r) ? LLVMBuildLoad2(e->L.b, type_of(e, r), l->var[r], "") : NULL;
    wg_issues_begin(e);
    for (e->instr = 0; e->instr < blk->ninstrs && !e->failed; e->instr++) {
        const struct wg_ir_instr *in = &blk->instrs[e->instr];
        wg_one_lane_emit(e, &l->lane, in);
        wg_issue_here(e);
        for (uint32_t i = 0; i < in->ndst; i++)
            if (l->var[in->dst[i].index])
                LLVMBuildStore(e->L.b, l->lane.x[in->dst[i].index], l->var[in->dst[i].index]);
    }
    wg_issues_end(e);
    if (e->failed) return;
    if (blk->term == WG_TERM_BR) {
        LLVMBuildBr(e->L.b, way_to(l, blk->succ[0]));
        return;
    }
    LLVMValueRef c = l->lane.x[blk->cond];
    if (!c) c = LLVMBuildLoad2(e->L.b, e->i1, l->var[blk->cond], "");
    LLVMBuildCondBr(e->L.b, c, way_to(l, blk->succ[blk->cond_neg]), way_to(l, blk->succ[!blk->cond_neg]));
}

void wg_fn_emit_lane_loop(struct wg_emit *e, uint32_t b) {
    struct loop l = loop_at(e, b);
    EACH_BLOCK_OF(k, &l) ends_fit(e, &l, k);
    find_registers(e, &l);
    l.end = wg_new_bb(e, "lane.end");
    LLVMValueRef mask = wg_mask(e), one = wg_i32(e, 1);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->L.b), next = wg_new_bb(e, "lane"),
                      out = wg_new_bb(e, "lanes");
    LLVMBuildBr(e->L.b, next);
    LLVMPositionBuilderAtEnd(e->L.b, next);
    LLVMValueRef rest = LLVMBuildPhi(e->L.b, e->i32, "rest");
    l.lane.number = wg_first_lane_of(e, rest);
    begin_lane(e, &l);
    EACH_BLOCK_OF(k, &l) if (!e->failed) emit_block(e, &l, k);
    e->block = b;
    if (e->failed) return;
    end_lane(e, &l);
    LLVMValueRef more = LLVMBuildAnd(e->L.b, rest, LLVMBuildSub(e->L.b, rest, one, ""), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->L.b);
    LLVMAddIncoming(rest, &mask, &before, 1);
    LLVMAddIncoming(rest, &more, &here, 1);
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, more, wg_i32(e, 0), ""), next, out);
    LLVMPositionBuilderAtEnd(e->L.b, out);
    e->masks.on = mask;
    wg_fn_goto_block(e, l.out);
}
