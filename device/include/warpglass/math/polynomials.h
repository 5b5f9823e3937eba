/* polynomials.h: the polynomials of the device mathematical functions. Made by device/fit/fit.py;
 * do not edit.
 *
 * Each is Horner's scheme in fused multiply-adds, lowest power last. What the variable is and what stands
 * around the polynomial is told where it is used. "Error" is the polynomial's own, relative, before rounding.
 */
#ifndef WARPGLASS_MATH_POLYNOMIALS_H
#define WARPGLASS_MATH_POLYNOMIALS_H

#include "primitives.h"

/* clang-format off */
/* (exp(r) - 1 - r) / r^2. Error 2^-58.2. */
WG_MATH_FN double wg_poly_exp(double __t) {
    double __p = 0x1.1f73102e57f8bp-29;
    __p = __builtin_fma(__p, __t, 0x1.af4e000e84be8p-26);
    __p = __builtin_fma(__p, __t, 0x1.27e4db5e389d2p-22);
    __p = __builtin_fma(__p, __t, 0x1.71de0226bd07ap-19);
    __p = __builtin_fma(__p, __t, 0x1.a01a01a6da7e2p-16);
    __p = __builtin_fma(__p, __t, 0x1.a01a01abeb69fp-13);
    __p = __builtin_fma(__p, __t, 0x1.6c16c16c162d1p-10);
    __p = __builtin_fma(__p, __t, 0x1.11111111100d5p-7);
    __p = __builtin_fma(__p, __t, 0x1.5555555555556p-5);
    __p = __builtin_fma(__p, __t, 0x1.5555555555557p-3);
    __p = __builtin_fma(__p, __t, 0x1.0000000000000p-1);
    return __p;
}

/* (exp(r) - 1 - r) / r^2. Error 2^-28.4. */
WG_MATH_FN float wg_poly_exp_f(float __t) {
    float __p = 0x1.a1250c0000000p-13f;
    __p = __builtin_fmaf(__p, __t, 0x1.6d43420000000p-10f);
    __p = __builtin_fmaf(__p, __t, 0x1.1110e00000000p-7f);
    __p = __builtin_fmaf(__p, __t, 0x1.5554e80000000p-5f);
    __p = __builtin_fmaf(__p, __t, 0x1.5555560000000p-3f);
    __p = __builtin_fmaf(__p, __t, 0x1.0000000000000p-1f);
    return __p;
}

/* (2^r - 1) / r. Error 2^-26.3. */
WG_MATH_FN float wg_poly_exp2_f(float __t) {
    float __p = 0x1.44138a0000000p-13f;
    __p = __builtin_fmaf(__p, __t, 0x1.5f08900000000p-10f);
    __p = __builtin_fmaf(__p, __t, 0x1.3b2a540000000p-7f);
    __p = __builtin_fmaf(__p, __t, 0x1.c6af6c0000000p-5f);
    __p = __builtin_fmaf(__p, __t, 0x1.ebfbe00000000p-3f);
    __p = __builtin_fmaf(__p, __t, 0x1.62e4300000000p-1f);
    return __p;
}

/* 2^r, for powf. Error 2^-34.1. */
WG_MATH_FN double wg_poly_exp2_pow(double __t) {
    double __p = 0x1.00c0e4e15189cp-16;
    __p = __builtin_fma(__p, __t, 0x1.446c79efd4834p-13);
    __p = __builtin_fma(__p, __t, 0x1.5d877598350dep-10);
    __p = __builtin_fma(__p, __t, 0x1.3b29d8bb0b97ep-7);
    __p = __builtin_fma(__p, __t, 0x1.c6b08da70cce3p-5);
    __p = __builtin_fma(__p, __t, 0x1.ebfbe0aa03df0p-3);
    __p = __builtin_fma(__p, __t, 0x1.62e42fef9cc69p-1);
    __p = __builtin_fma(__p, __t, 0x1.ffffffffa7135p-1);
    return __p;
}

/* (atanh(s) / s - 1) / s^2 of z = s^2, for |s| <= 3 - 2 sqrt(2). Error 2^-51.0. */
WG_MATH_FN double wg_poly_atanh(double __t) {
    double __p = 0x1.2b5b5fb2eac92p-4;
    __p = __builtin_fma(__p, __t, 0x1.39fe208c33457p-4);
    __p = __builtin_fma(__p, __t, 0x1.7462b69705382p-4);
    __p = __builtin_fma(__p, __t, 0x1.c71c62debf86bp-4);
    __p = __builtin_fma(__p, __t, 0x1.2492492df6947p-3);
    __p = __builtin_fma(__p, __t, 0x1.99999999952b2p-3);
    __p = __builtin_fma(__p, __t, 0x1.5555555555558p-2);
    return __p;
}

