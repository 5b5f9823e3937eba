/* Lowering of the approximate functions, by the algorithms of warp/approx.h, operation by operation, so that
 * their bits are the scalar reference's.
 *
 *     sin.approx.f32   float -> double -> quadrant and rest -> polynomial -> float
 *
 * rcp, div and sqrt .approx mean what their .rn forms mean: see lower_float.c.
 */
#include "jit/lower/lower_rows.h"
#include "warp/approx.h"
#include <math.h>

#define COEFFICIENT(c) c,
static const double exp2_c[] = {WG_APPROX_EXP2(COEFFICIENT)}, lg2_c[] = {WG_APPROX_LG2(COEFFICIENT)},
                    sin_c[] = {WG_APPROX_SIN(COEFFICIENT)}, cos_c[] = {WG_APPROX_COS(COEFFICIENT)},
                    tanh_c[] = {WG_APPROX_TANH(COEFFICIENT)};
#undef COEFFICIENT

static V k(struct wg_lower *b, double value) { return wg_float_const(b, true, value); }

static V horner_of(struct wg_lower *b, const double *c, unsigned n, V x) {
    V p = k(b, c[0]);
    for (unsigned i = 1; i < n; i++) p = v_fadd(b, v_fmul(b, p, x), k(b, c[i]));
    return p;
}
#define HORNER(c, x) horner_of(b, c, sizeof c / sizeof *c, x)

static V at_least(struct wg_lower *b, V x, double low) {
    return v_sel(b, v_fcmp(b, LLVMRealOLT, x, k(b, low)), k(b, low), x);
}
static V at_most(struct wg_lower *b, V x, double high) {
    return v_sel(b, v_fcmp(b, LLVMRealOGT, x, k(b, high)), k(b, high), x);
}

/* The nearest whole number as a double; *bits holds its low bits. */
static V nearest(struct wg_lower *b, V x, V *bits) {
    V t = v_fadd(b, x, k(b, WG_APPROX_MAGIC));
    *bits = wg_to_bits(b, t);
    return v_fsub(b, t, k(b, WG_APPROX_MAGIC));
}

static V exp2_core(struct wg_lower *b, V x) {
    V bits;
    x = at_most(b, at_least(b, x, -WG_APPROX_EXP2_LIMIT), WG_APPROX_EXP2_LIMIT);
    V n = nearest(b, x, &bits), f = v_fsub(b, x, n);
    V p = v_fadd(b, k(b, 1), v_fmul(b, f, HORNER(exp2_c, f)));
    V power = v_add(b, v_shl(b, bits, v_k(b, 64, 52)), v_k(b, 64, WG_APPROX_BITS_ONE));
    return v_fmul(b, p, wg_from_bits(b, power));
}

static V lg2_core(struct wg_lower *b, V d) {
    V u = wg_to_bits(b, d), n52 = v_k(b, 64, 52);
    V e = v_ashr(b, v_sub(b, u, v_k(b, 64, WG_APPROX_BITS_SQRT_HALF)), n52);
    V m = wg_from_bits(b, v_sub(b, u, v_shl(b, e, n52)));
    V s = v_fdiv(b, v_fsub(b, m, k(b, 1)), v_fadd(b, m, k(b, 1)));
    V whole = LLVMBuildSIToFP(b->b, v_trunc(b, e, 32), wg_lower_float(b, WG_T_F64), "");
    V r = v_fadd(b, v_fmul(b, s, HORNER(lg2_c, v_fmul(b, s, s))), whole);
    r = v_sel(b, v_fcmp(b, LLVMRealOEQ, d, k(b, INFINITY)), d, r);
    r = v_sel(b, v_fcmp(b, LLVMRealOEQ, d, k(b, 0)), k(b, -INFINITY), r);
    return v_sel(b, v_fcmp(b, LLVMRealULT, d, k(b, 0)), k(b, NAN), r); /* NaN too */
}

