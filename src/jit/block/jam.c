/* Unroll-and-jam of the loop over warps: a phase's code for several warps of a block at a time
 * (analysis/jam.h).
 *
 *     jam.head:   number = 0, 4, 8, ...; registers of each warp
 *     j.B ...     each instruction for one warp after the other, or once for all of them
 *     jam.latch:  the next group, or, with warps left over,
 *     head:       the remainder loop, one warp at a time (phases.c)
 *     parted:     their lanes diverge at a short block: that block for some lanes of each warp
 *     alone:      the warps diverge otherwise, or a check fails: head, from the group's first warp on
 *
 * Where a branch depends on the thread's index and on comparisons that scalars make for all warps at once,
 * each warp continues with a mask of the lanes that take it (`lanes`).
 *
 * Each warp has slots and values of its own (privatization), except for registers that are uniform over the
 * warps: those are the first one's. The remainder loop has its own again; values that are uniform over the
 * block are copied from one to the other where a phase begins and ends. After `alone` all remaining warps of
 * the block run one by one, for the next group would most likely end like this one.
 */
#include "jit/instr/instr.h"
#include "jit/emit/issue.h"
#include "analysis/plan.h"
#include "analysis/jam.h"
#include "jit/access/columns.h"
#include "jit/emit/sides.h"
#include "jit/block/phases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the beginning of a group ---- */

static void begin_registers(struct wg_emit *e, const struct wg_phase *p, const struct side *one) {
    uint32_t n = e->func->nregs;
    const struct wg_phases *ph = e->an->phases;
    wg_bits framed = wg_bits_new(&e->an->arena, n);
    WG_BITS_EACH(r, ph->uniform, n) {
        if (!wg_fn_wanted_at(e, p->begins, r)) continue;
        struct wg_slot *mine = e->regs.slot[WG_CONVERGED];
        uint32_t now = e->sides->now;
        e->regs.slot[WG_CONVERGED] = one->slot;
        e->sides->now = 0;
        struct wg_value x = wg_slot_load(e, e->L.b, WG_CONVERGED, r);
        e->regs.slot[WG_CONVERGED] = mine;
        e->sides->now = now;
        wg_slot_store(e, e->L.b, WG_CONVERGED, r, &x);
    }
    if (p->begins == 0) { /* what is read before it is written is zero */
        WG_BITS_EACH(r, e->an->cfg.live_in[0], n) {
            LLVMValueRef zero = LLVMConstNull(LLVMIntTypeInContext(e->L.ctx, wg_reg_bits(e, r)));
            wg_slot_store(e, e->L.b, WG_CONVERGED, r, &(struct wg_value){.kind = WG_UNIFORM, .base = zero});
        }
        return;
    }
    wg_phase_framed(e->an, p->begins, framed);
    if (!wg_bits_empty(framed, n)) wg_fn_restore_regs(e, framed);
    wg_value_begin_block(e);
    wg_fn_remake(e, p->begins);
}

/* Whole warps only: a group's masks have all lanes. */
static uint32_t warps_together(const struct wg_emit *e, const struct wg_sides *s) {
    return wg_running_threads(e->opts) / WG_LANES / s->jam->warps * s->jam->warps;
}

static bool is_one_group(const struct wg_emit *e, const struct wg_sides *s) {
    return warps_together(e, s) == s->jam->warps;
}

static void begin_group(struct wg_emit *e, struct wg_phase *p, const struct side *one) {
    struct wg_sides *s = p->sides;
    LLVMPositionBuilderAtEnd(e->L.b, s->head);
    s->number = is_one_group(e, s) ? wg_i32(e, 0) : LLVMBuildPhi(e->L.b, e->i32, "number");
    EACH_SIDE(e, k) {
        LLVMPositionBuilderAtEnd(e->L.b, s->head);
        wg_fn_be_warp(e, LLVMBuildAdd(e->L.b, s->number, wg_i32(e, k), ""));
        if (k) continue;
        LLVMBuildStore(e->L.b, e->warp, e->warp_slot);
        LLVMValueRef st = LLVMBuildStore(e->L.b, e->warp, e->run.current);
        LLVMSetOrdering(st, LLVMAtomicOrderingMonotonic);
        LLVMSetAlignment(st, 8);
    }
    EACH_SIDE(e, k) wg_value_begin_block(e);
    EACH_SIDE(e, k) begin_registers(e, p, one);
    EACH_SIDE(e, k) wg_value_flush(e, e->an->cfg.live_in[p->begins]);
}

