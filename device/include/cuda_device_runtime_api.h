/* cuda_device_runtime_api.h: the part of the runtime that kernels have: they launch kernels (dynamic parallelism), copy
 * and fill memory, and allocate. The host's API is in cuda_runtime_api.h.
 *
 * All of it asks one function of the machine, __wg_device_runtime (src/warp/device_runtime.h). clang does not take
 * kernel<<<grid, block>>>(...) in device code: Warpglass spells it
 * __wg_child<decltype(&kernel), kernel>::__at(grid, block)(...)
 * (src/cli/respell_child.c), which becomes a call of the functions below.
 */
#ifndef WARPGLASS_CUDA_DEVICE_RUNTIME_API_H
#define WARPGLASS_CUDA_DEVICE_RUNTIME_API_H
#include "cuda_runtime_api.h"

#define cudaStreamTailLaunch    ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

#if defined(__cplusplus) && defined(__CUDA__)
#define WG_RUNTIME_FN inline __device__ __attribute__((__always_inline__))
extern "C" {
__device__ unsigned long long __wg_device_runtime(unsigned long long __what, unsigned long long __a,
                                                  unsigned long long __b, unsigned long long __c);
/* What CUB's and Thrust's code for the device names and never uses. */
__device__ void *cudaGetParameterBuffer(size_t __alignment, size_t __bytes);
__device__ cudaError_t cudaLaunchDevice(void *__kern, void *__parameters, dim3 __grid, dim3 __block,
                                        unsigned int __shared_bytes, cudaStream_t __stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);

WG_RUNTIME_FN cudaError_t cudaGetLastError(void) { return (cudaError_t)__wg_device_runtime(0, 0, 0, 0); }
WG_RUNTIME_FN cudaError_t cudaPeekAtLastError(void) { return (cudaError_t)__wg_device_runtime(1, 0, 0, 0); }
}

static WG_RUNTIME_FN cudaError_t __wg_runtime_error(cudaError_t __error) {
    return (cudaError_t)__wg_device_runtime(2, __error, 0, 0);
}
static WG_RUNTIME_FN cudaError_t __wg_runtime_made(unsigned long long __handle) {
    return __handle ? cudaSuccess : (cudaError_t)__wg_device_runtime(1, 0, 0, 0);
}
static WG_RUNTIME_FN cudaError_t __wg_runtime_go(unsigned long long __work, cudaStream_t __stream) {
    return __work ? (cudaError_t)__wg_device_runtime(7, __work, (unsigned long long)__stream, 0)
                  : (cudaError_t)__wg_device_runtime(1, 0, 0, 0);
}

extern "C" {
/* ---- errors ---- */
inline __device__ __attribute__((__noinline__)) const char *cudaGetErrorName(cudaError_t __error) {
    switch ((int)__error) {
#define WG_NAME_OF_ERROR(__name, __number)                                                                   \
    case __number: return #__name;
        WG_CUDA_ERRORS(WG_NAME_OF_ERROR)
#undef WG_NAME_OF_ERROR
    default: return "unrecognized error code";
    }
}
/* Of the errors that the functions here give. */
inline __device__ __attribute__((__noinline__)) const char *cudaGetErrorString(cudaError_t __error) {
    switch ((int)__error) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidValue: return "invalid argument";
    case cudaErrorMemoryAllocation: return "out of memory";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorLaunchMaxDepthExceeded: return "launch would exceed maximum depth of nested launches";
    case cudaErrorLaunchPendingCountExceeded: return "launch would exceed maximum number of pending launches";
    case cudaErrorInvalidDeviceFunction: return "invalid device function";
    case cudaErrorInvalidResourceHandle: return "invalid resource handle";
    case cudaErrorLaunchOutOfResources: return "too many resources requested for launch";
    case cudaErrorNotSupported: return "operation not supported";
    default: return cudaGetErrorName(__error);
    }
}

/* ---- conditional nodes of graphs ---- */
#if !defined(WG_DEVICE_RUNTIME_TEXT) /* which has it for what nvcc compiled */
WG_RUNTIME_FN void cudaGraphSetConditional(cudaGraphConditionalHandle __handle, unsigned int __value) {
    __wg_device_runtime(20, __handle, __value, 0);
}
#endif

