/* warp_intrinsics.h: what the lanes of a warp can tell each other: votes, matches, shuffles, reductions.
 *
 * Device code only. Every function names its participants by a mask, as CUDA has asked since compute
 * capability 7.0. The older forms without a mask, which CUDA 13 does not have, are here for older programs, and
 * stand for the lanes that are there. Values wider than 32 bits travel as two halves. Example:
 *     v += __shfl_down_sync(0xffffffff, v, 16);   ->   shfl.sync.down.b32
 */
#ifndef WARPGLASS_WARP_INTRINSICS_H
#define WARPGLASS_WARP_INTRINSICS_H

#include "../host_defines.h"

#define WG_DEVICE static __device__ __forceinline__

WG_DEVICE unsigned int __activemask() { return __nvvm_activemask(); }
WG_DEVICE unsigned int __ballot_sync(unsigned int __mask, int __predicate) {
    return __nvvm_vote_ballot_sync(__mask, __predicate);
}
WG_DEVICE int __all_sync(unsigned int __mask, int __predicate) {
    return __nvvm_vote_all_sync(__mask, __predicate);
}
WG_DEVICE int __any_sync(unsigned int __mask, int __predicate) {
    return __nvvm_vote_any_sync(__mask, __predicate);
}
WG_DEVICE int __uni_sync(unsigned int __mask, int __predicate) {
    return __nvvm_vote_uni_sync(__mask, __predicate);
}

/* For the groups of cooperative_groups.h; CUDA has no names for these registers. */
WG_DEVICE unsigned int wg_lane() { return __nvvm_read_ptx_sreg_laneid(); }
WG_DEVICE unsigned int wg_lanes_before() { return __nvvm_read_ptx_sreg_lanemask_lt(); }

/* Which lanes hold the same value: by its bits, as the hardware compares. */
#define WG_MATCH(T, BITS, ANY, ALL)                                                                          \
    WG_DEVICE unsigned int __match_any_sync(unsigned int __mask, T __value) {                                \
        return ANY(__mask, __builtin_bit_cast(BITS, __value));                                               \
    }                                                                                                        \
    WG_DEVICE unsigned int __match_all_sync(unsigned int __mask, T __value, int *__predicate) {              \
        return ALL(__mask, __builtin_bit_cast(BITS, __value), __predicate);                                  \
    }
#define WG_MATCH_32(T) WG_MATCH(T, unsigned int, __nvvm_match_any_sync_i32, __nvvm_match_all_sync_i32p)
#define WG_MATCH_64(T) WG_MATCH(T, unsigned long long, __nvvm_match_any_sync_i64, __nvvm_match_all_sync_i64p)
WG_MATCH_32(int)
WG_MATCH_32(unsigned int)
WG_MATCH_32(float)
WG_MATCH_64(long)
WG_MATCH_64(unsigned long)
WG_MATCH_64(long long)
WG_MATCH_64(unsigned long long)
WG_MATCH_64(double)
#undef WG_MATCH_64
#undef WG_MATCH_32
#undef WG_MATCH

/* The last operand of shfl: in bits 8-12 which lane bits name the segment, in bits 0-4 the last lane (up: the
 * first). */
#define WG_SHUFFLE_SEGMENT(WIDTH, LAST) (((warpSize - (WIDTH)) << 8) | (LAST))

#define WG_SHUFFLE_32(NAME, T, LANE, BUILTIN, LAST)                                                          \
    WG_DEVICE T NAME(unsigned int __mask, T __value, LANE __lane, int __width = warpSize) {                  \
        return __builtin_bit_cast(T, BUILTIN(__mask, __builtin_bit_cast(int, __value), __lane,               \
                                             WG_SHUFFLE_SEGMENT(__width, LAST)));                            \
    }
#define WG_SHUFFLE_64(NAME, T, LANE, BUILTIN, LAST)                                                          \
    WG_DEVICE T NAME(unsigned int __mask, T __value, LANE __lane, int __width = warpSize) {                  \
        unsigned long long __bits = __builtin_bit_cast(unsigned long long, __value);                         \
        unsigned int __low = BUILTIN(__mask, (int)__bits, __lane, WG_SHUFFLE_SEGMENT(__width, LAST));        \
        unsigned int __high =                                                                                \
            BUILTIN(__mask, (int)(__bits >> 32), __lane, WG_SHUFFLE_SEGMENT(__width, LAST));                 \
        return __builtin_bit_cast(T, (unsigned long long)__high << 32 | __low);                              \
    }