/* ((atanh(s) / s - 1) / s^2 - 1/3) / s^2 of z = s^2: what follows the two terms that pow adds in double-double. Error 2^-57.6. */
WG_MATH_FN double wg_poly_atanh_tail(double __t) {
    double __p = 0x1.e032e4d8436a1p-5;
    __p = __builtin_fma(__p, __t, 0x1.df7c5bc7c7563p-5);
    __p = __builtin_fma(__p, __t, 0x1.1118c9ee5b8a4p-4);
    __p = __builtin_fma(__p, __t, 0x1.3b1395c881220p-4);
    __p = __builtin_fma(__p, __t, 0x1.745d177aad02ap-4);
    __p = __builtin_fma(__p, __t, 0x1.c71c71c6ea871p-4);
    __p = __builtin_fma(__p, __t, 0x1.2492492492522p-3);
    __p = __builtin_fma(__p, __t, 0x1.999999999999ap-3);
    return __p;
}

/* (log(1 + f) - f) / f^2. Error 2^-26.9. */
WG_MATH_FN float wg_poly_log_f(float __t) {
    float __p = 0x1.dba28e0000000p-4f;
    __p = __builtin_fmaf(__p, __t, -0x1.04a2820000000p-3f);
    __p = __builtin_fmaf(__p, __t, 0x1.bc8cf00000000p-4f);
    __p = __builtin_fmaf(__p, __t, -0x1.f496340000000p-4f);
    __p = __builtin_fmaf(__p, __t, 0x1.24c9260000000p-3f);
    __p = __builtin_fmaf(__p, __t, -0x1.55909e0000000p-3f);
    __p = __builtin_fmaf(__p, __t, 0x1.9998d40000000p-3f);
    __p = __builtin_fmaf(__p, __t, -0x1.ffff2c0000000p-3f);
    __p = __builtin_fmaf(__p, __t, 0x1.5555560000000p-2f);
    __p = __builtin_fmaf(__p, __t, -0x1.0000000000000p-1f);
    return __p;
}

/* (log2(1 + f) - f log2(e)) / f^2. Error 2^-26.9. */
WG_MATH_FN float wg_poly_log2_f(float __t) {
    float __p = 0x1.57191e0000000p-3f;
    __p = __builtin_fmaf(__p, __t, -0x1.78043a0000000p-3f);
    __p = __builtin_fmaf(__p, __t, 0x1.40ace80000000p-3f);
    __p = __builtin_fmaf(__p, __t, -0x1.6918d40000000p-3f);
    __p = __builtin_fmaf(__p, __t, 0x1.a6668a0000000p-3f);
    __p = __builtin_fmaf(__p, __t, -0x1.ecc6240000000p-3f);
    __p = __builtin_fmaf(__p, __t, 0x1.2776360000000p-2f);
    __p = __builtin_fmaf(__p, __t, -0x1.7153dc0000000p-2f);
    __p = __builtin_fmaf(__p, __t, 0x1.ec709e0000000p-2f);
    __p = __builtin_fmaf(__p, __t, -0x1.7154760000000p-1f);
    return __p;
}

/* log2(1 + f) / f, for powf. Error 2^-41.0. */
WG_MATH_FN double wg_poly_log2_pow(double __t) {
    double __p = 0x1.20f8a5c07f3f1p-3;
    __p = __builtin_fma(__p, __t, -0x1.34a222551b190p-3);
    __p = __builtin_fma(__p, __t, 0x1.a58ff266ccbc2p-4);
    __p = __builtin_fma(__p, __t, -0x1.c973c6da631e2p-4);
    __p = __builtin_fma(__p, __t, 0x1.0e0ddb03d3a26p-3);
    __p = __builtin_fma(__p, __t, -0x1.29006adc0b304p-3);
    __p = __builtin_fma(__p, __t, 0x1.4839dc4d1fd8ap-3);
    __p = __builtin_fma(__p, __t, -0x1.7142368a1b3a3p-3);
    __p = __builtin_fma(__p, __t, 0x1.a617cab629124p-3);
    __p = __builtin_fma(__p, __t, -0x1.ec710c0d202d9p-3);
    __p = __builtin_fma(__p, __t, 0x1.2776c4850a4c4p-2);
    __p = __builtin_fma(__p, __t, -0x1.715475c087e95p-2);
    __p = __builtin_fma(__p, __t, 0x1.ec709dc409a02p-2);
    __p = __builtin_fma(__p, __t, -0x1.71547652f006dp-1);
    __p = __builtin_fma(__p, __t, 0x1.71547652b82fep+0);
    return __p;
}

/* (sin(r) / r - 1) / r^2 of z = r^2. Error 2^-52.8. */
WG_MATH_FN double wg_poly_sin(double __t) {
    double __p = 0x1.5e0af93077fb4p-33;
    __p = __builtin_fma(__p, __t, -0x1.ae600aa7b36fdp-26);
    __p = __builtin_fma(__p, __t, 0x1.71de379632b85p-19);
    __p = __builtin_fma(__p, __t, -0x1.a01a019e83679p-13);
    __p = __builtin_fma(__p, __t, 0x1.1111111110bb1p-7);
    __p = __builtin_fma(__p, __t, -0x1.5555555555555p-3);
    return __p;
}

