/* Special registers and addresses of variables. What a whole block shares is loaded once, in the entry block.
 */
#include "jit/emit.h"

LLVMValueRef wg_preload(struct wg_emit *e, LLVMValueRef *cache, LLVMTypeRef t, size_t offset,
                        const char *name) {
    if (!*cache) *cache = wg_load_field(e, e->entry_b, t, e->block_ptr, offset, true, name);
    return *cache;
}

LLVMValueRef wg_shared_base(struct wg_emit *e) {
    return wg_preload(e, &e->shared_base, e->i64, offsetof(struct wg_block, cluster_shared), "shared_base");
}

LLVMValueRef wg_shared_offset(struct wg_emit *e) {
    return wg_preload(e, &e->shared_offset, e->i32, offsetof(struct wg_block, shared_offset),
                      "shared_offset");
}

LLVMValueRef wg_params(struct wg_emit *e) {
    return wg_preload(e, &e->params, e->i64, offsetof(struct wg_block, params), "params");
}

static LLVMValueRef local_base(struct wg_emit *e) {
    if (!e->local)
        e->local =
            wg_load_field(e, e->entry_b, e->i64, e->warp, offsetof(struct wg_warp, local), true, "local");
    return e->local;
}

static LLVMValueRef local_stride(struct wg_emit *e) {
    if (!e->local_stride)
        e->local_stride = wg_load_field(e, e->entry_b, e->i64, e->warp,
                                        offsetof(struct wg_warp, local_stride), true, "stride");
    return e->local_stride;
}

