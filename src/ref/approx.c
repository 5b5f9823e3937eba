/* Approximate functions by the algorithms of warp/approx.h, operation by operation. */
#include "ref/lane.h"
#include "ref/number.h"
#include "warp/approx.h"
#include <math.h>
#include <stddef.h>

#define COEFFICIENT(c) c,
static const double exp2_c[] = {WG_APPROX_EXP2(COEFFICIENT)}, lg2_c[] = {WG_APPROX_LG2(COEFFICIENT)},
                    sin_c[] = {WG_APPROX_SIN(COEFFICIENT)}, cos_c[] = {WG_APPROX_COS(COEFFICIENT)},
                    tanh_c[] = {WG_APPROX_TANH(COEFFICIENT)};
#undef COEFFICIENT

static double horner_of(const double *c, size_t n, double x) {
    double p = c[0];
    for (size_t k = 1; k < n; k++) p = p * x + c[k];
    return p;
}
#define HORNER(c, x) horner_of(c, sizeof c / sizeof *c, x)

static double exp2_core(double x) {
    x = x < -WG_APPROX_EXP2_LIMIT ? -WG_APPROX_EXP2_LIMIT : x;
    x = x > WG_APPROX_EXP2_LIMIT ? WG_APPROX_EXP2_LIMIT : x;
    double t = x + WG_APPROX_MAGIC, n = t - WG_APPROX_MAGIC, f = x - n;
    double p = 1 + f * HORNER(exp2_c, f);
    return p * ref_as_f64((ref_f64_bits(t) << 52) + WG_APPROX_BITS_ONE);
}

static double lg2_core(double d) {
    if (d < 0) return NAN;
    if (d == 0) return -INFINITY;
    if (isinf(d)) return d;
    int64_t u = (int64_t)ref_f64_bits(d), e = (u - WG_APPROX_BITS_SQRT_HALF) >> 52;
    double m = ref_as_f64((uint64_t)u - ((uint64_t)e << 52)), s = (m - 1) / (m + 1);
    return s * HORNER(lg2_c, s * s) + (double)e;
}

static double trig_core(double d, bool cosine) {
    if (isinf(d)) return NAN;
    if (fabs(d) >= WG_APPROX_TRIG_LIMIT) d = 0;
    double t = d * WG_APPROX_TWO_OVER_PI + WG_APPROX_MAGIC, n = t - WG_APPROX_MAGIC;
    uint64_t q = ref_f64_bits(t) & 3;
    double y = (d - n * WG_APPROX_HALF_PI_HIGH) - n * WG_APPROX_HALF_PI_LOW, z = y * y;
    double s = y * (1 + z * HORNER(sin_c, z)), c = 1 + z * HORNER(cos_c, z);
    double r = ((q & 1) != 0) == cosine ? s : c;
    return (q + cosine) & 2 ? -r : r;
}

static double tanh_core(double d) {
    double a = fabs(d);
    a = a > WG_APPROX_TANH_LIMIT ? WG_APPROX_TANH_LIMIT : a;
    double e = exp2_core(a * WG_APPROX_TWO_LOG2_E), z = a * a;
    double r = a < WG_APPROX_TANH_SMALL ? a + (a * z) * HORNER(tanh_c, z) : (e - 1) / (e + 1);
    return copysign(r, d);
}

static double core(enum wg_op op, double d) {
    switch (op) {
    case WG_OP_RSQRT_A: return 1 / sqrt(d);
    case WG_OP_EX2_A: return exp2_core(d);
    case WG_OP_LG2_A: return lg2_core(d);
    case WG_OP_SIN_A: return trig_core(d, false);
    case WG_OP_COS_A: return trig_core(d, true);
    default: return tanh_core(d);
    }
}

/* rsqrt.approx.ftz.f64 looks at the upper word alone: NaNs whose payload is all below it are infinite. */
static const uint64_t upper_nan = UINT64_C(0x7fffffff00000000);
static uint64_t rsqrt_by_upper_word(uint64_t a) {
    uint64_t upper = a & UINT64_C(0xffffffff00000000);
    return upper == ref_infinity(&ref_f64) ? 0 : upper_nan;
}

static uint64_t one(const struct ref_ins *i, const struct ref_format *f, uint64_t a) {
    bool ftz = i->mod[WG_MC_FTZ] == WG_M_ftz, by_upper_word = ftz && f == &ref_f64;
    if (ftz) a = ref_flush(f, a);
    if (ref_is_nan(f, a)) return by_upper_word ? rsqrt_by_upper_word(a) : ref_first_nan(f, &a, 1);
    double v = core(i->op, ref_to_double(f, a));
    if (by_upper_word && isnan(v)) return upper_nan;
    /* The narrow types come by way of f32, f64 stays. */
    if (f->bits == 16) v = (float)v;
    uint64_t r = ref_from_double(f, v, WG_M_rn);
    return ftz ? ref_flush(f, r) : r;
}

REF_LANE_ROW(approx) {
    const struct ref_format *f = i->format;
    uint64_t a = ref_src(l, i, 0), r;
    if (i->type == WG_T_F16X2 || i->type == WG_T_BF16X2)
        r = one(i, f, a & 0xffff) | one(i, f, a >> 16) << 16;
    else
        r = one(i, f, a);
    ref_set(l, i, r);
}

const struct ref_row wg_ref_approx_rows[WG_OP_COUNT] = {
    [WG_OP_RSQRT_A] = {.lane = approx}, [WG_OP_SIN_A] = {.lane = approx}, [WG_OP_COS_A] = {.lane = approx},
    [WG_OP_LG2_A] = {.lane = approx},   [WG_OP_EX2_A] = {.lane = approx}, [WG_OP_TANH_A] = {.lane = approx},
};