/* ---- the ends of blocks ---- */

static void go_to(struct wg_emit *e, uint32_t to, const struct wg_ir_instr *barrier) {
    if (to < e->func->nblocks && !wg_fn_ends_phase(e, to)) {
        LLVMBuildBr(e->L.b, e->sides->bb[to]);
        return;
    }
    EACH_SIDE(e, k) wg_fn_save_for_next(e, to, barrier);
    wg_fn_note_end(e, to, barrier);
    LLVMBuildBr(e->L.b, e->sides->latch);
}

/* Whether the block is all that the branch guards, only it leads there, and no lane reads a register's value from
 * before it. */
static bool is_guarded(const struct wg_emit *e, uint32_t to) {
    const struct wg_region *r = e->an->region[e->block];
    const struct wg_ir_block *blk = &e->func->blocks[to];
    if (blk->npred != 1) return false;
    if (r) return r->nblocks == 1 && wg_bits_empty(r->blend[0], e->func->nregs);
    return blk->term == WG_TERM_RET || blk->term == WG_TERM_EXIT ||
           (blk->term == WG_TERM_BR && wg_leads_to_exit(e->func, blk->succ[0]));
}

/* Whether the block may run for some lanes of each warp. */
static bool may_mask(const struct wg_emit *e, uint32_t to) {
    const struct wg_ir_block *blk = &e->func->blocks[to];
    const struct wg_jam *jam = e->sides->jam;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        if (jam->columns[to][i] || wg_jam_compares(e->an, jam, in) || in->op == WG_OP_ACTIVEMASK)
            return false;
    }
    return is_guarded(e, to);
}

static bool is_same(const struct wg_emit *e, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG && !wg_bits_has(e->sides->jam->same, in->dst[i].index)) return false;
    return in->ndst > 0;
}

/* ---- a block for some lanes of each warp ---- */

/* Whether a block of a few loads, stores and operations is all that the branch guards, apart from `join`. */
static bool may_part(const struct wg_emit *e, uint32_t to, uint32_t join) {
    enum { MOST_INSTRS = 16 };
    const struct wg_ir_block *blk = &e->func->blocks[to];
    const struct wg_region *r = e->an->region[e->block];
    if (r ? r->join != join : !wg_leads_to_exit(e->func, join)) return false;
    if (blk->ninstrs > MOST_INSTRS || !may_mask(e, to)) return false;
    for (uint32_t i = 0; i < blk->ninstrs; i++) {
        const struct wg_ir_instr *in = &blk->instrs[i];
        bool access = in->op == WG_OP_LD || in->op == WG_OP_ST;
        if (e->sides->jam->windows[to][i]) return false;
        if (wg_op_flags(in->op) && (!access || is_same(e, in))) return false;
    }
    return true;
}

/* Which of the branch's successors may run for some lanes of each warp; -1: neither. */
static int part_way(const struct wg_emit *e, const struct wg_ir_block *blk) {
    for (int way = 0; way < 2; way++)
        if (may_part(e, blk->succ[way], blk->succ[1 - way])) return way;
    return -1;
}

static void emit_some(struct wg_emit *e, const struct wg_ir_block *blk, bool same) {
    for (uint32_t i = 0; i < blk->ninstrs && !e->failed; i++) {
        e->instr = i;
        if (is_same(e, &blk->instrs[i]) == same) wg_emit_instr(e, &blk->instrs[i]);
    }
}

