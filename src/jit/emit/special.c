/* Special registers and addresses of variables. Values shared by a whole thread block are loaded once, in
 * the entry block. */
#include "jit/emit/emit.h"

LLVMValueRef wg_preload(struct wg_emit *e, LLVMValueRef *cache, LLVMTypeRef t, size_t offset,
                        const char *name) {
    if (!*cache) *cache = wg_load_field(e, e->entry_b, t, e->once.block, offset, true, name);
    return *cache;
}

LLVMValueRef wg_shared_base(struct wg_emit *e) {
    return wg_preload(e, &e->once.shared_base, e->i64, offsetof(struct wg_block, cluster_shared),
                      "shared_base");
}

LLVMValueRef wg_shared_offset(struct wg_emit *e) {
    return wg_preload(e, &e->once.shared_offset, e->i32, offsetof(struct wg_block, shared_offset),
                      "shared_offset");
}

LLVMValueRef wg_params(struct wg_emit *e) {
    return wg_preload(e, &e->once.params, e->i64, offsetof(struct wg_block, params), "params");
}

LLVMValueRef wg_local_base(struct wg_emit *e) {
    if (!e->once.local)
        e->once.local =
            wg_load_field(e, e->warp_b, e->i64, e->warp, offsetof(struct wg_warp, local), true, "local");
    return e->once.local;
}

LLVMValueRef wg_local_stride_of(struct wg_emit *e) {
    if (!e->once.local_stride)
        e->once.local_stride = wg_load_field(e, e->entry_b, e->i64, e->first_warp,
                                             offsetof(struct wg_warp, local_stride), true, "stride");
    return e->once.local_stride;
}

