/* Loop fission into stages: a kernel whose blocks have tables is cut at its two barriers. See tables.h.
 *
 *     A: ... st.shared ...; bar.sync       first:  %stage == clear ? A : second
 *     B: ... atom.shared ...; bar.sync     second: %stage == hand over ? c : b
 *     C: ... red.global ...; ret           b: what B wants of A; goto B
 *                                          c: what C wants of A and B; goto C
 *                                          A: ...; ret        B: ...; ret        C: ...; ret
 *
 * Each later stage rematerializes the values of earlier stages that it reads, at its start and in registers
 * of its own, so that no stage computes another one's values.
 */
#include "analysis/plan.h"
#include "cfg/cfg.h"
#include "analysis/tables.h"

#include <string.h>

/* Entry blocks: the tests of %stage, and the entries of the later stages. */
enum { BEGIN = WG_STAGE_ASKS - WG_STAGE_COUNT, IN_FRONT = BEGIN + WG_STAGES };

struct cut {
    struct wg_arena *a;
    const struct wg_ir_func *f;
    struct wg_tables t;
    struct wg_ir_func *to;
    uint32_t *name; /* [register] in the current stage */
};

static uint32_t moved(uint32_t b) { return b == WG_NO_REG ? b : b + IN_FRONT; }

static struct wg_ir_opd *copy_operands(struct cut *c, const struct wg_ir_opd *from, uint32_t n) {
    struct wg_ir_opd *to = WG_NEW_N(c->a, struct wg_ir_opd, n + 1);
    for (uint32_t k = 0; k < n; k++) {
        to[k] = from[k];
        if (to[k].kind == WG_O_REG) to[k].index = c->name[to[k].index];
    }
    return to;
}

static void copy_instr(struct cut *c, struct wg_ir_block *b, const struct wg_ir_instr *from) {
    struct wg_ir_instr *to = &b->instrs[b->ninstrs++];
    *to = *from;
    to->dst = copy_operands(c, from->dst, from->ndst);
    to->src = copy_operands(c, from->src, from->nsrc);
    if (to->guard != WG_NO_REG) to->guard = c->name[to->guard];
}

static void copy_block(struct cut *c, uint32_t b) {
    const struct wg_ir_block *from = &c->f->blocks[b];
    struct wg_ir_block *to = &c->to->blocks[moved(b)];
    uint32_t n = from->ninstrs;
    *to = *from;
    to->instrs = WG_NEW_N(c->a, struct wg_ir_instr, n + 1);
    to->ninstrs = 0;
    to->loop = moved(from->loop);
    to->outer = moved(from->outer);
    if (from->term == WG_TERM_CBR) to->cond = c->name[from->cond];
    to->succ = WG_NEW_N(c->a, uint32_t, from->nsucc + 1);
    for (uint32_t k = 0; k < from->nsucc; k++) to->succ[k] = moved(from->succ[k]);
    for (uint32_t k = 0; k < 2; k++)
        if (c->t.barrier[k] == b) {
            n = c->t.before[k];
            to->term = WG_TERM_RET;
            to->nsucc = 0;
        }
    for (uint32_t i = 0; i < n; i++) copy_instr(c, to, &from->instrs[i]);
}

/* ---- the test of %stage ---- */

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

/* The block ends, like the one before the first barrier. */
static void end_in_front(struct cut *c, struct wg_ir_block *b, uint8_t term, uint32_t yes, uint32_t no) {
    const struct wg_ir_block *like = &c->f->blocks[c->t.barrier[0]];
    b->term = term;
    b->cond = WG_NO_REG;
    b->nsucc = term == WG_TERM_CBR ? 2 : 1;
    b->succ = WG_NEW_N(c->a, uint32_t, 2);
    b->succ[0] = yes;
    b->succ[1] = no;
    b->loop = b->outer = WG_NO_REG;
    b->loc = like->loc;
    b->ptx_line = like->ptx_line;
    b->id = like->id;
}

