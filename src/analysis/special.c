/* Divergence facts of special registers, above all of %tid across the lanes of a warp: see analysis.h. */
#include "analysis/analysis.h"

static const struct wg_fact uniform = {.kind = WG_UNIFORM, .max = UINT64_MAX, .root = WG_NO_REG};

static struct wg_fact constant(uint64_t value) {
    struct wg_fact f = uniform;
    f.is_const = true;
    f.value = f.max = value;
    f.zeros = value ? (uint8_t)__builtin_ctzll(value) : 64;
    return f;
}

struct wg_fact wg_tid_fact(struct wg_arena *a, const uint32_t n[3], uint32_t axis) {
    uint32_t inner = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1]; /* threads per step of this axis */
    uint32_t size = n[axis], span = inner * size;
    struct wg_fact f = wg_fact_varying();
    f.max = size - 1;
    bool only_axis = n[0] * n[1] * n[2] == span; /* nothing beyond this axis: no wrapping round */
    if (n[0] * n[1] * n[2] == 1) return constant(0);
    if (inner % WG_LANES == 0) { /* a warp has one value */
        f = uniform;
        f.max = size - 1;
        return f;
    }
    if (WG_LANES % inner != 0) return f;
    if (!(span % WG_LANES == 0 || WG_LANES % span == 0 || only_axis)) return f;
    int64_t *k = WG_NEW_N(a, int64_t, WG_LANES);
    bool any = false;
    for (uint32_t l = 0; l < WG_LANES; l++) {
        k[l] = l / inner;
        if (WG_LANES % span == 0 && !only_axis) k[l] %= size;
        any |= k[l] != 0;
    }
    f.kind = any ? WG_AFFINE : WG_UNIFORM;
    f.k = any ? k : NULL;
    f.zeros = WG_LANES % span == 0 ? 64 : (uint8_t)__builtin_ctz(WG_LANES / inner);
    if (only_axis) {
        f.zeros = (uint8_t)__builtin_ctz(WG_LANES / inner);
        f.max = (size * inner + WG_LANES - 1) / WG_LANES * WG_LANES / inner -
                1; /* lanes beyond the block count too */
    }
    return f;
}

struct wg_fact wg_sreg_fact(const struct wg_analysis *an, const struct wg_ir_instr *in) {
    struct wg_arena *a = (struct wg_arena *)&an->arena;
    const uint32_t *n = an->opts->ntid;
    struct wg_fact f = uniform;
    switch (in->sreg) {
    case WG_SR_tid_x: return wg_tid_fact(a, n, 0);
    case WG_SR_tid_y: return wg_tid_fact(a, n, 1);
    case WG_SR_tid_z: return wg_tid_fact(a, n, 2);
    case WG_SR_ntid_x: return constant(n[0]);
    case WG_SR_ntid_y: return constant(n[1]);
    case WG_SR_ntid_z: return constant(n[2]);
    case WG_SR_ctaid_x:
    case WG_SR_ctaid_y:
    case WG_SR_ctaid_z: {
        uint32_t axis = in->sreg - WG_SR_ctaid_x;
        f.max = axis == 0 ? 0x7ffffffe : 65534;
        if (an->opts->linear31 && f.max > (0x80000000u - n[axis]) / n[axis])
            f.max = (0x80000000u - n[axis]) / n[axis];
        return f;
    }
    case WG_SR_nctaid_x: f.max = 0x7fffffff; return f;
    case WG_SR_nctaid_y:
    case WG_SR_nctaid_z: f.max = 65535; return f;
    case WG_SR_cluster_ctarank:
    case WG_SR_cluster_nctarank: f.max = 16; return f;
    case WG_SR_warpid: f.max = 32; return f;
    case WG_SR_laneid: {
        if (wg_is_one_thread(an->opts)) return constant(0);
        int64_t *k = WG_NEW_N(a, int64_t, WG_LANES);
        for (int l = 0; l < WG_LANES; l++) k[l] = l;
        f = (struct wg_fact){.kind = WG_AFFINE, .k = k, .zeros = 64, .max = 31, .root = WG_NO_REG};
        return f;
    }
    case WG_SR_saves:
        f.zeros = 6; /* 64 bytes */
        return f;
    case WG_SR_save_bytes: f.max = WG_SAVES_MOST; return f;
    case WG_SR_lanemask_eq:
    case WG_SR_lanemask_lt:
    case WG_SR_lanemask_le:
    case WG_SR_lanemask_gt:
    case WG_SR_lanemask_ge: return wg_fact_varying();
    default: return f;
    }
}
