/* Column accesses of jammed warps: whole rows are accessed, and transposed in registers: see columns.h.
 *
 *     out[y * n + x] = in[x * n + y];     16 warps, y = 0 .. 15: of row x the elements y ... y + 15
 *
 * Without this, each warp would gather from 32 cache lines, the same ones for all warps. Where rows are a
 * power of two apart these lines share one cache set, and are evicted before the next warp runs. The
 * transpose is a function of ours (transpose.c, transpose_avx2.c) on an array of the warps' lanes: LLVM takes long to
 * compile that many shuffles.
 *
 * Lanes l and l + rows are one element apart, and so are the last lane of a row and the first of the next
 * warp.
 */
#include "jit/access/access.h"
#include "jit/emit/issue.h"
#include "analysis/plan.h"
#include "jit/access/columns.h"
#include "jit/emit/sides.h"

#include <stdio.h>

enum { MOST = 16 };

static LLVMTypeRef lanes_of(struct wg_emit *e, uint32_t bits) {
    return LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), WG_LANES);
}

/* The distance from one row to the next. */
static LLVMValueRef distance(struct wg_emit *e, const struct wg_value *a) {
    if (!a->r) return wg_i64(e, (uint64_t)a->k[1]);
    return LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)a->r[1]), "");
}

static LLVMValueRef array_of(struct wg_emit *e, uint32_t n, uint32_t bits) {
    LLVMTypeRef t = LLVMArrayType2(lanes_of(e, bits), n);
    LLVMValueRef a = LLVMBuildAlloca(e->entry_b, t, "transposed");
    LLVMSetAlignment(a, 64);
    return a;
}

/* Prefetches what another thread block will access: no hardware prefetcher follows rows that are pages
 * apart. */
static LLVMValueRef far_ahead(struct wg_emit *e, const struct wg_ir_instr *in) {
    LLVMValueRef far = in->space == WG_S_SHARED ? NULL : wg_emit_blocks_apart(e, e->block, e->instr);
    return far ? far : wg_i64(e, 0);
}

/* Transposes between `rows` rows of `elements` in memory and the array, where the same element of all rows
 * is contiguous. */
static void transpose(struct wg_emit *e, const struct wg_ir_instr *access, const struct wg_value *first,
                      uint32_t rows, uint32_t elements, LLVMValueRef array) {
    bool load = access->op == WG_OP_LD;
    uint32_t bits = wg_type_bits(access->type), bytes = bits / 8;
    LLVMValueRef step = distance(e, first), pitch = wg_i64(e, rows * bytes), none = wg_i64(e, 0),
                 past = load ? NULL : wg_streams_rows(e, access, first->base, step, rows, elements * bytes);
    LLVMValueRef far = past ? none : far_ahead(e, access);
    char helper[32];
    snprintf(helper, sizeof helper, "wg_jit_transpose%u%s", bits, e->L.avx512 ? "" : "_avx2");
    for (uint32_t at = 0; at < rows; at += MOST) {
        uint32_t n = rows - at < MOST ? rows - at : MOST;
        LLVMValueRef to = LLVMBuildMul(e->L.b, step, wg_i64(e, at), "");
        LLVMValueRef row = LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, first->base, to, ""), e->ptr, "");
        LLVMValueRef part = wg_field(e, e->L.b, array, at * bytes);
        LLVMValueRef in[9] = {row, step, wg_i32(e, n), part, pitch, wg_i32(e, elements),
                              far, none, wg_i32(e, 0)};
        LLVMValueRef out[9] = {part, pitch, wg_i32(e, elements),       row, step, wg_i32(e, n),
                               none, far,   past ? past : wg_i32(e, 0)};
        wg_call_helper(e, helper, LLVMVoidTypeInContext(e->L.ctx), load ? in : out, 9);
    }
}

/* ---- all jammed warps ---- */

/* The address of the first warp's lanes; restarts the phase warp by warp if some warp's elements do not
 * directly follow those of the warp before it. */
static struct wg_value address_of_all(struct wg_emit *e, const struct wg_ir_instr *in, uint32_t rows) {
    uint32_t bytes = wg_type_bits(in->type) / 8;
    struct wg_value first = {0};
    LLVMValueRef differs = NULL;
    EACH_SIDE(e, k) {
        struct wg_value at = wg_address(e, in, wg_mask(e));
        if (k == 0) {
            first = at;
            continue;
        }
        LLVMValueRef step = LLVMBuildSub(e->L.b, at.base, first.base, "");
        LLVMValueRef no =
            LLVMBuildICmp(e->L.b, LLVMIntNE, step, wg_i64(e, k * (WG_LANES / rows) * bytes), "");
        differs = differs ? LLVMBuildOr(e->L.b, differs, no, "") : no;
    }
    wg_begin_again_if(e, differs);
    return first;
}

static LLVMValueRef warps_part(struct wg_emit *e, LLVMValueRef array, uint32_t k, uint32_t bits) {
    return wg_field(e, e->L.b, array, k * WG_LANES * bits / 8);
}

static void put_operands(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef array) {
    uint32_t bits = wg_type_bits(in->type);
    EACH_SIDE(e, k) {
        struct wg_value v = wg_operand(e, &in->src[1], bits);
        LLVMValueRef x = wg_emit_resize(e, wg_value_vec(e, &v), bits, false);
        LLVMSetAlignment(LLVMBuildStore(e->L.b, x, warps_part(e, array, k, bits)), 32);
    }
}

static void take_results(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef array) {
    uint32_t bits = wg_type_bits(in->type), reg = in->dst[0].index;
    bool is_signed = wg_type_kind(in->type) == WG_K_S;
    EACH_SIDE(e, k) {
        LLVMValueRef x = LLVMBuildLoad2(e->L.b, lanes_of(e, bits), warps_part(e, array, k, bits), "");
        LLVMSetAlignment(x, 32);
        wg_value_set_vec(e, reg, wg_emit_resize(e, x, wg_reg_bits(e, reg), is_signed));
    }
}

bool wg_columns(struct wg_emit *e, const struct wg_ir_instr *in) {
    uint32_t rows = e->sides->jam->columns[e->block][e->instr], warps = e->sides->jam->warps;
    if (!rows) return false;
    wg_plan_yes(e->opts, WG_FORM_columns, in);
    struct wg_value first = address_of_all(e, in, rows);
    LLVMValueRef array = array_of(e, warps, wg_type_bits(in->type));
    if (in->op == WG_OP_ST) put_operands(e, in, array);
    transpose(e, in, &first, rows, warps * WG_LANES / rows, array);
    if (in->op == WG_OP_LD) take_results(e, in, array);
    EACH_SIDE(e, k) wg_issue(e, &e->instr, 1);
    return true;
}
