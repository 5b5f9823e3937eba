/* A piece of each row in one access, turned in registers: see columns.h.
 *
 *     out[y * n + x] = in[x * n + y];     16 warps, y = 0 .. 15: of row x the elements y ... y + 15
 *
 * Warps one after the other would gather from 32 lines each, the same ones each time, and where rows are a
 * power of two apart these lie in one set of the cache and are gone before the next warp comes. The turning
 * is a function of ours (turn.c) that works on an array of the warps' lanes: LLVM takes long over so many
 * shuffles.
 *
 * Lanes l and l + rows are an element apart, and so are the last lane of a row and the first of the next
 * warp.
 */
#include "jit/columns.h"
#include "jit/sides.h"

enum { MOST = 16 };

static LLVMTypeRef lanes_of(struct wg_emit *e, uint32_t bits) {
    return LLVMVectorType(LLVMIntTypeInContext(e->L.ctx, bits), WG_LANES);
}

/* The first row, and how far it is to the next. */
static LLVMValueRef distance(struct wg_emit *e, const struct wg_value *a) {
    if (!a->r) return wg_i64(e, (uint64_t)a->k[1]);
    return LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)a->r[1]), "");
}

static LLVMValueRef array_of(struct wg_emit *e, uint32_t n, uint32_t bits) {
    LLVMTypeRef t = LLVMArrayType2(lanes_of(e, bits), n);
    LLVMValueRef a = LLVMBuildAlloca(e->entry_b, t, "turned");
    LLVMSetAlignment(a, 64);
    return a;
}

/* What another block will touch is asked for: nothing else sees rows that are pages apart coming. */
static LLVMValueRef far_ahead(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *first) {
    LLVMValueRef far = in->space == WG_S_SHARED ? NULL : wg_emit_blocks_apart(e, in, first->base);
    return far ? far : wg_i64(e, 0);
}

static const char *helper_of(uint32_t bits) {
    switch (bits) {
    case 8: return "wg_jit_turn8";
    case 16: return "wg_jit_turn16";
    case 32: return "wg_jit_turn32";
    default: return "wg_jit_turn64";
    }
}

/* Between `rows` rows of `elements` in memory and the array, where an element of all rows lies together. */
static void turn(struct wg_emit *e, const struct wg_ir_instr *access, const struct wg_value *first,
                 uint32_t rows, uint32_t elements, LLVMValueRef array) {
    bool load = access->op == WG_OP_LD;
    uint32_t bits = wg_type_bits(access->type), bytes = bits / 8;
    LLVMValueRef step = distance(e, first), pitch = wg_i64(e, rows * bytes), none = wg_i64(e, 0),
                 past = load ? NULL : wg_streams_rows(e, access, first->base, step, rows, elements * bytes);
    LLVMValueRef far = past ? none : far_ahead(e, access, first);
    for (uint32_t at = 0; at < rows; at += MOST) {
        uint32_t n = rows - at < MOST ? rows - at : MOST;
        LLVMValueRef to = LLVMBuildMul(e->L.b, step, wg_i64(e, at), "");
        LLVMValueRef row = LLVMBuildIntToPtr(e->L.b, LLVMBuildAdd(e->L.b, first->base, to, ""), e->ptr, "");
        LLVMValueRef part = wg_field(e, e->L.b, array, at * bytes);
        LLVMValueRef in[9] = {row, step, wg_i32(e, n), part, pitch, wg_i32(e, elements),
                              far, none, wg_i32(e, 0)};
        LLVMValueRef out[9] = {part, pitch, wg_i32(e, elements),       row, step, wg_i32(e, n),
                               none, far,   past ? past : wg_i32(e, 0)};
        wg_call_helper(e, helper_of(bits), LLVMVoidTypeInContext(e->L.ctx), load ? in : out, 9);
    }
}

/* ---- all warps ---- */

static uint32_t bits_of(const struct wg_columns *c) { return wg_type_bits(c->in[0]->type); }

/* Of a row, by one access. */
static uint32_t elements_of(const struct wg_emit *e, uint32_t rows) {
    return e->sides->jam->warps * WG_LANES / rows;
}

bool wg_columns_go_on(const struct wg_emit *e, const struct wg_columns *c, const struct wg_ir_instr *in) {
    uint32_t rows = e->sides->jam->columns[e->block][e->instr];
    return rows && in->op == c->in[0]->op && in->type == c->in[0]->type && rows == c->rows &&
           (c->n + 1) * elements_of(e, rows) <= MOST &&
           (c->n + 1) * WG_LANES * e->sides->jam->warps * wg_type_bits(in->type) / 8 <= WG_JAM_PIECE;
}

