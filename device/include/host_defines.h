/* host_defines.h: the words that say where code and data live (__global__, __device__, ...).
 *
 * First header on the way: everything else in device/include/ is written with these words. Three readers see
 * it:
 *   clang with -x cuda   the words are attributes that clang knows;
 *   a C++ host compiler  the words vanish, so that `__host__ __device__ int f()` in a shared header still
 *                        compiles;
 *   a C17 compiler       the same (the runtime library includes our API headers).
 *
 * Example:
 *     __global__ void k(int *p);   ->   __attribute__((__global__)) void k(int *p);
 */
#ifndef WARPGLASS_HOST_DEFINES_H
#define WARPGLASS_HOST_DEFINES_H
#if (defined(__VECTOR_TYPES_H__) && !defined(WARPGLASS_VECTOR_TYPES_H)) ||                                   \
    (defined(__DRIVER_TYPES_H__) && !defined(WARPGLASS_DRIVER_TYPES_H))
#error "NVIDIA's headers were read before Warpglass's: include <cuda_runtime.h> before the header that did it"
#endif
/* The name of the toolkit's own guard: Thrust takes the words away around cuda_runtime_api.h unless it is
 * defined. */
#define __HOST_DEFINES_H__

/* There is no `#define __noinline__`: clang knows the word by itself in CUDA mode, and libstdc++ writes
 * __attribute__((__noinline__)), which a macro of that name would break. */
#define __forceinline__ __inline__ __attribute__((__always_inline__))
#define __align__(n)    __attribute__((__aligned__(n)))
#define CUDARTAPI
#ifndef CUDART_CB
#define CUDART_CB
#endif

#if defined(__CUDA__)
#define __host__     __attribute__((__host__))
#define __device__   __attribute__((__device__))
#define __global__   __attribute__((__global__))
#define __shared__   __attribute__((__shared__))
#define __constant__ __attribute__((__constant__))
#define __device_builtin__
#define __cudart_builtin__
#define __builtin_align__(n) __align__(n)
#define __grid_constant__    /* a promise not to write the parameter, which clang 19 has no word for */
/* Only the device pass has a use for it, and the host pass of clang 19 warns about the third argument. */
#if defined(__CUDA_ARCH__)
#define __launch_bounds__(...) __attribute__((__launch_bounds__(__VA_ARGS__)))
#else
#define __launch_bounds__(...)
#endif
#define __maxnreg__(n) /* registers are not a scarce thing here */

/* clang 19 has no attribute that becomes .reqnctapercluster. The dimensions travel in the kernel's mangled
 * name instead, as an ABI tag: __cluster_dims__(2, 1, 1) void k(int *) is _Z1kB22wg_cluster_dims_2_1_1_Pi,
 * and who loads the PTX reads them there and takes the tag out. They have to be numbers or macros for
 * numbers. "overloadable" gives also an extern "C" kernel a mangled name, _Z1kPi once the tag is out. */
#define __cluster_dims__(...)         WG_CLUSTER_DIMS(__VA_ARGS__, 1, 1, unused)
#define WG_CLUSTER_DIMS(X, Y, Z, ...) WG_CLUSTER_TAG(X, Y, Z)
#define WG_CLUSTER_TAG(X, Y, Z)                                                                              \
    __attribute__((__overloadable__, __abi_tag__("wg_cluster_dims_" #X "_" #Y "_" #Z "_")))
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
