/* The definition of PTX's approximate functions: one algorithm each, in f64, step by step, so that the scalar
 * reference and generated code give the same bits. Pure data; ref/approx.c and jit/ both read it.
 *
 * Every step below is one IEEE f64 operation, rounded to nearest even, in the order written; NO multiply is
 * fused with an add. d is the operand as f64 (with .ftz a subnormal operand is a zero of its sign first).
 * HORNER(list, x) is p = c[n]; p = p * x + c[n-1]; ... ; p = p * x + c[0], with the list written highest
 * power first. r becomes f32 by one rounding to nearest even (subnormal results are kept; .ftz flushes them),
 * and for f16 and bf16 types the f32 is then rounded once more to the type. A NaN gives the canonical NaN.
 *
 *   rcp.approx, div.approx, div.full, sqrt.approx    the correctly rounded result of rcp.rn, div.rn, sqrt.rn
 *
 *   rsqrt.approx     1 / sqrt(d), both in f64
 *
 *   ex2.approx       EXP2(d), as f32
 *
 *   lg2.approx       d < 0: NaN; d = +-0: -inf; d = +inf: +inf; else, u being d's bits as a signed integer:
 *                        e = (u - BITS_SQRT_HALF) >> 52;   m = f64 of bits u - (e << 52)
 *                        s = (m - 1) / (m + 1);   r = s * HORNER(LG2, s * s) + (f64)e
 *
 *   sin.approx, cos.approx    infinite: NaN; |d| >= TRIG_LIMIT (an f32 that large has no phase): d = 0; then
 *                        t = d * TWO_OVER_PI + MAGIC;   n = t - MAGIC;   q = low two bits of t's bits
 *                        y = (d - n * HALF_PI_HIGH) - n * HALF_PI_LOW;   z = y * y
 *                        S = y * (1 + z * HORNER(SIN, z));   C = 1 + z * HORNER(COS, z)
 *                        sin: r = q & 1 ? C : S, negated when q & 2      (so sin(-0) = -0)
 *                        cos: r = q & 1 ? S : C, negated when (q + 1) & 2
 *
 *   tanh.approx      a = |d|, at most TANH_LIMIT;   E = EXP2(a * TWO_LOG2_E);   z = a * a
 *                        r = a < TANH_SMALL ? a + (a * z) * HORNER(TANH, z) : (E - 1) / (E + 1), d's sign
 *
 *   EXP2(x):  x = x < -EXP2_LIMIT ? -EXP2_LIMIT : x;   x = x > EXP2_LIMIT ? EXP2_LIMIT : x
 *             t = x + MAGIC;   n = t - MAGIC;   f = x - n                                   [-1/2, 1/2]
 *             p = 1 + f * HORNER(EXP2, f);   r = p * (f64 of bits (bits of t << 52) + BITS_ONE)
 *
 * Errors against the true functions (tests/rows/approx_test.c): below 2^-23.9 relative for ex2 and tanh (and
 * lg2 outside (1/2, 2), inside 2^-23.9 relative too), and 2^-24 absolute for sin and cos in [-100 pi, 100
 * pi]: inside the bounds that the PTX ISA gives (2^-22, 2^-11, 2^-22, 2^-20.5).
 */
#ifndef WG_WARP_APPROX_H
#define WG_WARP_APPROX_H

#define WG_APPROX_MAGIC          0x1.8p52 /* adding it leaves round(x) in the low bits */
#define WG_APPROX_BITS_ONE       0x3ff0000000000000
#define WG_APPROX_EXP2_LIMIT     160.0
#define WG_APPROX_BITS_SQRT_HALF 0x3fe6a09e667f3bcd
#define WG_APPROX_TRIG_LIMIT     0x1p30
#define WG_APPROX_TWO_OVER_PI    0x1.45f306dc9c883p-1
#define WG_APPROX_HALF_PI_HIGH   0x1.921fb54400000p+0
#define WG_APPROX_HALF_PI_LOW    0x1.0b4611a626331p-34
#define WG_APPROX_TANH_LIMIT     20.0
#define WG_APPROX_TANH_SMALL     0.25
#define WG_APPROX_TWO_LOG2_E     0x1.71547652b82fep+1

/* Coefficients, highest power first. */
#define WG_APPROX_EXP2(X)                                                                                    \
    X(0x1.4413896e1ad27p-13)                                                                                 \
    X(0x1.5f0890162a90ap-10)                                                                                 \
    X(0x1.3b2a53045179ap-7) X(0x1.c6af6cdbbdcc7p-5) X(0x1.ebfbe00e63baep-3) X(0x1.62e4302fc626ep-1)
#define WG_APPROX_LG2(X)                                                                                     \
    X(0x1.5ce42aa8d1c0cp-2)                                                                                  \
    X(0x1.a58dc78dd320fp-2) X(0x1.27777f54b0e3dp-1) X(0x1.ec709d13ae363p-1) X(0x1.71547652bed21p+1)
#define WG_APPROX_SIN(X)                                                                                     \
    X(0x1.6dbbee1f24647p-19) X(-0x1.a013a11619d1bp-13) X(0x1.11110dea5e8c0p-7) X(-0x1.555555545c0f8p-3)
#define WG_APPROX_COS(X)                                                                                     \
    X(0x1.9a6c494416c15p-16) X(-0x1.6c0dff970d462p-10) X(0x1.55554cae0fa7ep-5) X(-0x1.fffffffaa6f9bp-2)
#define WG_APPROX_TANH(X)                                                                                    \
    X(0x1.54c587235b8ffp-6) X(-0x1.b9c4e084e92a3p-5) X(0x1.1110cbf5559efp-3) X(-0x1.5555554411e61p-2)
#endif
