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
    WG_BOTH_SIDES WORD NAME##32##SUFFIX(const WORD x, const WORD y, const WORD z) {                          \
        typedef WORD element;                                                                                \
        typedef unsigned int sum;                                                                            \
        (void)sizeof(sum);                                                                                   \
        return EXPRESSION;                                                                                   \
    }                                                                                                        \
    WG_BOTH_SIDES unsigned int NAME##16x2##SUFFIX(const unsigned int a, const unsigned int b,                \
                                                  const unsigned int c) {                                    \
        typedef T element;                                                                                   \
        typedef unsigned short sum;                                                                          \
        (void)sizeof(sum);                                                                                   \
        unsigned int word = 0;                                                                               \
        for (int i = 0; i < 32; i += 16) {                                                                   \
            const T x = WG_HALF(T, a, i), y = WG_HALF(T, b, i), z = WG_HALF(T, c, i);                        \
            word |= WG_AS_HALF(EXPRESSION, i);                                                               \
        }                                                                                                    \
        return word;                                                                                         \
    }
#define WG_LARGER(X, Y)   ((X) > (Y) ? (X) : (Y))
#define WG_SMALLER(X, Y)  ((X) < (Y) ? (X) : (Y))
#define WG_SUM            ((element)(sum)((sum)x + (sum)y))
#define WG_NOT_BELOW_0(V) WG_LARGER(V, (element)0)

WG_OF_THREE(__vimax3_s, , int, short, WG_LARGER(WG_LARGER(x, y), z))
WG_OF_THREE(__vimax3_u, , unsigned int, unsigned short, WG_LARGER(WG_LARGER(x, y), z))
WG_OF_THREE(__vimax3_s, _relu, int, short, WG_NOT_BELOW_0(WG_LARGER(WG_LARGER(x, y), z)))
WG_OF_THREE(__vimin3_s, , int, short, WG_SMALLER(WG_SMALLER(x, y), z))
WG_OF_THREE(__vimin3_u, , unsigned int, unsigned short, WG_SMALLER(WG_SMALLER(x, y), z))
WG_OF_THREE(__vimin3_s, _relu, int, short, WG_NOT_BELOW_0(WG_SMALLER(WG_SMALLER(x, y), z)))
WG_OF_THREE(__viaddmax_s, , int, short, WG_LARGER(WG_SUM, z))
WG_OF_THREE(__viaddmax_u, , unsigned int, unsigned short, WG_LARGER(WG_SUM, z))
WG_OF_THREE(__viaddmax_s, _relu, int, short, WG_NOT_BELOW_0(WG_LARGER(WG_SUM, z)))
WG_OF_THREE(__viaddmin_s, , int, short, WG_SMALLER(WG_SUM, z))
WG_OF_THREE(__viaddmin_u, , unsigned int, unsigned short, WG_SMALLER(WG_SUM, z))
WG_OF_THREE(__viaddmin_s, _relu, int, short, WG_NOT_BELOW_0(WG_SMALLER(WG_SUM, z)))

/* Of two: as of three, one of them twice. */
WG_BOTH_SIDES int __vimax_s32_relu(const int a, const int b) { return __vimax3_s32_relu(a, b, b); }
WG_BOTH_SIDES int __vimin_s32_relu(const int a, const int b) { return __vimin3_s32_relu(a, b, b); }
WG_BOTH_SIDES unsigned int __vimax_s16x2_relu(const unsigned int a, const unsigned int b) {
    return __vimax3_s16x2_relu(a, b, b);
}
WG_BOTH_SIDES unsigned int __vimin_s16x2_relu(const unsigned int a, const unsigned int b) {
    return __vimin3_s16x2_relu(a, b, b);
}

/* With the answer to: is it the first one? */
#define WG_WHICH(NAME, WORD, T, OP)                                                                          \
    WG_BOTH_SIDES WORD NAME##32(const WORD a, const WORD b, bool *const pred) {                              \
        *pred = a OP                                                                                         \
        b;                                                                                                   \
        return *pred ? a : b;                                                                                \
    }                                                                                                        \
    WG_BOTH_SIDES unsigned int NAME##16x2(const unsigned int a, const unsigned int b, bool *const pred_hi,   \
                                          bool *const pred_lo) {                                             \
        *pred_hi = WG_HALF(T, a, 16) OP                                                                      \
        WG_HALF(T, b, 16);                                                                                   \
        *pred_lo = WG_HALF(T, a, 0) OP                                                                       \
        WG_HALF(T, b, 0);                                                                                    \
        return ((*pred_hi ? a : b) & 0xffff0000u) | ((*pred_lo ? a : b) & 0xffffu);                          \
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
