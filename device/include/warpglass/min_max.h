/* min_max.h: CUDA's global min and max, for device and host.
 *
 * clang's math header has (int, int) on the device; here are the other types and mixes that CUDA defines, and
 * all of them for the host. Mixed signedness compares as unsigned, and mixed precision as double, as in CUDA.
 */
#ifndef WARPGLASS_MIN_MAX_H
#define WARPGLASS_MIN_MAX_H

#include "../host_defines.h"

#define WG_MIN_MAX(SPACE, R, A, B)                                                                           \
    static SPACE __forceinline__ R min(A __a, B __b) { return (R)__a < (R)__b ? (R)__a : (R)__b; }           \
    static SPACE __forceinline__ R max(A __a, B __b) { return (R)__a > (R)__b ? (R)__a : (R)__b; }
#define WG_MIN_MAX_SIGNS(S, U)                                                                               \
    WG_MIN_MAX(__host__ __device__, U, U, U)                                                                 \
    WG_MIN_MAX(__host__ __device__, U, S, U)                                                                 \
    WG_MIN_MAX(__host__ __device__, U, U, S)

WG_MIN_MAX(__host__, int, int, int)
WG_MIN_MAX_SIGNS(int, unsigned int)
WG_MIN_MAX(__host__ __device__, long, long, long)
WG_MIN_MAX_SIGNS(long, unsigned long)
WG_MIN_MAX(__host__ __device__, long long, long long, long long)
WG_MIN_MAX_SIGNS(long long, unsigned long long)

/* A NaN loses against a number: fmin and fmax. */
#define WG_MIN_MAX_FLOAT(R, A, B, SUFFIX)                                                                    \
    static __host__ __device__ __forceinline__ R min(A __a, B __b) {                                         \
        return __builtin_fmin##SUFFIX(__a, __b);                                                             \
    }                                                                                                        \
    static __host__ __device__ __forceinline__ R max(A __a, B __b) {                                         \
        return __builtin_fmax##SUFFIX(__a, __b);                                                             \
    }
WG_MIN_MAX_FLOAT(float, float, float, f)
WG_MIN_MAX_FLOAT(double, double, double, )
WG_MIN_MAX_FLOAT(double, float, double, )
WG_MIN_MAX_FLOAT(double, double, float, )

#undef WG_MIN_MAX_FLOAT
#undef WG_MIN_MAX_SIGNS
#undef WG_MIN_MAX

#endif
