/* bessel_polynomials.h: the polynomials of the device's Bessel functions. Made by device/fit/fit.py;
 * do not edit.
 *
 * Each is Horner's scheme in fused multiply-adds, lowest power last. What the variable is and what stands
 * around the polynomial is told where it is used. "Error" is the polynomial's own, relative, before rounding.
 */
#ifndef WARPGLASS_MATH_BESSEL_POLYNOMIALS_H
#define WARPGLASS_MATH_BESSEL_POLYNOMIALS_H

#include "primitives.h"

/* clang-format off */
/* J0(x) / (x - its zero), x in [0, 4]. Error 2^-56.5. */
WG_MATH_FN double wg_poly_j0_0_4(double __t) {
    double __p = 0x1.8af28ecfcfbaep-40;
    __p = __builtin_fma(__p, __t, -0x1.0e633d2c8931cp-35);
    __p = __builtin_fma(__p, __t, -0x1.02dca24986e56p-33);
    __p = __builtin_fma(__p, __t, 0x1.40be9a214a6dfp-29);
    __p = __builtin_fma(__p, __t, 0x1.00137c4bb30f6p-27);
    __p = __builtin_fma(__p, __t, -0x1.1a8aa9b30455ap-23);
    __p = __builtin_fma(__p, __t, -0x1.8201528d1a2b1p-22);
    __p = __builtin_fma(__p, __t, 0x1.75787f5926a35p-18);
    __p = __builtin_fma(__p, __t, 0x1.a8dbb226a8953p-17);
    __p = __builtin_fma(__p, __t, -0x1.617173802cb44p-13);
    __p = __builtin_fma(__p, __t, -0x1.4153a96f3bd88p-12);
    __p = __builtin_fma(__p, __t, 0x1.bfaca70b198a5p-9);
    __p = __builtin_fma(__p, __t, 0x1.30cbe4edf61aap-8);
    __p = __builtin_fma(__p, __t, -0x1.5677874264a73p-5);
    __p = __builtin_fma(__p, __t, -0x1.36300dac6b686p-5);
    __p = __builtin_fma(__p, __t, 0x1.096db4f5d92fep-2);
    __p = __builtin_fma(__p, __t, 0x1.defaf44fd95acp-4);
    __p = __builtin_fma(__p, __t, -0x1.1b2a04c266426p-1);
    return __p;
}

/* J0(x) / (x - its zero), x in [4, 8]. Error 2^-56.0. */
WG_MATH_FN double wg_poly_j0_4_8(double __t) {
    double __p = -0x1.bfb0b6915c2a0p-39;
    __p = __builtin_fma(__p, __t, 0x1.03d88a290bdf9p-36);
    __p = __builtin_fma(__p, __t, 0x1.23d75c9bd0560p-32);
    __p = __builtin_fma(__p, __t, -0x1.3ecb0af8c157bp-30);
    __p = __builtin_fma(__p, __t, -0x1.1e6ad2a71cf3bp-26);
    __p = __builtin_fma(__p, __t, 0x1.246866f28c529p-24);
    __p = __builtin_fma(__p, __t, 0x1.aab88a4a153f6p-21);
    __p = __builtin_fma(__p, __t, -0x1.950feeadc7d5ap-19);
    __p = __builtin_fma(__p, __t, -0x1.cd44e14cb2c70p-16);
    __p = __builtin_fma(__p, __t, 0x1.949f158694f6fp-14);
    __p = __builtin_fma(__p, __t, 0x1.52a757fbebd2dp-11);
    __p = __builtin_fma(__p, __t, -0x1.104aed8457de0p-9);
    __p = __builtin_fma(__p, __t, -0x1.307fa1bf6f28fp-7);
    __p = __builtin_fma(__p, __t, 0x1.bb360f4dabcebp-6);
    __p = __builtin_fma(__p, __t, 0x1.15618767e6bd2p-4);
    __p = __builtin_fma(__p, __t, -0x1.63c76276a6e61p-3);
    __p = __builtin_fma(__p, __t, -0x1.3d97028754e56p-3);
    __p = __builtin_fma(__p, __t, 0x1.416dc96e57c0ep-2);
    return __p;
}

