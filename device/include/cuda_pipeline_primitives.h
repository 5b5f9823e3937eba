/* cuda_pipeline_primitives.h: copies into shared memory that may be waited for in batches: cp.async, where
 * the device has it (compute capability 8.0).
 */
#ifndef WARPGLASS_CUDA_PIPELINE_PRIMITIVES_H
#define WARPGLASS_CUDA_PIPELINE_PRIMITIVES_H

#if defined(__cplusplus) && defined(__CUDA__)
#include "cuda_runtime.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ to,
                                                               const void *__restrict__ from, size_t bytes,
                                                               size_t zeroed = 0) {
    for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = i < bytes - zeroed ? ((const char *)from)[i] : 0;
}
static __device__ __forceinline__ void __pipeline_commit() {}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t) {}
#else
/* `bytes` is 4, 8 or 16; the last `zeroed` of them become zero instead of being read. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ to,
                                                               const void *__restrict__ from, size_t bytes,
                                                               size_t zeroed = 0) {
    unsigned at = (unsigned)__cvta_generic_to_shared(to), read = (unsigned)(bytes - zeroed);
    const void *global = (const void *)__cvta_generic_to_global(from);
    if (bytes == 16 && zeroed == 0)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(global) : "memory");
    else if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(global), "r"(read)
                     : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at), "l"(global), "r"(read)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(global), "r"(read)
                     : "memory");
}
static __device__ __forceinline__ void __pipeline_commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
/* Waits until at most `batches` of the latest are under way; more than 8 are waited for as 8. */
static __device__ __forceinline__ void __pipeline_wait_prior(size_t batches) {
    switch (batches) {
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
static __device__ __forceinline__ void __pipeline_arrive_on(unsigned long long *barrier) {
    unsigned at = (unsigned)__cvta_generic_to_shared(barrier);
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at) : "memory");
}
#endif
#pragma clang attribute pop
#endif

#endif
