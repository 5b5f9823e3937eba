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
    WG_DEVICE unsigned int NAME(unsigned int __a, unsigned int __b) {                                        \
        const int __bits = BITS, __low = SIGN ? -(1 << (__bits - 1)) : 0;                                    \
        const int __high = SIGN ? (1 << (__bits - 1)) - 1 : (1 << __bits) - 1;                               \
        const unsigned int __mask = (1u << __bits) - 1;                                                      \
        (void)__low, (void)__high;                                                                           \
        unsigned int __word = 0;                                                                             \
        _Pragma("unroll") for (int __i = 0; __i < COUNT; __i++) {                                            \
            unsigned int __ua = __a >> (__i * __bits) & __mask, __ub = __b >> (__i * __bits) & __mask;       \
            int __x = SIGN ? (int)(__ua << (32 - __bits)) >> (32 - __bits) : (int)__ua;                      \
            int __y = SIGN ? (int)(__ub << (32 - __bits)) >> (32 - __bits) : (int)__ub;                      \
            __word |= ((unsigned int)(EXPRESSION) & __mask) << (__i * __bits);                               \
        }                                                                                                    \
        return __word;                                                                                       \
    }
#define WG_BOTH_WIDTHS(NAME, SIGN, EXPRESSION)                                                               \
    WG_ELEMENTWISE(NAME##2, 16, 2, SIGN, EXPRESSION)                                                         \
    WG_ELEMENTWISE(NAME##4, 8, 4, SIGN, EXPRESSION)
#define WG_CLAMPED(V) ((V) < __low ? __low : (V) > __high ? __high : (V))
#define WG_COMPARISON(NAME, SIGN, OP)                                                                        \
    WG_BOTH_WIDTHS(__vcmp##NAME, SIGN, __x OP __y ? -1 : 0)                                                  \
    WG_BOTH_WIDTHS(__vset##NAME, SIGN, __x OP __y ? 1 : 0)

WG_BOTH_WIDTHS(__vadd, 0, __x + __y)
WG_BOTH_WIDTHS(__vaddss, 1, WG_CLAMPED(__x + __y))
WG_BOTH_WIDTHS(__vaddus, 0, WG_CLAMPED(__x + __y))
WG_BOTH_WIDTHS(__vsub, 0, __x - __y)
WG_BOTH_WIDTHS(__vsubss, 1, WG_CLAMPED(__x - __y))
WG_BOTH_WIDTHS(__vsubus, 0, WG_CLAMPED(__x - __y))
WG_BOTH_WIDTHS(__vavgs, 1, (__x + __y + (__x + __y >= 0)) >> 1)
WG_BOTH_WIDTHS(__vavgu, 0, (__x + __y + 1) >> 1)
WG_BOTH_WIDTHS(__vhaddu, 0, (__x + __y) >> 1)
WG_BOTH_WIDTHS(__vmins, 1, __x < __y ? __x : __y)
WG_BOTH_WIDTHS(__vminu, 0, __x < __y ? __x : __y)
WG_BOTH_WIDTHS(__vmaxs, 1, __x > __y ? __x : __y)
WG_BOTH_WIDTHS(__vmaxu, 0, __x > __y ? __x : __y)
WG_BOTH_WIDTHS(__vabsdiffs, 1, __x > __y ? __x - __y : __y - __x)
WG_BOTH_WIDTHS(__vabsdiffu, 0, __x > __y ? __x - __y : __y - __x)
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
    WG_DEVICE unsigned int __vabs##WIDTH(unsigned int __a) { return __vabsdiffs##WIDTH(__a, 0); }            \
    WG_DEVICE unsigned int __vneg##WIDTH(unsigned int __a) { return __vsub##WIDTH(0, __a); }                 \
    WG_DEVICE unsigned int __vnegss##WIDTH(unsigned int __a) { return __vsubss##WIDTH(0, __a); }             \
    WG_DEVICE unsigned int __vabsss##WIDTH(unsigned int __a) {                                               \
        return __vmaxs##WIDTH(__a, __vnegss##WIDTH(__a));                                                    \
    }
WG_ONE_OPERAND(2)
WG_ONE_OPERAND(4)

/* Sums of absolute differences. */
WG_DEVICE unsigned int __vsadu2(unsigned int __a, unsigned int __b) {
    unsigned int __d = __vabsdiffu2(__a, __b);
    return (__d & 0xffff) + (__d >> 16);
}
WG_DEVICE unsigned int __vsads2(unsigned int __a, unsigned int __b) {
    unsigned int __d = __vabsdiffs2(__a, __b);
    return (__d & 0xffff) + (__d >> 16);
}
WG_DEVICE unsigned int __vsadu4(unsigned int __a, unsigned int __b) {
    unsigned int __d = __vabsdiffu4(__a, __b);
    return (__d & 0xff) + (__d >> 8 & 0xff) + (__d >> 16 & 0xff) + (__d >> 24);
}
WG_DEVICE unsigned int __vsads4(unsigned int __a, unsigned int __b) {
    unsigned int __d = __vabsdiffs4(__a, __b);
    return (__d & 0xff) + (__d >> 8 & 0xff) + (__d >> 16 & 0xff) + (__d >> 24);
}

#undef WG_ONE_OPERAND
#undef WG_COMPARISON
#undef WG_CLAMPED
#undef WG_BOTH_WIDTHS
#undef WG_ELEMENTWISE
#undef WG_DEVICE

#endif
