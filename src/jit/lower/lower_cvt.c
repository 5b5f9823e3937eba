/* Lowering of conversions: cvt in all combinations, cvt.pack.
 *
 *     cvt.rni.sat.s16.f32   float -> whole number (nearest even) -> clamp -> i16
 *     cvt.rz.f16.s64        integer -> double, rounded to odd -> float, rounded to odd -> half towards zero
 *
 * NaNs keep their payload to and from f64, as in the reference; otherwise nans.h sees to them.
 * Float to integer clamps; what NaN becomes is the ISA's: 0, but 1 << (bits - 1) from f64 or to 64 bits.
 * LLVM's conversions are poison out of range: a select takes the clamped value there.
 */
#include "jit/lower/lower_rows.h"
#include <math.h>
#include <stdio.h>

static bool is_float(uint32_t type) { return wg_type_kind(type) == WG_K_F; }

/* ---- Integer to integer ---- */

/* x of type `from` clamped to what `to` holds, still as wide as x. */
static V clamp_int(struct wg_lower *b, V x, uint32_t from, uint32_t to) {
    unsigned have = wg_bits_of(x), bits = wg_type_bits(to);
    bool sx = wg_is_signed(from), sd = wg_is_signed(to);
    if (sx && (bits < have || (bits == have && !sd))) {
        V low = v_k(b, have, sd ? ~0ull << (bits - 1) : 0);
        V high = v_k(b, have, sd ? (1ull << (bits - 1)) - 1 : bits < 64 ? (1ull << bits) - 1 : UINT64_MAX);
        if (bits == have) return wg_binary(b, "llvm.smax", x, low);
        return wg_binary(b, "llvm.smin", wg_binary(b, "llvm.smax", x, low), high);
    }
    if (sx) return sd ? x : wg_binary(b, "llvm.smax", x, v_k(b, have, 0));
    unsigned value_bits = sd ? bits - 1 : bits;
    return value_bits >= have ? x : wg_binary(b, "llvm.umin", x, v_k(b, have, (1ull << value_bits) - 1));
}

/* 8-bit results fill a 16-bit register. */
static V int_result(struct wg_lower *b, V x, uint32_t type) {
    return wg_type_bits(type) == 8 ? wg_resize(b, x, 16, wg_is_signed(type)) : x;
}

static V int_to_int(struct wg_lower *b, V x, uint32_t from, uint32_t to, bool sat) {
    x = wg_take(b, x, wg_type_bits(from));
    if (sat) x = clamp_int(b, x, from, to);
    return int_result(b, wg_resize(b, x, wg_type_bits(to), wg_is_signed(from)), to);
}

/* ---- Integer to float ---- */

/* Magnitude and sign of an integer as 64 bits. */
static V magnitude64(struct wg_lower *b, V x, bool sign, V *negative) {
    V wide = wg_resize(b, x, 64, sign), zero = v_k(b, 64, 0);
    *negative = sign ? v_slt(b, wide, zero) : NULL;
    return sign ? v_sel(b, *negative, v_neg(b, wide), wide) : wide;
}

/* A 64-bit magnitude to double: the bits beyond 53 are cut off and *inexact says whether there were any. */
static V double_cut(struct wg_lower *b, V m, V *inexact) {
    LLVMTypeRef t = LLVMTypeOf(m);
    V no = LLVMConstInt(LLVMInt1TypeInContext(b->ctx), 0, 0), eleven = v_k(b, 64, 11);
    V zeros = wg_lower_intrinsic(b, "llvm.ctlz", &t, 1, (V[]){m, no}, 2);
    V extra = v_sub(b, eleven, wg_binary(b, "llvm.umin", zeros, eleven)); /* bits that do not fit */
    V rest = v_and(b, m, v_not(b, v_shl(b, v_k(b, 64, UINT64_MAX), extra)));
    *inexact = v_icmp(b, LLVMIntNE, rest, v_k(b, 64, 0));
    return LLVMBuildUIToFP(b->b, v_xor(b, m, rest), wg_lower_float(b, WG_T_F64), "");
}