static V trig_core(struct wg_lower *b, V d, bool cosine) {
    V bits, size = wg_fabs(b, d), one = v_k(b, 64, 1);
    V infinite = v_fcmp(b, LLVMRealOEQ, size, k(b, INFINITY));
    d = v_sel(b, v_fcmp(b, LLVMRealOGE, size, k(b, WG_APPROX_TRIG_LIMIT)), k(b, 0), d);
    V n = nearest(b, v_fmul(b, d, k(b, WG_APPROX_TWO_OVER_PI)), &bits);
    V y = v_fsub(b, v_fsub(b, d, v_fmul(b, n, k(b, WG_APPROX_HALF_PI_HIGH))),
                 v_fmul(b, n, k(b, WG_APPROX_HALF_PI_LOW)));
    V z = v_fmul(b, y, y);
    V s = v_fmul(b, y, v_fadd(b, k(b, 1), v_fmul(b, z, HORNER(sin_c, z))));
    V c = v_fadd(b, k(b, 1), v_fmul(b, z, HORNER(cos_c, z)));
    V odd = v_eq(b, v_and(b, bits, one), one);
    V r = wg_to_bits(b, cosine ? v_sel(b, odd, s, c) : v_sel(b, odd, c, s));
    V turned = cosine ? v_add(b, bits, one) : bits; /* bit 1: the sign is flipped */
    V sign = v_and(b, v_shl(b, turned, v_k(b, 64, 62)), v_k(b, 64, 1ull << 63));
    return v_sel(b, infinite, k(b, NAN), wg_from_bits(b, v_xor(b, r, sign)));
}

static V tanh_core(struct wg_lower *b, V d) {
    V a = at_most(b, wg_fabs(b, d), WG_APPROX_TANH_LIMIT), z = v_fmul(b, a, a);
    V e = exp2_core(b, v_fmul(b, a, k(b, WG_APPROX_TWO_LOG2_E)));
    V near = v_fadd(b, a, v_fmul(b, v_fmul(b, a, z), HORNER(tanh_c, z)));
    V far = v_fdiv(b, v_fsub(b, e, k(b, 1)), v_fadd(b, e, k(b, 1)));
    V r = v_sel(b, v_fcmp(b, LLVMRealOLT, a, k(b, WG_APPROX_TANH_SMALL)), near, far);
    return wg_binary(b, "llvm.copysign", r, d);
}

static V fma3(struct wg_lower *b, V x, V y, V z) {
    V args[3] = {x, y, z};
    LLVMTypeRef t = LLVMTypeOf(x);
    return wg_lower_intrinsic(b, "llvm.fma", &t, 1, args, 3);
}

/* 1 / sqrt(x) of floats, the same as by way of double: a correctly rounded root and quotient, then a step of
 * Newton's whose residual is exact enough. A step by one half would round a tie the other way for one mantissa;
 * by the number below it, all are right (tests/lower/roots.c goes through them). The root and the quotient have
 * no exponent at which a product here overflows or is subnormal. */
static V rsqrt_f32(struct wg_lower *b, V x) {
    V one = wg_float_const(b, false, 1), half = wg_float_const(b, false, 0x1.fffffep-2);
    V y = v_fdiv(b, one, wg_unary(b, "llvm.sqrt", x)), root = v_fmul(b, x, y);
    V low = fma3(b, x, y, LLVMBuildFNeg(b->b, root, ""));
    V rest = fma3(b, LLVMBuildFNeg(b->b, root, ""), y, one);
    rest = fma3(b, LLVMBuildFNeg(b->b, low, ""), y, rest);
    /* Of zeros, infinities and negative numbers the quotient is the result. */
    return v_sel(b, v_fcmp(b, LLVMRealUNO, rest, rest), y, fma3(b, y, v_fmul(b, rest, half), y));
}

static V core(struct wg_lower *b, uint32_t row, V d) {
    switch (row) {
    case WG_OP_RSQRT_A: return v_fdiv(b, k(b, 1), wg_unary(b, "llvm.sqrt", d));
    case WG_OP_EX2_A: return exp2_core(b, d);
    case WG_OP_LG2_A: return lg2_core(b, d);
    case WG_OP_SIN_A: return trig_core(b, d, false);
    case WG_OP_COS_A: return trig_core(b, d, true);
    default: return tanh_core(b, d);
    }
}

static V approx(struct wg_lower *b, const struct wg_ir_instr *in, uint32_t type, V *src) {
    bool ftz = in->mod[WG_MC_FTZ] == WG_M_ftz, f64 = wg_is_f64(type);
    V x = wg_load_float(b, src[0], type, ftz);
    if (in->op == WG_OP_RSQRT_A && !f64 && b->avx2 && b->lanes > 1)
        return wg_store_float(b, rsqrt_f32(b, x), type, ftz);
    if (!f64) x = LLVMBuildFPExt(b->b, x, wg_lower_float(b, WG_T_F64), "");
    V r = core(b, in->op, x);
    if (f64 && ftz) r = wg_nan_of_upper_word(b, wg_take(b, src[0], 64), r);
    if (!f64) r = LLVMBuildFPTrunc(b->b, r, wg_lower_float(b, WG_T_F32), "");
    return wg_store_float(b, r, type, ftz);
}

bool wg_row_approx(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    dst[0] = wg_by_halves(b, in, src, approx);
    return true;
}