void wg_columns_add(struct wg_emit *e, struct wg_columns *c, const struct wg_ir_instr *in) {
    uint32_t n = c->n++, bits = wg_type_bits(in->type), warps = e->sides->jam->warps;
    LLVMValueRef differs = NULL;
    c->in[n] = in;
    c->rows = e->sides->jam->columns[e->block][e->instr];
    EACH_SIDE(e, k) {
        struct wg_value at = wg_address(e, in, wg_mask(e));
        if (k == 0) {
            c->first[n] = at;
            continue;
        }
        LLVMValueRef step = LLVMBuildSub(e->L.b, at.base, c->first[n].base, "");
        LLVMValueRef no =
            LLVMBuildICmp(e->L.b, LLVMIntNE, step, wg_i64(e, k * (WG_LANES / c->rows) * bits / 8), "");
        differs = differs ? LLVMBuildOr(e->L.b, differs, no, "") : no;
    }
    wg_begin_again_if(e, differs);
    if (in->op == WG_OP_LD) return;
    EACH_SIDE(e, k) {
        struct wg_value v = wg_operand(e, &in->src[1], bits);
        c->x[n * warps + k] = wg_emit_resize(e, wg_value_vec(e, &v), bits, false);
    }
}

static LLVMValueRef rows_go_on(struct wg_emit *e, const struct wg_columns *c) {
    uint32_t bytes = elements_of(e, c->rows) * bits_of(c) / 8;
    LLVMValueRef all = NULL, step = distance(e, &c->first[0]);
    for (uint32_t i = 1; i < c->n; i++) {
        LLVMValueRef behind = LLVMBuildAdd(e->L.b, c->first[0].base, wg_i64(e, i * bytes), "");
        LLVMValueRef on = LLVMBuildICmp(e->L.b, LLVMIntEQ, c->first[i].base, behind, "");
        LLVMValueRef as_far = LLVMBuildICmp(e->L.b, LLVMIntEQ, distance(e, &c->first[i]), step, "");
        on = LLVMBuildAnd(e->L.b, on, as_far, "");
        all = all ? LLVMBuildAnd(e->L.b, all, on, "") : on;
    }
    return all;
}

static void turn_all(struct wg_emit *e, const struct wg_columns *c, LLVMValueRef array) {
    uint32_t each = elements_of(e, c->rows), part = e->sides->jam->warps * WG_LANES * bits_of(c) / 8;
    if (c->n == 1) {
        turn(e, c->in[0], &c->first[0], c->rows, each, array);
        return;
    }
    LLVMBasicBlockRef one = wg_new_bb(e, "one"), several = wg_new_bb(e, "several"),
                      join = wg_new_bb(e, "turned");
    LLVMBuildCondBr(e->L.b, rows_go_on(e, c), one, several);
    LLVMPositionBuilderAtEnd(e->L.b, one);
    turn(e, c->in[0], &c->first[0], c->rows, c->n * each, array);
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, several);
    for (uint32_t i = 0; i < c->n; i++)
        turn(e, c->in[i], &c->first[i], c->rows, each, wg_field(e, e->L.b, array, i * part));
    LLVMBuildBr(e->L.b, join);
    LLVMPositionBuilderAtEnd(e->L.b, join);
}

void wg_columns_emit(struct wg_emit *e, struct wg_columns *c) {
    uint32_t bits = bits_of(c), bytes = WG_LANES * bits / 8, warps = e->sides->jam->warps;
    LLVMValueRef array = array_of(e, c->n * warps, bits);
    bool load = c->in[0]->op == WG_OP_LD;
    for (uint32_t i = 0; i < c->n * warps && !load; i++)
        LLVMSetAlignment(LLVMBuildStore(e->L.b, c->x[i], wg_field(e, e->L.b, array, i * bytes)), 32);
    turn_all(e, c, array);
    for (uint32_t i = 0; i < c->n && load; i++) {
        uint32_t reg = c->in[i]->dst[0].index;
        EACH_SIDE(e, k) {
            LLVMValueRef at = wg_field(e, e->L.b, array, (i * warps + k) * bytes);
            LLVMValueRef x = LLVMBuildLoad2(e->L.b, lanes_of(e, bits), at, "");
            LLVMSetAlignment(x, 32);
            bool is_signed = wg_type_kind(c->in[i]->type) == WG_K_S;
            wg_value_set_vec(e, reg, wg_emit_resize(e, x, wg_reg_bits(e, reg), is_signed));
        }
    }
}