/* (cos(r) - 1 + r^2 / 2) / r^4 of z = r^2. Error 2^-54.8. */
WG_MATH_FN double wg_poly_cos(double __t) {
    double __p = -0x1.907d8297799c1p-37;
    __p = __builtin_fma(__p, __t, 0x1.1eeb68bbaf191p-29);
    __p = __builtin_fma(__p, __t, -0x1.27e4fa17ae53ap-22);
    __p = __builtin_fma(__p, __t, 0x1.a01a019f4e8e5p-16);
    __p = __builtin_fma(__p, __t, -0x1.6c16c16c16966p-10);
    __p = __builtin_fma(__p, __t, 0x1.5555555555555p-5);
    return __p;
}

/* (sin(r) / r - 1) / r^2 of z = r^2. Error 2^-32.4. */
WG_MATH_FN float wg_poly_sin_f(float __t) {
    float __p = 0x1.6dbddc0000000p-19f;
    __p = __builtin_fmaf(__p, __t, -0x1.a013a80000000p-13f);
    __p = __builtin_fmaf(__p, __t, 0x1.11110e0000000p-7f);
    __p = __builtin_fmaf(__p, __t, -0x1.5555560000000p-3f);
    return __p;
}

/* (cos(r) - 1 + r^2 / 2) / r^4 of z = r^2. Error 2^-34.0. */
WG_MATH_FN float wg_poly_cos_f(float __t) {
    float __p = -0x1.2524320000000p-22f;
    __p = __builtin_fmaf(__p, __t, 0x1.a015c40000000p-16f);
    __p = __builtin_fmaf(__p, __t, -0x1.6c16c00000000p-10f);
    __p = __builtin_fmaf(__p, __t, 0x1.5555560000000p-5f);
    return __p;
}

/* (asin(x) / x - 1) / x^2 of z = x^2, for |x| <= 1/2. Error 2^-53.5. */
WG_MATH_FN double wg_poly_asin(double __t) {
    double __p = 0x1.d72b2bc8155f8p-6;
    __p = __builtin_fma(__p, __t, -0x1.e6aaa8a0a04ccp-7);
    __p = __builtin_fma(__p, __t, 0x1.1d189408314eep-6);
    __p = __builtin_fma(__p, __t, 0x1.65a9c4dfcf8b2p-8);
    __p = __builtin_fma(__p, __t, 0x1.52420b04b37bep-7);
    __p = __builtin_fma(__p, __t, 0x1.782651caa6547p-7);
    __p = __builtin_fma(__p, __t, 0x1.c9cf07674736ap-7);
    __p = __builtin_fma(__p, __t, 0x1.1c4d35cf95421p-6);
    __p = __builtin_fma(__p, __t, 0x1.6e8bb1c8209a2p-6);
    __p = __builtin_fma(__p, __t, 0x1.f1c71c1db0623p-6);
    __p = __builtin_fma(__p, __t, 0x1.6db6db6e31f13p-5);
    __p = __builtin_fma(__p, __t, 0x1.3333333332ecap-4);
    __p = __builtin_fma(__p, __t, 0x1.5555555555556p-3);
    return __p;
}

/* (asin(x) / x - 1) / x^2 of z = x^2, for |x| <= 1/2. Error 2^-21.3. */
WG_MATH_FN float wg_poly_asin_f(float __t) {
    float __p = 0x1.37fe160000000p-5f;
    __p = __builtin_fmaf(__p, __t, 0x1.b311d20000000p-6f);
    __p = __builtin_fmaf(__p, __t, 0x1.70a6bc0000000p-5f);
    __p = __builtin_fmaf(__p, __t, 0x1.3327320000000p-4f);
    __p = __builtin_fmaf(__p, __t, 0x1.55555e0000000p-3f);
    return __p;
}

/* (atan(t) / t - 1) / t^2 of z = t^2, for |t| <= sqrt(2) - 1. Error 2^-58.0. */
WG_MATH_FN double wg_poly_atan(double __t) {
    double __p = 0x1.0ad0097d20b8dp-6;
    __p = __builtin_fma(__p, __t, -0x1.1b3232f7052b4p-5);
    __p = __builtin_fma(__p, __t, 0x1.74dd3c513e3bdp-5);
    __p = __builtin_fma(__p, __t, -0x1.ac7a72489d24cp-5);
    __p = __builtin_fma(__p, __t, 0x1.e19a0f35d9e15p-5);
    __p = __builtin_fma(__p, __t, -0x1.110e87d8336cfp-4);
    __p = __builtin_fma(__p, __t, 0x1.3b1392d71ae55p-4);
    __p = __builtin_fma(__p, __t, -0x1.745d165ddb301p-4);
    __p = __builtin_fma(__p, __t, 0x1.c71c71c304370p-4);
    __p = __builtin_fma(__p, __t, -0x1.249249248d7e3p-3);
    __p = __builtin_fma(__p, __t, 0x1.9999999999953p-3);
    __p = __builtin_fma(__p, __t, -0x1.5555555555555p-2);
    return __p;
}

