/* Lanes' values that also lie in memory, because they have just been loaded from there.
 *
 * Additions lane by lane want each lane's index in a scalar register. To bring it there from the vector takes
 * two instructions, to load it again one for two lanes; so what loads of a block gave is remembered, as long
 * as nothing is executed that may change memory:
 *
 *     ld.global.u32 %r1, [%rd1]          x, <32 x i32>: lane l's is at  at + k[l]
 *     shl.b32 %r2, %r1, 2
 *     add.s32 %r3, %r2, %r4              near = x * 4 + %r4
 *     red.shared.add.u32 [%r3], 1        movl (at), %ecx;  incl (base, %rcx, 4)
 *
 * Such an index is a number of up to 32 bits from memory times a constant plus what is the same for all
 * lanes, modulo 2^32. Without the modulo it is the same where lanes' numbers are small, which is tested
 * unless they have few bits or are the whole index.
 *
 * What other blocks change meanwhile comes out of memory another number: it could just as well have been that
 * one before. Where something was found out about the one that came first, see add_all_lanes in atomics.c.
 */
#include "analysis/plan.h"
#include "jit/emit.h"
#include "jit/lower_rows.h"

void wg_note_loaded(struct wg_emit *e, const struct wg_ir_instr *in, const struct wg_value *a, uint32_t bits,
                    const LLVMValueRef *x) {
    if (in->op != WG_OP_LD || in->space != WG_S_GLOBAL || in->guard != WG_NO_REG || wg_check_refused(e, in) ||
        a->kind != WG_AFFINE || a->r || !a->k || bits > 64 || !wg_may_use(e->opts, WG_FORM_loaded))
        return;
    for (uint32_t i = 0; i < in->nvec; i++) {
        struct wg_loaded *l = &e->loaded[e->nloaded++ % WG_MOST_LOADED];
        *l = (struct wg_loaded){.x = x[i], .at = a->base, .offset = i * bits / 8, .k = a->k, .bits = bits};
    }
}

static const struct wg_loaded *loaded(const struct wg_emit *e, LLVMValueRef x) {
    for (uint32_t i = 0; i < WG_MOST_LOADED && i < e->nloaded; i++)
        if (e->loaded[i].x == x) return &e->loaded[i];
    return NULL;
}

/* x is what was loaded, perhaps extended: which. */
static const struct wg_loaded *leaf(const struct wg_emit *e, LLVMValueRef x, bool *is_signed) {
    const struct wg_loaded *l = loaded(e, x);
    bool is_zero_extended = false;
    *is_signed = false;
    for (; !l && LLVMIsAInstruction(x); l = loaded(e, x)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(x);
        if (op != LLVMZExt && op != LLVMSExt) return NULL;
        if (is_zero_extended && op == LLVMSExt) return NULL;
        is_zero_extended = op == LLVMZExt;
        *is_signed = op == LLVMSExt;
        x = LLVMGetOperand(x, 0);
    }
    return l;
}

/* x modulo 2^32 as a number from memory times n->times plus n->plus plus n->more. */
static bool take_apart(struct wg_emit *e, LLVMValueRef x, struct wg_lane_numbers *n, unsigned depth) {
    n->from = leaf(e, x, &n->is_signed);
    n->times = 1, n->plus = 0, n->more = NULL;
    if (n->from) return n->from->bits <= 32;
    if (!LLVMIsAInstruction(x) || depth > 8) return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    uint64_t known;
    if (op == LLVMTrunc) return take_apart(e, LLVMGetOperand(x, 0), n, depth + 1);
    if (op == LLVMSExt && wg_bits_of(LLVMGetOperand(x, 0)) == 32)
        return take_apart(e, LLVMGetOperand(x, 0), n, depth + 1);
    if (op != LLVMAdd && op != LLVMShl && op != LLVMMul && op != LLVMXor) return false;
    LLVMValueRef a = LLVMGetOperand(x, 0), b = LLVMGetOperand(x, 1);
    if (op == LLVMAdd && (wg_splat_source(a) || wg_const_value(a, &known))) {
        LLVMValueRef t = a;
        a = b, b = t;
    }
    bool constant = wg_const_value(b, &known);
    if (!(constant || (op == LLVMAdd && wg_splat_source(b))) || !take_apart(e, a, n, depth + 1)) return false;
    switch (op) {
    case LLVMAdd:
        if (constant)
            n->plus += (uint32_t)known;
        else if (n->more)
            return false;
        else
            n->more = wg_emit_resize(e, wg_splat_source(b), 32, false);
        return true;
    case LLVMXor: /* of the highest bit: adds it */
        n->plus += (uint32_t)known;
        return (uint32_t)known == 1u << 31;
    case LLVMShl: known = known < 32 ? UINT64_C(1) << known : 0; break;
    default: break;
    }
    n->times *= (uint32_t)known, n->plus *= (uint32_t)known;
    return !n->more && n->times >= 1 && n->times <= 1u << 16;
}

