/* Counts slow paths of divisions, roots and reciprocals: see analysis/slow_paths.h. */
#include "analysis/slow_paths.h"
#include "analysis/sites.h"
#include "jit/emit/count.h"

/* Bits of a float, or of the higher half of a double, in each lane, or in one for all. */
static LLVMValueRef high_bits(struct wg_emit *e, LLVMValueRef x, bool is_double) {
    if (is_double) {
        x = LLVMBuildBitCast(e->L.b, x, wg_lower_int(&e->L, 64), "");
        x = LLVMBuildLShr(e->L.b, x, wg_lower_const(&e->L, 64, 32), "");
        return LLVMBuildTrunc(e->L.b, x, wg_lower_int(&e->L, 32), "");
    }
    return LLVMBuildBitCast(e->L.b, x, wg_lower_int(&e->L, 32), "");
}

static LLVMValueRef word(struct wg_emit *e, uint32_t x) { return wg_lower_const(&e->L, 32, x); }
static LLVMValueRef compare(struct wg_emit *e, LLVMIntPredicate p, LLVMValueRef x, uint32_t with) {
    return LLVMBuildICmp(e->L.b, p, x, word(e, with), "");
}
static LLVMValueRef masked(struct wg_emit *e, LLVMValueRef x, uint32_t bits) {
    return LLVMBuildAnd(e->L.b, x, word(e, bits), "");
}
static LLVMValueRef plus(struct wg_emit *e, LLVMValueRef x, uint32_t more) {
    return LLVMBuildAdd(e->L.b, x, word(e, more), "");
}
static LLVMValueRef either(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildOr(e->L.b, a, b, "");
}

enum { NO_SIGN = 0x7fffffff, MOST_SUBNORMAL = 0x007fffff };

static LLVMValueRef slow_root(struct wg_emit *e, LLVMValueRef a, bool f64) {
    uint32_t least = f64 ? WG_SLOW_SQRT_F64_LEAST : WG_SLOW_SQRT_F32_LEAST;
    return compare(e, LLVMIntUGT, plus(e, a, -least), f64 ? WG_SLOW_SQRT_F64_SPAN : WG_SLOW_SQRT_F32_SPAN);
}

static LLVMValueRef slow_reciprocal(struct wg_emit *e, LLVMValueRef a, bool f64) {
    if (f64)
        return compare(e, LLVMIntULT, masked(e, plus(e, a, WG_SLOW_RCP_F64_ADDED), NO_SIGN),
                       WG_SLOW_RCP_F64_LEAST);
    return compare(e, LLVMIntULE, masked(e, plus(e, a, WG_SLOW_RCP_F32_ADDED), WG_SLOW_INFINITY_F32),
                   WG_SLOW_RCP_F32_MOST);
}

/* Of doubles: what the code looks at is the numerator and the quotient that it has; that is none where the denominator has no
 * reciprocal. */
static LLVMValueRef slow_quotient(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef q) {
    const uint32_t least = WG_SLOW_DIV_F64_QUOTIENT;
    LLVMValueRef denominator = plus(e, masked(e, b, NO_SIGN), -least);
    LLVMValueRef quotient = plus(e, masked(e, q, NO_SIGN), -least - 1);
    LLVMValueRef slow = compare(e, LLVMIntULT, masked(e, a, NO_SIGN), WG_SLOW_DIV_F64_NUMERATOR);
    slow = either(e, slow, compare(e, LLVMIntUGE, denominator, WG_SLOW_INFINITY_F32 - least));
    return either(e, slow, compare(e, LLVMIntUGE, quotient, WG_SLOW_INFINITY_F32 - least));
}

static LLVMValueRef exponent(struct wg_emit *e, LLVMValueRef x) {
    return masked(e, LLVMBuildLShr(e->L.b, x, word(e, WG_SLOW_EXPONENT_AT), ""), UINT8_MAX);
}

/* FCHK, by the exponents and their difference. */
static LLVMValueRef checked(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef of_a = exponent(e, a), of_b = exponent(e, b), less = LLVMBuildSub(e->L.b, of_a, of_b, "");
    LLVMValueRef slow = compare(e, LLVMIntUGT, plus(e, of_a, -WG_SLOW_FCHK_A_LEAST),
                                WG_SLOW_FCHK_A_MOST - WG_SLOW_FCHK_A_LEAST);
    slow = either(e, slow,
                  compare(e, LLVMIntUGT, plus(e, of_b, -WG_SLOW_FCHK_B_LEAST),
                          WG_SLOW_FCHK_B_MOST - WG_SLOW_FCHK_B_LEAST));
    return either(
        e, slow,
        compare(e, LLVMIntUGT, plus(e, less, -WG_SLOW_FCHK_LEAST), WG_SLOW_FCHK_MOST - WG_SLOW_FCHK_LEAST));
}