/* (atan(t) / t - 1) / t^2 of z = t^2, for |t| <= 1. Error 2^-24.3. */
WG_MATH_FN float wg_poly_atan_f(float __t) {
    float __p = -0x1.38de560000000p-9f;
    __p = __builtin_fmaf(__p, __t, 0x1.ba9f660000000p-7f);
    __p = __builtin_fmaf(__p, __t, -0x1.25dc120000000p-5f);
    __p = __builtin_fmaf(__p, __t, 0x1.0001c60000000p-4f);
    __p = __builtin_fmaf(__p, __t, -0x1.6295f80000000p-4f);
    __p = __builtin_fmaf(__p, __t, 0x1.c3f1680000000p-4f);
    __p = __builtin_fmaf(__p, __t, -0x1.246cd20000000p-3f);
    __p = __builtin_fmaf(__p, __t, 0x1.99983c0000000p-3f);
    __p = __builtin_fmaf(__p, __t, -0x1.5555540000000p-2f);
    return __p;
}

/* First guess of 1 / cbrt(x), x in [1, 8). Error 2^-7.7. */
WG_MATH_FN double wg_poly_cbrt(double __t) {
    double __p = -0x1.c49487b5b6961p-14;
    __p = __builtin_fma(__p, __t, 0x1.a82683b43d7dcp-11);
    __p = __builtin_fma(__p, __t, -0x1.16d3022e9bf0bp-9);
    __p = __builtin_fma(__p, __t, 0x1.c82e4ead99afap-8);
    __p = __builtin_fma(__p, __t, -0x1.a0aaaef7ef916p-5);
    __p = __builtin_fma(__p, __t, 0x1.430259e5c2087p-1);
    return __p;
}

/* (tanh(x) / x - 1) / x^2 of z = x^2, for |x| <= 0.55. Error 2^-24.6. */
WG_MATH_FN float wg_poly_tanh_f(float __t) {
    float __p = -0x1.b0ce4c0000000p-8f;
    __p = __builtin_fmaf(__p, __t, 0x1.5d145a0000000p-6f);
    __p = __builtin_fmaf(__p, __t, -0x1.b99f260000000p-5f);
    __p = __builtin_fmaf(__p, __t, 0x1.110fe60000000p-3f);
    __p = __builtin_fmaf(__p, __t, -0x1.5555540000000p-2f);
    return __p;
}

/* erf(x) / x - 1 of z = x^2, for |x| <= 1. Error 2^-45.6. */
WG_MATH_FN double wg_poly_erf(double __t) {
    double __p = -0x1.ac9585a44fe29p-31;
    __p = __builtin_fma(__p, __t, 0x1.d76af6ca49787p-27);
    __p = __builtin_fma(__p, __t, -0x1.5c131500d3f88p-23);
    __p = __builtin_fma(__p, __t, 0x1.b981d78881a5dp-20);
    __p = __builtin_fma(__p, __t, -0x1.f4ca838adb73bp-17);
    __p = __builtin_fma(__p, __t, 0x1.f9a2be4f731a1p-14);
    __p = __builtin_fma(__p, __t, -0x1.c02db0665e53dp-11);
    __p = __builtin_fma(__p, __t, 0x1.565bccfa44156p-8);
    __p = __builtin_fma(__p, __t, -0x1.b82ce31203772p-6);
    __p = __builtin_fma(__p, __t, 0x1.ce2f21a040f66p-4);
    __p = __builtin_fma(__p, __t, -0x1.812746b0379c1p-2);
    __p = __builtin_fma(__p, __t, 0x1.06eba8214db68p-3);
    return __p;
}

