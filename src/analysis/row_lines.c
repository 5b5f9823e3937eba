/* See row_lines.h. */
#include "analysis/row_lines.h"
#include "analysis/memory.h"
#include "analysis/plan.h"

#include <stdlib.h>

bool wg_is_lane_line(const int64_t *k) {
    for (int64_t l = 0; k && l < WG_LANES; l++)
        if (k[l] != l * k[1]) return false;
    return true;
}

/* Whether its lanes' addresses lie between those of the first and the last lane. */
static bool can_compare(const struct wg_analysis *an, const struct wg_ir_instr *store) {
    const struct wg_fact f = wg_operand_fact(an, WG_CONVERGED, &store->src[0]);
    return f.kind == WG_UNIFORM || (f.kind == WG_AFFINE && wg_is_lane_line(f.k) && wg_is_lane_line(f.r));
}

static bool instr_fits(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_LD) return wg_is_plain_access(in);
    if (in->op == WG_OP_ST) return wg_is_plain_access(in) && can_compare(an, in);
    return wg_op_flags(in->op) == 0 && in->op != WG_OP_NONE && in->op != WG_OP_ACTIVEMASK;
}

static bool branch_fits(const struct wg_analysis *an, uint32_t b) {
    const struct wg_ir_block *blk = &an->func->blocks[b];
    if (blk->term != WG_TERM_CBR) return blk->term == WG_TERM_BR;
    return an->facts[WG_CONVERGED][blk->cond].kind == WG_UNIFORM;
}

static bool loop_fits(const struct wg_analysis *an, uint32_t header) {
    const struct wg_ir_func *f = an->func;
    for (uint32_t b = 0; b < f->nblocks; b++) {
        if (!wg_in_loop(f, b, header)) continue;
        if (wg_bits_has(an->spins, b) || !branch_fits(an, b)) return false;
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (!instr_fits(an, &f->blocks[b].instrs[i])) return false;
    }
    return true;
}

/* Rows as far apart as lines, or, where that is known at run time only, any. */
static bool is_in_rows(const struct wg_fact *f) {
    if (f->kind != WG_AFFINE || !wg_is_lane_line(f->k) || !wg_is_lane_line(f->r)) return false;
    if (f->r && f->r[1]) return !f->k || !f->k[1];
    return f->k && f->k[1] && f->k[1] % WG_ROW_LINE == 0;
}

static bool load_fits(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    uint32_t bits = wg_type_bits(in->type);
    if (in->op != WG_OP_LD || in->space != WG_S_GLOBAL || in->guard != WG_NO_REG || in->nvec != 1)
        return false;
    if ((bits != 32 && bits != 64) || in->src[0].kind != WG_O_REG) return false;
    const struct wg_fact f = wg_operand_fact(an, WG_CONVERGED, &in->src[0]);
    return is_in_rows(&f);
}

static bool step_of(const struct wg_analysis *an, uint32_t header, uint32_t b, uint32_t i, int64_t *step) {
    const struct wg_scev_move next = {.to_next = true, .loop = header};
    struct wg_sum at = wg_scev_address(an->unwrapped, b, i), by;
    if (!wg_scev_step(an->unwrapped, &at, &next, &by) || !wg_scev_is_constant(&by)) return false;
    *step = by.constant;
    return *step != 0;
}

static void add_load(const struct wg_analysis *an, uint32_t header, uint32_t b, uint32_t i,
                     struct wg_row_lines *x) {
    const struct wg_ir_instr *in = &an->func->blocks[b].instrs[i];
    uint32_t k = 0, bytes = wg_type_bits(in->type) / 8;
    int64_t step;
    if (!load_fits(an, in) || !step_of(an, header, b, i, &step)) return;
    while (k < x->n && x->row[k].reg != in->src[0].index) k++;
    if (k == WG_MOST_ROW_LINES || (k < x->n && x->row[k].bytes != bytes)) return;
    if (k == x->n) {
        x->row[k].reg = in->src[0].index;
        x->row[k].bytes = bytes;
        x->row[k].loads = 0;
        x->n++;
    }
    x->row[k].step = step;
    x->row[k].loads++;
}

/* Of each line at least half is used. */
static void keep_what_pays(struct wg_row_lines *x) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < x->n; k++) {
        int64_t step = llabs(x->row[k].step);
        if (step <= WG_ROW_LINE / 2 && step <= 2 * x->row[k].loads * x->row[k].bytes) x->row[n++] = x->row[k];
    }
    x->n = n;
}

/* Additions that are pending elsewhere come to memory when a word of theirs is loaded, not one of its line. */
static bool has_atomics(const struct wg_ir_func *f) {
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++)
            if (f->blocks[b].instrs[i].op == WG_OP_ATOM || f->blocks[b].instrs[i].op == WG_OP_RED)
                return true;
    return false;
}

bool wg_find_row_lines(const struct wg_analysis *an, uint32_t header, struct wg_row_lines *x) {
    const struct wg_ir_func *f = an->func;
    *x = (struct wg_row_lines){0};
    if (f->blocks[header].loop != header || !wg_may_use(an->opts, WG_FORM_columns)) return false;
    if (an->phases && wg_bits_has(an->phases->begins, header)) return false;
    if (has_atomics(f) || !loop_fits(an, header)) return false;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; f->blocks[b].loop == header && i < f->blocks[b].ninstrs; i++)
            add_load(an, header, b, i, x);
    keep_what_pays(x);
    return x->n > 0;
}