/* J1(x) / x of z = x^2, x <= 2. Error 2^-56.5. */
WG_MATH_FN double wg_poly_j1_0_2(double __t) {
    double __p = 0x1.1dea3712e83e9p-51;
    __p = __builtin_fma(__p, __t, -0x1.51bd0f06321b5p-43);
    __p = __builtin_fma(__p, __t, 0x1.27e3437ce044bp-35);
    __p = __builtin_fma(__p, __t, -0x1.845c81f75177dp-28);
    __p = __builtin_fma(__p, __t, 0x1.6c16c155bb92bp-21);
    __p = __builtin_fma(__p, __t, -0x1.c71c71c6d6f42p-15);
    __p = __builtin_fma(__p, __t, 0x1.5555555554e92p-9);
    __p = __builtin_fma(__p, __t, -0x1.ffffffffffff0p-5);
    __p = __builtin_fma(__p, __t, 0x1.0000000000000p-1);
    return __p;
}

/* J1(x) / (x - its zero), x in [2, 5.5]. Error 2^-55.8. */
WG_MATH_FN double wg_poly_j1_2_5(double __t) {
    double __p = -0x1.d82c8eb74279ep-39;
    __p = __builtin_fma(__p, __t, -0x1.49dea84c997fep-36);
    __p = __builtin_fma(__p, __t, 0x1.68c816cd30330p-32);
    __p = __builtin_fma(__p, __t, 0x1.b47cf6fbc7f5fp-30);
    __p = __builtin_fma(__p, __t, -0x1.9e5ebc04d84dep-26);
    __p = __builtin_fma(__p, __t, -0x1.a575c542684f3p-24);
    __p = __builtin_fma(__p, __t, 0x1.64e140890ff7bp-20);
    __p = __builtin_fma(__p, __t, 0x1.26bbfc312dac9p-18);
    __p = __builtin_fma(__p, __t, -0x1.b7365cc2950cap-15);
    __p = __builtin_fma(__p, __t, -0x1.17debb1eb9c74p-13);
    __p = __builtin_fma(__p, __t, 0x1.6830f0649155cp-10);
    __p = __builtin_fma(__p, __t, 0x1.46249ede5950fp-9);
    __p = __builtin_fma(__p, __t, -0x1.616565a406730p-6);
    __p = __builtin_fma(__p, __t, -0x1.85c18341284b6p-6);
    __p = __builtin_fma(__p, __t, 0x1.5662fec7e1740p-3);
    __p = __builtin_fma(__p, __t, 0x1.3973d3473f6eap-4);
    __p = __builtin_fma(__p, __t, -0x1.a07475d0ca44ap-2);
    return __p;
}

/* J1(x) / (x - its zero), x in [5.5, 8]. Error 2^-58.6. */
WG_MATH_FN double wg_poly_j1_5_8(double __t) {
    double __p = 0x1.4b6fa3683c5a8p-44;
    __p = __builtin_fma(__p, __t, -0x1.b30c365581de2p-39);
    __p = __builtin_fma(__p, __t, -0x1.92d3c1b117551p-37);
    __p = __builtin_fma(__p, __t, 0x1.f096a943fd703p-32);
    __p = __builtin_fma(__p, __t, 0x1.665a9120b6fa8p-30);
    __p = __builtin_fma(__p, __t, -0x1.9f0c6208019c1p-25);
    __p = __builtin_fma(__p, __t, -0x1.c1bca56019a80p-24);
    __p = __builtin_fma(__p, __t, 0x1.ecef01c768e60p-19);
    __p = __builtin_fma(__p, __t, 0x1.6ca7eeb52c312p-18);
    __p = __builtin_fma(__p, __t, -0x1.8265610d6d478p-13);
    __p = __builtin_fma(__p, __t, -0x1.458a1cbb35ea8p-13);
    __p = __builtin_fma(__p, __t, 0x1.63b96eafb57dcp-8);
    __p = __builtin_fma(__p, __t, 0x1.a4ee7f68050e9p-10);
    __p = __builtin_fma(__p, __t, -0x1.36bdd1342ca7cp-4);
    __p = __builtin_fma(__p, __t, 0x1.4cc4a2901c05ap-8);
    __p = __builtin_fma(__p, __t, 0x1.35b199b15d40ap-2);
    return __p;
}