static V with_sign(struct wg_lower *b, V bits, V negative) {
    if (!negative) return bits;
    unsigned n = wg_bits_of(bits);
    return v_or(b, bits, v_sel(b, negative, v_k(b, n, 1ull << (n - 1)), v_k(b, n, 0)));
}

/* As a double that is exact or rounded to odd. */
static V int_to_double_odd(struct wg_lower *b, V x, bool sign) {
    V negative, inexact;
    if (wg_bits_of(x) < 64) {
        LLVMTypeRef t = wg_lower_float(b, WG_T_F64);
        return sign ? LLVMBuildSIToFP(b->b, x, t, "") : LLVMBuildUIToFP(b->b, x, t, "");
    }
    V m = magnitude64(b, x, sign, &negative), d = wg_to_bits(b, double_cut(b, m, &inexact));
    d = with_sign(b, v_or(b, d, v_zext(b, inexact, 64)), negative);
    return wg_from_bits(b, d);
}

static V int_to_double_directed(struct wg_lower *b, V x, bool sign, enum wg_mod rnd) {
    V negative, inexact;
    V m = magnitude64(b, x, sign, &negative), d = wg_to_bits(b, double_cut(b, m, &inexact));
    V up = NULL; /* away from zero: when inexact, for positive results of rp and negative ones of rm */
    if (rnd == WG_M_rp) up = negative ? v_and(b, inexact, v_not(b, negative)) : inexact;
    if (rnd == WG_M_rm && negative) up = v_and(b, inexact, negative);
    if (up) d = v_add(b, d, v_zext(b, up, 64));
    return wg_from_bits(b, with_sign(b, d, negative));
}

/* The value in the float type that rows calculate in, rounded for `to`: float (or double) when it is f32
 * (f64); for 16-bit types a float that still has to be rounded. */
static V int_to_float(struct wg_lower *b, V x, uint32_t from, uint32_t to, enum wg_mod rnd) {
    bool sign = wg_is_signed(from), near = rnd == WG_M_rn || rnd == WG_M_none;
    x = wg_take(b, x, wg_type_bits(from));
    if (wg_type_bits(to) == 16) return wg_double_to_float_odd(b, int_to_double_odd(b, x, sign));
    if (near || wg_type_bits(from) <= 16 || (to == WG_T_F64 && wg_type_bits(from) < 64)) {
        LLVMTypeRef t = wg_lower_float(b, to);
        return sign ? LLVMBuildSIToFP(b->b, x, t, "") : LLVMBuildUIToFP(b->b, x, t, "");
    }
    if (to == WG_T_F64) return int_to_double_directed(b, x, sign, rnd);
    return wg_double_to_float_kept(b, int_to_double_odd(b, x, sign), rnd);
}

/* ---- Float to integer ---- */

static V to_whole(struct wg_lower *b, V x, enum wg_mod rnd) {
    switch (rnd) {
    case WG_M_rni:
    case WG_M_rn: return wg_unary(b, "llvm.roundeven", x);
    case WG_M_rzi:
    case WG_M_rz: return wg_unary(b, "llvm.trunc", x);
    case WG_M_rmi:
    case WG_M_rm: return wg_unary(b, "llvm.floor", x);
    case WG_M_rpi:
    case WG_M_rp: return wg_unary(b, "llvm.ceil", x);
    default: return x;
    }
}

/* Limits of an integer type as floats: powers of two, which every format holds. x >= high clamps to the
 * greatest, x < low to the least. */
static double high_limit(uint32_t to) { return ldexp(1, (int)wg_type_bits(to) - wg_is_signed(to)); }
static double low_limit(uint32_t to) { return wg_is_signed(to) ? -high_limit(to) : 0; }

/* What NaN becomes. */
static uint64_t nan_integer(uint32_t from, uint32_t to) {
    unsigned bits = wg_type_bits(to);
    return from == WG_T_F64 || bits == 64 ? 1ull << (bits - 1) : 0;
}