struct wg_value wg_symbol_address(struct wg_emit *e, const struct wg_ir_opd *o, uint32_t bits) {
    const struct wg_ir_sym *s = &e->module->syms[o->index];
    struct wg_value v = {.kind = WG_UNIFORM};
    LLVMValueRef at = NULL;
    uint64_t offset = s->offset + o->imm;
    switch (s->kind) {
    case WG_SYM_GLOBAL: {
        LLVMValueRef table = wg_load_field(e, e->entry_b, e->ptr, e->once.block,
                                           offsetof(struct wg_block, symbols), true, "symbols");
        at = wg_load_field(e, e->entry_b, e->i64, table, o->index * sizeof(uint64_t), true, s->name);
        offset = o->imm;
        break;
    }
    case WG_SYM_SHARED: at = wg_emit_resize(e, wg_shared_offset(e), 64, false); break;
    case WG_SYM_DYNSHARED: {
        LLVMValueRef begin = wg_load_field(e, e->entry_b, e->i32, e->once.block,
                                           offsetof(struct wg_block, static_shared), true, "dynamic");
        at = wg_emit_resize(e, LLVMBuildAdd(e->L.b, begin, wg_shared_offset(e), ""), 64, false);
        offset = o->imm;
        break;
    }
    case WG_SYM_LOCAL: {
        at = wg_local_base(e);
        if (wg_is_one_thread(e->opts)) break;
        v.kind = WG_AFFINE;
        static const int64_t lanes[WG_LANES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
        v.r = lanes;
        v.scale = wg_emit_resize(e, wg_local_stride_of(e), bits, false);
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
    LLVMValueRef lin = LLVMBuildMul(b, e->once.warp_id, wg_i32(e, WG_LANES), "");
    if (vec) {
        int64_t k[WG_LANES];
        for (int l = 0; l < WG_LANES; l++) k[l] = l;
        lin = LLVMBuildAdd(b, wg_emit_splat(e, b, lin), wg_lane_consts(e, k, 32), "");
    }
    LLVMValueRef x = udiv_const(e, b, lin, inner, false, vec);
    bool last = n[0] * n[1] * n[2] == inner * n[axis];
    return last ? x : udiv_const(e, b, x, n[axis], true, vec);
}

/* %smid in code that runs whole thread blocks: it is computed from the block's number. */
static LLVMValueRef smid_of_block(struct wg_emit *e) {
    LLVMValueRef n = NULL;
    for (uint32_t i = 3; i-- > 0;) {
        LLVMValueRef at = LLVMBuildZExt(e->block_b, e->once.sreg[WG_SR_ctaid_x + i], e->i64, "");
        LLVMValueRef size = wg_load_field(e, e->entry_b, e->i32, e->once.block,
                                          offsetof(struct wg_block, nctaid) + 4 * i, true, "");
        size = LLVMBuildZExt(e->block_b, size, e->i64, "");
        n = n ? LLVMBuildAdd(e->block_b, at, LLVMBuildMul(e->block_b, n, size, ""), "") : at;
    }
    LLVMValueRef sms =
        wg_load_field(e, e->entry_b, e->i32, e->once.block, offsetof(struct wg_block, nsmid), true, "nsmid");
    n = LLVMBuildURem(e->block_b, n, LLVMBuildZExt(e->block_b, sms, e->i64, ""), "");
    return LLVMBuildTrunc(e->block_b, n, e->i32, "smid");
}

/* Special registers that are fields of the block: loaded once. X(register, type, field) */
#define BLOCK_SREGS(X)                                                                                       \
    X(ctaid_x, i32, ctaid[0])                                                                                \
    X(ctaid_y, i32, ctaid[1])                                                                                \
    X(ctaid_z, i32, ctaid[2])                                                                                \
    X(nctaid_x, i32, nctaid[0])                                                                              \
    X(nctaid_y, i32, nctaid[1])                                                                              \
    X(nctaid_z, i32, nctaid[2])                                                                              \
    X(smid, i32, smid)                                                                                       \
    X(nsmid, i32, nsmid)                                                                                     \
    X(gridid, i64, gridid)                                                                                   \
    X(clusterid_x, i32, clusterid[0])                                                                        \
    X(clusterid_y, i32, clusterid[1])                                                                        \
    X(clusterid_z, i32, clusterid[2])                                                                        \
    X(nclusterid_x, i32, nclusterid[0])                                                                      \
    X(nclusterid_y, i32, nclusterid[1])                                                                      \
    X(nclusterid_z, i32, nclusterid[2])                                                                      \
    X(cluster_ctaid_x, i32, cluster_ctaid[0])                                                                \
    X(cluster_ctaid_y, i32, cluster_ctaid[1])                                                                \
    X(cluster_ctaid_z, i32, cluster_ctaid[2])                                                                \
    X(cluster_nctaid_x, i32, cluster_nctaid[0])                                                              \
    X(cluster_nctaid_y, i32, cluster_nctaid[1])                                                              \
    X(cluster_nctaid_z, i32, cluster_nctaid[2])                                                              \
    X(cluster_ctarank, i32, cluster_ctarank)                                                                 \
    X(cluster_nctarank, i32, cluster_nctarank)                                                               \
    X(dynamic_smem_size, i32, dynamic_shared)                                                                \
    X(nwarpid, i32, warp_slots)                                                                              \
    X(reserved_smem_cap, i32, system_shared)                                                                 \
    X(reserved_smem_0, i32, reserved_at)                                                                     \
    X(reserved_smem_1, i32, reserved_at)                                                                     \
    X(envreg1, i32, workspace[1])                                                                            \
    X(envreg2, i32, workspace[0])                                                                            \
    X(iteration, i32, iteration)                                                                             \
    X(last_x, i32, last_x)                                                                                   \
    X(stage, i32, stage)

LLVMValueRef wg_block_field(struct wg_emit *e, uint32_t sreg) {
    const struct {
        LLVMTypeRef type;
        size_t offset;
        const char *name;
    } table[WG_SR_ALL] = {
#define X(reg, t, field) [WG_SR_##reg] = {e->t, offsetof(struct wg_block, field), #reg},
        BLOCK_SREGS(X)
#undef X
    };
    if (!table[sreg].type) return NULL;
    if (e->whole && sreg == WG_SR_smid && !e->once.sreg[sreg]) e->once.sreg[sreg] = smid_of_block(e);
    return wg_preload(e, &e->once.sreg[sreg], table[sreg].type, table[sreg].offset, table[sreg].name);
}

static LLVMValueRef lane_masks(struct wg_emit *e, uint32_t sreg) {
    int64_t lanes[WG_LANES];
    for (int l = 0; l < WG_LANES; l++) {
        uint32_t eq = 1u << l, lt = eq - 1;
        switch (sreg) {
        case WG_SR_lanemask_eq: lanes[l] = eq; break;
        case WG_SR_lanemask_lt: lanes[l] = lt; break;
        case WG_SR_lanemask_le: lanes[l] = lt | eq; break;
        case WG_SR_lanemask_gt: lanes[l] = (uint32_t)~(lt | eq); break;
        default: lanes[l] = (uint32_t)~lt; break;
        }
    }
    return wg_lane_consts(e, lanes, 32);
}

static struct wg_value tid_value(struct wg_emit *e, uint32_t sreg) {
    struct wg_fact t = wg_tid_fact(&e->an->arena, e->opts->ntid, sreg - WG_SR_tid_x);
    bool vec = t.kind == WG_VARYING;
    if (!e->once.sreg[sreg]) e->once.sreg[sreg] = tid_along(e, e->warp_b, sreg - WG_SR_tid_x, vec);
    struct wg_value v = {.kind = t.kind, .k = t.k};
    if (vec)
        v.vec = e->once.sreg[sreg];
    else
        v.base = e->once.sreg[sreg];
    return v;
}

LLVMValueRef wg_tid_base(struct wg_emit *e, uint32_t axis) { return tid_value(e, WG_SR_tid_x + axis).base; }

static struct wg_value lane_value(struct wg_emit *e, uint32_t reg) {
    const struct wg_fact *f = &e->an->facts[e->v][reg];
    if (f->k || f->kind == WG_UNIFORM)
        return (struct wg_value){.kind = f->kind, .base = wg_i32(e, 0), .k = f->k};
    int64_t lanes[WG_LANES]; /* its register is VARYING for other reasons */
    for (int l = 0; l < WG_LANES; l++) lanes[l] = l;
    return (struct wg_value){.kind = WG_VARYING, .vec = wg_lane_consts(e, lanes, 32)};
}

static LLVMValueRef clock_value(struct wg_emit *e, uint32_t sreg) {
    bool timer = sreg == WG_SR_globaltimer || sreg == WG_SR_globaltimer_lo || sreg == WG_SR_globaltimer_hi;
    bool high = sreg == WG_SR_clock_hi || sreg == WG_SR_globaltimer_hi;
    LLVMValueRef x = wg_call_helper(e, timer ? "wg_jit_globaltimer" : "wg_jit_clock", e->i64, &e->warp, 1);
    return high ? LLVMBuildLShr(e->L.b, x, wg_i64(e, 32), "") : x;
}

/* A block's shared memory size: its own, in units of 128 bytes; or the total, with what the chip reserves. */
static LLVMValueRef smem_size(struct wg_emit *e, uint32_t sreg) {
    LLVMValueRef n = wg_preload(e, &e->once.sreg[WG_SR_total_smem_size], e->i32,
                                offsetof(struct wg_block, static_shared), "static_shared");
    n = LLVMBuildAdd(e->L.b, n, wg_block_field(e, WG_SR_dynamic_smem_size), "");
    if (sreg == WG_SR_aggr_smem_size)
        return LLVMBuildAdd(e->L.b, n, wg_block_field(e, WG_SR_reserved_smem_cap), "");
    n = LLVMBuildAdd(e->L.b, n, wg_i32(e, 127), "");
    return LLVMBuildAnd(e->L.b, n, wg_i32(e, ~(uint32_t)127), "");
}

static struct wg_value sreg_value(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t reg) {
    struct wg_value v = {.kind = WG_UNIFORM};
    uint32_t s = in->sreg;
    if ((v.base = wg_block_field(e, s))) return v;
    switch (s) {
    case WG_SR_tid_x:
    case WG_SR_tid_y:
    case WG_SR_tid_z: return tid_value(e, s);
    case WG_SR_ntid_x:
    case WG_SR_ntid_y:
    case WG_SR_ntid_z: v.base = wg_i32(e, e->opts->ntid[s - WG_SR_ntid_x]); break;
    case WG_SR_laneid: return lane_value(e, reg);
    case WG_SR_warpid: v.base = e->once.warp_id; break;
    case WG_SR_local_stride: v.base = wg_local_stride_of(e); break;
    case WG_SR_saves:
        v.base = wg_load_field(e, e->L.b, e->i64, e->warp, offsetof(struct wg_warp, saves), true, "saves");
        break;
    case WG_SR_save_bytes:
        if (!e->once.sreg[s])
            e->once.sreg[s] = wg_load_field(e, e->entry_b, e->i64, e->first_warp,
                                            offsetof(struct wg_warp, save_bytes), true, "save_bytes");
        v.base = e->once.sreg[s];
        break;
    case WG_SR_is_explicit_cluster:
        v.base =
            wg_preload(e, &e->once.sreg[s], e->i32, offsetof(struct wg_block, explicit_cluster), "explicit");
        v.base = LLVMBuildICmp(e->L.b, LLVMIntNE, v.base, wg_i32(e, 0), "");
        break;
    case WG_SR_lanemask_eq:
    case WG_SR_lanemask_lt:
    case WG_SR_lanemask_le:
    case WG_SR_lanemask_gt:
    case WG_SR_lanemask_ge: return (struct wg_value){.kind = WG_VARYING, .vec = lane_masks(e, s)};
    case WG_SR_total_smem_size:
    case WG_SR_aggr_smem_size: v.base = smem_size(e, s); break;
    case WG_SR_reserved_smem_begin: v.base = wg_i32(e, 0); break;
    case WG_SR_reserved_smem_end:
        v.base = wg_block_field(e, WG_SR_reserved_smem_cap);
        v.base = LLVMBuildSelect(e->L.b, LLVMBuildICmp(e->L.b, LLVMIntNE, v.base, wg_i32(e, 0), ""),
                                 wg_i32(e, WG_SYSTEM_SHARED_USED), wg_i32(e, 0), "");
        break;
    case WG_SR_clock:
    case WG_SR_clock_hi:
    case WG_SR_clock64:
    case WG_SR_globaltimer:
    case WG_SR_globaltimer_lo:
    case WG_SR_globaltimer_hi: v.base = clock_value(e, s); break;
    default: wg_emit_unsupported(e, in, wg_sreg_name(s)); break;
    }
    return v;
}

void wg_emit_sreg(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (in->dst[0].kind != WG_O_REG) return;
    uint32_t reg = in->dst[0].index, bits = wg_reg_bits(e, reg);
    struct wg_value v = sreg_value(e, in, reg);
    if (e->failed) return;
    if (v.base) v.base = wg_emit_resize(e, v.base, bits, false);
    if (v.vec) v.vec = wg_emit_resize(e, v.vec, bits, false);
    wg_set_result(e, in, reg, v);
}
