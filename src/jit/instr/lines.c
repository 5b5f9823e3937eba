/* Fast paths of the initialisation check: memory known to be wholly defined, whose shadow need not be read.
 * It is the allocation of an instruction's accesses, or a block's shared memory, as far as the machine has
 * found out; or lines.
 *
 * Lines: one byte for each 64 bytes of the arena, all ones if all of their shadow bytes are
 * (machine/memory/shadow.h). They are 4096 times fewer than a program's data in bits, so they stay in the
 * caches, and most accesses need not read more.
 *
 *     lines   [                     ]     one byte for the line of address a at lines + (a - arena) / 64
 *     shadow  [................................................]
 *     arena   [................................................]
 */
#include "jit/instr/instr.h"

enum {
    LINE = 64,
    MOST_SPAN = 2048, /* bytes of a row of lanes that is tested as one range */
    MOST_ROWS = 4,
    FEW = 8, /* lines that are tested one by one */
};

/* The ranges that an access's lanes touch, from low to high in each row: rows differ in the scaled term of
 * the address. */
struct rows {
    uint32_t n;
    int64_t r[MOST_ROWS], low[MOST_ROWS], high[MOST_ROWS];
};

static bool find_rows(const struct wg_value *a, uint32_t bytes, struct rows *out) {
    *out = (struct rows){0};
    for (int l = 0; l < WG_LANES; l++) {
        int64_t r = a->kind == WG_AFFINE && a->r ? a->r[l] : 0,
                k = a->kind == WG_AFFINE && a->k ? a->k[l] : 0;
        uint32_t i = 0;
        while (i < out->n && out->r[i] != r) i++;
        if (i == MOST_ROWS) return false;
        if (i == out->n) {
            out->r[i] = r;
            out->low[i] = out->high[i] = k;
            out->n++;
        }
        if (k < out->low[i]) out->low[i] = k;
        if (k > out->high[i]) out->high[i] = k;
    }
    for (uint32_t i = 0; i < out->n; i++)
        if (out->high[i] - out->low[i] + bytes > MOST_SPAN) return false;
    return true;
}

static LLVMValueRef lines_base(struct wg_emit *e) {
    return wg_preload(e, &e->check.lines, e->i64, offsetof(struct wg_block, lines), "lines");
}

static LLVMValueRef arena(struct wg_emit *e) {
    if (!e->check.arena)
        e->check.arena = LLVMBuildSub(e->entry_b, lines_base(e), wg_i64(e, 2 * e->opts->shadow), "arena");
    return e->check.arena;
}

/* The line that address 0 would have. */
static LLVMValueRef line_zero(struct wg_emit *e) {
    if (!e->check.line_zero) {
        LLVMValueRef n = LLVMBuildUDiv(e->entry_b, arena(e), wg_i64(e, LINE), "");
        e->check.line_zero = LLVMBuildSub(e->entry_b, lines_base(e), n, "line_zero");
    }
    return e->check.line_zero;
}

static LLVMValueRef line_of(struct wg_emit *e, LLVMValueRef at) {
    return LLVMBuildAdd(e->L.b, LLVMBuildUDiv(e->L.b, at, wg_i64(e, LINE), ""), line_zero(e), "");
}

static LLVMValueRef load(struct wg_emit *e, LLVMTypeRef t, LLVMValueRef at) {
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, LLVMBuildIntToPtr(e->L.b, at, e->ptr, ""), "");
    LLVMSetAlignment(x, 1);
    return x;
}

/* i1: all lines that [first, first + span) touches are defined. one_line: it touches only one. sure: the
 * address is valid. */
static LLVMValueRef span_is_whole(struct wg_emit *e, LLVMValueRef first, uint32_t span, bool one_line,
                                  bool sure) {
    LLVMBuilderRef b = e->L.b;
    LLVMValueRef inside = NULL, all = NULL;
    if (!sure) { /* inactive lanes may give it any value */
        inside = LLVMBuildSub(b, first, arena(e), "");
        inside = LLVMBuildICmp(b, LLVMIntULT, inside, wg_i64(e, e->opts->shadow - span), "");
        first = LLVMBuildSelect(b, inside, first, arena(e), "");
    }
    LLVMValueRef last = LLVMBuildAdd(b, first, wg_i64(e, span - 1), "");
    uint32_t n = one_line ? 1 : span / LINE >= FEW ? span / LINE / FEW + 1 : (span + LINE - 2) / LINE + 1;
    LLVMTypeRef t = span / LINE >= FEW ? e->i64 : e->i8;
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef at = line_of(e, first);
        if (i + 1 == n && n > 1) {
            at = line_of(e, last);
            if (t == e->i64) at = LLVMBuildSub(b, at, wg_i64(e, FEW - 1), "");
        } else if (i) {
            at = LLVMBuildAdd(b, at, wg_i64(e, (t == e->i64 ? FEW : 1) * (uint64_t)i), "");
        }
        LLVMValueRef x = load(e, t, at);
        all = all ? LLVMBuildAnd(b, all, x, "") : x;
    }
    all = LLVMBuildICmp(b, LLVMIntEQ, all, LLVMConstAllOnes(t), "whole");
    return inside ? LLVMBuildAnd(b, all, inside, "") : all;
}

static LLVMValueRef row_begins(struct wg_emit *e, const struct wg_value *a, const struct rows *w,
                               uint32_t i) {
    LLVMValueRef at = LLVMBuildAdd(e->L.b, a->base, wg_i64(e, (uint64_t)w->low[i]), "");
    if (!w->r[i]) return at;
    return LLVMBuildAdd(e->L.b, at, LLVMBuildMul(e->L.b, a->scale, wg_i64(e, (uint64_t)w->r[i]), ""), "");
}

