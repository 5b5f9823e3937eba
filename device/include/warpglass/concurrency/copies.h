/* copies.h: copies that a barrier waits for: cuda::memcpy_async, and the bulk copies of compute
 * capability 9.0, whose bytes a barrier counts.
 */
#ifndef WARPGLASS_CONCURRENCY_COPIES_H
#define WARPGLASS_CONCURRENCY_COPIES_H

#include "async_copy.h"
#include "barrier.h"

#include "../../cuda.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
#define WG_DEVICE __device__ __forceinline__
namespace cuda {

/* How a copy was done. */
enum class async_contract_fulfillment { none, async };

namespace wg_details {

/* A "group" of the calling thread alone. */
struct __one_thread {
    WG_DEVICE unsigned thread_rank() const { return 0; }
    WG_DEVICE unsigned size() const { return 1; }
};

/* The barrier's phase is not over before this thread's copies are done. */
template <class __Barrier> WG_DEVICE void __barrier_tracks_copies(__Barrier &__b) {
#if WG_HARDWARE_BARRIER
    if (__b.wg_in_hardware()) return __pipeline_arrive_on((unsigned long long *)__b.native());
#endif
    __wait_for_all_copies();
}

} // namespace wg_details

template <class __Group, class __Shape, thread_scope __Scope, class __Completion>
WG_DEVICE async_contract_fulfillment memcpy_async(const __Group &__group, void *__to, const void *__from,
                                                  const __Shape &__shape,
                                                  barrier<__Scope, __Completion> &__b) {
    if (!wg_details::__copy_async(__group.thread_rank(), __group.size(), __to, __from, __shape))
        return async_contract_fulfillment::none;
    wg_details::__barrier_tracks_copies(__b);
    return async_contract_fulfillment::async;
}
template <class __Shape, thread_scope __Scope, class __Completion>
WG_DEVICE async_contract_fulfillment memcpy_async(void *__to, const void *__from, const __Shape &__shape,
                                                  barrier<__Scope, __Completion> &__b) {
    return memcpy_async(wg_details::__one_thread(), __to, __from, __shape, __b);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
namespace device {

/* The phase also waits for so many bytes. */
WG_DEVICE void barrier_expect_tx(barrier<thread_scope_block> &__b, ptrdiff_t __bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(__b.native())),
                 "r"((unsigned)__bytes)
                 : "memory");
}
[[nodiscard]] WG_DEVICE barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &__b, ptrdiff_t __arrivals, ptrdiff_t __bytes) {
    barrier_expect_tx(__b, __bytes);
    return __b.arrive(__arrivals);
}

namespace experimental {

#define WG_SHARED(P) "r"((unsigned)__cvta_generic_to_shared(P))
#define WG_GLOBAL(P) "l"((uint64_t)__cvta_generic_to_global(P))
#define WG_BULK      "cp.async.bulk"
#define WG_COMPLETES ".mbarrier::complete_tx::bytes"

WG_DEVICE void cp_async_bulk_global_to_shared(void *__to, const void *__from, uint32_t __bytes,
                                              barrier<thread_scope_block> &__b) {
    asm volatile(WG_BULK ".shared::cluster.global" WG_COMPLETES " [%0], [%1], %2, [%3];" ::WG_SHARED(__to),
                 WG_GLOBAL(__from), "r"(__bytes), WG_SHARED(__b.native())
                 : "memory");
}
WG_DEVICE void cp_async_bulk_shared_to_global(void *__to, const void *__from, uint32_t __bytes) {
    asm volatile(WG_BULK ".global.shared::cta.bulk_group [%0], [%1], %2;" ::WG_GLOBAL(__to),
                 WG_SHARED(__from), "r"(__bytes)
                 : "memory");
}
WG_DEVICE void cp_async_bulk_commit_group() { asm volatile(WG_BULK ".commit_group;" ::: "memory"); }
template <int __Groups> WG_DEVICE void cp_async_bulk_wait_group() {
    asm volatile(WG_BULK ".wait_group %0;" ::"n"(__Groups) : "memory");
}
template <int __Groups> WG_DEVICE void cp_async_bulk_wait_group_read() {
    asm volatile(WG_BULK ".wait_group.read %0;" ::"n"(__Groups) : "memory");
}
WG_DEVICE void fence_proxy_async_shared_cta() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/* Boxes of a tensor, by their coordinates, the fastest first: DIMENSIONS, parameters, places in the load, in
 * the store, operands. */
#define WG_TENSOR(D, COORDINATES, LOAD_AT, STORE_AT, ...)                                                    \
    WG_DEVICE void cp_async_bulk_tensor_##D##d_global_to_shared(                                             \
        void *__to, const CUtensorMap *__map, WG_UNPACK COORDINATES, barrier<thread_scope_block> &__b) {     \
        asm volatile(WG_BULK ".tensor." #D "d.shared::cluster.global.tile" WG_COMPLETES                      \
                             " [%0], [%1, {" LOAD_AT "}], [%2];" ::WG_SHARED(__to),                          \
                     "l"(__map), WG_SHARED(__b.native()), __VA_ARGS__                                        \
                     : "memory");                                                                            \
    }                                                                                                        \
    WG_DEVICE void cp_async_bulk_tensor_##D##d_shared_to_global(const CUtensorMap *__map,                    \
                                                                WG_UNPACK COORDINATES, const void *__from) { \
        asm volatile(WG_BULK ".tensor." #D "d.global.shared::cta.tile.bulk_group [%0, {" STORE_AT            \
                             "}], [%1];" ::"l"(__map),                                                       \
                     WG_SHARED(__from), __VA_ARGS__                                                          \
                     : "memory");                                                                            \
    }
#define WG_UNPACK(...) __VA_ARGS__
WG_TENSOR(1, (int __x), "%3", "%2", "r"(__x))
WG_TENSOR(2, (int __x, int __y), "%3, %4", "%2, %3", "r"(__x), "r"(__y))
WG_TENSOR(3, (int __x, int __y, int __z), "%3, %4, %5", "%2, %3, %4", "r"(__x), "r"(__y), "r"(__z))
WG_TENSOR(4, (int __x, int __y, int __z, int __w), "%3, %4, %5, %6", "%2, %3, %4, %5", "r"(__x), "r"(__y),
          "r"(__z), "r"(__w))
WG_TENSOR(5, (int __x, int __y, int __z, int __w, int __v), "%3, %4, %5, %6, %7", "%2, %3, %4, %5, %6",
          "r"(__x), "r"(__y), "r"(__z), "r"(__w), "r"(__v))
#undef WG_UNPACK
#undef WG_TENSOR
#undef WG_COMPLETES
#undef WG_BULK
#undef WG_GLOBAL
#undef WG_SHARED

} // namespace experimental

/* One thread's bulk copy: 16 bytes or a multiple, which the barrier must have been told to expect. */
template <size_t __Alignment>
WG_DEVICE void memcpy_async_tx(void *__to, const void *__from, aligned_size_t<__Alignment> __bytes,
                               barrier<thread_scope_block> &__b) {
    static_assert(__Alignment >= 16, "memcpy_async_tx copies pieces of 16 bytes");
    experimental::cp_async_bulk_global_to_shared(__to, __from, (uint32_t)__bytes.value, __b);
}

} // namespace device
#endif

} // namespace cuda
#undef WG_DEVICE
#pragma clang attribute pop

#endif
