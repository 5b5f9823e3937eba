/* See meeting.h. */
#include "check/instrument/meeting.h"

enum { MOST_BLOCKS = 64 }; /* looked through, from one meeting back to the other */

bool wg_meeting_is_of_all(const struct wg_ir_instr *in) {
    if (!(wg_op_flags(in->op) & WG_F_SYNC) || in->guard != WG_NO_REG || !in->nsrc) return false;
    const struct wg_ir_opd *members = &in->src[in->nsrc - 1];
    return members->kind == WG_O_IMM && (uint32_t)members->imm == UINT32_MAX;
}

static bool is_pure(const struct wg_ir_instr *in) {
    return !(wg_op_flags(in->op) & ~(uint32_t)(WG_F_SYNC | WG_F_CC));
}

/* All of the block, but for the first `but` instructions. */
static bool is_pure_from(const struct wg_ir_block *b, uint32_t but) {
    for (uint32_t i = but; i < b->ninstrs; i++)
        if (!is_pure(&b->instrs[i])) return false;
    return true;
}

bool wg_meeting_is_repeated(const struct wg_ir_func *f, uint32_t block) {
    const struct wg_ir_block *b = &f->blocks[block];
    if (!b->ninstrs || !wg_meeting_is_of_all(b->instrs) || !is_pure(b->instrs)) return false;
    for (uint32_t n = 0; n < MOST_BLOCKS && b->npred == 1; n++) {
        b = &f->blocks[b->pred[0]];
        if (b->term != WG_TERM_BR) return false;
        bool meets = b->ninstrs && wg_op_flags(b->instrs[0].op) & WG_F_SYNC;
        if (!is_pure_from(b, meets)) return false;
        if (meets) return wg_meeting_is_of_all(b->instrs);
    }
    return false;
}