/* Whether to ask for each warp if it has lanes on. Nobody can predict that; masked stores wait for no answer, where the host has
 * them. */
static bool asks_each(const struct wg_emit *e, const struct wg_ir_block *blk) {
    bool loads = false;
    for (uint32_t i = 0; i < blk->ninstrs; i++) loads |= blk->instrs[i].op == WG_OP_LD;
    return loads || !e->L.avx512;
}

/* The rest of the block under a mask, if any lane is on. What is computed here is at hand nowhere else: not
 * even what the first warp reads for all of them. */
static void emit_if_any(struct wg_emit *e, const struct wg_ir_block *blk, LLVMValueRef mask) {
    LLVMBasicBlockRef on = wg_new_bb(e, "on"), next = wg_new_bb(e, "next");
    uint32_t n = e->func->nregs, checked = e->access.checked.n;
    struct wg_value *cur = wg_xcalloc(n, sizeof *cur);
    bool *have = wg_xcalloc(n, sizeof *have);
    memcpy(cur, e->regs.cur, n * sizeof *cur);
    memcpy(have, e->regs.have, n * sizeof *have);
    LLVMValueRef any = LLVMBuildICmp(e->L.b, LLVMIntNE, mask, wg_i32(e, 0), "");
    LLVMBuildCondBr(e->L.b, asks_each(e, blk) ? any : LLVMConstAllOnes(e->i1), on, next);
    LLVMPositionBuilderAtEnd(e->L.b, on);
    e->masks.on = mask;
    emit_some(e, blk, false);
    wg_value_flush(e, e->an->cfg.live_out[e->block]);
    LLVMBuildBr(e->L.b, next);
    LLVMPositionBuilderAtEnd(e->L.b, next);
    memcpy(e->regs.cur, cur, n * sizeof *cur);
    memcpy(e->regs.have, have, n * sizeof *have);
    e->access.checked.n = checked;
    e->access.groups = NULL;
    e->access.lane_rows = NULL;
    free(cur);
    free(have);
}

/* The lanes of each warp part: block `to` for those of them that take it, one warp after the other. lanes: i32
 * or, where a warp's lanes do not part, i1. */
static void emit_parted(struct wg_emit *e, uint32_t to, const LLVMValueRef *lanes, bool negated) {
    const struct wg_ir_block *blk = &e->func->blocks[to];
    uint32_t streams = e->access.stream_bytes;
    e->block = to;
    EACH_SIDE(e, k) wg_value_begin_block(e);
    wg_issues_begin(e);
    wg_switch_to_side(e, 0);
    emit_some(e, blk, true);
    wg_value_flush(e, e->an->cfg.live_out[to]);
    EACH_SIDE(e, k) {
        LLVMValueRef mask = lanes[k];
        if (LLVMTypeOf(mask) == e->i1) mask = LLVMBuildSExt(e->L.b, mask, e->i32, "");
        if (negated) mask = LLVMBuildNot(e->L.b, mask, "");
        emit_if_any(e, blk, mask);
    }
    wg_issues_end(e);
    e->access.stream_bytes = streams; /* counted with all lanes on */
    EACH_SIDE(e, k) wg_value_begin_block(e);
    go_to(e, blk->nsucc ? blk->succ[0] : e->func->nblocks, NULL);
}