#define WG_SHUFFLE(NAME, LANE, BUILTIN, LAST)                                                                \
    WG_SHUFFLE_32(NAME, int, LANE, BUILTIN, LAST)                                                            \
    WG_SHUFFLE_32(NAME, unsigned int, LANE, BUILTIN, LAST)                                                   \
    WG_SHUFFLE_32(NAME, float, LANE, BUILTIN, LAST)                                                          \
    WG_SHUFFLE_64(NAME, long, LANE, BUILTIN, LAST)                                                           \
    WG_SHUFFLE_64(NAME, unsigned long, LANE, BUILTIN, LAST)                                                  \
    WG_SHUFFLE_64(NAME, long long, LANE, BUILTIN, LAST)                                                      \
    WG_SHUFFLE_64(NAME, unsigned long long, LANE, BUILTIN, LAST)                                             \
    WG_SHUFFLE_64(NAME, double, LANE, BUILTIN, LAST)

WG_SHUFFLE(__shfl_sync, int, __nvvm_shfl_sync_idx_i32, 0x1f)
WG_SHUFFLE(__shfl_up_sync, unsigned int, __nvvm_shfl_sync_up_i32, 0)
WG_SHUFFLE(__shfl_down_sync, unsigned int, __nvvm_shfl_sync_down_i32, 0x1f)
WG_SHUFFLE(__shfl_xor_sync, int, __nvvm_shfl_sync_bfly_i32, 0x1f)
#undef WG_SHUFFLE
#undef WG_SHUFFLE_64
#undef WG_SHUFFLE_32
#undef WG_SHUFFLE_SEGMENT

#if !defined(__WARPGLASS_ONLY_CUDA_13)
#define WG_WITHOUT_MASK(NAME, LANE)                                                                          \
    template <class __T> WG_DEVICE __T NAME(__T __value, LANE __lane, int __width = warpSize) {              \
        return NAME##_sync(__activemask(), __value, __lane, __width);                                        \
    }
WG_WITHOUT_MASK(__shfl, int)
WG_WITHOUT_MASK(__shfl_up, unsigned int)
WG_WITHOUT_MASK(__shfl_down, unsigned int)
WG_WITHOUT_MASK(__shfl_xor, int)
#undef WG_WITHOUT_MASK
WG_DEVICE unsigned int __ballot(int __predicate) { return __ballot_sync(__activemask(), __predicate); }
WG_DEVICE int __all(int __predicate) { return __all_sync(__activemask(), __predicate); }
WG_DEVICE int __any(int __predicate) { return __any_sync(__activemask(), __predicate); }
#endif

/* redux.sync: every participant gets the reduction over all. From compute capability 8.0 on. The builtins
 * take the value first, as the instruction does. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
WG_DEVICE unsigned int __reduce_add_sync(unsigned int __mask, unsigned int __v) {
    return __nvvm_redux_sync_add(__v, __mask);
}
WG_DEVICE int __reduce_add_sync(unsigned int __mask, int __v) { return __nvvm_redux_sync_add(__v, __mask); }
WG_DEVICE unsigned int __reduce_min_sync(unsigned int __mask, unsigned int __v) {
    return __nvvm_redux_sync_umin(__v, __mask);
}
WG_DEVICE int __reduce_min_sync(unsigned int __mask, int __v) { return __nvvm_redux_sync_min(__v, __mask); }
WG_DEVICE unsigned int __reduce_max_sync(unsigned int __mask, unsigned int __v) {
    return __nvvm_redux_sync_umax(__v, __mask);
}
WG_DEVICE int __reduce_max_sync(unsigned int __mask, int __v) { return __nvvm_redux_sync_max(__v, __mask); }
WG_DEVICE unsigned int __reduce_and_sync(unsigned int __mask, unsigned int __v) {
    return __nvvm_redux_sync_and(__v, __mask);
}
WG_DEVICE unsigned int __reduce_or_sync(unsigned int __mask, unsigned int __v) {
    return __nvvm_redux_sync_or(__v, __mask);
}
WG_DEVICE unsigned int __reduce_xor_sync(unsigned int __mask, unsigned int __v) {
    return __nvvm_redux_sync_xor(__v, __mask);
}
#endif

#undef WG_DEVICE

#endif
