/* copies.h: copies that a barrier waits for: cuda::memcpy_async, and the bulk copies of compute
 * capability 9.0, whose bytes a barrier counts.
 */
#ifndef WARPGLASS_CONCURRENCY_COPIES_H
#define WARPGLASS_CONCURRENCY_COPIES_H

#include "async_copy.h"
#include "barrier.h"

#include "../../cuda.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#define WG_DEVICE __device__ __forceinline__
namespace cuda {

/* How a copy was done. */
enum class async_contract_fulfillment { none, async };

namespace wg_details {

/* A "group" of the calling thread alone. */
struct one_thread {
    WG_DEVICE unsigned thread_rank() const { return 0; }
    WG_DEVICE unsigned size() const { return 1; }
};

/* The barrier's phase is not over before this thread's copies are done. */
template <class Barrier> WG_DEVICE void barrier_tracks_copies(Barrier &b) {
#if WG_HARDWARE_BARRIER
    if (b.wg_in_hardware()) return __pipeline_arrive_on((unsigned long long *)b.native());
#endif
    wait_for_all_copies();
}

} // namespace wg_details

template <class Group, class Shape, thread_scope Scope, class Completion>
WG_DEVICE async_contract_fulfillment memcpy_async(const Group &group, void *to, const void *from,
                                                  const Shape &shape, barrier<Scope, Completion> &b) {
    if (!wg_details::copy_async(group.thread_rank(), group.size(), to, from, shape))
        return async_contract_fulfillment::none;
    wg_details::barrier_tracks_copies(b);
    return async_contract_fulfillment::async;
}
template <class Shape, thread_scope Scope, class Completion>
WG_DEVICE async_contract_fulfillment memcpy_async(void *to, const void *from, const Shape &shape,
                                                  barrier<Scope, Completion> &b) {
    return memcpy_async(wg_details::one_thread(), to, from, shape, b);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
namespace device {

/* The phase also waits for so many bytes. */
WG_DEVICE void barrier_expect_tx(barrier<thread_scope_block> &b, ptrdiff_t bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(b.native())),
                 "r"((unsigned)bytes)
                 : "memory");
}
[[nodiscard]] WG_DEVICE barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &b, ptrdiff_t arrivals, ptrdiff_t bytes) {
    barrier_expect_tx(b, bytes);
    return b.arrive(arrivals);
}

namespace experimental {

#define WG_SHARED(P) "r"((unsigned)__cvta_generic_to_shared(P))
#define WG_GLOBAL(P) "l"((uint64_t)__cvta_generic_to_global(P))
#define WG_BULK      "cp.async.bulk"
#define WG_COMPLETES ".mbarrier::complete_tx::bytes"

WG_DEVICE void cp_async_bulk_global_to_shared(void *to, const void *from, uint32_t bytes,
                                              barrier<thread_scope_block> &b) {
    asm volatile(WG_BULK ".shared::cluster.global" WG_COMPLETES " [%0], [%1], %2, [%3];" ::WG_SHARED(to),
                 WG_GLOBAL(from), "r"(bytes), WG_SHARED(b.native())
                 : "memory");
}
WG_DEVICE void cp_async_bulk_shared_to_global(void *to, const void *from, uint32_t bytes) {
    asm volatile(WG_BULK ".global.shared::cta.bulk_group [%0], [%1], %2;" ::WG_GLOBAL(to), WG_SHARED(from),
                 "r"(bytes)
                 : "memory");
}
WG_DEVICE void cp_async_bulk_commit_group() { asm volatile(WG_BULK ".commit_group;" ::: "memory"); }
template <int Groups> WG_DEVICE void cp_async_bulk_wait_group() {
    asm volatile(WG_BULK ".wait_group %0;" ::"n"(Groups) : "memory");
}
template <int Groups> WG_DEVICE void cp_async_bulk_wait_group_read() {
    asm volatile(WG_BULK ".wait_group.read %0;" ::"n"(Groups) : "memory");
}
WG_DEVICE void fence_proxy_async_shared_cta() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/* Boxes of a tensor, by their coordinates, the fastest first: DIMENSIONS, parameters, places in the load, in
 * the store, operands. */
#define WG_TENSOR(D, COORDINATES, LOAD_AT, STORE_AT, ...)                                                    \
    WG_DEVICE void cp_async_bulk_tensor_##D##d_global_to_shared(                                             \
        void *to, const CUtensorMap *map, WG_UNPACK COORDINATES, barrier<thread_scope_block> &b) {           \
        asm volatile(WG_BULK ".tensor." #D "d.shared::cluster.global.tile" WG_COMPLETES                      \
                             " [%0], [%1, {" LOAD_AT "}], [%2];" ::WG_SHARED(to),                            \
                     "l"(map), WG_SHARED(b.native()), __VA_ARGS__                                            \
                     : "memory");                                                                            \
    }                                                                                                        \
    WG_DEVICE void cp_async_bulk_tensor_##D##d_shared_to_global(const CUtensorMap *map,                      \
                                                                WG_UNPACK COORDINATES, const void *from) {   \
        asm volatile(WG_BULK ".tensor." #D "d.global.shared::cta.tile.bulk_group [%0, {" STORE_AT            \
                             "}], [%1];" ::"l"(map),                                                         \
                     WG_SHARED(from), __VA_ARGS__                                                            \
                     : "memory");                                                                            \
    }
#define WG_UNPACK(...) __VA_ARGS__
WG_TENSOR(1, (int x), "%3", "%2", "r"(x))
WG_TENSOR(2, (int x, int y), "%3, %4", "%2, %3", "r"(x), "r"(y))
WG_TENSOR(3, (int x, int y, int z), "%3, %4, %5", "%2, %3, %4", "r"(x), "r"(y), "r"(z))
WG_TENSOR(4, (int x, int y, int z, int w), "%3, %4, %5, %6", "%2, %3, %4, %5", "r"(x), "r"(y), "r"(z), "r"(w))
WG_TENSOR(5, (int x, int y, int z, int w, int v), "%3, %4, %5, %6, %7", "%2, %3, %4, %5, %6", "r"(x), "r"(y),
          "r"(z), "r"(w), "r"(v))
#undef WG_UNPACK
#undef WG_TENSOR
#undef WG_COMPLETES
#undef WG_BULK
#undef WG_GLOBAL
#undef WG_SHARED

} // namespace experimental

/* One thread's bulk copy: 16 bytes or a multiple, which the barrier must have been told to expect. */
template <size_t Alignment>
WG_DEVICE void memcpy_async_tx(void *to, const void *from, aligned_size_t<Alignment> bytes,
                               barrier<thread_scope_block> &b) {
    static_assert(Alignment >= 16, "memcpy_async_tx copies pieces of 16 bytes");
    experimental::cp_async_bulk_global_to_shared(to, from, (uint32_t)bytes.value, b);
}

} // namespace device
#endif

} // namespace cuda
#undef WG_DEVICE
#pragma clang attribute pop

#endif