/* (Y0(x) - 2/pi log(x / zero) J0(x)) / (x^2 - zero^2) of z = x^2, x <= 2. Error 2^-56.6. */
WG_MATH_FN double wg_poly_y0_0_2(double __t) {
    double __p = -0x1.48d98ce0889a2p-63;
    __p = __builtin_fma(__p, __t, 0x1.03433b734f4c3p-54);
    __p = __builtin_fma(__p, __t, -0x1.3c54c0f371aebp-46);
    __p = __builtin_fma(__p, __t, 0x1.2eb3f149835e7p-38);
    __p = __builtin_fma(__p, __t, -0x1.b797036267209p-31);
    __p = __builtin_fma(__p, __t, 0x1.cf0413da5279dp-24);
    __p = __builtin_fma(__p, __t, -0x1.4c030d99a84a5p-17);
    __p = __builtin_fma(__p, __t, 0x1.268a9aaaeb0c5p-11);
    __p = __builtin_fma(__p, __t, -0x1.12583f4a4abcfp-6);
    __p = __builtin_fma(__p, __t, 0x1.750811790a13cp-3);
    return __p;
}

/* Y0(x) / (x - its zero), x in [2, 4.5]. Error 2^-57.1. */
WG_MATH_FN double wg_poly_y0_2_4(double __t) {
    double __p = 0x1.a10997d9e7f29p-37;
    __p = __builtin_fma(__p, __t, -0x1.1a60b6429c2a5p-35);
    __p = __builtin_fma(__p, __t, 0x1.4d39643d528a8p-36);
    __p = __builtin_fma(__p, __t, -0x1.caa6fb0fdf4b0p-35);
    __p = __builtin_fma(__p, __t, 0x1.599e7039ed2aap-32);
    __p = __builtin_fma(__p, __t, -0x1.d8de769a2804cp-31);
    __p = __builtin_fma(__p, __t, 0x1.22f8325b7a2e4p-29);
    __p = __builtin_fma(__p, __t, -0x1.910b363690ac2p-28);
    __p = __builtin_fma(__p, __t, 0x1.1918b7fd5bacbp-26);
    __p = __builtin_fma(__p, __t, -0x1.85f3e4a17558fp-25);
    __p = __builtin_fma(__p, __t, 0x1.0e547d2971753p-23);
    __p = __builtin_fma(__p, __t, -0x1.7c200d12ac5cdp-22);
    __p = __builtin_fma(__p, __t, 0x1.19b558918c12ap-20);
    __p = __builtin_fma(__p, __t, -0x1.7832e4b696103p-19);
    __p = __builtin_fma(__p, __t, 0x1.03e5092cbb537p-18);
    __p = __builtin_fma(__p, __t, -0x1.8816aeb567a17p-16);
    __p = __builtin_fma(__p, __t, 0x1.247f64b29e394p-12);
    __p = __builtin_fma(__p, __t, -0x1.b5db9d4e206d6p-13);
    __p = __builtin_fma(__p, __t, -0x1.85a3a6f55463dp-8);
    __p = __builtin_fma(__p, __t, -0x1.85ebd14d02460p-13);
    __p = __builtin_fma(__p, __t, 0x1.a693e7b1ba0f2p-4);
    __p = __builtin_fma(__p, __t, -0x1.8f41151c8b7b3p-5);
    __p = __builtin_fma(__p, __t, -0x1.a12594b635194p-2);
    return __p;
}

