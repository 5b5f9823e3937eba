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

WG_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
WG_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WG_DEVICE int __clz(int x) { return __builtin_clzg((unsigned int)x, 32); }
WG_DEVICE int __clzll(long long x) { return __builtin_clzg((unsigned long long)x, 64); }
WG_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
WG_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
WG_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
WG_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
/* Position of the n-th set bit of `mask` from `base` on, upward for n > 0 and downward for n < 0; ~0 when
 * there is none. */
WG_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int n) {
    unsigned int at;
    asm("fns.b32 %0, %1, %2, %3;" : "=r"(at) : "r"(mask), "r"(base), "r"(n));
    return at;
}
/* Three bits of the selector a byte; prmt itself would take the fourth for "its sign in every bit". */
WG_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    return __nvvm_prmt(x, y, selector & 0x7777);
}

/* hi:lo shifted as one 64-bit word. Plain: by shift % 32; _lc and _rc: by min(shift, 32). */
#define WG_FUNNEL(NAME, OP)                                                                                  \
    WG_DEVICE unsigned int NAME(unsigned int low, unsigned int high, unsigned int shift) {                   \
        unsigned int word;                                                                                   \
        asm(OP " %0, %1, %2, %3;" : "=r"(word) : "r"(low), "r"(high), "r"(shift));                           \
        return word;                                                                                         \
    }
WG_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
WG_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
WG_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
WG_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef WG_FUNNEL

WG_DEVICE int __mul24(int x, int y) { return __nvvm_mul24_i(x, y); }
WG_DEVICE unsigned int __umul24(unsigned int x, unsigned int y) { return __nvvm_mul24_ui(x, y); }
WG_DEVICE int __mulhi(int x, int y) { return __nvvm_mulhi_i(x, y); }
WG_DEVICE unsigned int __umulhi(unsigned int x, unsigned int y) { return __nvvm_mulhi_ui(x, y); }
WG_DEVICE long long __mul64hi(long long x, long long y) { return __nvvm_mulhi_ll(x, y); }
WG_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return __nvvm_mulhi_ull(x, y);
}
/* |x - y| + z. */
WG_DEVICE unsigned int __sad(int x, int y, unsigned int z) {
    return (unsigned int)__nvvm_sad_i(x, y, (int)z);
}
WG_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
    return __nvvm_sad_ui(x, y, z);
}
/* Means without overflow: rounded down (hadd) and up (rhadd). */
WG_DEVICE int __hadd(int x, int y) { return (x & y) + ((x ^ y) >> 1); }
WG_DEVICE int __rhadd(int x, int y) { return (x | y) - ((x ^ y) >> 1); }
WG_DEVICE unsigned int __uhadd(unsigned int x, unsigned int y) { return (x & y) + ((x ^ y) >> 1); }
WG_DEVICE unsigned int __urhadd(unsigned int x, unsigned int y) { return (x | y) - ((x ^ y) >> 1); }

/* Dot products: four bytes with four bytes; two halfwords with the low or the high two bytes. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
#define WG_DOT(NAME, OP, T, A, B)                                                                            \
    WG_DEVICE T NAME(A a, B b, T c) {                                                                        \
        T d;                                                                                                 \
        asm(OP " %0, %1, %2, %3;"                                                                            \
            : "=r"(d)                                                                                        \
            : "r"(__builtin_bit_cast(unsigned int, a)), "r"(__builtin_bit_cast(unsigned int, b)), "r"(c));   \
        return d;                                                                                            \
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