/* i1: the same for each lane's own line. */
static LLVMValueRef lanes_are_whole(struct wg_emit *e, struct wg_value *a, LLVMValueRef mask) {
    LLVMValueRef at = wg_lane_addresses(e, a);
    at = LLVMBuildUDiv(e->L.b, at, wg_emit_splat(e, e->L.b, wg_i64(e, LINE)), "");
    struct wg_value line = {.kind = WG_VARYING};
    line.vec = LLVMBuildAdd(e->L.b, at, wg_emit_splat(e, e->L.b, line_zero(e)), "");
    LLVMValueRef x = wg_gather(e, &line, 32, 1, mask);
    x = LLVMBuildOr(e->L.b, x, wg_emit_splat(e, e->L.b, wg_i32(e, ~0xffu)), "");
    x = LLVMBuildICmp(e->L.b, LLVMIntNE, x, LLVMConstAllOnes(LLVMTypeOf(x)), "");
    LLVMValueRef less = LLVMBuildAnd(e->L.b, wg_emit_mask(e, x), mask, "");
    return LLVMBuildICmp(e->L.b, LLVMIntEQ, less, wg_i32(e, 0), "whole");
}

static uint32_t bytes_of(const struct wg_ir_instr *in) { return wg_type_bits(in->type) / 8 * in->nvec; }

static bool has_lines(const struct wg_emit *e, const struct wg_ir_instr *in) {
    return (in->space == WG_S_GLOBAL || in->space == WG_S_GENERIC) && !e->opts->shadow_outside;
}

/* i1: all of the allocation that the instruction accesses is defined, as of the machine's last answer. */
static LLVMValueRef allocation_is_whole(struct wg_emit *e, const struct wg_ir_instr *in) {
    if (!e->check.undefined)
        e->check.undefined = wg_load_field(e, e->entry_b, e->ptr, e->once.block,
                                           offsetof(struct wg_block, undefined), true, "undefined");
    LLVMValueRef now = LLVMBuildLoad2(e->L.b, e->i64, e->check.undefined, "");
    LLVMSetOrdering(now, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(now, 8);
    LLVMValueRef then = wg_check_window_field(e, in, offsetof(struct wg_check_window, defined), "defined");
    return LLVMBuildICmp(e->L.b, LLVMIntEQ, now, then, "whole");
}

static LLVMValueRef shared_is_whole(struct wg_emit *e) {
    LLVMValueRef x =
        wg_load_field(e, e->L.b, e->i64, e->once.block, offsetof(struct wg_block, shared_defined), false, "");
    return LLVMBuildICmp(e->L.b, LLVMIntNE, x, wg_i64(e, 0), "whole");
}

/* Branches to `go` if `whole` holds, else to `look`, where the builder then is. */
static void go_if(struct wg_emit *e, LLVMValueRef whole, LLVMBasicBlockRef go) {
    LLVMBasicBlockRef look = wg_new_bb(e, "look");
    wg_fn_hint_unlikely(e, LLVMBuildCondBr(e->L.b, LLVMBuildNot(e->L.b, whole, ""), look, go));
    LLVMPositionBuilderAtEnd(e->L.b, look);
}

void wg_unless_shared_whole(struct wg_emit *e, LLVMBasicBlockRef go) { go_if(e, shared_is_whole(e), go); }

LLVMBasicBlockRef wg_unless_whole(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask) {
    struct rows w;
    uint32_t bytes = bytes_of(in);
    bool lines = has_lines(e, in);
    if (!lines && in->space != WG_S_SHARED) return NULL;
    /* Loads registers before: values first loaded in `look` do not dominate what follows. */
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == WG_O_REG) wg_value_get(e, in->src[i].index);
    LLVMBasicBlockRef go = wg_new_bb(e, "whole");
    go_if(e, lines ? allocation_is_whole(e, in) : shared_is_whole(e), go);
    if (!lines) return go;
    struct wg_value a = wg_unchecked_address(e, in);
    bool sure = wg_is_full(mask) && !e->check.refused;
    LLVMValueRef whole = NULL;
    if (a.kind == WG_VARYING || !find_rows(&a, bytes, &w)) {
        whole = lanes_are_whole(e, &a, mask);
    } else {
        for (uint32_t i = 0; i < w.n; i++) {
            uint32_t span = (uint32_t)(w.high[i] - w.low[i]) + bytes;
            LLVMValueRef one = span_is_whole(e, row_begins(e, &a, &w, i), span, a.kind == WG_UNIFORM, sure);
            whole = whole ? LLVMBuildAnd(e->L.b, whole, one, "") : one;
        }
    }
    go_if(e, whole, go);
    return go;
}

/* Where lanes are contiguous and all active, their lines may have become wholly defined. */
void wg_mark_lines(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef mask) {
    struct rows w;
    if (!wg_is_full(mask) || !has_lines(e, in)) return;
    struct wg_value a = wg_unchecked_address(e, in);
    if (a.kind != WG_AFFINE || !find_rows(&a, bytes_of(in), &w)) return;
    for (uint32_t i = 0; i < w.n; i++) {
        uint32_t span = (uint32_t)(w.high[i] - w.low[i]) + bytes_of(in);
        if (span < LINE) continue;
        LLVMValueRef args[3] = {e->warp, row_begins(e, &a, &w, i), wg_i64(e, span)};
        wg_call_helper(e, "wg_jit_mark_lines", LLVMVoidTypeInContext(e->L.ctx), args, 3);
    }
}