/* Y0(x) / (x - its zero), x in [4.5, 8]. Error 2^-61.8. */
WG_MATH_FN double wg_poly_y0_4_8(double __t) {
    double __p = 0x1.e03758a3bf267p-45;
    __p = __builtin_fma(__p, __t, -0x1.be749bb5e2aa0p-43);
    __p = __builtin_fma(__p, __t, 0x1.dfb8d581f1ddcp-42);
    __p = __builtin_fma(__p, __t, -0x1.d58af0bca46b7p-40);
    __p = __builtin_fma(__p, __t, 0x1.864d6c09124cbp-37);
    __p = __builtin_fma(__p, __t, -0x1.2395d34c2e854p-35);
    __p = __builtin_fma(__p, __t, -0x1.2c70176dd363fp-32);
    __p = __builtin_fma(__p, __t, 0x1.c622e9c4db225p-33);
    __p = __builtin_fma(__p, __t, 0x1.e9c7d57bd56c5p-26);
    __p = __builtin_fma(__p, __t, -0x1.8e2d58b9ad530p-25);
    __p = __builtin_fma(__p, __t, -0x1.847dcac06e168p-20);
    __p = __builtin_fma(__p, __t, 0x1.131a90379f341p-19);
    __p = __builtin_fma(__p, __t, 0x1.dbdda91f4f951p-15);
    __p = __builtin_fma(__p, __t, -0x1.4a10f1f9ed0cep-14);
    __p = __builtin_fma(__p, __t, -0x1.74c0b7decdbbbp-10);
    __p = __builtin_fma(__p, __t, 0x1.d67b96bcf5799p-10);
    __p = __builtin_fma(__p, __t, 0x1.59600e0e1cf53p-6);
    __p = __builtin_fma(__p, __t, -0x1.7fe52c263ce15p-6);
    __p = __builtin_fma(__p, __t, -0x1.253d3141e7745p-3);
    __p = __builtin_fma(__p, __t, 0x1.b39d4796509bcp-4);
    __p = __builtin_fma(__p, __t, 0x1.22332b07b9e2ep-2);
    return __p;
}

/* x (Y1(x) - 2/pi log(x / zero) J1(x)) / (x^2 - zero^2) of z = x^2, x <= 3. Error 2^-56.2. */
WG_MATH_FN double wg_poly_y1_0_3(double __t) {
    double __p = -0x1.1c85844fe5af8p-86;
    __p = __builtin_fma(__p, __t, 0x1.6ae395581b2ffp-77);
    __p = __builtin_fma(__p, __t, -0x1.693c89a890bdcp-68);
    __p = __builtin_fma(__p, __t, 0x1.2905b87c2c484p-59);
    __p = __builtin_fma(__p, __t, -0x1.8cada76211604p-51);
    __p = __builtin_fma(__p, __t, 0x1.a3ab334aa76a3p-43);
    __p = __builtin_fma(__p, __t, -0x1.549cf8970c555p-35);
    __p = __builtin_fma(__p, __t, 0x1.96551dc3d6fe6p-28);
    __p = __builtin_fma(__p, __t, -0x1.4f2940694cd17p-21);
    __p = __builtin_fma(__p, __t, 0x1.5ba2f20a55ab6p-15);
    __p = __builtin_fma(__p, __t, -0x1.7c2ca06d8e360p-10);
    __p = __builtin_fma(__p, __t, 0x1.069922dcaf0e0p-6);
    __p = __builtin_fma(__p, __t, 0x1.0e14beba09e96p-3);
    return __p;
}