/* To `yes` if the condition holds in all lanes of all warps, to `no` if in none. */
static void branch(struct wg_emit *e, const struct wg_ir_block *blk, LLVMBasicBlockRef yes,
                   LLVMBasicBlockRef no) {
    struct wg_sides *s = e->sides;
    bool same = wg_bits_has(s->jam->same, blk->cond);
    LLVMValueRef all = NULL, any = NULL, lanes[WG_JAM_MOST];
    for (uint32_t k = 0; k < (same ? 1 : s->jam->warps); k++) {
        wg_switch_to_side(e, k);
        struct wg_value *c = wg_value_get(e, blk->cond);
        LLVMValueRef x = c->kind == WG_UNIFORM ? c->base : wg_emit_mask(e, wg_value_vec(e, c));
        if (LLVMTypeOf(x) == e->i1 && e->an->facts[WG_CONVERGED][blk->cond].kind != WG_UNIFORM)
            x = LLVMBuildSExt(e->L.b, x, e->i32, "");
        lanes[k] = x;
        all = all ? LLVMBuildAnd(e->L.b, all, x, "") : x;
        any = any ? LLVMBuildOr(e->L.b, any, x, "") : x;
    }
    if (same && LLVMTypeOf(all) == e->i1) {
        LLVMBuildCondBr(e->L.b, all, yes, no);
        return;
    }
    LLVMTypeRef t = LLVMTypeOf(all);
    int way = same ? -1 : part_way(e, blk);
    LLVMBasicBlockRef some = wg_new_bb(e, "some"), parted = way < 0 ? s->alone : wg_new_bb(e, "parted");
    LLVMValueRef none = LLVMBuildICmp(e->L.b, LLVMIntEQ, any, LLVMConstNull(t), "");
    LLVMValueRef every = LLVMBuildICmp(e->L.b, LLVMIntEQ, all, LLVMConstAllOnes(t), "");
    LLVMBuildCondBr(e->L.b, every, yes, some);
    LLVMPositionBuilderAtEnd(e->L.b, some);
    LLVMBuildCondBr(e->L.b, none, no, parted);
    if (way < 0) {
        s->any_alone = true;
        return;
    }
    LLVMPositionBuilderAtEnd(e->L.b, parted);
    emit_parted(e, blk->succ[way], lanes, (way == 0) == blk->cond_neg);
}

/* lanes: a mask for each warp, where only some may be on; NULL: all are. */
static bool find_tests(struct wg_emit *e, int way, struct wg_lane_test **test, LLVMValueRef *all,
                       uint32_t *lanes) {
    bool parts = lanes && may_mask(e, e->func->blocks[e->block].succ[way]);
    LLVMValueRef holds;
    *all = NULL;
    EACH_SIDE(e, k) {
        if (lanes) lanes[k] = UINT32_MAX;
        test[k] = wg_fn_test_lanes(e, way, &holds, parts ? &lanes[k] : NULL);
        if (!test[k]) return false;
        *all = *all ? LLVMBuildAnd(e->L.b, *all, holds, "") : holds;
    }
    return true;
}

static bool is_everything(const struct wg_emit *e, const uint32_t *lanes) {
    for (uint32_t k = 0; k < e->sides->jam->warps; k++)
        if (lanes[k] != UINT32_MAX) return false;
    return true;
}

/* Where scalars determine which lanes take the branch's usual edge, all warps take it with those lanes.
 * Otherwise the builder is positioned after the test; true: and there is nothing more to do. */
static bool try_lanes(struct wg_emit *e, const struct wg_ir_block *blk) {
    struct wg_sides *s = e->sides;
    int way = wg_fn_usual_way(e);
    struct wg_lane_test *test[WG_JAM_MOST];
    uint32_t *lanes = WG_NEW_N(&e->an->arena, uint32_t, WG_JAM_MOST);
    LLVMValueRef all;
    if (way < 0 || !find_tests(e, way, test, &all, lanes)) return false;
    bool everything = is_everything(e, lanes);
    EACH_SIDE(e, k) wg_fn_flush_unmade(e, test[k]);
    LLVMBasicBlockRef together = wg_new_bb(e, "together"),
                      others = everything ? wg_new_bb(e, "lanes") : s->alone;
    LLVMBuildCondBr(e->L.b, all, together, others);
    s->any_alone |= !everything;
    LLVMPositionBuilderAtEnd(e->L.b, together);
    if (!everything) s->lanes[blk->succ[way]] = lanes;
    EACH_SIDE(e, k) wg_fn_flush_known(e, test[k]);
    go_to(e, blk->succ[way], NULL);
    if (!everything) return true;
    LLVMPositionBuilderAtEnd(e->L.b, others);
    EACH_SIDE(e, k) wg_fn_make_again(e, test[k]);
    return false;
}

