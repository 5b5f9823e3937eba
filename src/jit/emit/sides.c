/* Unroll-and-jam over warps (block/jam.c): selects the jammed warp that code is emitted for, and leaves the
 * jammed code. Each warp has its own slots, values and fields. Those of the current warp are in struct
 * wg_emit, the others' in `side`. What is uniform over all of them belongs to the first warp.
 */
#include "jit/emit/sides.h"

bool wg_in_columns(const struct wg_emit *e, uint32_t block, uint32_t instr) {
    return e->sides && e->sides->jam->columns[block][instr];
}

bool wg_is_of_first(const struct wg_emit *e, uint32_t reg) {
    return e->sides && e->sides->now > 0 && wg_bits_has(e->sides->jam->same, reg);
}

const struct wg_value *wg_value_of_first(const struct wg_emit *e, uint32_t reg) {
    if (!wg_is_of_first(e, reg)) return NULL;
    const struct side *first = &e->sides->side[0];
    return first->have[reg] ? &first->cur[reg] : NULL;
}

struct wg_slot *wg_slot_of_first(struct wg_emit *e, uint32_t reg) { return &e->sides->side[0].slot[reg]; }

uint8_t wg_side_of(const struct wg_emit *e, uint32_t reg) {
    if (!e->sides) return 0;
    return wg_bits_has(e->sides->jam->same, reg) ? 1 : (uint8_t)(1 + e->sides->now);
}

void wg_put_side_by(struct wg_emit *e, struct side *s) {
    *s = (struct side){
        .slot = e->regs.slot[WG_CONVERGED],
        .cur = e->regs.cur,
        .have = e->regs.have,
        .dirty = e->regs.dirty,
        .rows = e->access.rows,
        .groups = e->access.groups,
        .warp = e->warp,
        .number = e->once.warp_id,
        .tid = {e->once.sreg[WG_SR_tid_x], e->once.sreg[WG_SR_tid_y], e->once.sreg[WG_SR_tid_z]},
        .local = e->once.local,
        .mask = e->masks.on,
        .mask_bits = e->masks.bits};
}

void wg_take_side_up(struct wg_emit *e, const struct side *s) {
    e->regs.slot[WG_CONVERGED] = s->slot;
    e->regs.cur = s->cur;
    e->regs.have = s->have;
    e->regs.dirty = s->dirty;
    e->access.rows = s->rows;
    e->access.groups = s->groups;
    e->warp = s->warp;
    e->once.warp_id = s->number;
    for (int i = 0; i < 3; i++) e->once.sreg[WG_SR_tid_x + i] = s->tid[i];
    e->once.local = s->local;
    e->masks.on = s->mask;
    e->masks.bits = s->mask_bits;
}

void wg_switch_to_side(struct wg_emit *e, uint32_t k) {
    struct wg_sides *s = e->sides;
    if (s->now == k) return;
    wg_put_side_by(e, &s->side[s->now]);
    s->now = k;
    wg_take_side_up(e, &s->side[k]);
}

uint32_t wg_sides_in_window(const struct wg_emit *e) {
    return e->sides && e->sides->jam->windows[e->block][e->instr] ? e->sides->jam->warps : 0;
}

uint32_t wg_side_now(const struct wg_emit *e) { return e->sides->now; }

static bool all_same(const struct wg_jam *jam, const struct wg_ir_instr *in, uint32_t but) {
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG && in->src[i].index != but &&
            !wg_bits_has(jam->same, in->src[i].index))
            return false;
    return true;
}

LLVMValueRef wg_spans_sides(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg, LLVMValueRef base,
                            uint64_t *span) {
    const struct wg_jam *jam = e->sides ? e->sides->jam : NULL;
    if (!jam || !all_same(jam, in, reg)) return NULL;
    bool same = wg_bits_has(jam->same, reg);
    int64_t by;
    if (!wg_jam_step(e->an, jam, reg, &by)) return NULL;
    uint64_t step = (uint64_t)by, far = step * (jam->warps - 1);
    if (step >= INT32_MAX || *span + far >= INT32_MAX) return NULL;
    if (e->sides->now == 0) {
        *span += far;
        return NULL;
    }
    if (same) return LLVMConstInt(e->i1, 1, 0);
    const struct wg_value *first = &e->sides->side[0].cur[reg];
    LLVMValueRef on = wg_i32(e, (uint32_t)(step * e->sides->now));
    return LLVMBuildICmp(e->L.b, LLVMIntEQ, base, LLVMBuildAdd(e->L.b, first->base, on, ""), "");
}

bool wg_is_past_restart(const struct wg_emit *e) {
    return e->sides && e->instr >= e->sides->jam->redo[e->block];
}

bool wg_begin_again_if(struct wg_emit *e, LLVMValueRef cond) {
    if (!e->sides) return false;
    if (wg_is_past_restart(e)) { /* this is a fault: record the warp */
        LLVMBuildStore(e->L.b, e->warp, e->warp_slot);
        LLVMSetOrdering(LLVMBuildStore(e->L.b, e->warp, e->run.current), LLVMAtomicOrderingMonotonic);
        return false;
    }
    LLVMBasicBlockRef on = wg_new_bb(e, "together");
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, cond, e->sides->alone, on));
    e->sides->any_alone = true;
    LLVMPositionBuilderAtEnd(e->L.b, on);
    return true;
}