/* (1 + 2 x) exp(x^2) erfc(x) of q = (x - 4) / (x + 4), for x >= 0. Error 2^-56.5. */
WG_MATH_FN double wg_poly_erfcx(double __t) {
    double __p = -0x1.2feb115e10ff8p-32;
    __p = __builtin_fma(__p, __t, 0x1.ff247156a53a2p-31);
    __p = __builtin_fma(__p, __t, 0x1.bc41def3d5cc5p-29);
    __p = __builtin_fma(__p, __t, -0x1.a7f4a11380e73p-27);
    __p = __builtin_fma(__p, __t, -0x1.64110b1736fb3p-26);
    __p = __builtin_fma(__p, __t, 0x1.c8a212189b424p-24);
    __p = __builtin_fma(__p, __t, 0x1.4dcd6b6d85452p-24);
    __p = __builtin_fma(__p, __t, -0x1.b8ce493292da5p-21);
    __p = __builtin_fma(__p, __t, 0x1.393f4d359a7fdp-22);
    __p = __builtin_fma(__p, __t, 0x1.7ef644c7815aap-18);
    __p = __builtin_fma(__p, __t, -0x1.7884d2487d5efp-17);
    __p = __builtin_fma(__p, __t, -0x1.99537515467bep-16);
    __p = __builtin_fma(__p, __t, 0x1.3be0432bfa860p-13);
    __p = __builtin_fma(__p, __t, -0x1.a1df5e81f57b4p-13);
    __p = __builtin_fma(__p, __t, -0x1.8d4a9a6465372p-11);
    __p = __builtin_fma(__p, __t, 0x1.49c672e199469p-8);
    __p = __builtin_fma(__p, __t, -0x1.09623884747dbp-6);
    __p = __builtin_fma(__p, __t, 0x1.3079edf5181dfp-5);
    __p = __builtin_fma(__p, __t, -0x1.0fb06dfe4c6c0p-4);
    __p = __builtin_fma(__p, __t, 0x1.7fee004e1eefep-4);
    __p = __builtin_fma(__p, __t, -0x1.9ddb23c3e8f13p-4);
    __p = __builtin_fma(__p, __t, 0x1.16ecefcfa4d10p-4);
    __p = __builtin_fma(__p, __t, 0x1.f7f5df66fd797p-7);
    __p = __builtin_fma(__p, __t, -0x1.1df1ad154a286p-3);
    __p = __builtin_fma(__p, __t, 0x1.3ba5916e9fd7fp+0);
    return __p;
}

/* erf(x) / x - 1 of z = x^2, for |x| <= 0.925. Error 2^-15.0. */
WG_MATH_FN float wg_poly_erf_f(float __t) {
    float __p = -0x1.397c3e0000000p-11f;
    __p = __builtin_fmaf(__p, __t, 0x1.471af60000000p-8f);
    __p = __builtin_fmaf(__p, __t, -0x1.b686e60000000p-6f);
    __p = __builtin_fmaf(__p, __t, 0x1.ce1a360000000p-4f);
    __p = __builtin_fmaf(__p, __t, -0x1.8126e40000000p-2f);
    __p = __builtin_fmaf(__p, __t, 0x1.06eba60000000p-3f);
    return __p;
}

/* log(1 - erf(x)) / x, for x in [0.92, 4]. Error 2^-25.3. */
WG_MATH_FN float wg_poly_erf_tail_f(float __t) {
    float __p = 0x1.29f2940000000p-22f;
    __p = __builtin_fmaf(__p, __t, -0x1.2dfca40000000p-18f);
    __p = __builtin_fmaf(__p, __t, 0x1.ad48e40000000p-17f);
    __p = __builtin_fmaf(__p, __t, 0x1.21a9e80000000p-12f);
    __p = __builtin_fmaf(__p, __t, -0x1.e0dd0e0000000p-9f);
    __p = __builtin_fmaf(__p, __t, 0x1.898c740000000p-6f);
    __p = __builtin_fmaf(__p, __t, -0x1.b4ea940000000p-4f);
    __p = __builtin_fmaf(__p, __t, -0x1.4509920000000p-1f);
    __p = __builtin_fmaf(__p, __t, -0x1.20f4ba0000000p+0f);
    return __p;
}

/* erfinv(x) / x of z = x^2, |x| <= 1/2. Error 2^-61.7. */
WG_MATH_FN double wg_poly_erfinv_small(double __t) {
    double __p = 0x1.ebabd1a6a2469p-4;
    __p = __builtin_fma(__p, __t, -0x1.8af293987967fp-4);
    __p = __builtin_fma(__p, __t, 0x1.6549e2528d134p-4);
    __p = __builtin_fma(__p, __t, -0x1.7eea0f1d96346p-10);
    __p = __builtin_fma(__p, __t, 0x1.fa6e99af1c795p-6);
    __p = __builtin_fma(__p, __t, 0x1.b9dcba921c856p-6);
    __p = __builtin_fma(__p, __t, 0x1.049c5b96cfb40p-5);
    __p = __builtin_fma(__p, __t, 0x1.2aa3f3e188ee7p-5);
    __p = __builtin_fma(__p, __t, 0x1.5eec804dd7c46p-5);
    __p = __builtin_fma(__p, __t, 0x1.a7c84db275d4ap-5);
    __p = __builtin_fma(__p, __t, 0x1.0a1318d0130dcp-4);
    __p = __builtin_fma(__p, __t, 0x1.62847c4705debp-4);
    __p = __builtin_fma(__p, __t, 0x1.053c2c0aba07cp-3);
    __p = __builtin_fma(__p, __t, 0x1.db29fb2fee5d7p-3);
    __p = __builtin_fma(__p, __t, 0x1.c5bf891b4ef6bp-1);
    return __p;
}

