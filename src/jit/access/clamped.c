/* Loads at clamped and divided indices: lanes that may lie anywhere, and mostly lie next to each other.
 *
 *     x = min(max(blockIdx.x * blockDim.x + threadIdx.x + dx, 0), w - 1);   sum += in[y * w + x];
 *     for (k = t; k < 18 * 18; k += 256) tile[k / 18][k % 18] = in[(y + k / 18) * w + x + k % 18];
 *
 * What a minimum, a maximum or a choice makes of an index that grows with the lane is no pattern any more,
 * but in all warps but those at the border it has changed nothing. So the lanes' indices are compared with
 * those of a row as the code runs: there it is one load. Where they lie in few rows, as those of a divided
 * index do, it is a load under a mask for each row; elsewhere a gather.
 */
#include "analysis/plan.h"
#include "jit/emit/emit.h"

enum { DEPTH = 12 };

static bool grows_with_lane(const struct wg_emit *e, const struct wg_ir_opd *o) {
    return o->kind == WG_O_REG && e->an->facts[e->v][o->index].kind == WG_AFFINE;
}

/* Whether sums and products lead from a clamped index to the operand. */
static bool is_clamped(const struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth) {
    const struct wg_ir_instr *in = o->kind == WG_O_REG ? e->def[o->index] : NULL;
    if (!in || depth > DEPTH || e->an->facts[e->v][o->index].kind != WG_VARYING) return false;
    bool any = false;
    switch (in->op) {
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_SELP:
        if (grows_with_lane(e, &in->src[0]) || grows_with_lane(e, &in->src[1])) return true;
        /* fall through */
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MUL_I:
    case WG_OP_MAD_I:
    case WG_OP_SHL:
    case WG_OP_CVT:
    case WG_OP_CVTA_TO:
    case WG_OP_MOV:
        for (uint32_t i = 0; i < in->nsrc; i++) any |= is_clamped(e, &in->src[i], depth + 1);
        return any;
    default: return false;
    }
}

static bool of_thread(const struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth, bool *parts);

/* A variable of a loop that steps are added to. */
static bool counts_on(const struct wg_emit *e, uint32_t reg, unsigned depth, bool *parts) {
    const struct wg_ir_func *f = e->func;
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (uint32_t i = 0; i < f->blocks[b].ninstrs; i++) {
            const struct wg_ir_instr *in = &f->blocks[b].instrs[i];
            bool here = false, adds = in->op == WG_OP_ADD_I || in->op == WG_OP_MOV || in->op == WG_OP_CVT;
            for (uint32_t d = 0; d < in->ndst; d++)
                here |= in->dst[d].kind == WG_O_REG && in->dst[d].index == reg;
            if (!here) continue;
            if (!adds || in->guard != WG_NO_REG || wg_type_kind(in->type) == WG_K_F) return false;
            for (uint32_t k = 0; k < in->nsrc; k++) {
                bool itself = in->src[k].kind == WG_O_REG && in->src[k].index == reg;
                if (!itself && !of_thread(e, &in->src[k], depth + 1, parts)) return false;
            }
        }
    return true;
}

/* Whether it is made of the thread's index and of what all lanes have in common, nothing that was loaded;
 * *parts: by way of what leaves pieces of rows. */
static bool of_thread(const struct wg_emit *e, const struct wg_ir_opd *o, unsigned depth, bool *parts) {
    if (o->kind != WG_O_REG) return true;
    uint8_t kind = e->an->facts[e->v][o->index].kind;
    if (kind == WG_UNIFORM || kind == WG_AFFINE) return true;
    if (depth > DEPTH) return false;
    const struct wg_ir_instr *in = e->def[o->index];
    if (!in) return counts_on(e, o->index, depth, parts);
    uint32_t n = in->nsrc;
    switch (in->op) {
    case WG_OP_MOV_SREG:
        *parts = true;
        return in->sreg == WG_SR_tid_x || in->sreg == WG_SR_tid_y || in->sreg == WG_SR_tid_z;
    case WG_OP_SELP: n = 2; /* fall through */
    case WG_OP_MIN_I:
    case WG_OP_MAX_I:
    case WG_OP_DIV_I:
    case WG_OP_REM_I: *parts = true; break;
    case WG_OP_MUL_I: *parts |= in->mod[WG_MC_MULW] == WG_M_hi; break;
    case WG_OP_ADD_I:
    case WG_OP_SUB_I:
    case WG_OP_MAD_I:
    case WG_OP_SHL:
    case WG_OP_SHR:
    case WG_OP_CVT:
    case WG_OP_CVTA_TO:
    case WG_OP_MOV: break;
    default: return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!of_thread(e, &in->src[i], depth + 1, parts)) return false;
    return in->guard == WG_NO_REG;
}