/* ---- launches ---- */
WG_RUNTIME_FN void *cudaGetParameterBufferV2(void *__kern, dim3 __grid, dim3 __block,
                                             unsigned int __shared_bytes) {
    unsigned long long __memory = __wg_device_runtime(3, (unsigned long long)__kern,
                                                      __grid.x | (unsigned long long)__shared_bytes << 32,
                                                      __grid.y | (unsigned long long)__grid.z << 32);
    return (void *)__wg_device_runtime(4, __memory, __block.x | (unsigned long long)__block.y << 32,
                                       __block.z);
}
WG_RUNTIME_FN cudaError_t cudaLaunchDeviceV2(void *__parameters, cudaStream_t __stream) {
    return __wg_runtime_go((unsigned long long)__parameters, __stream);
}

/* ---- streams and events ---- */
WG_RUNTIME_FN cudaError_t cudaStreamCreateWithFlags(cudaStream_t *__stream, unsigned int __flags) {
    unsigned long long __made = __wg_device_runtime(8, __flags, 0, 0);
    *__stream = (cudaStream_t)__made;
    return __wg_runtime_made(__made);
}
WG_RUNTIME_FN cudaError_t cudaStreamDestroy(cudaStream_t __stream) {
    return (cudaError_t)__wg_device_runtime(10, (unsigned long long)__stream, 0, 0);
}
WG_RUNTIME_FN cudaError_t cudaStreamWaitEvent(cudaStream_t __stream, cudaEvent_t __event, unsigned int) {
    return (cudaError_t)__wg_device_runtime(13, (unsigned long long)__stream, (unsigned long long)__event, 0);
}
WG_RUNTIME_FN cudaError_t cudaEventCreateWithFlags(cudaEvent_t *__event, unsigned int __flags) {
    unsigned long long __made = __wg_device_runtime(9, __flags, 0, 0);
    *__event = (cudaEvent_t)__made;
    return __wg_runtime_made(__made);
}
WG_RUNTIME_FN cudaError_t cudaEventRecord(cudaEvent_t __event, cudaStream_t __stream) {
    return (cudaError_t)__wg_device_runtime(12, (unsigned long long)__event, (unsigned long long)__stream, 0);
}
WG_RUNTIME_FN cudaError_t cudaEventRecordWithFlags(cudaEvent_t __event, cudaStream_t __stream, unsigned int) {
    return (cudaError_t)__wg_device_runtime(12, (unsigned long long)__event, (unsigned long long)__stream, 0);
}
WG_RUNTIME_FN cudaError_t cudaEventDestroy(cudaEvent_t __event) {
    return (cudaError_t)__wg_device_runtime(11, (unsigned long long)__event, 0, 0);
}

/* ---- memory: a kernel's cudaMalloc is its malloc ---- */
WG_RUNTIME_FN cudaError_t cudaMalloc(void **__p, size_t __bytes) {
    *__p = malloc(__bytes);
    return *__p || !__bytes ? cudaSuccess : __wg_runtime_error(cudaErrorMemoryAllocation);
}
WG_RUNTIME_FN cudaError_t cudaFree(void *__p) {
    free(__p);
    return cudaSuccess;
}
WG_RUNTIME_FN cudaError_t cudaMemcpyAsync(void *__to, const void *__from, size_t __bytes,
                                          enum cudaMemcpyKind __kind, cudaStream_t __stream) {
    if (__kind != cudaMemcpyDeviceToDevice && __kind != cudaMemcpyDefault)
        return __wg_runtime_error(cudaErrorInvalidMemcpyDirection);
    return __wg_runtime_go(
        __wg_device_runtime(5, (unsigned long long)__to, (unsigned long long)__from, __bytes), __stream);
}
WG_RUNTIME_FN cudaError_t cudaMemsetAsync(void *__to, int __value, size_t __bytes, cudaStream_t __stream) {
    return __wg_runtime_go(__wg_device_runtime(6, (unsigned long long)__to, (unsigned int)__value, __bytes),
                           __stream);
}