/* erfinv(x) / x of w = -log(1 - x^2) <= 6.25. Error 2^-53.7. */
WG_MATH_FN double wg_poly_erfinv_centre(double __t) {
    double __p = 0x1.7e1362705ca25p-67;
    __p = __builtin_fma(__p, __t, -0x1.dbd03296f515cp-63);
    __p = __builtin_fma(__p, __t, 0x1.78de471ab87f6p-61);
    __p = __builtin_fma(__p, __t, 0x1.d18d0511c4ec2p-57);
    __p = __builtin_fma(__p, __t, -0x1.14ea4a438a7cfp-53);
    __p = __builtin_fma(__p, __t, -0x1.f199224ada7c4p-58);
    __p = __builtin_fma(__p, __t, 0x1.d33b621703d86p-48);
    __p = __builtin_fma(__p, __t, -0x1.6a8d6257d2949p-45);
    __p = __builtin_fma(__p, __t, -0x1.6a1eadad9d13cp-44);
    __p = __builtin_fma(__p, __t, 0x1.725d3058234e6p-39);
    __p = __builtin_fma(__p, __t, -0x1.c8b48ce0f4c15p-37);
    __p = __builtin_fma(__p, __t, -0x1.dc468aba08cbcp-35);
    __p = __builtin_fma(__p, __t, 0x1.20f598eebe6d1p-30);
    __p = __builtin_fma(__p, __t, -0x1.1a9e93c783c84p-28);
    __p = __builtin_fma(__p, __t, -0x1.f36cf88a35c94p-26);
    __p = __builtin_fma(__p, __t, 0x1.c6b4f8008f932p-22);
    __p = __builtin_fma(__p, __t, -0x1.6e8a539e659eep-20);
    __p = __builtin_fma(__p, __t, -0x1.d1d1f7c73c523p-17);
    __p = __builtin_fma(__p, __t, 0x1.879c2a208222cp-13);
    __p = __builtin_fma(__p, __t, -0x1.8457694838fcep-11);
    __p = __builtin_fma(__p, __t, -0x1.8b6c33114e586p-8);
    __p = __builtin_fma(__p, __t, 0x1.ebd80d9b13dffp-3);
    __p = __builtin_fma(__p, __t, 0x1.a755e7c99ae86p+0);
    return __p;
}

/* erfinv(x) / x of s = sqrt(-log(1 - x^2)) in [2.5, 4]. Error 2^-52.6. */
WG_MATH_FN double wg_poly_erfinv_middle(double __t) {
    double __p = -0x1.a53a301e22b57p-32;
    __p = __builtin_fma(__p, __t, 0x1.85a326c1cb527p-24);
    __p = __builtin_fma(__p, __t, -0x1.206ae34abd5a9p-22);
    __p = __builtin_fma(__p, __t, 0x1.3acdcdc26635cp-26);
    __p = __builtin_fma(__p, __t, 0x1.918866d43073fp-20);
    __p = __builtin_fma(__p, __t, -0x1.0d5f12f3cb324p-18);
    __p = __builtin_fma(__p, __t, 0x1.88e7be48aa51ap-19);
    __p = __builtin_fma(__p, __t, 0x1.a29a626bd0bb9p-17);
    __p = __builtin_fma(__p, __t, -0x1.8cf1ea476ca5dp-15);
    __p = __builtin_fma(__p, __t, 0x1.1e684a09f878bp-14);
    __p = __builtin_fma(__p, __t, 0x1.932deb51d5effp-16);
    __p = __builtin_fma(__p, __t, -0x1.7448a8807fc16p-12);
    __p = __builtin_fma(__p, __t, 0x1.f3cc54ba4185ap-11);
    __p = __builtin_fma(__p, __t, -0x1.ba924133966efp-10);
    __p = __builtin_fma(__p, __t, 0x1.468eeca887021p-9);
    __p = __builtin_fma(__p, __t, -0x1.ebadabb88eb36p-9);
    __p = __builtin_fma(__p, __t, 0x1.5ffcfe5b6db7ap-8);
    __p = __builtin_fma(__p, __t, 0x1.0158a6d641d39p+0);
    __p = __builtin_fma(__p, __t, 0x1.8abcc380d5a48p+1);
    return __p;
}