/* Y1(x), x in [3, 5]. Error 2^-55.8. */
WG_MATH_FN double wg_poly_y1_3_5(double __t) {
    double __p = -0x1.af6419f6ef6c9p-39;
    __p = __builtin_fma(__p, __t, 0x1.ae2e5885b1a7ep-37);
    __p = __builtin_fma(__p, __t, -0x1.2ca8c9c27a58cp-35);
    __p = __builtin_fma(__p, __t, 0x1.2b9ef07213d64p-33);
    __p = __builtin_fma(__p, __t, -0x1.3ac145761d38ep-31);
    __p = __builtin_fma(__p, __t, 0x1.34cff4463ac1dp-29);
    __p = __builtin_fma(__p, __t, -0x1.28d45b1215e7fp-27);
    __p = __builtin_fma(__p, __t, 0x1.505e46013309fp-25);
    __p = __builtin_fma(__p, __t, -0x1.95abf675b939fp-23);
    __p = __builtin_fma(__p, __t, 0x1.2102c0616a119p-23);
    __p = __builtin_fma(__p, __t, 0x1.6b8359fb69b53p-19);
    __p = __builtin_fma(__p, __t, 0x1.4ffe3ca3ec143p-15);
    __p = __builtin_fma(__p, __t, -0x1.6979944f7bbf9p-12);
    __p = __builtin_fma(__p, __t, -0x1.4a78afdd82f6ep-10);
    __p = __builtin_fma(__p, __t, 0x1.5d503a3029afep-7);
    __p = __builtin_fma(__p, __t, 0x1.df04a2c33b1f1p-6);
    __p = __builtin_fma(__p, __t, -0x1.6034612668ec7p-3);
    __p = __builtin_fma(__p, __t, -0x1.dcdd7d7a42bb0p-4);
    __p = __builtin_fma(__p, __t, 0x1.9779d664523bep-2);
    return __p;
}

/* Y1(x) / (x - its zero), x in [5, 8]. Error 2^-59.9. */
WG_MATH_FN double wg_poly_y1_5_8(double __t) {
    double __p = 0x1.573c150101fb7p-44;
    __p = __builtin_fma(__p, __t, -0x1.542abd3575a43p-42);
    __p = __builtin_fma(__p, __t, 0x1.27bcbc552e172p-40);
    __p = __builtin_fma(__p, __t, -0x1.2773283b0f4d6p-37);
    __p = __builtin_fma(__p, __t, 0x1.789fd8d657024p-36);
    __p = __builtin_fma(__p, __t, 0x1.805e5ce4810afp-32);
    __p = __builtin_fma(__p, __t, 0x1.eaea0eb4fc0a8p-34);
    __p = __builtin_fma(__p, __t, -0x1.4e22cdaecb527p-25);
    __p = __builtin_fma(__p, __t, 0x1.46152a6b6466dp-25);
    __p = __builtin_fma(__p, __t, 0x1.34b55c7fd397fp-19);
    __p = __builtin_fma(__p, __t, -0x1.3fa3bcebda184p-19);
    __p = __builtin_fma(__p, __t, -0x1.a2659d88b42b3p-14);
    __p = __builtin_fma(__p, __t, 0x1.10101d24f2e1ep-13);
    __p = __builtin_fma(__p, __t, 0x1.56e0173da7985p-9);
    __p = __builtin_fma(__p, __t, -0x1.f1b01505f449ep-9);
    __p = __builtin_fma(__p, __t, -0x1.2a2d1e1cc4ea4p-5);
    __p = __builtin_fma(__p, __t, 0x1.d27d906bd9a5fp-5);
    __p = __builtin_fma(__p, __t, 0x1.66cc44a36b0bbp-3);
    __p = __builtin_fma(__p, __t, -0x1.063ad05f38b63p-2);
    return __p;
}

