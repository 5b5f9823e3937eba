/* Range speculation of rows (wg_needs_row_check in analysis.h): which indices are divided by a row's length. */
#include "analysis/analysis.h"
#include "analysis/plan.h"

enum { STRIDE_STEPS = 4 }; /* instructions from what a loop writes to the divisor */

static bool scales(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_MOV && in->src[0].kind == WG_O_REG) in = an->cfg.def[in->src[0].index];
    if (!in) return false;
    switch (in->op) {
    case WG_OP_SHL:
    case WG_OP_SHR:
    case WG_OP_MUL_I:
    case WG_OP_DIV_I: return true;
    default:
        return in->op == WG_OP_ADD_I && in->src[0].kind == WG_O_REG && in->src[1].kind == WG_O_REG &&
               in->src[0].index == in->src[1].index;
    }
}

/* Whether a loop multiplies or divides the register for its next iteration. */
static bool is_scaled_by_loop(const struct wg_analysis *an, uint32_t reg) {
    const struct wg_ir_func *f = an->func;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t h = f->blocks[b].loop; h != WG_NO_REG; h = f->blocks[h].outer) {
            if (!wg_bits_has(an->cfg.live_in[h], reg)) continue;
            for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
                const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
                if (wg_writes(in, reg) && scales(an, in)) return true;
            }
        }
    return false;
}

/* Whether the divisor is multiplied or divided from iteration to iteration: then it is a stride and not a row's
 * length, and in some iterations less than the lanes of a warp.
 *
 *     for (s = 1; s < n; s *= 2) if (t % (2 * s) == 0) ...
 */
static bool is_stride(const struct wg_analysis *an, const struct wg_ir_opd *o, uint32_t steps) {
    if (o->kind != WG_O_REG || !steps) return false;
    const struct wg_ir_instr *in = an->cfg.def[o->index];
    if (!in) return is_scaled_by_loop(an, o->index);
    bool any = false;
    for (uint32_t i = 0; i < in->nsrc && in->op != WG_OP_LD; i++)
        any |= is_stride(an, &in->src[i], steps - 1);
    return any;
}

bool wg_needs_row_check(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    if ((in->op != WG_OP_DIV_I && in->op != WG_OP_REM_I) || in->guard != WG_NO_REG) return false;
    if (!wg_may_use(an->opts, WG_FORM_rows)) return false;
    struct wg_fact a = wg_operand_fact(an, WG_CONVERGED, &in->src[0]),
                   b = wg_operand_fact(an, WG_CONVERGED, &in->src[1]);
    if (a.kind != WG_AFFINE || a.r || b.kind != WG_UNIFORM || b.is_const) return false;
    for (int l = 0; l < WG_LANES; l++)
        if (a.k[l] < 0 || a.k[l] > 1 << 20) return false;
    return !is_stride(an, &in->src[1], STRIDE_STEPS);
}
