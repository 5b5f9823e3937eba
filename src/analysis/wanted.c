/* See wanted.h. */
#include "analysis/wanted.h"
#include "cfg/cfg.h"

/* Instructions that ptxas drops when their results are dead, shuffles and votes included. */
static bool may_be_dropped(const struct wg_ir_instr *in) {
    uint32_t flags = wg_op_flags(in->op);
    if (in->ndst == 0 || in->op == WG_OP_ATOM || in->op == WG_OP_CALL) return false;
    if (wg_op_is(in->op, WG_IS_LOAD)) return wg_ir_is_weak(in);
    return !(flags & ~(uint32_t)(WG_F_SYNC | WG_F_CC));
}

static bool is_wanted(const struct wg_ir_instr *in, const uint64_t *wanted) {
    if (!may_be_dropped(in)) return true;
    if (wg_op_flags(in->op) & WG_F_CC) return true; /* the carry is read by the next */
    for (uint32_t d = 0; d < in->ndst; d++)
        if (in->dst[d].kind == WG_O_REG && wg_bits_has(wanted, in->dst[d].index)) return true;
    return false;
}

wg_bits wg_wanted(struct wg_arena *a, const struct wg_ir_func *f) {
    struct wg_growing wanted = {wg_bits_new(a, f->nregs + 1), true};
    while (wanted.grew) {
        wanted.grew = false;
        for (uint32_t b = f->nblocks; b-- > 0;) {
            const struct wg_ir_block *blk = &f->blocks[b];
            if (blk->term == WG_TERM_CBR || blk->term == WG_TERM_BRX) wg_grow(&wanted, blk->cond);
            for (uint32_t i = blk->ninstrs; i-- > 0;)
                if (is_wanted(&blk->instrs[i], wanted.set)) wg_each_use(&blk->instrs[i], wg_grow, &wanted);
        }
    }
    return wanted.set;
}