/* P of J0 and Y0 for x >= 8, of z = 1 / x^2. Error 2^-50.0. */
WG_MATH_FN double wg_poly_hankel_p0(double __t) {
    double __p = -0x1.660c6058be7f6p+23;
    __p = __builtin_fma(__p, __t, 0x1.2acab0377fb2ap+20);
    __p = __builtin_fma(__p, __t, -0x1.f8c1882f46116p+15);
    __p = __builtin_fma(__p, __t, 0x1.43cb915eaaf94p+11);
    __p = __builtin_fma(__p, __t, -0x1.adbde9cb89ee6p+6);
    __p = __builtin_fma(__p, __t, 0x1.841e704f0d434p+2);
    __p = __builtin_fma(__p, __t, -0x1.251c0f5051902p-1);
    __p = __builtin_fma(__p, __t, 0x1.cb5ff92e621dap-4);
    __p = __builtin_fma(__p, __t, -0x1.1fffffff3116ep-4);
    __p = __builtin_fma(__p, __t, 0x1.ffffffffffff8p-1);
    return __p;
}

/* x Q of J0 and Y0 for x >= 8, of z = 1 / x^2. Error 2^-44.1. */
WG_MATH_FN double wg_poly_hankel_q0(double __t) {
    double __p = 0x1.2ba8b2f792fbdp+26;
    __p = __builtin_fma(__p, __t, -0x1.e74bcb3acb3f7p+22);
    __p = __builtin_fma(__p, __t, 0x1.88d14de8d285cp+18);
    __p = __builtin_fma(__p, __t, -0x1.ced03fd0ff1b8p+13);
    __p = __builtin_fma(__p, __t, 0x1.09e78faebed8cp+9);
    __p = __builtin_fma(__p, __t, -0x1.84eddab3b97d6p+4);
    __p = __builtin_fma(__p, __t, 0x1.ba41c57566188p+0);
    __p = __builtin_fma(__p, __t, -0x1.d11de6c2a0c37p-3);
    __p = __builtin_fma(__p, __t, 0x1.2bfffffa07703p-4);
    __p = __builtin_fma(__p, __t, -0x1.ffffffffffe19p-4);
    return __p;
}

/* P of J1 and Y1 for x >= 8, of z = 1 / x^2. Error 2^-49.9. */
WG_MATH_FN double wg_poly_hankel_p1(double __t) {
    double __p = 0x1.813841cbbb5ccp+23;
    __p = __builtin_fma(__p, __t, -0x1.422060598f50dp+20);
    __p = __builtin_fma(__p, __t, 0x1.1125976a1a929p+16);
    __p = __builtin_fma(__p, __t, -0x1.611e0f0fbb380p+11);
    __p = __builtin_fma(__p, __t, 0x1.db5ee92a6bfcep+6);
    __p = __builtin_fma(__p, __t, -0x1.b7e89d6636d91p+2);
    __p = __builtin_fma(__p, __t, 0x1.5a674d8ace116p-1);
    __p = __builtin_fma(__p, __t, -0x1.274ffc5b5aea0p-3);
    __p = __builtin_fma(__p, __t, 0x1.dfffffff22e08p-4);
    __p = __builtin_fma(__p, __t, 0x1.0000000000004p+0);
    return __p;
}

/* x Q of J1 and Y1 for x >= 8, of z = 1 / x^2. Error 2^-45.6. */
WG_MATH_FN double wg_poly_hankel_q1(double __t) {
    double __p = -0x1.4145eea637f3bp+26;
    __p = __builtin_fma(__p, __t, 0x1.05ab270a30dfbp+23);
    __p = __builtin_fma(__p, __t, -0x1.a73525765f2abp+18);
    __p = __builtin_fma(__p, __t, 0x1.f5ac3aa052147p+13);
    __p = __builtin_fma(__p, __t, -0x1.23886eb136823p+9);
    __p = __builtin_fma(__p, __t, 0x1.b2bf2e176d689p+4);
    __p = __builtin_fma(__p, __t, -0x1.fe4cd3f06e81cp+0);
    __p = __builtin_fma(__p, __t, 0x1.1c3cf28de7ac5p-2);
    __p = __builtin_fma(__p, __t, -0x1.a3fffff9a335ap-4);
    __p = __builtin_fma(__p, __t, 0x1.7ffffffffff7ep-2);
    return __p;
}