/* If it is that stage, to `yes`. */
static void ask(struct cut *c, struct wg_ir_block *b, uint32_t stage_reg, uint64_t stage, uint32_t yes,
                uint32_t no) {
    uint32_t is = new_reg(c, "%is.stage", WG_T_PRED, WG_W1);
    struct wg_ir_instr *in = add_instr(c, b, WG_OP_SETP, is);
    in->nsrc = 2;
    in->src = WG_NEW_N(c->a, struct wg_ir_opd, 2);
    in->src[0] = (struct wg_ir_opd){.kind = WG_O_REG, .index = stage_reg};
    in->src[1] = (struct wg_ir_opd){.kind = WG_O_IMM, .imm = stage};
    in->mod[WG_MC_CMP] = WG_M_eq;
    end_in_front(c, b, WG_TERM_CBR, yes, no);
    b->cond = is;
}

static void make_asks(struct cut *c) {
    struct wg_ir_block *first = &c->to->blocks[0], *second = &c->to->blocks[1];
    uint32_t stage = new_reg(c, "%stage", WG_T_U32, WG_W32);
    first->instrs = WG_NEW_N(c->a, struct wg_ir_instr, 2);
    second->instrs = WG_NEW_N(c->a, struct wg_ir_instr, 1);
    add_instr(c, first, WG_OP_MOV_SREG, stage)->sreg = WG_SR_stage;
    ask(c, first, stage, WG_STAGE_CLEAR, moved(0), 1);
    ask(c, second, stage, WG_STAGE_HAND_OVER, BEGIN + WG_STAGE_HAND_OVER, BEGIN + WG_STAGE_COUNT);
}

/* Rematerializes what the stage reads of others, and copies its blocks. */
static void make_stage(struct cut *c, uint32_t stage) {
    for (uint32_t r = 0; r < c->f->nregs; r++) c->name[r] = r;
    for (uint32_t i = 0; i < c->t.nmade[stage]; i++) {
        uint32_t r = c->t.made[stage][i]->dst[0].index;
        const struct wg_ir_reg *like = &c->f->regs[r];
        c->name[r] = new_reg(c, like->name, like->type, like->width);
    }
    if (stage != WG_STAGE_CLEAR) {
        struct wg_ir_block *begin = &c->to->blocks[BEGIN + stage];
        begin->instrs = WG_NEW_N(c->a, struct wg_ir_instr, c->t.nmade[stage] + 1);
        for (uint32_t i = 0; i < c->t.nmade[stage]; i++) copy_instr(c, begin, c->t.made[stage][i]);
        end_in_front(c, begin, WG_TERM_BR, moved(c->f->blocks[c->t.barrier[stage - 1]].succ[0]), 0);
    }
    for (uint32_t b = 0; b < c->f->nblocks; b++)
        if (c->t.stage[b] == stage) copy_block(c, b);
}

const struct wg_ir_func *wg_cut_stages(struct wg_arena *a, const struct wg_ir_module *m,
                                       const struct wg_ir_func *f, const struct wg_code_opts *o) {
    uint32_t new_regs = 3;
    struct cut c = {.a = a, .f = f};
    bool may = o->stages && !o->dealt.threads && wg_may_use(o, WG_FORM_stages);
    if (!may || !wg_find_tables(a, m, f, o, &c.t)) return f;
    for (uint32_t s = 0; s < WG_STAGES; s++) new_regs += c.t.nmade[s];
    c.name = WG_NEW_N(a, uint32_t, f->nregs + new_regs);
    c.to = WG_NEW(a, struct wg_ir_func);
    *c.to = *f;
    c.to->stages = true;
    wg_plan_yes(o, WG_FORM_stages, NULL);
    c.to->regs = WG_NEW_N(a, struct wg_ir_reg, f->nregs + new_regs);
    memcpy(c.to->regs, f->regs, f->nregs * sizeof *f->regs);
    c.to->nblocks = f->nblocks + IN_FRONT;
    c.to->blocks = WG_NEW_N(a, struct wg_ir_block, c.to->nblocks);
    make_asks(&c);
    for (uint32_t s = 0; s < WG_STAGES; s++) make_stage(&c, s);
    wg_drop_unused(a, c.to, c.to->nblocks); /* what is another stage's now */
    wg_flow_preds(a, c.to->blocks, c.to->nblocks);
    return c.to;
}
