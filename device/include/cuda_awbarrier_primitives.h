/* cuda_awbarrier_primitives.h: barriers in shared memory in the form of C functions: __mbarrier_init,
 * __mbarrier_arrive, __mbarrier_test_wait and their kin, from compute capability 8.0 on.
 */
#ifndef WARPGLASS_CUDA_AWBARRIER_PRIMITIVES_H
#define WARPGLASS_CUDA_AWBARRIER_PRIMITIVES_H

#if defined(__cplusplus) && defined(__CUDA__)
#include "cuda_runtime.h"
#include "warpglass/concurrency/phases.h"
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#define WG_DEVICE static __device__ __forceinline__
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
static __host__ __device__ __forceinline__ uint32_t __mbarrier_maximum_count() { return (1 << 14) - 1; }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
WG_DEVICE void __mbarrier_init(__mbarrier_t *at, uint32_t expected) {
    cuda::wg_details::mbarrier_init(at, expected);
}
WG_DEVICE void __mbarrier_inval(__mbarrier_t *at) { cuda::wg_details::mbarrier_inval(at); }
WG_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *at) {
    return cuda::wg_details::mbarrier_arrive(at, 1);
}
WG_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *at) {
    return cuda::wg_details::mbarrier_arrive_drop(at);
}
WG_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    uint32_t pending;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(token));
    return pending;
}
WG_DEVICE bool __mbarrier_test_wait(__mbarrier_t *at, __mbarrier_token_t token) {
    return cuda::wg_details::mbarrier_look(at, token);
}
WG_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t *at, bool parity) {
    return cuda::wg_details::mbarrier_look_parity(at, parity);
}
/* How long to wait at most is a hint. */
WG_DEVICE bool __mbarrier_try_wait(__mbarrier_t *at, __mbarrier_token_t token, uint32_t) {
    return cuda::wg_details::mbarrier_look(at, token);
}
WG_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t *at, bool parity, uint32_t) {
    return cuda::wg_details::mbarrier_look_parity(at, parity);
}
#else
#if defined(__CUDA_ARCH__)
#define WG_SINCE_80                                                                                          \
    __attribute__((unavailable("barriers in shared memory begin with compute capability 8.0")))
#else
#define WG_SINCE_80
#endif
WG_SINCE_80 __device__ void __mbarrier_init(__mbarrier_t *at, uint32_t expected);
WG_SINCE_80 __device__ void __mbarrier_inval(__mbarrier_t *at);
WG_SINCE_80 __device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *at);
WG_SINCE_80 __device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *at);
WG_SINCE_80 __device__ uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token);
WG_SINCE_80 __device__ bool __mbarrier_test_wait(__mbarrier_t *at, __mbarrier_token_t token);
WG_SINCE_80 __device__ bool __mbarrier_test_wait_parity(__mbarrier_t *at, bool parity);
WG_SINCE_80 __device__ bool __mbarrier_try_wait(__mbarrier_t *at, __mbarrier_token_t token,
                                                uint32_t nanoseconds);
WG_SINCE_80 __device__ bool __mbarrier_try_wait_parity(__mbarrier_t *at, bool parity, uint32_t nanoseconds);
#undef WG_SINCE_80
#endif
#pragma clang attribute pop
#undef WG_DEVICE
#endif

#endif
