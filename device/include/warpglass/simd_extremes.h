/* simd_extremes.h: the largest and smallest of two or three; after a sum; not below zero; and which one it
 * was: __vimax3_s32, __viaddmin_u16x2, __vimax_s16x2_relu, __vibmax_u32, ...
 *
 * Host and device. Each is written once for every element type T; "x2" is a word of two elements, applied to
 * each half. A sum keeps the element's bits, as the machine's does. Example: __viaddmax_s32(a, b, c) is
 * max(a + b, c), and __vibmin_u32(a, b, &p) is min(a, b) with p = a <= b.
 */
#ifndef WARPGLASS_SIMD_EXTREMES_H
#define WARPGLASS_SIMD_EXTREMES_H

#include "../host_defines.h"

#define WG_BOTH_SIDES static __host__ __device__ __forceinline__

/* One half of a word as T, and T as a half. */
#define WG_HALF(T, WORD, SHIFT) ((T)(unsigned short)((WORD) >> (SHIFT)))
#define WG_AS_HALF(V, SHIFT)    ((unsigned int)(unsigned short)(V) << (SHIFT))

/* NAME of a 32-bit type, and of halves: EXPRESSION of x, y and z of type T. */
#define WG_OF_THREE(NAME, SUFFIX, WORD, T, EXPRESSION)                                                       \
    WG_BOTH_SIDES WORD NAME##32##SUFFIX(const WORD __x, const WORD __y, const WORD __z) {                    \
        typedef WORD __element;                                                                              \
        typedef unsigned int __sum;                                                                          \
        (void)sizeof(__sum);                                                                                 \
        return EXPRESSION;                                                                                   \
    }                                                                                                        \
    WG_BOTH_SIDES unsigned int NAME##16x2##SUFFIX(const unsigned int __a, const unsigned int __b,            \
                                                  const unsigned int __c) {                                  \
        typedef T __element;                                                                                 \
        typedef unsigned short __sum;                                                                        \
        (void)sizeof(__sum);                                                                                 \
        unsigned int __word = 0;                                                                             \
        for (int __i = 0; __i < 32; __i += 16) {                                                             \
            const T __x = WG_HALF(T, __a, __i), __y = WG_HALF(T, __b, __i), __z = WG_HALF(T, __c, __i);      \
            __word |= WG_AS_HALF(EXPRESSION, __i);                                                           \
        }                                                                                                    \
        return __word;                                                                                       \
    }
#define WG_LARGER(X, Y)   ((X) > (Y) ? (X) : (Y))
#define WG_SMALLER(X, Y)  ((X) < (Y) ? (X) : (Y))
#define WG_SUM            ((__element)(__sum)((__sum)__x + (__sum)__y))
#define WG_NOT_BELOW_0(V) WG_LARGER(V, (__element)0)

WG_OF_THREE(__vimax3_s, , int, short, WG_LARGER(WG_LARGER(__x, __y), __z))
WG_OF_THREE(__vimax3_u, , unsigned int, unsigned short, WG_LARGER(WG_LARGER(__x, __y), __z))
WG_OF_THREE(__vimax3_s, _relu, int, short, WG_NOT_BELOW_0(WG_LARGER(WG_LARGER(__x, __y), __z)))
WG_OF_THREE(__vimin3_s, , int, short, WG_SMALLER(WG_SMALLER(__x, __y), __z))
WG_OF_THREE(__vimin3_u, , unsigned int, unsigned short, WG_SMALLER(WG_SMALLER(__x, __y), __z))
WG_OF_THREE(__vimin3_s, _relu, int, short, WG_NOT_BELOW_0(WG_SMALLER(WG_SMALLER(__x, __y), __z)))
WG_OF_THREE(__viaddmax_s, , int, short, WG_LARGER(WG_SUM, __z))
WG_OF_THREE(__viaddmax_u, , unsigned int, unsigned short, WG_LARGER(WG_SUM, __z))
WG_OF_THREE(__viaddmax_s, _relu, int, short, WG_NOT_BELOW_0(WG_LARGER(WG_SUM, __z)))
WG_OF_THREE(__viaddmin_s, , int, short, WG_SMALLER(WG_SUM, __z))
WG_OF_THREE(__viaddmin_u, , unsigned int, unsigned short, WG_SMALLER(WG_SUM, __z))
WG_OF_THREE(__viaddmin_s, _relu, int, short, WG_NOT_BELOW_0(WG_SMALLER(WG_SUM, __z)))

/* Of two: as of three, one of them twice. */
WG_BOTH_SIDES int __vimax_s32_relu(const int __a, const int __b) { return __vimax3_s32_relu(__a, __b, __b); }
WG_BOTH_SIDES int __vimin_s32_relu(const int __a, const int __b) { return __vimin3_s32_relu(__a, __b, __b); }
WG_BOTH_SIDES unsigned int __vimax_s16x2_relu(const unsigned int __a, const unsigned int __b) {
    return __vimax3_s16x2_relu(__a, __b, __b);
}
WG_BOTH_SIDES unsigned int __vimin_s16x2_relu(const unsigned int __a, const unsigned int __b) {
    return __vimin3_s16x2_relu(__a, __b, __b);
}

/* With the answer to: is it the first one? */
#define WG_WHICH(NAME, WORD, T, OP)                                                                          \
    WG_BOTH_SIDES WORD NAME##32(const WORD __a, const WORD __b, bool *const __pred) {                        \
        *__pred = __a OP                                                                                     \
        __b;                                                                                                 \
        return *__pred ? __a : __b;                                                                          \
    }                                                                                                        \
    WG_BOTH_SIDES unsigned int NAME##16x2(const unsigned int __a, const unsigned int __b,                    \
                                          bool *const __pred_hi, bool *const __pred_lo) {                    \
        *__pred_hi = WG_HALF(T, __a, 16) OP                                                                  \
        WG_HALF(T, __b, 16);                                                                                 \
        *__pred_lo = WG_HALF(T, __a, 0) OP                                                                   \
        WG_HALF(T, __b, 0);                                                                                  \
        return ((*__pred_hi ? __a : __b) & 0xffff0000u) | ((*__pred_lo ? __a : __b) & 0xffffu);              \
    }
WG_WHICH(__vibmax_s, int, short, >=)
WG_WHICH(__vibmax_u, unsigned int, unsigned short, >=)
WG_WHICH(__vibmin_s, int, short, <=)
WG_WHICH(__vibmin_u, unsigned int, unsigned short, <=)

#undef WG_WHICH
#undef WG_NOT_BELOW_0
#undef WG_SUM
#undef WG_SMALLER
#undef WG_LARGER
#undef WG_OF_THREE
#undef WG_AS_HALF
#undef WG_HALF
#undef WG_BOTH_SIDES

#endif
