/* Storage narrowing: whether a kernel's shared memory can be stored with fewer bits per word than the kernel
 * writes.
 *
 *     __shared__ int tile[3][128];
 *     tile[j][t] = image[...];       words, and all that is ever in them is bytes
 *
 * Shared memory is visible only to the block. So if all accesses to it are loads and stores of one word per
 * lane, and every stored value fits 8 or 16 bits, word i may be stored as element i of an array of such
 * elements (jit/access/tile.c): a quarter or half of the lines are stored, and loads are known to be small.
 * The addresses that the kernel computes do not change; only the place of an access does. So only accesses
 * qualify whose lanes' addresses are known to be whole words apart, which are rows; others are better
 * gathered as words. One word whose address is chosen at run time may be past the array's end; that is
 * reported where words have the kernel's layout (machine/overrun.h), but not for rows.
 *
 * All code of a launch must agree. The decision follows from facts of CONVERGED alone, which every version
 * computes.
 */
#include "analysis/plan.h"
#include "analysis/flow.h"

static bool whole_words(const int64_t *k) {
    for (int l = 0; l < WG_LANES && k; l++)
        if (k[l] % 4) return false;
    return true;
}

/* No access is held back by a check (in->checked): under the checks a kernel has no tile (forms.def). */
static bool is_word(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    struct wg_fact a = wg_operand_fact(an, WG_CONVERGED, &in->src[0]);
    bool known = a.kind == WG_UNIFORM || a.kind == WG_AFFINE;
    return in->nvec == 1 && wg_type_bits(in->type) == 32 && wg_ir_is_weak(in) && known && whole_words(a.k) &&
           whole_words(a.r);
}

static bool is_row_or_constant(const struct wg_analysis *an, const struct wg_ir_instr *st) {
    struct wg_fact a = wg_operand_fact(an, WG_CONVERGED, &st->src[0]);
    return a.kind == WG_AFFINE || a.is_const;
}

/* Neither this nor what it calls comes near shared memory. */
static bool is_elsewhere(const struct wg_ir_instr *in) {
    switch (in->op) {
    case WG_OP_LD:
    case WG_OP_LDU:
    case WG_OP_ST:
        return in->space == WG_S_GLOBAL || in->space == WG_S_LOCAL || in->space == WG_S_CONST ||
               in->space == WG_S_PARAM;
    case WG_OP_ATOM:
    case WG_OP_RED: return in->space == WG_S_GLOBAL;
    case WG_OP_SHFL:
    case WG_OP_VOTE:
    case WG_OP_VOTE_BALLOT:
    case WG_OP_BAR_WARP: return true;
    default: return wg_is_plain_barrier(in) || !(wg_op_flags(in->op) & ~WG_F_CC);
    }
}

void wg_flow_tile(struct wg_analysis *an) {
    const struct wg_code_opts *o = an->opts;
    const struct wg_ir_func *f = an->func;
    uint64_t most = 0;
    bool rows = false;
    if (o->width < 256 || !wg_may_use(o, WG_FORM_tile)) return;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            bool shared = (in->op == WG_OP_LD || in->op == WG_OP_ST) && in->space == WG_S_SHARED;
            if (!shared && !is_elsewhere(in)) return;
            if (shared && !is_word(an, in)) return;
            if (!shared || in->op == WG_OP_LD) continue;
            if (!is_row_or_constant(an, in)) return;
            struct wg_fact x = wg_operand_fact(an, WG_CONVERGED, &in->src[1]);
            if (x.max > most) most = x.max;
            rows |= wg_operand_fact(an, WG_CONVERGED, &in->src[0]).kind == WG_AFFINE;
        }
    if (!rows || most > UINT16_MAX) return;
    an->tile_bits = most <= UINT8_MAX ? 8 : 16;
    wg_plan_yes(o, WG_FORM_tile, NULL);
}