/* Results of up to 16 bits come through 32. */
static V float_to_int(struct wg_lower *b, V x, uint32_t from, uint32_t to, enum wg_mod rnd) {
    unsigned bits = wg_type_bits(to), wide = bits < 32 ? 32 : bits;
    bool sign = wg_is_signed(to), f64 = from == WG_T_F64;
    LLVMTypeRef t = wg_lower_int(b, wide);
    if (rnd != WG_M_rzi) x = to_whole(b, x, rnd); /* LLVM's conversion cuts off by itself */
    V i = sign || bits < 32 ? LLVMBuildFPToSI(b->b, x, t, "") : LLVMBuildFPToUI(b->b, x, t, "");
    uint64_t greatest = sign ? (1ull << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    uint64_t least = sign ? ~0ull << (bits - 1) : 0, nan = nan_integer(from, to);
    i = v_sel(b, v_fcmp(b, LLVMRealOGE, x, wg_float_const(b, f64, high_limit(to))), v_k(b, wide, greatest),
              i);
    bool nan_is_least = nan == least;
    V below = v_fcmp(b, nan_is_least ? LLVMRealULT : LLVMRealOLT, x, wg_float_const(b, f64, low_limit(to)));
    i = v_sel(b, below, v_k(b, wide, least), i);
    if (!nan_is_least) i = v_sel(b, wg_isnan(b, x), v_k(b, wide, nan), i);
    return int_result(b, wg_resize(b, i, bits, false), to);
}

/* AVX-512's conversions round by themselves, and out of range give the least signed or the greatest unsigned
 * number: one limit is left to do, and NaN where it is not that number. */
static V float_to_int_512(struct wg_lower *b, V x, uint32_t from, uint32_t to, enum wg_mod rnd) {
    unsigned bits = wg_type_bits(to), size = from == WG_T_F64 || bits == 64 ? 8 : 16, n = b->lanes / size;
    bool sign = wg_is_signed(to), f64 = from == WG_T_F64;
    char name[64];
    snprintf(name, sizeof name, "llvm.x86.avx512.mask.cvtp%c2%s%s.512", f64 ? 'd' : 's', sign ? "" : "u",
             bits == 64 ? "qq" : "dq");
    unsigned mode = rnd == WG_M_rni   ? 8
                    : rnd == WG_M_rmi ? 9
                    : rnd == WG_M_rpi ? 10
                                      : 11; /* and no exceptions */
    V parts[8], args[4];
    args[1] = LLVMGetPoison(LLVMVectorType(LLVMIntTypeInContext(b->ctx, bits), size));
    args[2] = LLVMConstInt(LLVMIntTypeInContext(b->ctx, size), UINT16_MAX, 0);
    args[3] = LLVMConstInt(LLVMInt32TypeInContext(b->ctx), mode, 0);
    for (unsigned p = 0; p < n; p++) {
        args[0] = wg_lanes_of(b, x, p * size, size);
        parts[p] = wg_lower_intrinsic(b, name, NULL, 0, args, 4);
    }
    V i = wg_lanes_join(b, parts, n, b->lanes);
    uint64_t nan = nan_integer(from, to), least = sign ? 1ull << (bits - 1) : 0;
    if (sign) { /* doubles may round up to the limit */
        V limit = wg_float_const(b, f64, f64 && bits == 32 ? high_limit(to) - 1 : high_limit(to));
        V above = v_fcmp(b, f64 && bits == 32 ? LLVMRealOGT : LLVMRealOGE, x, limit);
        i = v_sel(b, above, v_k(b, bits, least - 1), i);
    } else {
        V below = v_fcmp(b, nan == least ? LLVMRealULT : LLVMRealOLT, x, wg_float_const(b, f64, 0));
        i = v_sel(b, below, v_k(b, bits, 0), i);
    }
    return nan == least ? i : v_sel(b, wg_isnan(b, x), v_k(b, bits, nan), i);
}

/* ---- Float to float ---- */

/* Beyond the greatest finite number: that, instead of infinity. */
static V satfinite(struct wg_lower *b, V x, bool f64, double greatest) {
    V g = wg_float_const(b, f64, greatest), n = wg_float_const(b, f64, -greatest);
    x = v_sel(b, v_fcmp(b, LLVMRealOGT, x, g), g, x);
    return v_sel(b, v_fcmp(b, LLVMRealOLT, x, n), n, x);
}

static V relu(struct wg_lower *b, V x, bool f64) {
    V zero = wg_float_const(b, f64, 0);
    return v_sel(b, v_fcmp(b, LLVMRealOLE, x, zero), zero, x);
}

/* A float to 16 bits; to f32's neighbour tf32: 10 bits of fraction, the rest zero. */
static V to_tf32(struct wg_lower *b, V x, enum wg_mod rnd) {
    V bits = wg_to_bits(b, x), mag = v_and(b, bits, v_k(b, 32, 0x7fffffff)), inf = v_k(b, 32, 0x7f800000),
      cut = v_k(b, 32, ~0x1fffull), add;
    V lsb = v_and(b, v_lshr(b, bits, v_k(b, 32, 13)), v_k(b, 32, 1));
    if (rnd == WG_M_rna)
        add = v_k(b, 32, 0x1000);
    else if (rnd == WG_M_rz)
        add = v_k(b, 32, 0);
    else
        add = v_add(b, v_k(b, 32, 0xfff), lsb);
    V r = v_and(b, v_add(b, bits, add), cut);
    r = v_sel(b, v_eq(b, mag, inf), bits, r);
    V nan = rnd == WG_M_rna ? v_and(b, bits, cut) : v_k(b, 32, 0x7fffe000);
    return v_sel(b, v_icmp(b, LLVMIntUGT, mag, inf), nan, r);
}

struct cvt {
    enum wg_mod rnd;
    bool ftz, sat, satfinite, relu;
};

/* r, or where x, a double, is no number, what is left of it in 16 bits, of which `fraction` are its
 * payload's. */
static V kept_in_half(struct wg_lower *b, V x, V r, unsigned fraction) {
    V bits = wg_to_bits(b, x), payload = v_lshr(b, bits, v_k(b, 64, 52 - fraction));
    payload = v_or(b, v_trunc(b, payload, 16), v_k(b, 16, 1ull << (fraction - 1))); /* exponent and all */
    V sign = v_and(b, v_trunc(b, v_lshr(b, bits, v_k(b, 64, 48)), 16), v_k(b, 16, 0x8000));
    V nan = v_or(b, v_and(b, payload, v_k(b, 16, 0x7fff)), sign);
    return v_sel(b, wg_isnan(b, x), nan, r);
}

/* The bits of x (float, or double when f64) in format `to`. */
static V to_format(struct wg_lower *b, const struct cvt *c, V x, bool f64, uint32_t to) {
    if (c->sat) x = wg_saturate(b, x);
    if (c->relu) x = relu(b, x, f64);
    if (to == WG_T_F64) {
        if (!f64) x = wg_keep_nan(b, LLVMBuildFPExt(b->b, x, wg_lower_float(b, WG_T_F64), ""));
        return wg_to_bits(b, x);
    }
    V whole = x;
    if (f64) x = to == WG_T_F32 ? wg_double_to_float_kept(b, x, c->rnd) : wg_double_to_float_odd(b, x);
    switch (to) {
    case WG_T_F16:
        if (c->satfinite) x = satfinite(b, x, false, 65504.0);
        x = wg_float_to_half(b, x, c->rnd);
        return f64 ? kept_in_half(b, whole, x, 10) : x;
    case WG_T_BF16:
        if (c->satfinite) x = satfinite(b, x, false, 0x1.fep127);
        x = wg_float_to_bf16(b, x, c->rnd);
        return f64 ? kept_in_half(b, whole, x, 7) : x;
    case WG_T_TF32:
        if (c->satfinite) x = satfinite(b, x, false, 0x1.ffcp127);
        return to_tf32(b, x, c->rnd);
    default: return wg_store_float(b, x, WG_T_F32, c->ftz);
    }
}

static bool rounds_to_whole(enum wg_mod m) {
    return m == WG_M_rni || m == WG_M_rzi || m == WG_M_rmi || m == WG_M_rpi;
}

bool wg_row_cvt(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    uint32_t to = in->type, from = in->type2;
    struct cvt c = {.rnd = in->mod[WG_MC_RND],
                    .ftz = in->mod[WG_MC_FTZ] == WG_M_ftz,
                    .sat = in->mod[WG_MC_SAT] == WG_M_sat,
                    .satfinite = in->mod[WG_MC_SAT] == WG_M_satfinite,
                    .relu = in->mod[WG_MC_RELU] == WG_M_relu};
    if (!is_float(from) && !is_float(to)) {
        dst[0] = int_to_int(b, src[0], from, to, c.sat);
        return true;
    }
    if (!is_float(from)) {
        V x = int_to_float(b, src[0], from, to, c.rnd);
        dst[0] = to_format(b, &c, x, to == WG_T_F64, to);
        return true;
    }
    bool f64 = from == WG_T_F64;
    V x = from == WG_T_F16 && to == WG_T_F64 ? wg_half_to_float_kept(b, wg_take(b, src[0], 16))
                                             : wg_load_float(b, src[0], from, c.ftz && from == WG_T_F32);
    if (!is_float(to)) {
        bool whole_registers = b->avx512 && b->lanes >= 16 && wg_type_bits(to) >= 32;
        dst[0] = (whole_registers ? float_to_int_512 : float_to_int)(b, x, from, to, c.rnd);
        return true;
    }
    if (rounds_to_whole(c.rnd)) {
        x = to_whole(b, x, c.rnd);
        c.rnd = WG_M_rn;
    }
    if (c.ftz && (from == WG_T_F32 || from == WG_T_BF16)) /* no copy, which would change nothing */
        x = v_sel(b, wg_isnan(b, x), wg_from_bits(b, v_k(b, 32, INT32_MAX)), x);
    dst[0] = to_format(b, &c, x, f64, to);
    return true;
}

/* ---- Two in one register ---- */

/* The first source is the upper half. */
bool wg_row_cvt_pack_float(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    struct cvt c = {.rnd = in->mod[WG_MC_RND],
                    .sat = in->mod[WG_MC_SAT] == WG_M_sat,
                    .satfinite = in->mod[WG_MC_SAT] == WG_M_satfinite,
                    .relu = in->mod[WG_MC_RELU] == WG_M_relu};
    enum wg_type half = wg_type_of_half(in->type);
    V part[2];
    for (int i = 0; i < 2; i++) {
        V x = wg_load_float(b, src[i], WG_T_F32, false);
        part[i] = v_zext(b, to_format(b, &c, x, false, half), 32);
    }
    dst[0] = v_or(b, v_shl(b, part[0], v_k(b, 32, 16)), part[1]);
    return true;
}

/* ---- Eight bits ---- */

/* x to eight bits, to nearest, never beyond the greatest: e4m3 (3 bits of fraction, to 448, the smallest
 * normal 2^-6) or e5m2 (2 bits, to 57344, 2^-14). Normal numbers drop the low bits of float's fraction, with
 * a carry into the exponent; below them a sum with a power of two that leaves just so many bits of fraction
 * rounds. */
static V to_eight(struct wg_lower *b, V x, bool e4m3) {
    unsigned drop = e4m3 ? 20 : 21;
    double greatest = e4m3 ? 448 : 57344, least = e4m3 ? 0x1p-6 : 0x1p-14, rounder = e4m3 ? 0x1p14 : 0x1p7;
    V nan = wg_isnan(b, x), sign = v_and(b, v_lshr(b, wg_to_bits(b, x), v_k(b, 32, 24)), v_k(b, 32, 0x80));
    V mag = satfinite(b, wg_fabs(b, x), false, greatest), bits = wg_to_bits(b, mag);
    V odd = v_and(b, v_lshr(b, bits, v_k(b, 32, drop)), v_k(b, 32, 1));
    V up = v_add(b, v_k(b, 32, (1u << (drop - 1)) - 1), odd);
    V normal =
        v_sub(b, v_lshr(b, v_add(b, bits, up), v_k(b, 32, drop)), v_k(b, 32, e4m3 ? 120u << 3 : 112u << 2));
    V power = wg_float_const(b, false, rounder);
    V tiny = v_sub(b, wg_to_bits(b, v_fadd(b, mag, power)), wg_to_bits(b, power));
    V small = v_fcmp(b, LLVMRealOLT, mag, wg_float_const(b, false, least));
    V r = v_or(b, v_sel(b, small, tiny, normal), sign);
    return v_sel(b, nan, v_k(b, 32, 0x7f), r);
}

/* Two floats, the first one above the second, or the two of an f16x2. */
bool wg_row_cvt_narrow_8(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    V x[2], part[2];
    if (in->op == WG_OP_CVT_PACK_8) {
        for (int i = 0; i < 2; i++) x[i] = wg_load_float(b, src[i], WG_T_F32, false);
    } else {
        V pair = wg_take(b, src[0], 32);
        x[0] = wg_half_to_float(b, v_trunc(b, v_lshr(b, pair, v_k(b, 32, 16)), 16));
        x[1] = wg_half_to_float(b, v_trunc(b, pair, 16));
    }
    for (int i = 0; i < 2; i++) {
        if (in->mod[WG_MC_RELU] == WG_M_relu) x[i] = relu(b, x[i], false);
        part[i] = to_eight(b, x[i], in->type == WG_T_E4M3X2);
    }
    dst[0] = v_trunc(b, v_or(b, v_shl(b, part[0], v_k(b, 32, 8)), part[1]), 16);
    return true;
}

/* e5m2 is the upper byte of a half; e4m3's bits in a half's place are 2^8 too small, subnormals too. */
static V eight_to_half(struct wg_lower *b, V byte, bool e4m3, bool no_negatives) {
    V sign = v_and(b, byte, v_k(b, 16, 0x80)), mag = v_and(b, byte, v_k(b, 16, 0x7f)), half, nan;
    if (e4m3) {
        V x = wg_half_to_float(b, v_shl(b, mag, v_k(b, 16, 7)));
        half = wg_float_to_half(b, v_fmul(b, x, wg_float_const(b, false, 256)), WG_M_rn);
        nan = v_eq(b, mag, v_k(b, 16, 0x7f));
    } else {
        half = v_shl(b, mag, v_k(b, 16, 8));
        nan = v_icmp(b, LLVMIntUGT, mag, v_k(b, 16, 0x7c));
    }
    V negative = v_shl(b, sign, v_k(b, 16, 8));
    half =
        no_negatives ? v_sel(b, v_eq(b, sign, v_k(b, 16, 0)), half, v_k(b, 16, 0)) : v_or(b, half, negative);
    return v_sel(b, nan, v_k(b, 16, 0x7fff), half);
}
bool wg_row_cvt_widen_8(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    bool e4m3 = in->type2 == WG_T_E4M3X2, no_negatives = in->mod[WG_MC_RELU] == WG_M_relu;
    V pair = wg_take(b, src[0], 16);
    V high = eight_to_half(b, v_lshr(b, pair, v_k(b, 16, 8)), e4m3, no_negatives);
    V low = eight_to_half(b, v_and(b, pair, v_k(b, 16, 0xff)), e4m3, no_negatives);
    dst[0] = v_or(b, v_shl(b, v_zext(b, high, 32), v_k(b, 32, 16)), v_zext(b, low, 32));
    return true;
}

/* Clamped to 16 or 8 bits, the first source above the second; bytes push a third operand's low half up. */
bool wg_row_cvt_pack_int(struct wg_lower *b, const struct wg_ir_instr *in, V *src, V *dst) {
    unsigned bits = wg_type_bits(in->type);
    V part[2];
    for (int i = 0; i < 2; i++) {
        V x = clamp_int(b, wg_take(b, src[i], 32), WG_T_S32, in->type);
        part[i] = v_and(b, x, v_k(b, 32, (1u << bits) - 1));
    }
    V r = v_or(b, v_shl(b, part[0], v_k(b, 32, bits)), part[1]);
    if (in->nsrc > 2) r = v_or(b, v_shl(b, wg_take(b, src[2], 32), v_k(b, 32, 2 * bits)), r);
    dst[0] = r;
    return true;
}