static void end_block(struct wg_emit *e, const struct wg_ir_block *blk) {
    if (blk->term == WG_TERM_CBR && blk->succ[0] != blk->succ[1] && try_lanes(e, blk)) return;
    EACH_SIDE(e, k) wg_value_flush(e, e->an->cfg.live_out[e->block]);
    if (blk->term == WG_TERM_BR || (blk->term == WG_TERM_CBR && blk->succ[0] == blk->succ[1])) {
        go_to(e, blk->succ[0], NULL);
    } else if (blk->term == WG_TERM_CBR) {
        LLVMBasicBlockRef yes = wg_new_bb(e, "yes"), no = wg_new_bb(e, "no");
        branch(e, blk, blk->cond_neg ? no : yes, blk->cond_neg ? yes : no);
        LLVMPositionBuilderAtEnd(e->L.b, yes);
        go_to(e, blk->succ[0], NULL);
        LLVMPositionBuilderAtEnd(e->L.b, no);
        go_to(e, blk->succ[1], NULL);
    } else {
        go_to(e, e->func->nblocks, NULL);
    }
}

/* ---- blocks ---- */

/* A result that is assumed uniform over all warps; the code tests it. */
static void emit_compared(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t reg = in->dst[0].index;
    LLVMValueRef first = NULL, differs = NULL;
    EACH_SIDE(e, k) {
        wg_emit_instr(e, in);
        LLVMValueRef x = e->regs.cur[reg].base;
        if (k == 0) {
            first = x;
            continue;
        }
        e->regs.dirty[reg] = false;
        x = LLVMBuildICmp(e->L.b, LLVMIntNE, x, first, "");
        differs = differs ? LLVMBuildOr(e->L.b, differs, x, "") : x;
    }
    wg_begin_again_if(e, differs);
}

/* Emits the instruction once, for the lanes that are on in any of the warps. */
static void emit_for_any(struct wg_emit *e, const struct wg_ir_instr *in) {
    const uint32_t *lanes = e->sides->lanes[e->block];
    LLVMValueRef mask = e->masks.on, bits = e->masks.bits;
    uint32_t any = 0;
    for (uint32_t k = 0; k < e->sides->jam->warps; k++) any |= lanes[k];
    e->masks.on = wg_i32(e, any);
    e->masks.bits = NULL;
    wg_emit_instr(e, in);
    e->masks.on = mask;
    e->masks.bits = bits;
}

/* The instruction at e->block and e->instr, for all of them. */
static void emit_for_sides(struct wg_emit *e, const struct wg_ir_instr *in) {
    struct wg_sides *s = e->sides;
    if (wg_columns(e, in)) return;
    wg_switch_to_side(e, 0);
    if (wg_jam_compares(e->an, s->jam, in))
        emit_compared(e, in);
    else if (s->lanes[e->block] && is_same(e, in))
        emit_for_any(e, in);
    else
        wg_emit_instr(e, in);
    if (!is_same(e, in)) {
        for (uint32_t k = 1; k < s->jam->warps && !e->failed; k++) {
            wg_switch_to_side(e, k);
            wg_emit_instr(e, in);
        }
        return;
    }
    for (uint32_t i = 0; i < in->ndst; i++) /* the others' values of it are dead */
        for (uint32_t k = 1; k < s->jam->warps && in->dst[i].kind == WG_O_REG; k++)
            s->side[k].have[in->dst[i].index] = false;
}

