/* See loop_copy.h. */
#include "analysis/loop_copy.h"

#include <string.h>

uint32_t wg_loop_new_like(struct wg_loop_copy *c, uint32_t r) {
    struct wg_ir_reg like = c->regs.v[r];
    *WG_PUSH(&c->regs) = like;
    return c->regs.n - 1;
}

struct wg_ir_instr *wg_loop_make(struct wg_loop_copy *c, uint16_t op, uint8_t type, uint32_t to, uint8_t nsrc,
                                 struct wg_ir_opd x, struct wg_ir_opd y) {
    struct wg_ir_instr *in = WG_PUSH(&c->instrs);
    *in = (struct wg_ir_instr){.op = op,
                               .type = type,
                               .ndst = 1,
                               .nsrc = nsrc,
                               .nvec = 1,
                               .guard = WG_NO_REG,
                               .loc = c->of->loc,
                               .ptx_line = c->of->ptx_line,
                               .id = c->of->id};
    in->dst = WG_NEW(c->a, struct wg_ir_opd);
    in->src = WG_NEW_N(c->a, struct wg_ir_opd, 3);
    *in->dst = wg_loop_reg(to);
    in->src[0] = x;
    in->src[1] = y;
    return in;
}

struct wg_ir_opd wg_loop_read(struct wg_loop_copy *c, uint32_t sreg, uint32_t to) {
    wg_loop_make(c, WG_OP_MOV_SREG, WG_T_U32, to, 0, wg_loop_number(0), wg_loop_number(0))->sreg = sreg;
    return wg_loop_reg(to);
}

struct wg_ir_instr *wg_loop_copy_instr(struct wg_loop_copy *c, const struct wg_ir_instr *in) {
    struct wg_ir_instr *to = WG_PUSH(&c->instrs);
    *to = *in;
    to->src = WG_NEW_N(c->a, struct wg_ir_opd, in->nsrc + 1);
    to->dst = WG_NEW_N(c->a, struct wg_ir_opd, in->ndst + 1);
    for (uint32_t k = 0; k < in->nsrc; k++) {
        to->src[k] = in->src[k];
        if (to->src[k].kind == WG_O_REG) to->src[k].index = c->name[to->src[k].index];
    }
    for (uint32_t k = 0; k < in->ndst; k++) {
        to->dst[k] = in->dst[k];
        if (to->dst[k].kind == WG_O_REG) to->dst[k].index = c->name[to->dst[k].index];
    }
    if (to->guard != WG_NO_REG) to->guard = c->name[to->guard];
    return to;
}

struct wg_ir_block *wg_loop_end_block(struct wg_loop_copy *c, const struct wg_ir_block *like, uint32_t loop,
                                      uint32_t nsucc, uint32_t yes, uint32_t no) {
    struct wg_ir_block b = *like;
    b.ninstrs = c->instrs.n;
    b.instrs = WG_NEW_N(c->a, struct wg_ir_instr, c->instrs.n + 1);
    if (c->instrs.n) memcpy(b.instrs, c->instrs.v, c->instrs.n * sizeof *b.instrs);
    c->instrs.n = 0;
    b.term = nsucc == 2 ? WG_TERM_CBR : WG_TERM_BR;
    b.uniform = false;
    b.nsucc = nsucc;
    b.succ = WG_NEW_N(c->a, uint32_t, 2);
    b.succ[0] = yes;
    b.succ[1] = no;
    b.loop = loop;
    b.outer = WG_NO_REG;
    *WG_PUSH(&c->blocks) = b;
    return &c->blocks.v[c->blocks.n - 1];
}