LLVMValueRef wg_narrow_index(struct wg_emit *e, LLVMValueRef near) {
    struct wg_lane_numbers n;
    if (!LLVMIsATruncInst(near) || !take_apart(e, near, &n, 0)) return near;
    LLVMValueRef x = wg_emit_resize(e, n.from->x, 32, n.is_signed);
    x = LLVMBuildMul(e->L.b, x, wg_emit_splat(e, e->L.b, wg_i32(e, n.times)), "");
    LLVMValueRef more = wg_i32(e, n.plus);
    if (n.more) more = LLVMBuildAdd(e->L.b, n.more, more, "");
    return LLVMBuildAdd(e->L.b, x, wg_emit_splat(e, e->L.b, more), "");
}

/* The whole index is the number: exact as it is. */
static bool is_itself(struct wg_lane_numbers *n) {
    if (n->times != 1 || n->more || n->from->bits != 32) return false;
    if (n->plus != 0 && n->plus != 1u << 31) return false;
    n->is_signed = n->plus == 0; /* x ^ 2^31 as a signed number is x as an unsigned one, less 2^31 */
    n->constant = n->plus ? -(INT64_C(1) << 31) : 0;
    return true;
}

bool wg_index_in_memory(struct wg_emit *e, LLVMValueRef near, uint32_t step, struct wg_lane_numbers *n) {
    enum { MOST = 1 << 29 };
    *n = (struct wg_lane_numbers){0};
    if (!take_apart(e, near, n, 0)) return false;
    uint64_t scale = n->times * (uint64_t)step;
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8) return false;
    if (is_itself(n)) return true;
    LLVMBuilderRef b = e->L.b;
    n->constant = (int32_t)n->plus;
    if (n->from->bits == 32) {
        n->is_signed = true;
        LLVMValueRef most = wg_i32(e, MOST / n->times);
        LLVMValueRef up = LLVMBuildAdd(b, n->from->x, wg_emit_splat(e, b, most), "");
        LLVMValueRef out =
            LLVMBuildICmp(b, LLVMIntUGE, up, wg_emit_splat(e, b, wg_i32(e, MOST / n->times * 2)), "");
        n->fits = LLVMBuildICmp(b, LLVMIntEQ, wg_emit_mask(e, out), wg_i32(e, 0), "");
    }
    if (n->constant > MOST || n->constant < -MOST) return false;
    if (!n->more) return true;
    n->more = LLVMBuildAdd(b, n->more, wg_i32(e, n->plus), "");
    n->constant = 0;
    LLVMValueRef up = LLVMBuildAdd(b, n->more, wg_i32(e, MOST), "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULT, up, wg_i32(e, 2u * MOST), "");
    n->fits = n->fits ? LLVMBuildAnd(b, n->fits, fits, "") : fits;
    return true;
}

bool wg_terms_in_memory(struct wg_emit *e, LLVMValueRef x, struct wg_lane_numbers *n) {
    *n = (struct wg_lane_numbers){.times = 1};
    n->from = leaf(e, x, &n->is_signed);
    return n->from != NULL;
}

/* Volatile, or LLVM would take it from the vector. */
static LLVMValueRef load_at(struct wg_emit *e, const struct wg_loaded *l, uint32_t lane, LLVMTypeRef t) {
    LLVMValueRef at = LLVMBuildAdd(e->L.b, l->at, wg_i64(e, (uint64_t)(l->k[lane] + l->offset)), "");
    at = LLVMBuildIntToPtr(e->L.b, at, e->ptr, "");
    LLVMValueRef x = LLVMBuildLoad2(e->L.b, t, at, "");
    LLVMSetAlignment(x, l->bits / 8);
    LLVMSetVolatile(x, 1);
    return x;
}

void wg_load_numbers(struct wg_emit *e, const struct wg_lane_numbers *n, uint32_t lane, LLVMValueRef x[2]) {
    const struct wg_loaded *l = n->from;
    if (l->bits == 32 && l->k[lane + 1] - l->k[lane] == 4) {
        LLVMValueRef pair = load_at(e, l, lane, e->i64), half = wg_i64(e, 32);
        x[0] = wg_emit_resize(e, LLVMBuildTrunc(e->L.b, pair, e->i32, ""), 64, n->is_signed);
        x[1] = n->is_signed ? LLVMBuildAShr(e->L.b, pair, half, "") : LLVMBuildLShr(e->L.b, pair, half, "");
        return;
    }
    LLVMTypeRef t = LLVMIntTypeInContext(e->L.ctx, l->bits);
    for (uint32_t i = 0; i < 2; i++) x[i] = wg_emit_resize(e, load_at(e, l, lane + i, t), 64, n->is_signed);
}

LLVMValueRef wg_load_number(struct wg_emit *e, const struct wg_lane_numbers *n, uint32_t lane,
                            LLVMTypeRef t) {
    return load_at(e, n->from, lane, t);
}