/* Whether the first operand is 0, and what it is divided by none of 0 and NaN. A reciprocal of f32 looks at the exponent. */
static LLVMValueRef is_zero(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *src, bool f64) {
    bool flushed = in->op == WG_OP_RCP || in->mod[WG_MC_FTZ] == WG_M_ftz;
    uint64_t sign = f64 ? UINT64_C(1) << 63 : 1u << 31,
             infinity = f64 ? UINT64_C(0x7ff) << 52 : WG_SLOW_INFINITY_F32;
    unsigned bits = f64 ? 64 : 32;
    LLVMTypeRef type = wg_lower_int(&e->L, bits);
    LLVMValueRef a = LLVMBuildBitCast(e->L.b, src[0], type, "");
    LLVMValueRef of = wg_lower_const(&e->L, bits, !f64 && flushed ? infinity : sign - 1);
    LLVMValueRef none = wg_lower_const(&e->L, bits, 0);
    LLVMValueRef zero = LLVMBuildICmp(e->L.b, LLVMIntEQ, LLVMBuildAnd(e->L.b, a, of, ""), none, "");
    if (in->op != WG_OP_DIV_F) return zero;
    LLVMValueRef b = LLVMBuildAnd(e->L.b, LLVMBuildBitCast(e->L.b, src[1], type, ""),
                                  wg_lower_const(&e->L, bits, sign - 1), "");
    b = LLVMBuildSub(e->L.b, b, wg_lower_const(&e->L, bits, 1), "");
    LLVMValueRef divides = LLVMBuildICmp(e->L.b, LLVMIntULT, b, wg_lower_const(&e->L, bits, infinity), "");
    return LLVMBuildAnd(e->L.b, zero, divides, "");
}

/* Whether the result is subnormal, or was 0 for that, and the first operand is not. */
static LLVMValueRef is_small(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *src,
                             LLVMValueRef result, bool f64) {
    uint32_t shift = f64 ? WG_SLOW_EXPONENT_F64_AT : WG_SLOW_EXPONENT_AT;
    uint32_t most = f64 ? WG_SLOW_EXPONENT_F64_MOST : UINT8_MAX, all = most << shift;
    LLVMValueRef of_a = masked(e, high_bits(e, src[0], f64), all), by = of_a;
    if (in->op == WG_OP_DIV_F) by = masked(e, high_bits(e, src[1], f64), all);
    LLVMValueRef small = compare(e, LLVMIntEQ, masked(e, high_bits(e, result, f64), all), 0);
    small = LLVMBuildAnd(e->L.b, small, compare(e, LLVMIntNE, of_a, 0), "");
    small = LLVMBuildAnd(e->L.b, small, compare(e, LLVMIntNE, by, all), "");
    if (in->mod[WG_MC_FTZ] == WG_M_ftz) return small;
    unsigned bits = f64 ? 64 : 32;
    LLVMValueRef twice = LLVMBuildBitCast(e->L.b, result, wg_lower_int(&e->L, bits), "");
    twice = LLVMBuildAdd(e->L.b, twice, twice, "");
    LLVMValueRef some = LLVMBuildICmp(e->L.b, LLVMIntNE, twice, wg_lower_const(&e->L, bits, 0), "");
    return LLVMBuildAnd(e->L.b, small, some, "");
}

static LLVMValueRef both(struct wg_emit *e, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAnd(e->L.b, a, b, "");
}

/* Whether one operand of a division of f32 is subnormal, and the other a number. */
static LLVMValueRef is_scaled(struct wg_emit *e, LLVMValueRef *src) {
    LLVMValueRef some = NULL, numbers = NULL;
    for (int i = 0; i < 2; i++) {
        LLVMValueRef x = high_bits(e, src[i], false), exponents = masked(e, x, WG_SLOW_INFINITY_F32);
        LLVMValueRef number = both(e, compare(e, LLVMIntNE, masked(e, x, NO_SIGN), 0),
                                   compare(e, LLVMIntNE, exponents, WG_SLOW_INFINITY_F32));
        LLVMValueRef subnormal = compare(e, LLVMIntEQ, exponents, 0);
        some = i ? either(e, some, subnormal) : subnormal;
        numbers = i ? both(e, numbers, number) : number;
    }
    return both(e, some, numbers);
}

