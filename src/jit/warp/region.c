/* If-conversion of regions in CONVERGED: blocks after a divergent branch run under masks until all lanes
 * reconverge at the join. analysis/region.c determines which branches have such a region.
 *
 *     split:   lanes[4] = taken, lanes[5] = rest             the lanes of each block of the region, words
 *     m.4:     if lanes[4] == 0 goto m.5                     on the stack that LLVM turns into values
 *              block 4 under that mask; lanes[5] |= those that go there
 *     m.5:     ... goto the join with all lanes
 *
 * A register whose old value inactive lanes still need is blended under the mask (values.c). The same blocks
 * are emitted once more without masks, for warps that do not diverge.
 */
#include "analysis/few_lanes.h"
#include "jit/instr/instr.h"
#include "jit/emit/issue.h"
#include "cfg/cfg.h"
#include "jit/emit/count.h"
#include "jit/warp/function.h"

#include <stdlib.h>
#include <string.h>

struct wg_masked {
    const struct wg_region *region;
    uint32_t branch;
    LLVMValueRef live, active; /* lanes at the branch; of these, lanes that take its lower successor */
    LLVMValueRef lanes[WG_REGION_BLOCKS]; /* of each block: an alloca */
    LLVMValueRef known[WG_REGION_BLOCKS]; /* the same while known at compile time: a constant, or NULL */
    uint32_t most[WG_REGION_BLOCKS];      /* an upper bound: no lanes but these */
    struct wg_value *cur; /* registers at the branch; not in the arena, which would grow quadratically */
    bool *have;
};

static void keep_def(void *user, uint32_t reg) { wg_bits_add(user, reg); }

/* What a failing check needs: the registers as they are at the branch. Those that the region writes are
 * read now. */
static void remember_registers(struct wg_emit *e, struct wg_masked *w) {
    uint32_t n = e->func->nregs;
    wg_bits written = wg_bits_new(&e->an->arena, n);
    for (uint32_t i = 0; i < w->region->nblocks; i++) {
        const struct wg_ir_block *b = &e->func->blocks[w->region->block[i]];
        for (uint32_t k = 0; k < b->ninstrs; k++) wg_each_def(&b->instrs[k], keep_def, written);
    }
    WG_BITS_EACH(r, written, n) if (wg_bits_has(e->an->cfg.live_out[w->branch], r)) wg_value_get(e, r);
    w->cur = wg_xcalloc(n, sizeof *w->cur);
    w->have = wg_xcalloc(n, sizeof *w->have);
    memcpy(w->cur, e->regs.cur, n * sizeof *w->cur);
    memcpy(w->have, e->regs.have, n * sizeof *w->have);
}

void wg_fn_abandon_region(struct wg_emit *e) {
    struct wg_masked *w = e->masks.region;
    struct wg_value *cur = e->regs.cur;
    bool *have = e->regs.have;
    e->regs.cur = w->cur;
    e->regs.have = w->have;
    wg_fn_save_regs(e, wg_fn_unsettled(e, w->branch, UINT32_MAX, e->an->cfg.live_out[w->branch]), NULL);
    e->regs.cur = cur;
    e->regs.have = have;
    wg_store_field(e, e->L.b, w->active, e->warp, offsetof(struct wg_warp, active));
    wg_fn_go_over(e, wg_fn_at_branch(e, w->branch), w->live);
}

/* Adds lanes, a subset of `most`, to a block's mask. */
static void send(struct wg_emit *e, struct wg_masked *w, uint32_t to, LLVMValueRef lanes, uint32_t most) {
    if (LLVMIsAConstantInt(lanes)) most = (uint32_t)LLVMConstIntGetZExtValue(lanes);
    for (uint32_t i = 0; i < w->region->nblocks; i++) {
        if (w->region->block[i] != to) continue;
        LLVMValueRef old = LLVMBuildLoad2(e->L.b, e->i32, w->lanes[i], "");
        LLVMBuildStore(e->L.b, LLVMBuildOr(e->L.b, old, lanes, ""), w->lanes[i]);
        w->most[i] |= most;
        w->known[i] = w->known[i] && LLVMIsAConstantInt(lanes) ? wg_i32(e, w->most[i]) : NULL;
    }
}

static void send_on(struct wg_emit *e, struct wg_masked *w, const struct wg_ir_block *blk, uint32_t most) {
    LLVMValueRef m = wg_mask(e), taken = wg_fn_known_lanes(e, e->block);
    if (blk->term == WG_TERM_BR || blk->succ[0] == blk->succ[1]) {
        send(e, w, blk->succ[0], m, most);
        return;
    }
    if (!taken) {
        struct wg_value *c = wg_value_get(e, blk->cond);
        if (c->kind == WG_UNIFORM)
            taken = LLVMBuildSExt(e->L.b, c->base, e->i32, "");
        else
            taken = wg_emit_mask(e, wg_value_vec(e, c));
        if (blk->cond_neg) taken = LLVMBuildNot(e->L.b, taken, "");
    }
    taken = LLVMBuildAnd(e->L.b, taken, m, "");
    LLVMValueRef rest = LLVMBuildXor(e->L.b, taken, m, "");
    if (e->opts->sites) {
        LLVMBasicBlockRef parted = wg_new_bb(e, "parted"), next = wg_new_bb(e, "next");
        LLVMValueRef some = LLVMBuildICmp(e->L.b, LLVMIntNE, taken, wg_i32(e, 0), "");
        LLVMValueRef others = LLVMBuildICmp(e->L.b, LLVMIntNE, rest, wg_i32(e, 0), "");
        LLVMBuildCondBr(e->L.b, LLVMBuildAnd(e->L.b, some, others, ""), parted, next);
        LLVMPositionBuilderAtEnd(e->L.b, parted);
        wg_count_parted(e);
        LLVMBuildBr(e->L.b, next);
        LLVMPositionBuilderAtEnd(e->L.b, next);
    }
    send(e, w, blk->succ[0], taken, most);
    send(e, w, blk->succ[1], rest, most);
}