/* I0(x) of z = x^2, x <= 8. Error 2^-54.9. */
WG_MATH_FN double wg_poly_i0(double __t) {
    double __p = 0x1.294193ed78270p-110;
    __p = __builtin_fma(__p, __t, 0x1.05433b1b32441p-101);
    __p = __builtin_fma(__p, __t, 0x1.f72e4735e2d2fp-92);
    __p = __builtin_fma(__p, __t, 0x1.401b06c070f1fp-82);
    __p = __builtin_fma(__p, __t, 0x1.69fbf8016c6a9p-73);
    __p = __builtin_fma(__p, __t, 0x1.55fceae2f697ap-64);
    __p = __builtin_fma(__p, __t, 0x1.0b318351a4203p-55);
    __p = __builtin_fma(__p, __t, 0x1.522a3bdea4416p-47);
    __p = __builtin_fma(__p, __t, 0x1.522a448d1c138p-39);
    __p = __builtin_fma(__p, __t, 0x1.02e85c00c634fp-31);
    __p = __builtin_fma(__p, __t, 0x1.2345678a3b363p-24);
    __p = __builtin_fma(__p, __t, 0x1.c71c71c70ef94p-18);
    __p = __builtin_fma(__p, __t, 0x1.c71c71c71d358p-12);
    __p = __builtin_fma(__p, __t, 0x1.fffffffffff45p-7);
    __p = __builtin_fma(__p, __t, 0x1.0000000000004p-2);
    __p = __builtin_fma(__p, __t, 0x1.0000000000000p+0);
    return __p;
}

/* I1(x) / x of z = x^2, x <= 8. Error 2^-52.9. */
WG_MATH_FN double wg_poly_i1(double __t) {
    double __p = 0x1.16bc17a036b2fp-105;
    __p = __builtin_fma(__p, __t, 0x1.c9644eff0bafdp-97);
    __p = __builtin_fma(__p, __t, 0x1.98bd48a59a129p-87);
    __p = __builtin_fma(__p, __t, 0x1.e031f2b9145b3p-78);
    __p = __builtin_fma(__p, __t, 0x1.f1b8681cc90c3p-69);
    __p = __builtin_fma(__p, __t, 0x1.ab7c6ebf88594p-60);
    __p = __builtin_fma(__p, __t, 0x1.2c97acda75e79p-51);
    __p = __builtin_fma(__p, __t, 0x1.522a3cc360512p-43);
    __p = __builtin_fma(__p, __t, 0x1.27e4fbe6ed8a7p-35);
    __p = __builtin_fma(__p, __t, 0x1.845c8a03acf9dp-28);
    __p = __builtin_fma(__p, __t, 0x1.6c16c16c96198p-21);
    __p = __builtin_fma(__p, __t, 0x1.c71c71c7142d2p-15);
    __p = __builtin_fma(__p, __t, 0x1.55555555559d4p-9);
    __p = __builtin_fma(__p, __t, 0x1.fffffffffffc2p-5);
    __p = __builtin_fma(__p, __t, 0x1.0000000000001p-1);
    return __p;
}

