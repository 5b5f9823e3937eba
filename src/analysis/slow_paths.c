/* See slow_paths.h. */
#include "analysis/slow_paths.h"

bool wg_has_slow_path(const struct wg_ir_instr *in) {
    bool rounded = in->op == WG_OP_DIV_F || in->op == WG_OP_RCP || in->op == WG_OP_SQRT;
    return rounded && in->mod[WG_MC_RND] == WG_M_rn;
}

const char *wg_slow_path_name(enum wg_slow_path which) {
    static const char *const names[] = {[WG_SLOW_ANY] = "slow path",
                                        [WG_SLOW_ZERO] = "slow path of zeros",
                                        [WG_SLOW_SMALL] = "slow path of small results",
                                        [WG_SLOW_SCALED] = "slow path of subnormal operands",
                                        [WG_SLOW_TINY] = "slow path of subnormal operands and results",
                                        [WG_SLOW_ALL] = "slow path of all lanes"};
    return names[which];
}