struct wg_value wg_symbol_address(struct wg_emit *e, const struct wg_ir_opd *o, uint32_t bits) {
    const struct wg_ir_sym *s = &e->module->syms[o->index];
    struct wg_value v = {.kind = WG_UNIFORM};
    LLVMValueRef at = NULL;
    uint64_t offset = s->offset + o->imm;
    switch (s->kind) {
    case WG_SYM_GLOBAL: {
        LLVMValueRef table = wg_load_field(e, e->entry_b, e->ptr, e->block_ptr,
                                           offsetof(struct wg_block, symbols), true, "symbols");
        at = wg_load_field(e, e->entry_b, e->i64, table, o->index * sizeof(uint64_t), true, s->name);
        offset = o->imm;
        break;
    }
    case WG_SYM_SHARED: at = wg_emit_resize(e, wg_shared_offset(e), 64, false); break;
    case WG_SYM_DYNSHARED: {
        LLVMValueRef begin = wg_load_field(e, e->entry_b, e->i32, e->block_ptr,
                                           offsetof(struct wg_block, static_shared), true, "dynamic");
        at = wg_emit_resize(e, LLVMBuildAdd(e->L.b, begin, wg_shared_offset(e), ""), 64, false);
        offset = o->imm;
        break;
    }
    case WG_SYM_LOCAL: {
        v.kind = WG_AFFINE;
        static const int64_t lanes[WG_LANES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
        v.r = lanes;
        v.scale = wg_emit_resize(e, local_stride(e), bits, false);
        at = local_base(e);
        break;
    }
    case WG_SYM_PARAM: at = wg_params(e); break;
    default:
        at = wg_i64(e, 0);
        offset = s->func == WG_NO_REG ? 0 : s->func + 1;
        break;
    }
    if (offset) at = LLVMBuildAdd(e->L.b, at, wg_i64(e, offset), "");
    v.base = wg_emit_resize(e, at, bits, false);
    return v;
}

static LLVMValueRef udiv_const(struct wg_emit *e, LLVMBuilderRef b, LLVMValueRef x, uint32_t n, bool rem,
                               bool vec) {
    LLVMValueRef d = wg_i32(e, n);
    if (vec) {
        int64_t k[WG_LANES];
        for (int l = 0; l < WG_LANES; l++) k[l] = n;
        d = wg_lane_consts(e, k, 32);
    }
    return rem ? LLVMBuildURem(b, x, d, "") : LLVMBuildUDiv(b, x, d, "");
}

/* Thread index along an axis: (linear / inner) % size, of lane 0 or of every lane. */
static LLVMValueRef tid_along(struct wg_emit *e, LLVMBuilderRef b, uint32_t axis, bool vec) {
    const uint32_t *n = e->opts->ntid;
    uint32_t inner = axis == 0 ? 1 : axis == 1 ? n[0] : n[0] * n[1];
    LLVMValueRef lin = LLVMBuildMul(b, e->warp_id, wg_i32(e, WG_LANES), "");
    if (vec) {
        int64_t k[WG_LANES];
        for (int l = 0; l < WG_LANES; l++) k[l] = l;
        lin = LLVMBuildAdd(b, wg_emit_splat(e, b, lin), wg_lane_consts(e, k, 32), "");
    }
    LLVMValueRef x = udiv_const(e, b, lin, inner, false, vec);
    bool last = n[0] * n[1] * n[2] == inner * n[axis];
    return last ? x : udiv_const(e, b, x, n[axis], true, vec);
}

static struct wg_value sreg_value(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg) {
    struct wg_value v = {.kind = WG_UNIFORM};
    const struct wg_fact *f = &e->an->facts[e->v][reg];
    uint32_t s = in->sreg;
    int64_t lanes[WG_LANES];
#define FIELD(type, field) wg_preload(e, &e->pre[s], e->type, offsetof(struct wg_block, field), #field)
    switch (s) {
    case WG_SR_tid_x:
    case WG_SR_tid_y:
    case WG_SR_tid_z: {
        struct wg_fact t = wg_tid_fact(&e->an->arena, e->opts->ntid, s - WG_SR_tid_x);
        v.kind = t.kind;
        v.k = t.k;
        if (!e->pre[s]) e->pre[s] = tid_along(e, e->entry_b, s - WG_SR_tid_x, t.kind == WG_VARYING);
        if (t.kind == WG_VARYING)
            v.vec = e->pre[s];
        else
            v.base = e->pre[s];
        break;
    }
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z: v.base = wg_i32(e, e->opts->ntid[s - WG_SR_ntid_x]); break;
    case WG_SR_ctaid_x: v.base = FIELD(i32, ctaid[0]); break;
    case WG_SR_ctaid_y: v.base = FIELD(i32, ctaid[1]); break;
    case WG_SR_ctaid_z: v.base = FIELD(i32, ctaid[2]); break;
    case WG_SR_nctaid_x: v.base = FIELD(i32, nctaid[0]); break;
    case WG_SR_nctaid_y: v.base = FIELD(i32, nctaid[1]); break;
    case WG_SR_nctaid_z: v.base = FIELD(i32, nctaid[2]); break;
    case WG_SR_laneid:
        v.kind = WG_AFFINE;
        v.base = wg_i32(e, 0);
        v.k = f->k;
        if (!f->k) { /* its register is VARYING for another reason */
            for (int l = 0; l < WG_LANES; l++) lanes[l] = l;
            v = (struct wg_value){.kind = WG_VARYING, .vec = wg_lane_consts(e, lanes, 32)};
        }
        break;
    case WG_SR_warpid: v.base = e->warp_id; break;
    case WG_SR_nwarpid:
        v.base =
            wg_i32(e, (e->opts->ntid[0] * e->opts->ntid[1] * e->opts->ntid[2] + WG_LANES - 1) / WG_LANES);
        break;
    case WG_SR_smid: v.base = FIELD(i32, smid); break;
    case WG_SR_nsmid: v.base = FIELD(i32, nsmid); break;
    case WG_SR_gridid: v.base = FIELD(i64, gridid); break;
    case WG_SR_is_explicit_cluster:
        v.base = LLVMBuildICmp(e->L.b, LLVMIntNE, FIELD(i32, explicit_cluster), wg_i32(e, 0), "");
        break;
    case WG_SR_clusterid_x: v.base = FIELD(i32, clusterid[0]); break;
    case WG_SR_clusterid_y: v.base = FIELD(i32, clusterid[1]); break;
    case WG_SR_clusterid_z: v.base = FIELD(i32, clusterid[2]); break;
    case WG_SR_nclusterid_x: v.base = FIELD(i32, nclusterid[0]); break;
    case WG_SR_nclusterid_y: v.base = FIELD(i32, nclusterid[1]); break;
    case WG_SR_nclusterid_z: v.base = FIELD(i32, nclusterid[2]); break;
    case WG_SR_cluster_ctaid_x: v.base = FIELD(i32, cluster_ctaid[0]); break;
    case WG_SR_cluster_ctaid_y: v.base = FIELD(i32, cluster_ctaid[1]); break;
    case WG_SR_cluster_ctaid_z: v.base = FIELD(i32, cluster_ctaid[2]); break;
    case WG_SR_cluster_nctaid_x: v.base = FIELD(i32, cluster_nctaid[0]); break;
    case WG_SR_cluster_nctaid_y: v.base = FIELD(i32, cluster_nctaid[1]); break;
    case WG_SR_cluster_nctaid_z: v.base = FIELD(i32, cluster_nctaid[2]); break;
    case WG_SR_cluster_ctarank: v.base = FIELD(i32, cluster_ctarank); break;
    case WG_SR_cluster_nctarank: v.base = FIELD(i32, cluster_nctarank); break;
    case WG_SR_lanemask_eq:
    case WG_SR_lanemask_lt:
    case WG_SR_lanemask_le:
    case WG_SR_lanemask_gt:
    case WG_SR_lanemask_ge:
        for (int l = 0; l < WG_LANES; l++) {
            uint32_t eq = 1u << l, lt = eq - 1;
            lanes[l] = s == WG_SR_lanemask_eq   ? eq
                       : s == WG_SR_lanemask_lt ? lt
                       : s == WG_SR_lanemask_le ? lt | eq
                       : s == WG_SR_lanemask_gt ? (uint32_t)~(lt | eq)
                                                : (uint32_t)~lt;
        }
        v = (struct wg_value){.kind = WG_VARYING, .vec = wg_lane_consts(e, lanes, 32)};
        break;
    case WG_SR_dynamic_smem_size: v.base = FIELD(i32, dynamic_shared); break;
    case WG_SR_total_smem_size:
    case WG_SR_aggr_smem_size:
        v.base = LLVMBuildAdd(e->L.b, FIELD(i32, dynamic_shared), wg_i32(e, e->func->shared_bytes), "");
        break;
    case WG_SR_reserved_smem_begin: v.base = wg_i32(e, 0); break;
    case WG_SR_reserved_smem_end: v.base = wg_i32(e, 1024); break;
    case WG_SR_clock:
    case WG_SR_clock_hi:
    case WG_SR_clock64:
    case WG_SR_globaltimer:
    case WG_SR_globaltimer_lo:
    case WG_SR_globaltimer_hi: {
        bool timer = s == WG_SR_globaltimer || s == WG_SR_globaltimer_lo || s == WG_SR_globaltimer_hi;
        bool high = s == WG_SR_clock_hi || s == WG_SR_globaltimer_hi;
        v.base = wg_call_helper(e, timer ? "wg_jit_globaltimer" : "wg_jit_clock", e->i64, &e->warp, 1);
        if (high) v.base = LLVMBuildLShr(e->L.b, v.base, wg_i64(e, 32), "");
        break;
    }
    default: wg_emit_unsupported(e, in, wg_sreg_name(s)); return v;
    }
#undef FIELD
    return v;
}

void wg_emit_sreg(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (in->dst[0].kind != WG_O_REG) return;
    uint32_t reg = in->dst[0].index, bits = wg_reg_bits(e, reg);
    struct wg_value v = sreg_value(e, in, reg);
    if (e->failed) return;
    if (v.base) v.base = wg_emit_resize(e, v.base, bits, false);
    if (v.vec) v.vec = wg_emit_resize(e, v.vec, bits, false);
    wg_value_set(e, reg, v);
}