/* Whether it is worth emitting the block once more, specialised for the lanes that it mostly runs with. */
static bool has_expected_form(const struct wg_emit *e, const struct wg_ir_block *blk, uint32_t most) {
    enum { MOST_INSTRS_TWICE = 16 };
    bool memory = false;
    if (most == UINT32_MAX || e->opts->sites || e->opts->check) return false;
    if (blk->term != WG_TERM_BR || blk->ninstrs > MOST_INSTRS_TWICE) return false;
    for (uint32_t k = 0; k < blk->ninstrs; k++) {
        const struct wg_ir_instr *in = &blk->instrs[k];
        bool access = in->op == WG_OP_LD || in->op == WG_OP_ST;
        if (wg_may_leave(e->an, in) || (wg_op_flags(in->op) && !access)) return false;
        memory |= access && (in->space == WG_S_SHARED || in->space == WG_S_GLOBAL);
    }
    return memory;
}

static void emit_instrs(struct wg_emit *e, struct wg_masked *w, uint32_t i, LLVMValueRef mask) {
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    wg_value_begin_block(e);
    e->masks.on = mask;
    e->regs.blend = w->region->blend[i];
    wg_count_block(e);
    wg_issues_begin(e);
    for (uint32_t k = 0; k < blk->ninstrs && !e->failed; k++) {
        e->instr = k;
        wg_emit_instr(e, &blk->instrs[k]);
    }
    wg_issues_end(e);
    if (!e->failed) wg_value_flush(e, e->an->cfg.live_out[e->block]);
}

/* The path specialised for all lanes that can be active. The builder then is on the other path, which must
 * end with a branch to the returned block. */
static LLVMBasicBlockRef emit_expected(struct wg_emit *e, struct wg_masked *w, uint32_t i, LLVMValueRef m) {
    LLVMBasicBlockRef all = wg_new_bb(e, "expected"), some = wg_new_bb(e, "fewer"),
                      done = wg_new_bb(e, "done");
    LLVMValueRef most = wg_i32(e, w->most[i]);
    uint32_t checked = e->access.checked.n;
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntEQ, m, most, ""), all, some);
    LLVMPositionBuilderAtEnd(e->L.b, all);
    emit_instrs(e, w, i, most);
    LLVMBuildBr(e->L.b, done);
    e->access.checked.n = checked;
    LLVMPositionBuilderAtEnd(e->L.b, some);
    return done;
}

static void join(struct wg_emit *e, LLVMBasicBlockRef at) {
    LLVMBuildBr(e->L.b, at);
    LLVMPositionBuilderAtEnd(e->L.b, at);
}

static void emit_masked_block(struct wg_emit *e, struct wg_masked *w, uint32_t i) {
    uint32_t b = w->region->block[i];
    const struct wg_ir_block *blk = &e->func->blocks[b];
    LLVMValueRef m = w->known[i];
    if (m && LLVMIsNull(m)) return;
    LLVMBasicBlockRef run = wg_new_bb(e, "masked"), next = wg_new_bb(e, "next"), few = NULL, expected = NULL;
    if (!m) m = LLVMBuildLoad2(e->L.b, e->i32, w->lanes[i], "mask");
    LLVMBuildCondBr(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, m, wg_i32(e, 0), ""), run, next);
    LLVMPositionBuilderAtEnd(e->L.b, run);
    e->block = b;
    wg_value_begin_block(e);
    e->masks.on = m;
    if (!w->known[i] && has_expected_form(e, blk, w->most[i])) expected = emit_expected(e, w, i, m);
    if (!e->access.ncombine && wg_few_lanes_fit(e->an, b)) {
        wg_value_begin_block(e);
        e->masks.on = m;
        few = wg_fn_emit_few_lanes(e, b, m);
    }
    emit_instrs(e, w, i, m);
    if (e->failed) return;
    if (few) join(e, few);
    if (expected) join(e, expected);
    e->masks.on = m;
    send_on(e, w, blk, w->most[i]);
    join(e, next);
}

void wg_fn_emit_region(struct wg_emit *e, LLVMValueRef taken, LLVMValueRef rest) {
    const struct wg_region *r = e->an->region[e->block];
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    struct wg_masked w = {.region = r, .branch = e->block, .live = wg_mask(e)};
    uint32_t checked = e->access.checked.n; /* tests done for some lanes do not hold for the others */
    w.active = blk->succ[0] < blk->succ[1] ? taken : rest;
    for (uint32_t i = 0; i < r->nblocks; i++) {
        w.known[i] = wg_i32(e, 0);
        w.lanes[i] = LLVMBuildAlloca(e->entry_b, e->i32, "lanes");
        LLVMBuildStore(e->L.b, wg_i32(e, 0), w.lanes[i]);
    }
    send(e, &w, blk->succ[0], taken, UINT32_MAX);
    send(e, &w, blk->succ[1], rest, UINT32_MAX);
    remember_registers(e, &w);
    e->masks.region = &w;
    for (uint32_t i = 0; i < r->nblocks && !e->failed; i++) emit_masked_block(e, &w, i);
    e->masks.region = NULL;
    e->regs.blend = NULL;
    free(w.cur);
    free(w.have);
    e->access.checked.n = checked;
    e->block = w.branch;
    wg_value_begin_block(e);
    if (!e->failed) wg_fn_goto_block(e, r->join);
}
