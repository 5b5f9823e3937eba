/* Joined rows: see joined_rows.h. In a block of ours the blocks 2 X and 2 X + 1 of the program, for rows of 16
 * threads, lie beside each other, and our thread T is thread T - 16 h of block 2 X + h. Code for it would have
 * to find h; but where the program has
 *
 *     %ctaid.x * 16 + %tid.x
 *
 * h cancels out. So our code finds 2 X for %ctaid.x and T for %tid.x, and each register is then wrong by a
 * multiple of h, which is followed through sums and products: `off` times h is missing. The kernel cannot tell
 * if it is 0 wherever a register is used for anything else.
 */
#include "analysis/joined_rows.h"
#include "analysis/bands.h"
#include "cfg/cfg.h"

/* What is known of a register. */
struct value {
    uint32_t off;    /* modulo 2^32 */
    uint32_t number; /* if `known`: what it is */
    bool known;
};

struct joining {
    uint32_t threads;
    const struct wg_cfg *cfg;
    struct value *values;
};

static struct value value_of(const struct joining *j, const struct wg_ir_opd *o) {
    if (o->kind == WG_O_IMM) return (struct value){.number = (uint32_t)o->imm, .known = true};
    return o->kind == WG_O_REG ? j->values[o->index] : (struct value){0};
}

static struct value special(const struct joining *j, uint32_t sreg) {
    switch (sreg) {
    case WG_SR_tid_x: return (struct value){.off = 0 - j->threads};
    case WG_SR_ctaid_x: return (struct value){.off = 1};
    case WG_SR_ntid_x: return (struct value){.number = j->threads, .known = true};
    default: return (struct value){0};
    }
}

static bool is_whole_word(const struct wg_ir_instr *in) {
    return in->type == WG_T_U32 || in->type == WG_T_S32 || in->type == WG_T_B32;
}

static bool product_follows(const struct value s[3]) {
    return s[0].known || s[1].known || (!s[0].off && !s[1].off);
}

/* Whether what is off in the result follows from what is off in these operands. */
static bool is_linear(const struct wg_ir_instr *in, const struct value s[3]) {
    if (!is_whole_word(in) || in->mod[WG_MC_SAT] != WG_M_none) return false;
    switch (in->op) {
    case WG_OP_MOV:
    case WG_OP_NOT:
    case WG_OP_NEG_I:
    case WG_OP_ADD_I:
    case WG_OP_SUB_I: return true;
    case WG_OP_SHL: return s[1].known && s[1].number < 32;
    case WG_OP_MUL_I:
    case WG_OP_MAD_I: return in->mod[WG_MC_MULW] == WG_M_lo && product_follows(s);
    default: return false;
    }
}

static struct value result_of(const struct wg_ir_instr *in, const struct value s[3]) {
    uint32_t times = s[0].known ? s[0].number * s[1].off : s[1].number * s[0].off;
    switch (in->op) {
    case WG_OP_MOV: return s[0];
    case WG_OP_NOT:
    case WG_OP_NEG_I: return (struct value){.off = 0 - s[0].off};
    case WG_OP_ADD_I: return (struct value){.off = s[0].off + s[1].off};
    case WG_OP_SUB_I: return (struct value){.off = s[0].off - s[1].off};
    case WG_OP_SHL: return (struct value){.off = s[0].off << s[1].number};
    case WG_OP_MUL_I: return (struct value){.off = times};
    default: return (struct value){.off = times + s[2].off};
    }
}

/* Whether the register has the one value that is written to it wherever it is read: later blocks follow (ir.h). */
static bool is_only(const struct joining *j, uint32_t reg) {
    return j->cfg->ndefs[reg] == 1 && !wg_bits_has(j->cfg->live_in[0], reg);
}

/* What is off in the result, as far as it follows from the operands; false: the kernel can tell by this. */
static bool find_result(const struct joining *j, const struct wg_ir_instr *in, struct value *to) {
    struct value s[3] = {{0}};
    bool off = false;
    for (uint32_t i = 0; i < in->nsrc; i++) {
        struct value v = value_of(j, &in->src[i]);
        off |= v.off != 0;
        if (i < 3) s[i] = v;
    }
    if (in->op == WG_OP_MOV_SREG) {
        *to = special(j, in->sreg);
        return in->sreg != WG_SR_laneid;
    }
    if (!is_linear(in, s)) return !off;
    *to = result_of(in, s);
    return true;
}

static bool follow(struct joining *j, const struct wg_ir_instr *in) {
    struct value to = {0};
    if (!find_result(j, in, &to)) return false;
    for (uint32_t d = 0; d < in->ndst; d++) {
        if (in->dst[d].kind != WG_O_REG) continue;
        bool only = is_only(j, in->dst[d].index);
        if (to.off && !only) return false;
        if (only) j->values[in->dst[d].index] = to;
    }
    return true;
}

static enum wg_part part_of(const void *user, const struct wg_ir_instr *in) {
    (void)user;
    return in->op == WG_OP_MOV_SREG && in->sreg == WG_SR_tid_x ? WG_PART_BEGINS : WG_PART_FOLLOWS;
}

/* Whether anything is loaded by rows. What threads only compute has more in common in squares: lanes of
 * Mandelbrot's set part later. */
static bool gains(const struct wg_ir_func *f) {
    struct wg_arena a = {0};
    wg_bits rows = wg_following(&a, f, part_of, NULL);
    bool any = false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            any |= in->op == WG_OP_LD && in->src[0].kind == WG_O_REG && wg_bits_has(rows, in->src[0].index);
        }
    wg_arena_free(&a);
    return any;
}

bool wg_rows_join(const struct wg_ir_func *f, uint32_t threads) {
    if (!wg_may_be_dealt(f) || !gains(f)) return false;
    struct wg_cfg cfg = {.func = f};
    wg_cfg_liveness(&cfg);
    wg_cfg_definitions(&cfg);
    struct joining j = {threads, &cfg, WG_NEW_N(&cfg.arena, struct value, f->nregs)};
    bool joins = true;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        const struct wg_ir_block *blk = &f->blocks[b];
        for (uint32_t i = 0; i < blk->ninstrs; i++) joins &= follow(&j, &blk->instrs[i]);
        if (blk->term == WG_TERM_BRX) joins &= j.values[blk->cond].off == 0;
    }
    wg_arena_free(&cfg.arena);
    return joins;
}
