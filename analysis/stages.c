/* Stages: a kernel whose blocks have tables, cut at its two barriers: see tables.h.
 *
 *     A: ... st.shared ...; bar.sync       first:  what every stage needs; %stage == clear ? A : second
 *     B: ... atom.shared ...; bar.sync     second: %stage == hand over ? C : B
 *     C: ... red.global ...; ret           A: ...; ret        B: ...; ret        C: ...; ret
 */
#include "analysis/flow.h"
#include "analysis/tables.h"

#include <string.h>

struct cut {
    struct wg_arena *a;
    const struct wg_ir_func *f;
    struct wg_tables t;
    struct wg_ir_func *to;
};

static uint32_t moved(uint32_t b) { return b == WG_NO_REG ? b : b + WG_STAGE_ASKS; }

static bool is_moved(const struct cut *c, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < c->t.nmoved; i++)
        if (c->t.moved[i] == in) return true;
    return false;
}

static void copy_block(struct cut *c, uint32_t b) {
    const struct wg_ir_block *from = &c->f->blocks[b];
    struct wg_ir_block *to = &c->to->blocks[b + WG_STAGE_ASKS];
    uint32_t n = from->ninstrs;
    *to = *from;
    to->instrs = WG_NEW_N(c->a, struct wg_ir_instr, n + 1);
    to->ninstrs = 0;
    to->loop = moved(from->loop);
    to->outer = moved(from->outer);
    to->succ = WG_NEW_N(c->a, uint32_t, from->nsucc + 1);
    for (uint32_t k = 0; k < from->nsucc; k++) to->succ[k] = moved(from->succ[k]);
    for (uint32_t k = 0; k < 2; k++)
        if (c->t.barrier[k] == b) {
            n = c->t.before[k];
            to->term = WG_TERM_RET;
            to->nsucc = 0;
        }
    for (uint32_t i = 0; i < n; i++)
        if (!is_moved(c, &from->instrs[i])) to->instrs[to->ninstrs++] = from->instrs[i];
}

/* ---- the question ---- */

static uint32_t new_reg(struct cut *c, const char *name, uint8_t type, uint8_t width) {
    c->to->regs[c->to->nregs] = (struct wg_ir_reg){.name = name, .type = type, .width = width};
    return c->to->nregs++;
}

static struct wg_ir_instr *add_instr(struct cut *c, struct wg_ir_block *to, uint16_t op, uint32_t reg) {
    const struct wg_ir_instr *of = &c->f->blocks[c->t.barrier[0]].instrs[c->t.before[0]];
    struct wg_ir_instr *in = &to->instrs[to->ninstrs++];
    *in = (struct wg_ir_instr){.op = op,
                               .type = WG_T_U32,
                               .ndst = 1,
                               .nvec = 1,
                               .guard = WG_NO_REG,
                               .loc = of->loc,
                               .ptx_line = of->ptx_line,
                               .id = of->id};
    in->dst = WG_NEW(c->a, struct wg_ir_opd);
    *in->dst = (struct wg_ir_opd){.kind = WG_O_REG, .index = reg};
    return in;
}

/* The block ends: if it is that stage, to `yes`. */
static void ask(struct cut *c, struct wg_ir_block *b, uint32_t stage_reg, uint64_t stage, uint32_t yes,
                uint32_t no) {
    const struct wg_ir_block *like = &c->f->blocks[c->t.barrier[0]];
    uint32_t is = new_reg(c, "%is.stage", WG_T_PRED, WG_W1);
    struct wg_ir_instr *in = add_instr(c, b, WG_OP_SETP, is);
    in->nsrc = 2;
    in->src = WG_NEW_N(c->a, struct wg_ir_opd, 2);
    in->src[0] = (struct wg_ir_opd){.kind = WG_O_REG, .index = stage_reg};
    in->src[1] = (struct wg_ir_opd){.kind = WG_O_IMM, .imm = stage};
    in->mod[WG_MC_CMP] = WG_M_eq;
    b->term = WG_TERM_CBR;
    b->cond = is;
    b->nsucc = 2;
    b->succ = WG_NEW_N(c->a, uint32_t, 2);
    b->succ[0] = yes;
    b->succ[1] = no;
    b->loop = b->outer = WG_NO_REG;
    b->loc = like->loc;
    b->ptx_line = like->ptx_line;
    b->id = like->id;
}

static void make_asks(struct cut *c) {
    uint32_t count = c->f->blocks[c->t.barrier[0]].succ[0], hand_over = c->f->blocks[c->t.barrier[1]].succ[0];
    struct wg_ir_block *first = &c->to->blocks[0], *second = &c->to->blocks[1];
    uint32_t stage = new_reg(c, "%stage", WG_T_U32, WG_W32);
    first->instrs = WG_NEW_N(c->a, struct wg_ir_instr, c->t.nmoved + 2);
    second->instrs = WG_NEW_N(c->a, struct wg_ir_instr, 1);
    for (uint32_t i = 0; i < c->t.nmoved; i++) first->instrs[first->ninstrs++] = *c->t.moved[i];
    add_instr(c, first, WG_OP_MOV_SREG, stage)->sreg = WG_SR_stage;
    ask(c, first, stage, WG_STAGE_CLEAR, moved(0), 1);
    ask(c, second, stage, WG_STAGE_HAND_OVER, moved(hand_over), moved(count));
}

const struct wg_ir_func *wg_cut_stages(struct wg_arena *a, const struct wg_ir_module *m,
                                       const struct wg_ir_func *f, const struct wg_code_opts *o) {
    enum { NEW_REGS = 3 };
    struct cut c = {.a = a, .f = f};
    bool may = o->stages && !o->sites && !o->check && !o->dealt.threads && o->opt_level >= 2;
    if (!may || !wg_find_tables(a, m, f, o, &c.t)) return f;
    c.to = WG_NEW(a, struct wg_ir_func);
    *c.to = *f;
    c.to->stages = true;
    c.to->regs = WG_NEW_N(a, struct wg_ir_reg, f->nregs + NEW_REGS);
    memcpy(c.to->regs, f->regs, f->nregs * sizeof *f->regs);
    c.to->nblocks = f->nblocks + WG_STAGE_ASKS;
    c.to->blocks = WG_NEW_N(a, struct wg_ir_block, c.to->nblocks);
    for (uint32_t b = 0; b < f->nblocks; b++) copy_block(&c, b);
    make_asks(&c);
    wg_flow_preds(a, c.to->blocks, c.to->nblocks);
    return c.to;
}
