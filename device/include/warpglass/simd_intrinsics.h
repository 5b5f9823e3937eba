/* simd_intrinsics.h: one 32-bit word taken as two halfwords or four bytes: __vadd4, __vmaxs2, __vcmpgtu4, ...
 *
 * Device code only. The hardware that these were made for is gone (CUDA's own headers emulate them), so each
 * is written once as what it does to one element and applied to all: the compiler turns the loop into plain
 * arithmetic. Names: v OP [s signed | u unsigned | ss, us saturating] [2 | 4].
 */
#ifndef WARPGLASS_SIMD_INTRINSICS_H
#define WARPGLASS_SIMD_INTRINSICS_H

#include "../host_defines.h"

#define WG_DEVICE static __device__ __forceinline__

/* NAME##2 and NAME##4: EXPRESSION of the elements x and y, which are int, sign- or zero-extended from BITS
 * bits. */
#define WG_ELEMENTWISE(NAME, BITS, COUNT, SIGN, EXPRESSION)                                                  \
    WG_DEVICE unsigned int NAME(unsigned int a, unsigned int b) {                                            \
        const int bits = BITS, low = SIGN ? -(1 << (bits - 1)) : 0;                                          \
        const int high = SIGN ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;                                     \
        const unsigned int mask = (1u << bits) - 1;                                                          \
        (void)low, (void)high;                                                                               \
        unsigned int word = 0;                                                                               \
        _Pragma("unroll") for (int i = 0; i < COUNT; i++) {                                                  \
            unsigned int ua = a >> (i * bits) & mask, ub = b >> (i * bits) & mask;                           \
            int x = SIGN ? (int)(ua << (32 - bits)) >> (32 - bits) : (int)ua;                                \
            int y = SIGN ? (int)(ub << (32 - bits)) >> (32 - bits) : (int)ub;                                \
            word |= ((unsigned int)(EXPRESSION) & mask) << (i * bits);                                       \
        }                                                                                                    \
        return word;                                                                                         \
    }
#define WG_BOTH_WIDTHS(NAME, SIGN, EXPRESSION)                                                               \
    WG_ELEMENTWISE(NAME##2, 16, 2, SIGN, EXPRESSION)                                                         \
    WG_ELEMENTWISE(NAME##4, 8, 4, SIGN, EXPRESSION)
#define WG_CLAMPED(V) ((V) < low ? low : (V) > high ? high : (V))
#define WG_COMPARISON(NAME, SIGN, OP)                                                                        \
    WG_BOTH_WIDTHS(__vcmp##NAME, SIGN, x OP y ? -1 : 0)                                                      \
    WG_BOTH_WIDTHS(__vset##NAME, SIGN, x OP y ? 1 : 0)

WG_BOTH_WIDTHS(__vadd, 0, x + y)
WG_BOTH_WIDTHS(__vaddss, 1, WG_CLAMPED(x + y))
WG_BOTH_WIDTHS(__vaddus, 0, WG_CLAMPED(x + y))
WG_BOTH_WIDTHS(__vsub, 0, x - y)
WG_BOTH_WIDTHS(__vsubss, 1, WG_CLAMPED(x - y))
WG_BOTH_WIDTHS(__vsubus, 0, WG_CLAMPED(x - y))
WG_BOTH_WIDTHS(__vavgs, 1, (x + y + (x + y >= 0)) >> 1)
WG_BOTH_WIDTHS(__vavgu, 0, (x + y + 1) >> 1)
WG_BOTH_WIDTHS(__vhaddu, 0, (x + y) >> 1)
WG_BOTH_WIDTHS(__vmins, 1, x < y ? x : y)
WG_BOTH_WIDTHS(__vminu, 0, x < y ? x : y)
WG_BOTH_WIDTHS(__vmaxs, 1, x > y ? x : y)
WG_BOTH_WIDTHS(__vmaxu, 0, x > y ? x : y)
WG_BOTH_WIDTHS(__vabsdiffs, 1, x > y ? x - y : y - x)
WG_BOTH_WIDTHS(__vabsdiffu, 0, x > y ? x - y : y - x)
WG_COMPARISON(eq, 0, ==)
WG_COMPARISON(ne, 0, !=)
WG_COMPARISON(ges, 1, >=)
WG_COMPARISON(geu, 0, >=)
WG_COMPARISON(gts, 1, >)
WG_COMPARISON(gtu, 0, >)
WG_COMPARISON(les, 1, <=)
WG_COMPARISON(leu, 0, <=)
WG_COMPARISON(lts, 1, <)
WG_COMPARISON(ltu, 0, <)

#define WG_ONE_OPERAND(WIDTH)                                                                                \
    WG_DEVICE unsigned int __vabs##WIDTH(unsigned int a) { return __vabsdiffs##WIDTH(a, 0); }                \
    WG_DEVICE unsigned int __vneg##WIDTH(unsigned int a) { return __vsub##WIDTH(0, a); }                     \
    WG_DEVICE unsigned int __vnegss##WIDTH(unsigned int a) { return __vsubss##WIDTH(0, a); }                 \
    WG_DEVICE unsigned int __vabsss##WIDTH(unsigned int a) { return __vmaxs##WIDTH(a, __vnegss##WIDTH(a)); }
WG_ONE_OPERAND(2)
WG_ONE_OPERAND(4)

/* Sums of absolute differences. */
WG_DEVICE unsigned int __vsadu2(unsigned int a, unsigned int b) {
    unsigned int d = __vabsdiffu2(a, b);
    return (d & 0xffff) + (d >> 16);
}
WG_DEVICE unsigned int __vsads2(unsigned int a, unsigned int b) {
    unsigned int d = __vabsdiffs2(a, b);
    return (d & 0xffff) + (d >> 16);
}
WG_DEVICE unsigned int __vsadu4(unsigned int a, unsigned int b) {
    unsigned int d = __vabsdiffu4(a, b);
    return (d & 0xff) + (d >> 8 & 0xff) + (d >> 16 & 0xff) + (d >> 24);
}
WG_DEVICE unsigned int __vsads4(unsigned int a, unsigned int b) {
    unsigned int d = __vabsdiffs4(a, b);
    return (d & 0xff) + (d >> 8 & 0xff) + (d >> 16 & 0xff) + (d >> 24);
}

#undef WG_ONE_OPERAND
#undef WG_COMPARISON
#undef WG_CLAMPED
#undef WG_BOTH_WIDTHS
#undef WG_ELEMENTWISE
#undef WG_DEVICE

#endif
