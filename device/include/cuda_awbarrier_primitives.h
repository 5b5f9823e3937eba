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
#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
static __host__ __device__ __forceinline__ uint32_t __mbarrier_maximum_count() { return (1 << 14) - 1; }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
WG_DEVICE void __mbarrier_init(__mbarrier_t *__at, uint32_t __expected) {
    cuda::wg_details::__mbarrier_init(__at, __expected);
}
WG_DEVICE void __mbarrier_inval(__mbarrier_t *__at) { cuda::wg_details::__mbarrier_inval(__at); }
WG_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *__at) {
    return cuda::wg_details::__mbarrier_arrive(__at, 1);
}
WG_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *__at) {
    return cuda::wg_details::__mbarrier_arrive_drop(__at);
}
WG_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t __token) {
    uint32_t __pending;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(__pending) : "l"(__token));
    return __pending;
}
WG_DEVICE bool __mbarrier_test_wait(__mbarrier_t *__at, __mbarrier_token_t __token) {
    return cuda::wg_details::__mbarrier_look(__at, __token);
}
WG_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t *__at, bool __parity) {
    return cuda::wg_details::__mbarrier_look_parity(__at, __parity);
}
/* How long to wait at most is a hint. */
WG_DEVICE bool __mbarrier_try_wait(__mbarrier_t *__at, __mbarrier_token_t __token, uint32_t) {
    return cuda::wg_details::__mbarrier_look(__at, __token);
}
WG_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t *__at, bool __parity, uint32_t) {
    return cuda::wg_details::__mbarrier_look_parity(__at, __parity);
}
#else
#if defined(__CUDA_ARCH__)
#define WG_SINCE_80                                                                                          \
    __attribute__((__unavailable__("barriers in shared memory begin with compute capability 8.0")))
#else
#define WG_SINCE_80
#endif
WG_SINCE_80 __device__ void __mbarrier_init(__mbarrier_t *__at, uint32_t __expected);
WG_SINCE_80 __device__ void __mbarrier_inval(__mbarrier_t *__at);
WG_SINCE_80 __device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *__at);
WG_SINCE_80 __device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *__at);
WG_SINCE_80 __device__ uint32_t __mbarrier_token_pending_count(__mbarrier_token_t __token);
WG_SINCE_80 __device__ bool __mbarrier_test_wait(__mbarrier_t *__at, __mbarrier_token_t __token);
WG_SINCE_80 __device__ bool __mbarrier_test_wait_parity(__mbarrier_t *__at, bool __parity);
WG_SINCE_80 __device__ bool __mbarrier_try_wait(__mbarrier_t *__at, __mbarrier_token_t __token,
                                                uint32_t __nanoseconds);
WG_SINCE_80 __device__ bool __mbarrier_try_wait_parity(__mbarrier_t *__at, bool __parity,
                                                       uint32_t __nanoseconds);
#undef WG_SINCE_80
#endif
#pragma clang attribute pop
#undef WG_DEVICE
#endif

#endif
