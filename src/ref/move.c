/* Rows that move values: mov in its forms, special registers, addresses between spaces. */
#include "ref/access.h"

REF_LANE_ROW(mov) {
    ref_set(l, i, i->type == WG_T_PRED ? ref_pred(l, i, 0) : ref_src(l, i, 0));
    if (i->bits == 128 && i->dst[0].kind == REF_REG)
        l->at->regs[i->dst[0].slot + 1] = i->src[0].kind == REF_REG ? l->at->regs[i->src[0].slot + 1] : 0;
}

/* ---- special registers ---- */

static uint64_t sreg_value(const struct ref_lane *l, enum wg_sreg s) {
    struct wg_warp *wg = l->warp->wg;
    const struct wg_block *b = wg->block;
    uint32_t eq = 1u << l->id;
    switch (s) {
    case WG_SR_laneid: return l->id;
    case WG_SR_warpid: return wg->id;
    case WG_SR_nwarpid: return b->warp_slots;
    case WG_SR_smid: return b->smid;
    case WG_SR_nsmid: return b->nsmid;
    case WG_SR_gridid: return b->gridid;
    case WG_SR_is_explicit_cluster: return b->explicit_cluster != 0;
    case WG_SR_cluster_ctarank: return b->cluster_ctarank;
    case WG_SR_cluster_nctarank: return b->cluster_nctarank;
    case WG_SR_lanemask_eq: return eq;
    case WG_SR_lanemask_lt: return eq - 1;
    case WG_SR_lanemask_le: return eq | (eq - 1);
    case WG_SR_lanemask_gt: return ~(eq | (eq - 1));
    case WG_SR_lanemask_ge: return ~(eq - 1);
    case WG_SR_clock: return (uint32_t)b->services->clock(wg);
    case WG_SR_clock_hi: return b->services->clock(wg) >> 32;
    case WG_SR_clock64: return b->services->clock(wg);
    case WG_SR_globaltimer: return b->services->globaltimer(wg);
    case WG_SR_globaltimer_lo: return (uint32_t)b->services->globaltimer(wg);
    case WG_SR_globaltimer_hi: return b->services->globaltimer(wg) >> 32;
    case WG_SR_envreg1: return b->workspace[1];
    case WG_SR_envreg2: return b->workspace[0];
    case WG_SR_total_smem_size: return (b->static_shared + b->dynamic_shared + 127) / 128 * 128;
    case WG_SR_aggr_smem_size: return b->system_shared + b->static_shared + b->dynamic_shared;
    case WG_SR_dynamic_smem_size: return b->dynamic_shared;
    case WG_SR_reserved_smem_begin: return 0;
    case WG_SR_reserved_smem_end: return b->system_shared ? WG_SYSTEM_SHARED_USED : 0;
    case WG_SR_reserved_smem_cap: return b->system_shared;
    case WG_SR_reserved_smem_0:
    case WG_SR_reserved_smem_1: return b->reserved_at;
    case WG_SR_tid_x ... WG_SR_tid_z: return wg_ref_tid(l, s - WG_SR_tid_x);
#define DIMS(first, array)                                                                                   \
    case WG_SR_##first##_x... WG_SR_##first##_z: return array[s - WG_SR_##first##_x]
        DIMS(ntid, b->ntid);
        DIMS(ctaid, b->ctaid);
        DIMS(nctaid, b->nctaid);
        DIMS(clusterid, b->clusterid);
        DIMS(nclusterid, b->nclusterid);
        DIMS(cluster_ctaid, b->cluster_ctaid);
        DIMS(cluster_nctaid, b->cluster_nctaid);
#undef DIMS
    default: return 0;
    }
}
REF_LANE_ROW(mov_sreg) { ref_set(l, i, sreg_value(l, i->ir->sreg)); }

/* ---- vectors <-> scalars: the first element is the lowest ---- */

REF_LANE_ROW(mov_pack) {
    uint32_t bits = i->bits / i->nsrc;
    uint64_t v[2] = {0, 0};
    for (uint32_t k = 0; k < i->nsrc; k++) v[k * bits / 64] |= ref_bits(l, i, k, bits) << k * bits % 64;
    ref_set(l, i, v[0]);
    if (i->bits == 128 && i->dst[0].kind == REF_REG) l->at->regs[i->dst[0].slot + 1] = v[1];
}
REF_LANE_ROW(mov_unpack) {
    uint32_t bits = i->bits / i->ndst;
    uint64_t v[2] = {ref_src(l, i, 0), 0};
    if (i->bits == 128 && i->src[0].kind == REF_REG) v[1] = l->at->regs[i->src[0].slot + 1];
    for (uint32_t k = 0; k < i->ndst; k++)
        ref_set_bits(l, i, k, ref_low(v[k * bits / 64] >> k * bits % 64, bits), bits);
}

/* ---- addresses ---- */

static uint64_t shared_base(const struct ref_lane *l) {
    return (uint64_t)(uintptr_t)l->warp->wg->block->cluster_shared;
}

static bool names_shared(const struct ref_ins *i) {
    return i->space == WG_S_SHARED || i->space == WG_S_CLUSTER;
}

REF_LANE_ROW(cvta) {
    ref_set(l, i, names_shared(i) ? shared_base(l) + ref_bits(l, i, 0, 32) : ref_src(l, i, 0));
}
REF_LANE_ROW(cvta_to) { ref_set(l, i, ref_src(l, i, 0) - (names_shared(i) ? shared_base(l) : 0)); }
REF_LANE_ROW(isspacep) {
    bool cluster = i->space == WG_S_CLUSTER;
    ref_set_bits(l, i, 0,
                 wg_ref_in_space(l, ref_bits(l, i, 0, 64), cluster ? WG_S_SHARED : i->space, cluster), 1);
}
/* The same place in another block's window. */
REF_LANE_ROW(mapa) {
    uint64_t base = names_shared(i) ? 0 : shared_base(l), offset = ref_src(l, i, 0) - base;
    uint64_t rank = ref_bits(l, i, 1, 32);
    if (!names_shared(i) && rank > WG_SHARED_RANKS) rank = WG_SHARED_RANKS;
    ref_set(l, i, base + offset % WG_SHARED_STRIDE + rank * WG_SHARED_STRIDE);
}
REF_LANE_ROW(getctarank) {
    uint64_t base = names_shared(i) ? 0 : shared_base(l);
    ref_set_bits(l, i, 0, (ref_src(l, i, 0) - base) / WG_SHARED_STRIDE, 32);
}

const struct ref_row wg_ref_move_rows[WG_OP_COUNT] = {
    [WG_OP_MOV] = {.lane = mov},
    [WG_OP_MOV_SREG] = {.lane = mov_sreg},
    [WG_OP_MOV_PACK] = {.lane = mov_pack},
    [WG_OP_MOV_UNPACK] = {.lane = mov_unpack},
    [WG_OP_CVTA] = {.lane = cvta},
    [WG_OP_CVTA_TO] = {.lane = cvta_to},
    [WG_OP_ISSPACEP] = {.lane = isspacep},
    [WG_OP_MAPA] = {.lane = mapa},
    [WG_OP_GETCTARANK] = {.lane = getctarank},
};