/* erfinv(x) / x of s = sqrt(-log(1 - x^2)) in [4, 6.4]. Error 2^-53.0. */
WG_MATH_FN double wg_poly_erfinv_far(double __t) {
    double __p = -0x1.a78d703e9c404p-38;
    __p = __builtin_fma(__p, __t, 0x1.a3e35f369ff6bp-38);
    __p = __builtin_fma(__p, __t, 0x1.25eba7ef42217p-34);
    __p = __builtin_fma(__p, __t, -0x1.f80bebbe35ae2p-33);
    __p = __builtin_fma(__p, __t, 0x1.031b273a00204p-31);
    __p = __builtin_fma(__p, __t, -0x1.201478f592a1cp-30);
    __p = __builtin_fma(__p, __t, 0x1.39658f0065e87p-29);
    __p = __builtin_fma(__p, __t, -0x1.31063650e960dp-28);
    __p = __builtin_fma(__p, __t, 0x1.53424ef4fc2acp-27);
    __p = __builtin_fma(__p, __t, -0x1.1742385f31400p-25);
    __p = __builtin_fma(__p, __t, 0x1.36668bc40aa6ep-23);
    __p = __builtin_fma(__p, __t, -0x1.79178442fee9cp-21);
    __p = __builtin_fma(__p, __t, 0x1.c2477929d75f9p-19);
    __p = __builtin_fma(__p, __t, -0x1.f71adbecd6563p-17);
    __p = __builtin_fma(__p, __t, 0x1.ed08f77d97f43p-15);
    __p = __builtin_fma(__p, __t, -0x1.528d5cace7735p-13);
    __p = __builtin_fma(__p, __t, -0x1.0729714be34adp-12);
    __p = __builtin_fma(__p, __t, 0x1.029ddf9407e95p+0);
    __p = __builtin_fma(__p, __t, 0x1.43534d4583a9fp+2);
    return __p;
}

/* erfinv(x) / s of 1 / s, s = sqrt(-log(1 - x^2)) in [6.4, 27.5]. Error 2^-55.5. */
WG_MATH_FN double wg_poly_erfinv_tail(double __t) {
    double __p = 0x1.751bbbcfdda6bp+60;
    __p = __builtin_fma(__p, __t, -0x1.4334bd3e312dap+57);
    __p = __builtin_fma(__p, __t, -0x1.d3b6296957530p+53);
    __p = __builtin_fma(__p, __t, 0x1.90abc3f137e98p+50);
    __p = __builtin_fma(__p, __t, 0x1.162d51e0b434dp+47);
    __p = __builtin_fma(__p, __t, -0x1.e5f7e34e7bb61p+43);
    __p = __builtin_fma(__p, __t, -0x1.40c81863989afp+34);
    __p = __builtin_fma(__p, __t, -0x1.81c8132a62d84p+30);
    __p = __builtin_fma(__p, __t, 0x1.a5e8843bfd871p+32);
    __p = __builtin_fma(__p, __t, -0x1.8fd6f66357b39p+29);
    __p = __builtin_fma(__p, __t, 0x1.4a5a89dd40b29p+26);
    __p = __builtin_fma(__p, __t, -0x1.4bd290ae7f9b2p+23);
    __p = __builtin_fma(__p, __t, 0x1.5b34e0052f453p+20);
    __p = __builtin_fma(__p, __t, -0x1.6fd1035ae76e1p+17);
    __p = __builtin_fma(__p, __t, 0x1.9484ffbf286fap+14);
    __p = __builtin_fma(__p, __t, -0x1.d3b862a535542p+11);
    __p = __builtin_fma(__p, __t, 0x1.2073d8b72c0c0p+9);
    __p = __builtin_fma(__p, __t, -0x1.8339b5301307bp+6);
    __p = __builtin_fma(__p, __t, 0x1.249af2f427026p+4);
    __p = __builtin_fma(__p, __t, -0x1.21745b8da5a0ap+2);
    __p = __builtin_fma(__p, __t, 0x1.b3d9e022084bap+0);
    __p = __builtin_fma(__p, __t, -0x1.792f3b999efdap-2);
    __p = __builtin_fma(__p, __t, -0x1.54d968c0b837ap-3);
    __p = __builtin_fma(__p, __t, 0x1.fab78e0c94708p-1);
    return __p;
}

/* 1 / gamma(x), x in [1, 2]. Error 2^-54.8. */
WG_MATH_FN double wg_poly_rgamma(double __t) {
    double __p = -0x1.826a5aa845764p-24;
    __p = __builtin_fma(__p, __t, 0x1.3d1d48621c7f9p-24);
    __p = __builtin_fma(__p, __t, 0x1.217128c6a4734p-19);
    __p = __builtin_fma(__p, __t, -0x1.d27fb0958996cp-17);
    __p = __builtin_fma(__p, __t, 0x1.a963867b157cep-16);
    __p = __builtin_fma(__p, __t, 0x1.3f84fbacf6632p-13);
    __p = __builtin_fma(__p, __t, -0x1.232bd85edd4acp-10);
    __p = __builtin_fma(__p, __t, 0x1.15f7ef626246ap-9);
    __p = __builtin_fma(__p, __t, 0x1.b16203e58badfp-8);
    __p = __builtin_fma(__p, __t, -0x1.5955cc389c842p-5);
    __p = __builtin_fma(__p, __t, 0x1.a18540be330b4p-5);
    __p = __builtin_fma(__p, __t, 0x1.669be41a924cbp-3);
    __p = __builtin_fma(__p, __t, -0x1.0da5a671c048ap-1);
    __p = __builtin_fma(__p, __t, -0x1.514d3d905842cp-5);
    __p = __builtin_fma(__p, __t, 0x1.20dd750429b6dp+0);
    return __p;
}