/* exp(-x) sqrt(x) I0(x) of 1 / x, x >= 8. Error 2^-54.5. */
WG_MATH_FN double wg_poly_i0_far(double __t) {
    double __p = 0x1.de985e80c26e1p-34;
    __p = __builtin_fma(__p, __t, 0x1.36172c123f453p-35);
    __p = __builtin_fma(__p, __t, -0x1.9ae1031554e04p-31);
    __p = __builtin_fma(__p, __t, -0x1.2e287745e1a2ep-32);
    __p = __builtin_fma(__p, __t, 0x1.499ae7b4d59c2p-29);
    __p = __builtin_fma(__p, __t, 0x1.2c4a86bc0bfefp-30);
    __p = __builtin_fma(__p, __t, -0x1.4d2b550bd6e76p-28);
    __p = __builtin_fma(__p, __t, -0x1.ac9afa081a33ep-29);
    __p = __builtin_fma(__p, __t, 0x1.d29741886cb2dp-28);
    __p = __builtin_fma(__p, __t, 0x1.f7410b7f70fd0p-28);
    __p = __builtin_fma(__p, __t, -0x1.62c3f99ada19fp-28);
    __p = __builtin_fma(__p, __t, -0x1.c9aa2ffce2ca1p-27);
    __p = __builtin_fma(__p, __t, -0x1.d3b411548af05p-28);
    __p = __builtin_fma(__p, __t, 0x1.02cf9254e7670p-27);
    __p = __builtin_fma(__p, __t, 0x1.7257db9ed6674p-26);
    __p = __builtin_fma(__p, __t, 0x1.51d5f84cd03f6p-25);
    __p = __builtin_fma(__p, __t, 0x1.7d0e5f25bc841p-24);
    __p = __builtin_fma(__p, __t, 0x1.3f49933733f90p-22);
    __p = __builtin_fma(__p, __t, 0x1.8e513accc76a3p-20);
    __p = __builtin_fma(__p, __t, 0x1.75e5ee7822f78p-17);
    __p = __builtin_fma(__p, __t, 0x1.1daa72b5e2366p-13);
    __p = __builtin_fma(__p, __t, 0x1.b87969bb93a48p-9);
    __p = __builtin_fma(__p, __t, 0x1.9bd428ad249a5p-2);
    return __p;
}

/* exp(-x) sqrt(x) I1(x) of 1 / x, x >= 8. Error 2^-54.4. */
WG_MATH_FN double wg_poly_i1_far(double __t) {
    double __p = -0x1.f23ff1f27dca9p-34;
    __p = __builtin_fma(__p, __t, -0x1.1f6f8a3689d3bp-35);
    __p = __builtin_fma(__p, __t, 0x1.ac4bf6a87bc29p-31);
    __p = __builtin_fma(__p, __t, 0x1.1be99bbf474cep-32);
    __p = __builtin_fma(__p, __t, -0x1.5873a50ddf275p-29);
    __p = __builtin_fma(__p, __t, -0x1.1ff732137576bp-30);
    __p = __builtin_fma(__p, __t, 0x1.5e0ee1eae723fp-28);
    __p = __builtin_fma(__p, __t, 0x1.a62d3a5241febp-29);
    __p = __builtin_fma(__p, __t, -0x1.f053fd33757dcp-28);
    __p = __builtin_fma(__p, __t, -0x1.fec28b5e30e16p-28);
    __p = __builtin_fma(__p, __t, 0x1.89426861550d7p-28);
    __p = __builtin_fma(__p, __t, 0x1.df68969b0012bp-27);
    __p = __builtin_fma(__p, __t, 0x1.d2f43270388f8p-28);
    __p = __builtin_fma(__p, __t, -0x1.20dfa102cdc55p-27);
    __p = __builtin_fma(__p, __t, -0x1.91b62a0449ae7p-26);
    __p = __builtin_fma(__p, __t, -0x1.7280f7124367dp-25);
    __p = __builtin_fma(__p, __t, -0x1.ad8c9576be72ap-24);
    __p = __builtin_fma(__p, __t, -0x1.76136c8d9dbb3p-22);
    __p = __builtin_fma(__p, __t, -0x1.ec8e10cda9622p-20);
    __p = __builtin_fma(__p, __t, -0x1.f89c230c1c6c7p-17);
    __p = __builtin_fma(__p, __t, -0x1.cbc54df1e8a30p-13);
    __p = __builtin_fma(__p, __t, -0x1.3f796198ee5e3p-7);
    __p = __builtin_fma(__p, __t, 0x1.8ebe783a84030p-2);
    return __p;
}

/* clang-format on */

#endif
