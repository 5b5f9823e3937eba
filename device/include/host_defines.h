/* host_defines.h: the words that say where code and data live (__global__, __device__, ...).
 *
 * First header on the way: everything else in device/include/ is written with these words. Three readers see
 * it: clang with -x cuda   the words are attributes that clang knows; a C++ host compiler  the words vanish,
 * so that `__host__ __device__ int f()` in a shared header still compiles; a C17 compiler       the same (the
 * runtime library includes our API headers). Example:  __global__ void k(int *p);   ->
 * __attribute__((global)) void k(int *p);
 */
#ifndef WARPGLASS_HOST_DEFINES_H
#define WARPGLASS_HOST_DEFINES_H

/* There is no `#define __noinline__`: clang knows the word by itself in CUDA mode, and libstdc++ writes
 * __attribute__((__noinline__)), which a macro of that name would break. */
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n)    __attribute__((aligned(n)))
#define CUDARTAPI
#ifndef CUDART_CB
#define CUDART_CB
#endif

#if defined(__CUDA__)
#define __host__     __attribute__((host))
#define __device__   __attribute__((device))
#define __global__   __attribute__((global))
#define __shared__   __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __device_builtin__
#define __cudart_builtin__
#define __builtin_align__(n)   __align__(n)
#define __grid_constant__      __attribute__((grid_constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __device_builtin__
#define __cudart_builtin__
#define __builtin_align__(n) __align__(n)
#define __grid_constant__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(n)
#endif

#endif