static bool is_divided(const struct wg_emit *e, const struct wg_ir_opd *o) {
    bool parts = false;
    return e->L.avx512 && of_thread(e, o, 0, &parts) && parts;
}

/* i1: all lanes are on, and their indices grow by `step` from lane to lane and nowhere wrap round. */
static LLVMValueRef is_row(struct wg_emit *e, LLVMValueRef near, LLVMValueRef first, int64_t step,
                           LLVMValueRef mask) {
    LLVMBuilderRef b = e->L.b;
    int64_t k[WG_LANES];
    for (int64_t l = 0; l < WG_LANES; l++) k[l] = l * step;
    LLVMValueRef row = LLVMBuildAdd(b, wg_emit_splat(e, b, first), wg_lane_consts(e, k, 32), "");
    LLVMValueRef same = wg_emit_mask(e, LLVMBuildICmp(b, LLVMIntEQ, near, row, ""));
    LLVMValueRef most = wg_i32(e, (uint32_t)(INT32_MAX - k[WG_LANES - 1]));
    same = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, same, mask, ""), wg_i32(e, UINT32_MAX), "");
    return LLVMBuildAnd(b, same, LLVMBuildICmp(b, LLVMIntSLE, first, most, ""), "row");
}

static bool may_compare(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                        uint32_t bytes) {
    const struct wg_code_opts *o = e->opts;
    if (e->v != WG_CONVERGED || !e->L.avx2 || !wg_may_use(o, WG_FORM_clamped)) return false;
    return a->kind == WG_VARYING && a->step > 0 && bytes % a->step == 0 && in->guard == WG_NO_REG;
}

static LLVMValueRef row_pointer(struct wg_emit *e, const struct wg_value *a, LLVMValueRef first) {
    LLVMValueRef at =
        LLVMBuildMul(e->L.b, wg_emit_resize(e, first, 64, true), wg_i64(e, (uint64_t)a->step), "");
    return LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, a->far, at, ""), e->ptr, "");
}

bool wg_clamped_store(struct wg_emit *e, const struct wg_ir_instr *in, struct wg_value *a, LLVMValueRef x,
                      uint32_t bits, LLVMValueRef mask) {
    bool parts = false;
    if (!may_compare(e, in, a, bits / 8) || !of_thread(e, &in->src[0], 0, &parts)) return false;
    wg_plan_yes(e->opts, WG_FORM_clamped, in);
    LLVMBasicBlockRef row = wg_new_bb(e, "row"), apart = wg_new_bb(e, "apart"), join = wg_new_bb(e, "stored");
    LLVMValueRef first = LLVMBuildExtractElement(e->L.b, a->near, wg_i64(e, 0), "");
    LLVMBuildCondBr(e->L.b, is_row(e, a->near, first, bits / 8 / a->step, mask), row, apart);
    LLVMPositionBuilderAtEnd(e->L.b, row);
    LLVMSetAlignment(LLVMBuildStore(e->L.b, x, row_pointer(e, a, first)), bits / 8);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, apart);
    wg_scatter(e, a, x, bits, mask);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
    return true;
}

LLVMValueRef wg_clamped_load(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a,
                             uint32_t bits, LLVMValueRef mask) {
    uint32_t bytes = bits / 8;
    if (!may_compare(e, in, a, bytes)) return NULL;
    bool clamped = is_clamped(e, &in->src[0], 0);
    if (!clamped && !is_divided(e, &in->src[0])) return NULL;
    wg_plan_yes(e->opts, WG_FORM_clamped, in);
    if (!clamped && wg_shares_rows(e, in)) return wg_load_rows(e, a, bits, mask, true);
    LLVMBasicBlockRef row = wg_new_bb(e, "row"), apart = wg_new_bb(e, "apart"), join = wg_new_bb(e, "loaded");
    LLVMValueRef first = LLVMBuildExtractElement(e->L.b, a->near, wg_i64(e, 0), ""), x[2];
    LLVMBuildCondBr(e->L.b, is_row(e, a->near, first, bytes / a->step, mask), row, apart);
    LLVMPositionBuilderAtEnd(e->L.b, row);
    LLVMTypeRef t = LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), WG_LANES);
    x[0] = LLVMBuildLoad2(e->L.b, t, row_pointer(e, a, first), "");
    LLVMSetAlignment(x[0], bytes);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, apart);
    x[1] = wg_load_rows(e, a, bits, mask, false);
    LLVMBasicBlockRef from[2] = {row, LLVMGetInsertBlock(e->L.b)};
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
    LLVMValueRef phi = LLVMBuildPhi(e->L.b, LLVMTypeOf(x[0]), "");
    LLVMAddIncoming(phi, x, from, 2);
    return phi;
}
