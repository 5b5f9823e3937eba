/* Instructions that compute shadows: masks of the defined bits of a register. See analysis.h. */
#include "analysis/analysis.h"

static bool is_shadow(const struct wg_analysis *an, const struct wg_ir_opd *o) {
    return o->kind == WG_O_REG && an->func->regs[o->index].shadow;
}

static bool writes_shadows(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    for (uint32_t i = 0; i < in->ndst; i++)
        if (in->dst[i].kind == WG_O_REG) return is_shadow(an, &in->dst[i]);
    return false;
}

bool wg_loads_shadows(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    return (in->op == WG_OP_CHECK_LD || in->op == WG_OP_CHECK_SHFL) && writes_shadows(an, in);
}

bool wg_is_for_shadows(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    if (in->op == WG_OP_CHECK_DEFINED) return is_shadow(an, &in->src[0]);
    return writes_shadows(an, in) && !wg_loads_shadows(an, in);
}