static void emit_block(struct wg_emit *e, uint32_t b) {
    const struct wg_ir_block *blk = &e->func->blocks[b];
    e->block = b;
    const uint32_t *lanes = e->sides->lanes[b];
    uint32_t checked = e->access.checked.n;
    LLVMPositionBuilderAtEnd(e->L.b, e->sides->bb[b]);
    EACH_SIDE(e, k) {
        wg_value_begin_block(e);
        if (lanes) e->masks.on = wg_i32(e, lanes[k]);
    }
    EACH_SIDE(e, k) {
        if (b) break;
        wg_emit_block_prefetches(e);
    }
    wg_issues_begin(e);
    for (uint32_t i = 0; i < blk->ninstrs && !e->failed; i++) {
        e->instr = i;
        if (wg_meets_at(&blk->instrs[i])) {
            wg_issues_end(e);
            go_to(e, blk->succ[0], &blk->instrs[i]);
            return;
        }
        emit_for_sides(e, &blk->instrs[i]);
    }
    wg_issues_end(e);
    if (!e->failed) end_block(e, blk);
    if (lanes) e->access.checked.n = checked; /* tests made under a lane mask hold for no other lanes */
}

/* ---- phases ---- */

static struct wg_sides *new_sides(struct wg_emit *e, const struct wg_jam *jam, const struct side *one,
                                  struct wg_sides *last) {
    struct wg_arena *a = &e->an->arena;
    uint32_t n = e->func->nregs;
    struct wg_sides *s = WG_NEW(a, struct wg_sides);
    s->jam = jam;
    s->bb = WG_NEW_N(a, LLVMBasicBlockRef, e->func->nblocks);
    s->lanes = WG_NEW_N(a, const uint32_t *, e->func->nblocks);
    s->head = wg_new_bb(e, "jam.head");
    s->latch = wg_new_bb(e, "jam.latch");
    s->alone = wg_new_bb(e, "alone");
    for (uint32_t k = 0; k < jam->warps; k++) {
        struct side *x = &s->side[k];
        *x = last ? last->side[k] : (struct side){.rows = k ? NULL : one->rows};
        if (last) continue;
        x->slot = WG_NEW_N(a, struct wg_slot, n);
        x->cur = WG_NEW_N(a, struct wg_value, n);
        x->have = WG_NEW_N(a, bool, n);
        x->dirty = WG_NEW_N(a, bool, n);
    }
    return s;
}

/* Indices that are widened where the phase may not restart are tested before it begins. */
static void start_group(struct wg_emit *e, const struct wg_phase *p) {
    struct wg_sides *s = e->sides;
    if (!wg_bits_has(s->jam->ahead, p->begins)) {
        LLVMBuildBr(e->L.b, s->bb[p->begins]);
        return;
    }
    s->any_alone = true;
    LLVMValueRef wraps = LLVMBuildNot(e->L.b, wg_block_spans_fit(e), "");
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, wraps, s->alone, s->bb[p->begins]));
}

static bool is_ahead(void *user, uint32_t block, uint32_t instr) {
    struct wg_emit *e = user;
    e->block = block;
    e->instr = instr;
    return wg_block_span_covers(e, &e->func->blocks[block].instrs[instr]);
}

static void emit_phase(struct wg_emit *e, struct wg_phase *p, const struct side *one) {
    e->sides = p->sides;
    wg_take_side_up(e, &e->sides->side[0]);
    for (uint32_t b = 0; b < e->func->nblocks; b++) {
        char name[32];
        if (e->an->phases->of[b] != p->begins) continue;
        snprintf(name, sizeof name, "j.%u", b);
        e->sides->bb[b] = wg_new_bb(e, name);
    }
    begin_group(e, p, one);
    for (uint32_t b = 0; b < e->func->nblocks && !e->failed; b++)
        if (e->sides->bb[b]) emit_block(e, b);
    wg_put_side_by(e, &e->sides->side[e->sides->now]);
    LLVMPositionBuilderAtEnd(e->L.b, e->sides->head);
    start_group(e, p);
    wg_take_side_up(e, one);
    e->sides = NULL;
}