/* log(gamma(x)) / ((x - 1) (x - 2)), x in [1, 2]. Error 2^-56.7. */
WG_MATH_FN double wg_poly_lgamma_1_2(double __t) {
    double __p = 0x1.8ca55ab6b8718p-17;
    __p = __builtin_fma(__p, __t, -0x1.36d84fee907ffp-16);
    __p = __builtin_fma(__p, __t, 0x1.c7d009a4fae3ap-17);
    __p = __builtin_fma(__p, __t, -0x1.6880fac68f031p-16);
    __p = __builtin_fma(__p, __t, 0x1.672b94917149fp-15);
    __p = __builtin_fma(__p, __t, -0x1.1cf3272629995p-14);
    __p = __builtin_fma(__p, __t, 0x1.ba26ce28a34b0p-14);
    __p = __builtin_fma(__p, __t, -0x1.61854b057e6e9p-13);
    __p = __builtin_fma(__p, __t, 0x1.1c7b46046a59cp-12);
    __p = __builtin_fma(__p, __t, -0x1.cb502b140a127p-12);
    __p = __builtin_fma(__p, __t, 0x1.750aa27fe4301p-11);
    __p = __builtin_fma(__p, __t, -0x1.313e5323120b7p-10);
    __p = __builtin_fma(__p, __t, 0x1.f814b951d538bp-10);
    __p = __builtin_fma(__p, __t, -0x1.a5035375acabep-9);
    __p = __builtin_fma(__p, __t, 0x1.64f0664fb6518p-8);
    __p = __builtin_fma(__p, __t, -0x1.34dbda128eee5p-7);
    __p = __builtin_fma(__p, __t, 0x1.133423527ae27p-6);
    __p = __builtin_fma(__p, __t, -0x1.007aa83cef9abp-5);
    __p = __builtin_fma(__p, __t, 0x1.01af62a2929e1p-4);
    __p = __builtin_fma(__p, __t, -0x1.2aed059bd6085p-3);
    __p = __builtin_fma(__p, __t, 0x1.eeb95b094c191p-2);
    return __p;
}

/* log(gamma(x)) / (x - 2), x in [2, 3]. Error 2^-55.5. */
WG_MATH_FN double wg_poly_lgamma_2_3(double __t) {
    double __p = 0x1.499f096e92c89p-25;
    __p = __builtin_fma(__p, __t, -0x1.b7616e90bd4c0p-24);
    __p = __builtin_fma(__p, __t, 0x1.fa287f25cf10dp-23);
    __p = __builtin_fma(__p, __t, -0x1.5591e2dddd3f2p-21);
    __p = __builtin_fma(__p, __t, 0x1.d48f29c20ab86p-20);
    __p = __builtin_fma(__p, __t, -0x1.414adfb25b3bcp-18);
    __p = __builtin_fma(__p, __t, 0x1.bd75b0c0011aep-17);
    __p = __builtin_fma(__p, __t, -0x1.39576f7996e1ap-15);
    __p = __builtin_fma(__p, __t, 0x1.c135f8ee8a0cdp-14);
    __p = __builtin_fma(__p, __t, -0x1.4a5d13770188ep-12);
    __p = __builtin_fma(__p, __t, 0x1.f7e4616017dc7p-11);
    __p = __builtin_fma(__p, __t, -0x1.95b1157332d09p-9);
    __p = __builtin_fma(__p, __t, 0x1.646ae6e418dd2p-7);
    __p = __builtin_fma(__p, __t, -0x1.6f0ca9a1c293cp-5);
    __p = __builtin_fma(__p, __t, 0x1.1200f695b0dd9p-2);
    __p = __builtin_fma(__p, __t, 0x1.2383e809a67e8p-1);
    return __p;
}

/* x (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi) / 2) of z = 1 / x^2, x >= 10. Error 2^-61.3. */
WG_MATH_FN double wg_poly_stirling(double __t) {
    double __p = 0x1.6813d0b4b0fe4p-8;
    __p = __builtin_fma(__p, __t, -0x1.f37f7526af077p-10);
    __p = __builtin_fma(__p, __t, 0x1.b94707b01d2a5p-11);
    __p = __builtin_fma(__p, __t, -0x1.381377985f3f3p-11);
    __p = __builtin_fma(__p, __t, 0x1.a01a019c051efp-11);
    __p = __builtin_fma(__p, __t, -0x1.6c16c16c1697cp-9);
    __p = __builtin_fma(__p, __t, 0x1.5555555555555p-4);
    return __p;
}

/* clang-format on */

#endif
