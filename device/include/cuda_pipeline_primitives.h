/* cuda_pipeline_primitives.h: copies into shared memory that may be waited for in batches: cp.async, where
 * the device has it (compute capability 8.0).
 */
#ifndef WARPGLASS_CUDA_PIPELINE_PRIMITIVES_H
#define WARPGLASS_CUDA_PIPELINE_PRIMITIVES_H

#if defined(__cplusplus) && defined(__CUDA__)
#include "cuda_runtime.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ __to,
                                                               const void *__restrict__ __from,
                                                               size_t __bytes, size_t __zeroed = 0) {
    for (size_t __i = 0; __i < __bytes; __i++)
        ((char *)__to)[__i] = __i < __bytes - __zeroed ? ((const char *)__from)[__i] : 0;
}
static __device__ __forceinline__ void __pipeline_commit() {}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t) {}
#else
/* `bytes` is 4, 8 or 16; the last `zeroed` of them become zero instead of being read. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ __to,
                                                               const void *__restrict__ __from,
                                                               size_t __bytes, size_t __zeroed = 0) {
    unsigned __at = (unsigned)__cvta_generic_to_shared(__to), __read = (unsigned)(__bytes - __zeroed);
    const void *__at_global = (const void *)__cvta_generic_to_global(__from);
    if (__bytes == 16 && __zeroed == 0)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(__at), "l"(__at_global) : "memory");
    else if (__bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(__at), "l"(__at_global),
                     "r"(__read)
                     : "memory");
    else if (__bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(__at), "l"(__at_global), "r"(__read)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(__at), "l"(__at_global), "r"(__read)
                     : "memory");
}
static __device__ __forceinline__ void __pipeline_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
/* Waits until at most `batches` of the latest are under way; more than 8 are waited for as 8. */
static __device__ __forceinline__ void __pipeline_wait_prior(size_t __batches) {
    switch (__batches) {
    case 0: asm volatile("cp.async.wait_group 0;" ::: "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" ::: "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" ::: "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" ::: "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" ::: "memory"); break;
    case 5: asm volatile("cp.async.wait_group 5;" ::: "memory"); break;
    case 6: asm volatile("cp.async.wait_group 6;" ::: "memory"); break;
    case 7: asm volatile("cp.async.wait_group 7;" ::: "memory"); break;
    default: asm volatile("cp.async.wait_group 8;" ::: "memory"); break;
    }
}
/* The barrier, of __mbarrier_init, counts the thread's copies as one more arrival. */
static __device__ __forceinline__ void __pipeline_arrive_on(unsigned long long *__barrier) {
    unsigned __at = (unsigned)__cvta_generic_to_shared(__barrier);
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(__at) : "memory");
}
#endif
#pragma clang attribute pop
#endif

#endif
