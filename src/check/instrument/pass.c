/* See pass.h. */
#include "check/instrument/pass.h"

#include <stdlib.h>
#include <string.h>

void wg_instrument_end_block(struct wg_instrument *x, struct wg_ir_block like) {
    if (x->blocks.n > x->begins[x->block - x->from->blocks]) like.label = NULL;
    like.instrs = WG_NEW_N(x->arena, struct wg_ir_instr, x->instrs.n + 1);
    if (x->instrs.n) memcpy(like.instrs, x->instrs.v, x->instrs.n * sizeof *like.instrs);
    like.ninstrs = x->instrs.n;
    x->instrs.n = 0;
    *WG_PUSH(&x->blocks) = like;
}

enum { FINAL = 1u << 31 }; /* a successor that is a number of the copy's already */

void wg_instrument_split(struct wg_instrument *x) {
    struct wg_ir_block like = *x->block;
    like.term = WG_TERM_BR;
    like.cond = WG_NO_REG;
    like.cond_neg = like.uniform = false;
    like.id = 0;
    like.nsucc = 1;
    like.succ = WG_NEW(x->arena, uint32_t);
    *like.succ = (x->blocks.n + 1) | FINAL;
    wg_instrument_end_block(x, like);
}

void wg_instrument_put(struct wg_instrument *x, struct wg_ir_instr in) {
    bool waits = x->instrs.n && (wg_op_flags(x->instrs.v[x->instrs.n - 1].op) & WG_F_WAIT);
    if (waits || (x->instrs.n && (wg_op_flags(in.op) & WG_F_SYNC))) wg_instrument_split(x);
    struct wg_ir_opd *opds = WG_NEW_N(x->arena, struct wg_ir_opd, in.ndst + in.nsrc + 1);
    if (in.ndst) memcpy(opds, in.dst, in.ndst * sizeof *opds);
    if (in.nsrc) memcpy(opds + in.ndst, in.src, in.nsrc * sizeof *opds);
    in.dst = opds;
    in.src = opds + in.ndst;
    *WG_PUSH(&x->instrs) = in;
}

uint32_t wg_instrument_reg(struct wg_instrument *x, enum wg_width w, const char *name) {
    *WG_PUSH(&x->regs) = (struct wg_ir_reg){.name = name, .width = (uint8_t)w};
    return x->regs.n - 1;
}

uint32_t wg_instrument_shadow(struct wg_instrument *x, enum wg_width w, const char *name) {
    uint32_t r = wg_instrument_reg(x, w, name);
    x->regs.v[r].shadow = !x->careful;
    return r;
}

struct wg_ir_instr wg_instrument_like(const struct wg_ir_instr *like, enum wg_op op, enum wg_type t) {
    return (struct wg_ir_instr){.op = (uint16_t)op,
                                .type = (uint8_t)t,
                                .nvec = 1,
                                .guard = like->guard,
                                .guard_neg = like->guard_neg,
                                .loc = like->loc,
                                .ptx_line = like->ptx_line,
                                .id = like->id};
}

void wg_instrument_renumber(const struct wg_instrument *x, struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++) {
        struct wg_ir_block *n = &f->blocks[b];
        for (uint32_t s = 0; s < n->nsucc; s++)
            n->succ[s] = n->succ[s] & FINAL ? n->succ[s] & ~(uint32_t)FINAL : x->begins[n->succ[s]];
        bool header = n->loop != WG_NO_REG && x->begins[n->loop] == b;
        if (n->loop != WG_NO_REG) n->loop = x->begins[n->loop];
        n->outer = header && n->outer != WG_NO_REG ? x->begins[n->outer] : WG_NO_REG;
        n->npred = 0;
    }
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t s = 0; s < f->blocks[b].nsucc; s++) f->blocks[f->blocks[b].succ[s]].npred++;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        f->blocks[b].pred = WG_NEW_N(x->arena, uint32_t, f->blocks[b].npred + 1);
        f->blocks[b].npred = 0;
    }
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t s = 0; s < f->blocks[b].nsucc; s++) {
            struct wg_ir_block *t = &f->blocks[f->blocks[b].succ[s]];
            t->pred[t->npred++] = b;
        }
}

bool wg_instrument_is_access(const struct wg_instrument *x, const struct wg_ir_instr *in) {
    const struct wg_ir_opd *o = in->src;
    if (in->space == WG_S_PARAM && !x->from->entry) return false; /* its call frame's */
    if (!wg_op_is(in->op, WG_IS_ACCESS)) return false;
    if (o->kind != WG_O_SYM) return true;
    uint8_t kind = x->m->syms[o->index].kind;
    return kind != WG_SYM_PARAM && kind != WG_SYM_FPARAM && kind != WG_SYM_FRET;
}

bool wg_instrument_changes_mbarrier(const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_MBARRIER_INIT:
    case WG_OP_MBARRIER_INVAL:
    case WG_OP_MBARRIER_ARRIVE:
    case WG_OP_MBARRIER_ARRIVE_NC:
    case WG_OP_MBARRIER_TX:
    case WG_OP_CP_ASYNC_ARRIVE: return true;
    default: return false;
    }
}
