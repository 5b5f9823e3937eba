/* cuda_pipeline_primitives.h: copies into shared memory that may be waited for in batches.
 *
 * A copy is done when the call returns, which is what a wait for any batch promises at the most.
 */
#ifndef WARPGLASS_CUDA_PIPELINE_PRIMITIVES_H
#define WARPGLASS_CUDA_PIPELINE_PRIMITIVES_H

#if defined(__cplusplus) && defined(__CUDA__)
#include "cuda_runtime.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
/* `bytes` is 4, 8 or 16; the last `zeroed` of them become zero instead of being read. */
static __device__ __forceinline__ void __pipeline_memcpy_async(void *__restrict__ to,
                                                               const void *__restrict__ from, size_t bytes,
                                                               size_t zeroed = 0) {
    if (zeroed == 0 && bytes == 16)
        *(int4 *)to = *(const int4 *)from;
    else if (zeroed == 0 && bytes == 8)
        *(int2 *)to = *(const int2 *)from;
    else if (zeroed == 0 && bytes == 4)
        *(int *)to = *(const int *)from;
    else
        for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = i < bytes - zeroed ? ((const char *)from)[i] : 0;
}
static __device__ __forceinline__ void __pipeline_commit() {}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t) {}
#pragma clang attribute pop
#endif

#endif
