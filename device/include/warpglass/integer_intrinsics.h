/* integer_intrinsics.h: counting, permuting and shifting bits; products whose other half is wanted; dot
 * products of bytes.
 *
 * Device code only. Each is one or two PTX instructions (popc, clz, brev, prmt, shf, mul.hi, mul24, sad,
 * dp4a), written as a clang builtin where one exists so that constants fold.
 */
#ifndef WARPGLASS_INTEGER_INTRINSICS_H
#define WARPGLASS_INTEGER_INTRINSICS_H

#include "../host_defines.h"

#define WG_DEVICE static __device__ __forceinline__

WG_DEVICE int __popc(unsigned int __x) { return __builtin_popcount(__x); }
WG_DEVICE int __popcll(unsigned long long __x) { return __builtin_popcountll(__x); }
WG_DEVICE int __clz(int __x) { return __builtin_clzg((unsigned int)__x, 32); }
WG_DEVICE int __clzll(long long __x) { return __builtin_clzg((unsigned long long)__x, 64); }
WG_DEVICE int __ffs(int __x) { return __builtin_ffs(__x); }
WG_DEVICE int __ffsll(long long __x) { return __builtin_ffsll(__x); }
WG_DEVICE unsigned int __brev(unsigned int __x) { return __builtin_bitreverse32(__x); }
WG_DEVICE unsigned long long __brevll(unsigned long long __x) { return __builtin_bitreverse64(__x); }
/* Position of the n-th set bit of `mask` from `base` on, upward for n > 0 and downward for n < 0; ~0 when
 * there is none. */
WG_DEVICE unsigned int __fns(unsigned int __mask, unsigned int __base, int __n) {
    unsigned int __at;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(__at) : "r"(__mask), "r"(__base), "r"(__n));
    return __at;
}
/* Three bits of the selector a byte; prmt itself would take the fourth for "its sign in every bit". */
WG_DEVICE unsigned int __byte_perm(unsigned int __x, unsigned int __y, unsigned int __selector) {
    return __nvvm_prmt(__x, __y, __selector & 0x7777);
}

/* hi:lo shifted as one 64-bit word. Plain: by shift % 32; _lc and _rc: by min(shift, 32). */
#define WG_FUNNEL(NAME, OP)                                                                                  \
    WG_DEVICE unsigned int NAME(unsigned int __low, unsigned int __high, unsigned int __shift) {             \
        unsigned int __word;                                                                                 \
        asm(OP " %0, %1, %2, %3;" : "=r"(__word) : "r"(__low), "r"(__high), "r"(__shift));                   \
        return __word;                                                                                       \
    }
WG_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
WG_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
WG_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
WG_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef WG_FUNNEL

WG_DEVICE int __mul24(int __x, int __y) { return __nvvm_mul24_i(__x, __y); }
WG_DEVICE unsigned int __umul24(unsigned int __x, unsigned int __y) { return __nvvm_mul24_ui(__x, __y); }
WG_DEVICE int __mulhi(int __x, int __y) { return __nvvm_mulhi_i(__x, __y); }
WG_DEVICE unsigned int __umulhi(unsigned int __x, unsigned int __y) { return __nvvm_mulhi_ui(__x, __y); }
WG_DEVICE long long __mul64hi(long long __x, long long __y) { return __nvvm_mulhi_ll(__x, __y); }
WG_DEVICE unsigned long long __umul64hi(unsigned long long __x, unsigned long long __y) {
    return __nvvm_mulhi_ull(__x, __y);
}
/* |x - y| + z. */
WG_DEVICE unsigned int __sad(int __x, int __y, unsigned int __z) {
    return (unsigned int)__nvvm_sad_i(__x, __y, (int)__z);
}
WG_DEVICE unsigned int __usad(unsigned int __x, unsigned int __y, unsigned int __z) {
    return __nvvm_sad_ui(__x, __y, __z);
}
/* Means without overflow: rounded down (hadd) and up (rhadd). */
WG_DEVICE int __hadd(int __x, int __y) { return (__x & __y) + ((__x ^ __y) >> 1); }
WG_DEVICE int __rhadd(int __x, int __y) { return (__x | __y) - ((__x ^ __y) >> 1); }
WG_DEVICE unsigned int __uhadd(unsigned int __x, unsigned int __y) {
    return (__x & __y) + ((__x ^ __y) >> 1);
}
WG_DEVICE unsigned int __urhadd(unsigned int __x, unsigned int __y) {
    return (__x | __y) - ((__x ^ __y) >> 1);
}

/* Dot products: four bytes with four bytes; two halfwords with the low or the high two bytes. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
#define WG_DOT(NAME, OP, T, A, B)                                                                            \
    WG_DEVICE T NAME(A __a, B __b, T __c) {                                                                  \
        T __d;                                                                                               \
        asm(OP " %0, %1, %2, %3;"                                                                            \
            : "=r"(__d)                                                                                      \
            : "r"(__builtin_bit_cast(unsigned int, __a)), "r"(__builtin_bit_cast(unsigned int, __b)),        \
              "r"(__c));                                                                                     \
        return __d;                                                                                          \
    }
WG_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
WG_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
WG_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
WG_DOT(__dp4a, "dp4a.u32.u32", unsigned int, uchar4, uchar4)
WG_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
WG_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
WG_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
WG_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, ushort2, uchar4)
WG_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
WG_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
WG_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
WG_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, ushort2, uchar4)
#undef WG_DOT
#endif

#undef WG_DEVICE

#endif