/* The mask of active lanes in which it holds. */
static LLVMValueRef lanes_of(struct wg_emit *e, LLVMValueRef holds, LLVMValueRef active) {
    LLVMValueRef mask = e->L.lanes == 1 ? LLVMBuildSExt(e->L.b, holds, e->i32, "") : wg_emit_mask(e, holds);
    return LLVMBuildAnd(e->L.b, mask, active, "");
}

static void count(struct wg_emit *e, uint32_t unit, LLVMValueRef warp, LLVMValueRef lanes) {
    LLVMValueRef n = LLVMBuildSelect(e->L.b, warp, lanes, wg_i32(e, 0), "");
    unsigned before = e->L.lanes;
    wg_set_lanes(e, 1);
    n = wg_lower_intrinsic(&e->L, "llvm.ctpop", &e->i32, 1, &n, 1);
    wg_set_lanes(e, before);
    wg_count_add(e, unit, LLVMBuildZExt(e->L.b, warp, e->i64, ""));
    wg_count_add(e, unit + 1, LLVMBuildZExt(e->L.b, n, e->i64, ""));
}

void wg_count_slow(struct wg_emit *e, const struct wg_ir_instr *in, LLVMValueRef *src, LLVMValueRef result) {
    const struct wg_sites *s = e->opts->sites;
    const struct wg_ir_block *blk = &e->func->blocks[e->block];
    bool here = e->instr < blk->ninstrs && in == &blk->instrs[e->instr]; /* else its value is made again */
    if (!s || s->slow[in->id] == WG_NO_SITE || e->opts->dry || !here) return;
    bool f64 = in->type == WG_T_F64;
    LLVMValueRef a = high_bits(e, src[0], f64), slow;
    if (in->op == WG_OP_SQRT)
        slow = slow_root(e, a, f64);
    else if (in->op == WG_OP_RCP)
        slow = slow_reciprocal(e, a, f64);
    else if (f64)
        slow = slow_quotient(e, a, high_bits(e, src[1], f64), high_bits(e, result, f64));
    else
        slow = checked(e, a, high_bits(e, src[1], f64));
    uint32_t unit = wg_count_slow_units(e->func) + s->slow_number[in->id] * WG_SLOW_PATHS * WG_SLOW_UNITS;
    LLVMValueRef active = wg_instr_mask(e, in), lanes = lanes_of(e, slow, active), none = wg_i32(e, 0);
    LLVMValueRef zeros = LLVMBuildAnd(e->L.b, lanes, lanes_of(e, is_zero(e, in, src, f64), active), "");
    LLVMValueRef small =
        LLVMBuildAnd(e->L.b, lanes, lanes_of(e, is_small(e, in, src, result, f64), active), "");
    LLVMValueRef of[WG_SLOW_PATHS] = {
        [WG_SLOW_ANY] = lanes, [WG_SLOW_ZERO] = zeros, [WG_SLOW_SMALL] = small, [WG_SLOW_ALL] = lanes};
    if (in->op == WG_OP_DIV_F && !f64 && in->mod[WG_MC_FTZ] != WG_M_ftz) {
        LLVMValueRef q = masked(e, high_bits(e, result, false), NO_SIGN), scaled = is_scaled(e, src);
        LLVMValueRef normal = compare(e, LLVMIntUGT, q, MOST_SUBNORMAL),
                     nothing = compare(e, LLVMIntEQ, q, 0);
        LLVMValueRef tiny = LLVMBuildNot(e->L.b, either(e, normal, nothing), "");
        of[WG_SLOW_SCALED] = both(e, lanes, lanes_of(e, both(e, scaled, normal), active));
        of[WG_SLOW_TINY] = both(e, lanes, lanes_of(e, both(e, scaled, tiny), active));
    }
    for (uint32_t k = 0; k < WG_SLOW_PATHS; k++) {
        if (!of[k]) continue;
        LLVMValueRef warp = LLVMBuildICmp(e->L.b, LLVMIntNE, of[k], none, "");
        if (k == WG_SLOW_ALL) warp = both(e, warp, LLVMBuildICmp(e->L.b, LLVMIntEQ, lanes, active, ""));
        count(e, unit + k * WG_SLOW_UNITS, warp, of[k]);
    }
}