void wg_fn_emit_sides(struct wg_emit *e) {
    const struct wg_jam *jam = wg_find_jam(e->an, &e->an->arena, e->L.avx512 ? 512 : 256,
                                           e->L.avx512 ? 32 : 16, !e->crowded, is_ahead, e);
    uint32_t streams = e->access.stream_bytes;
    struct wg_sides *last = NULL;
    if (!jam || !e->L.avx2) return;
    e->long_sides = jam->is_long;
    e->many_sides = jam->warps > 4;
    WG_BITS_EACH(b, jam->begins, e->func->nblocks) {
        struct wg_phase *p = e->run.phases[b];
        struct side one;
        if (p->once || p->step > 1 || p->end < wg_warps_of(e) || e->failed) continue;
        wg_plan_yes(e->opts, WG_FORM_jam, e->func->blocks[b].instrs);
        wg_fn_enter_phase(e, b);
        wg_put_side_by(e, &one);
        p->sides = new_sides(e, jam, &one, last);
        emit_phase(e, p, &one);
        last = p->sides;
        LLVMPositionBuilderAtEnd(e->warp_b, p->head);
    }
    /* Each warp's bytes have been counted, and perhaps only jammed warps store past the caches. */
    uint32_t together = (e->access.stream_bytes - streams) / jam->warps;
    e->access.stream_bytes = streams > together ? streams : together;
}

/* After the last group: the rest of the warps one by one, or the code after the phase. */
static void end_groups(struct wg_emit *e, struct wg_phase *p, LLVMBasicBlockRef done, uint32_t together) {
    struct wg_sides *s = p->sides;
    LLVMPositionBuilderAtEnd(e->L.b, done);
    if (together < wg_warps_of(e)) {
        LLVMValueRef rest = wg_i32(e, together);
        LLVMBuildBr(e->L.b, p->head);
        LLVMAddIncoming(p->number, &rest, &done, 1);
        return;
    }
    WG_BITS_EACH(r, p->written, e->func->nregs) {
        struct wg_slot *one = e->regs.slot[WG_CONVERGED];
        e->regs.slot[WG_CONVERGED] = s->side[0].slot;
        struct wg_value x = wg_slot_load(e, e->L.b, WG_CONVERGED, r);
        e->regs.slot[WG_CONVERGED] = one;
        wg_slot_store(e, e->L.b, WG_CONVERGED, r, &x);
    }
    LLVMBuildBr(e->L.b, p->after);
}

void wg_fn_close_sides(struct wg_emit *e, struct wg_phase *p) {
    struct wg_sides *s = p->sides;
    uint32_t warps = s->jam->warps, together = warps_together(e, s);
    LLVMValueRef zero = wg_i32(e, 0), next;
    LLVMBasicBlockRef done = wg_new_bb(e, "jam.done");
    LLVMBuildBr(e->L.b, s->head);
    LLVMPositionBuilderAtEnd(e->L.b, s->latch);
    struct wg_slot *one = e->regs.slot[WG_CONVERGED];
    e->regs.slot[WG_CONVERGED] = s->side[0].slot;
    wg_fn_keep_out(e, p);
    e->regs.slot[WG_CONVERGED] = one;
    if (is_one_group(e, s)) {
        LLVMBuildBr(e->L.b, done);
    } else {
        next = LLVMBuildAdd(e->L.b, s->number, wg_i32(e, warps), "");
        LLVMValueRef more = LLVMBuildICmp(e->L.b, LLVMIntULT, next, wg_i32(e, together), "");
        LLVMBuildCondBr(e->L.b, more, s->head, done);
        LLVMAddIncoming(s->number, &zero, &p->before, 1);
        LLVMAddIncoming(s->number, &next, &s->latch, 1);
    }
    end_groups(e, p, done, together);
    LLVMPositionBuilderAtEnd(e->L.b, s->alone);
    LLVMBuildBr(e->L.b, p->head);
    LLVMAddIncoming(p->number, &s->number, &s->alone, 1);
}