/* ---- the device ---- */
WG_RUNTIME_FN cudaError_t cudaGetDevice(int *__device) {
    *__device = (int)__wg_device_runtime(14, 0, 0, 0);
    return cudaSuccess;
}
WG_RUNTIME_FN cudaError_t cudaGetDeviceCount(int *__count) {
    *__count = (int)__wg_device_runtime(15, 0, 0, 0);
    return cudaSuccess;
}
WG_RUNTIME_FN cudaError_t cudaDeviceGetLimit(size_t *__value, enum cudaLimit __limit) {
    unsigned long long __found = __wg_device_runtime(16, __limit, 0, 0);
    *__value = __found;
    return __found ? cudaSuccess : __wg_runtime_error(cudaErrorUnsupportedLimit);
}
WG_RUNTIME_FN cudaError_t cudaDeviceGetAttribute(int *__value, enum cudaDeviceAttr __which, int __device) {
    unsigned long long __found = __wg_device_runtime(17, __which, __device, 0);
    *__value = (int)__found;
    return __wg_runtime_made(__found);
}
WG_RUNTIME_FN cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, const void *__kern,
                                                                        int __threads,
                                                                        size_t __dynamic_shared_bytes) {
    unsigned long long __found =
        __wg_device_runtime(18, (unsigned long long)__kern, __threads, __dynamic_shared_bytes);
    *__blocks = (int)__found;
    return __wg_runtime_made(__found);
}
WG_RUNTIME_FN cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *__blocks, const void *__kern, int __threads, size_t __dynamic_shared_bytes, unsigned int) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(__blocks, __kern, __threads, __dynamic_shared_bytes);
}
WG_RUNTIME_FN cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__a, const void *__kern) {
    unsigned long long __of[8];
    for (int __i = 0; __i < 8; __i++) __of[__i] = __wg_device_runtime(19, (unsigned long long)__kern, __i, 0);
    cudaError_t __error = __wg_runtime_made(__of[0]);
    for (int __i = 0; __i < 8; __i++) __of[__i] &= ~(1ull << 63);
    __builtin_memset(__a, 0, sizeof *__a);
    __a->sharedSizeBytes = __of[0];
    __a->constSizeBytes = __of[1];
    __a->localSizeBytes = __of[2];
    __a->maxThreadsPerBlock = (int)__of[3];
    __a->numRegs = (int)__of[4];
    __a->ptxVersion = (int)__of[5];
    __a->binaryVersion = (int)__of[6];
    __a->maxDynamicSharedSizeBytes = (int)__of[7];
    return __error;
}
WG_RUNTIME_FN cudaError_t cudaRuntimeGetVersion(int *__version) {
    *__version = CUDART_VERSION;
    return cudaSuccess;
}
}

template <class __T> static WG_RUNTIME_FN cudaError_t cudaMalloc(__T **__p, size_t __bytes) {
    return cudaMalloc((void **)(void *)__p, __bytes);
}

#if __cplusplus >= 201103L /* older C++ launches no kernels from kernels */
/* A kernel, and the places of its parameters: of each the first multiple of its alignment that is free. Constant
 * evaluation may name a kernel, other device code may not. Functions for host and device launch by it, too. */
template <class __F, __F __kern> struct __wg_child;
template <class... __P, void (*__kern)(__P...)> struct __wg_child<void (*)(__P...), __kern> {
    static constexpr void (*__kernel)(__P...) = __kern;

    struct __configured {
        char *__memory;
        cudaStream_t __stream;

        template <class __Q>
        __device__ __attribute__((__always_inline__)) void __put(size_t &__free, const __Q &__p) const {
            __free = (__free + alignof(__Q) - 1) / alignof(__Q) * alignof(__Q);
            __builtin_memcpy(__memory + __free, __builtin_addressof(__p), sizeof __p);
            __free += sizeof __p;
        }
        __device__ __attribute__((__always_inline__)) void operator()(__P... __p) const {
            size_t __free = 0;
            if (!__memory) return;
            int __each[] = {0, (__put(__free, __p), 0)...};
            (void)__each;
            (void)__free;
            cudaLaunchDeviceV2(__memory, __stream);
        }
    };
    static __device__ __attribute__((__always_inline__)) __configured __at(dim3 __grid, dim3 __block,
                                                                           size_t __shared_bytes = 0,
                                                                           cudaStream_t __stream = 0) {
        return {
            (char *)cudaGetParameterBufferV2((void *)__kernel, __grid, __block, (unsigned int)__shared_bytes),
            __stream};
    }

    struct __configured_by_host {
        dim3 __grid, __block;
        size_t __shared_bytes;
        cudaStream_t __stream;

        __host__ void operator()(__P... __p) const {
            __kern<<<__grid, __block, __shared_bytes, __stream>>>(__p...);
        }
    };
    static __host__ __configured_by_host __at(dim3 __grid, dim3 __block, size_t __shared_bytes = 0,
                                              cudaStream_t __stream = 0) {
        return {__grid, __block, __shared_bytes, __stream};
    }
};
#endif
#undef WG_RUNTIME_FN
#endif
#endif
