/* order.h: the words of CUDA's memory model: memory orders, scopes, fences.
 *
 * Host and device. An order that is a constant, as it nearly always is, leaves one instruction: the switches
 * below vanish. Sequential consistency is PTX's fence.sc before an access that acquires.
 */
#ifndef WARPGLASS_CONCURRENCY_ORDER_H
#define WARPGLASS_CONCURRENCY_ORDER_H

#include "../standard/base.h"

#include <cstdint>

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10
};

namespace std {
enum class memory_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
} // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace wg_details {

/* STATEMENT(scope's name in PTX, ...), for the scope that it is. */
#define WG_EACH_SCOPE(SCOPE, STATEMENT, ...)                                                                 \
    switch (SCOPE) {                                                                                         \
    case thread_scope_system: STATEMENT("sys", __VA_ARGS__); break;                                          \
    case thread_scope_device: STATEMENT("gpu", __VA_ARGS__); break;                                          \
    default: STATEMENT("cta", __VA_ARGS__); break;                                                           \
    }

constexpr WG_BOTH bool __acquires(memory_order __order) {
    return __order == memory_order_acquire || __order == memory_order_consume ||
           __order == memory_order_acq_rel || __order == memory_order_seq_cst;
}
constexpr WG_BOTH bool __releases(memory_order __order) {
    return __order == memory_order_release || __order == memory_order_acq_rel ||
           __order == memory_order_seq_cst;
}
/* What a compare_exchange that fails does with the order of one that succeeds. */
constexpr WG_BOTH memory_order __order_of_failure(memory_order __order) {
    return __order == memory_order_acq_rel   ? memory_order_acquire
           : __order == memory_order_release ? memory_order_relaxed
                                             : __order;
}
constexpr WG_BOTH int __host_order(memory_order __order) {
    switch (__order) {
    case memory_order_relaxed: return __ATOMIC_RELAXED;
    case memory_order_consume:
    case memory_order_acquire: return __ATOMIC_ACQUIRE;
    case memory_order_release: return __ATOMIC_RELEASE;
    case memory_order_acq_rel: return __ATOMIC_ACQ_REL;
    default: return __ATOMIC_SEQ_CST;
    }
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define WG_FENCE(SCOPE, SEM) asm volatile("fence." SEM "." SCOPE ";" ::: "memory")
__device__ __forceinline__ void __fence_acq_rel(thread_scope __scope){
    WG_EACH_SCOPE(__scope, WG_FENCE, "acq_rel")} __device__ __forceinline__
    void __fence_sc(thread_scope __scope){WG_EACH_SCOPE(__scope, WG_FENCE, "sc")}
#undef WG_FENCE
#else
__device__ __forceinline__ void __fence_acq_rel(thread_scope __scope) {
    switch (__scope) {
    case thread_scope_system: __threadfence_system(); break;
    case thread_scope_device: __threadfence(); break;
    default: __threadfence_block(); break;
    }
}
__device__ __forceinline__ void __fence_sc(thread_scope __scope) { __fence_acq_rel(__scope); }
#endif

/* Between two looks at what another thread is to change. */
WG_BOTH void __pause(unsigned __looks) {
#if !defined(__CUDA_ARCH__)
    (void)__looks;
    __builtin_ia32_pause();
#elif __CUDA_ARCH__ >= 700
    __nanosleep(__looks < 8 ? 20u << __looks : 5000u);
#else
    (void)__looks;
#endif
}

} // namespace wg_details

WG_BOTH void atomic_thread_fence(memory_order __order, thread_scope __scope = thread_scope_system) {
#if defined(__CUDA_ARCH__)
    if (__order == memory_order_seq_cst)
        wg_details::__fence_sc(__scope);
    else if (__order != memory_order_relaxed)
        wg_details::__fence_acq_rel(__scope);
#else
    (void)__scope;
    if (__order == memory_order_seq_cst)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    else if (__order != memory_order_relaxed)
        __atomic_thread_fence(__ATOMIC_ACQ_REL);
#endif
}
WG_BOTH void atomic_signal_fence(memory_order) { asm volatile("" ::: "memory"); }

} // namespace cuda
#pragma clang attribute pop

#endif
