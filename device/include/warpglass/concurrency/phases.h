/* phases.h: what cuda::barrier is made of: one word that counts arrivals, in phases.
 *
 * In shared memory, from compute capability 8.0 on, and where nothing has to be done between phases, it is
 * the hardware's mbarrier. Otherwise it is a word of our own:
 *
 *     bits 0..30   arrivals that this phase still waits for
 *     bits 31..61  arrivals that every later phase waits for
 *     bits 62..63  the number of the phase
 *
 * Whoever arrives last stores the next phase; the others look until its number has changed.
 */
#ifndef WARPGLASS_CONCURRENCY_PHASES_H
#define WARPGLASS_CONCURRENCY_PHASES_H

#include "atomic.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {
namespace wg_details {

/* ---- mbarrier ---- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WG_HARDWARE_BARRIER 1
#define WG_DEVICE           __device__ __forceinline__

WG_DEVICE unsigned __shared_address(const void *__p) { return (unsigned)__cvta_generic_to_shared(__p); }

WG_DEVICE void __mbarrier_init(uint64_t *__at, unsigned __expected) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(__shared_address(__at)), "r"(__expected)
                 : "memory");
}
WG_DEVICE uint64_t __mbarrier_arrive(uint64_t *__at, unsigned __n) {
    uint64_t __token;
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(__token)
                 : "r"(__shared_address(__at)), "r"(__n)
                 : "memory");
#else
    if (__n > 1)
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                     : "=l"(__token)
                     : "r"(__shared_address(__at)), "r"(__n - 1)
                     : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(__token)
                 : "r"(__shared_address(__at))
                 : "memory");
#endif
    return __token;
}
WG_DEVICE void __mbarrier_inval(uint64_t *__at) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(__shared_address(__at)) : "memory");
}
WG_DEVICE uint64_t __mbarrier_arrive_drop(uint64_t *__at) {
    uint64_t __token;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                 : "=l"(__token)
                 : "r"(__shared_address(__at))
                 : "memory");
    return __token;
}
#if __CUDA_ARCH__ >= 900
#define WG_LOOK "mbarrier.try_wait" /* which waits a while by itself */
#else
#define WG_LOOK "mbarrier.test_wait"
#endif
WG_DEVICE bool __mbarrier_look(uint64_t *__at, uint64_t __token) {
    unsigned __over;
    asm volatile("{ .reg .pred p; " WG_LOOK ".shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(__over)
                 : "r"(__shared_address(__at)), "l"(__token)
                 : "memory");
    return __over;
}
WG_DEVICE bool __mbarrier_look_parity(uint64_t *__at, bool __parity) {
    unsigned __over;
    asm volatile("{ .reg .pred p; " WG_LOOK ".parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(__over)
                 : "r"(__shared_address(__at)), "r"((unsigned)__parity)
                 : "memory");
    return __over;
}
#undef WG_LOOK
#undef WG_DEVICE
#endif

/* ---- the word of our own ---- */

struct __nothing_to_do {
    WG_BOTH void operator()() const {}
};

template <thread_scope __Scope, class __Completion> class __phases {
  public:
    __phases() noexcept = default;
    WG_BOTH explicit __phases(ptrdiff_t __expected, __Completion __completion = __Completion()) {
        __start(__expected, __completion);
    }
    WG_BOTH void __start(ptrdiff_t __expected, __Completion __completion = __Completion()) {
        __completion_ = __completion;
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return __mbarrier_init(&__word_, (unsigned)__expected);
#endif
        __store_word(&__word_, (uint64_t)__expected << 31 | (uint64_t)__expected, memory_order_relaxed,
                     __Scope);
    }
    WG_BOTH uint64_t arrive(ptrdiff_t __n) {
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return __mbarrier_arrive(&__word_, (unsigned)__n);
#endif
        return __leave((uint64_t)__n, 0);
    }
    WG_BOTH void arrive_and_drop() {
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return __mbarrier_arrive_drop(&__word_);
#endif
        __leave(1, 1);
    }
    /* Whether the phase that the token is of is over. */
    WG_BOTH bool __over(uint64_t __token) const {
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return __mbarrier_look(&__word_, __token);
#endif
        return (__load_word(&__word_, memory_order_acquire, __Scope) ^ __token) >> 62;
    }
    WG_BOTH bool __over_parity(bool __parity) const {
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return __mbarrier_look_parity(&__word_, __parity);
#endif
        return (__load_word(&__word_, memory_order_acquire, __Scope) >> 62 & 1) != __parity;
    }
    WG_BOTH uint64_t *native() const { return &__word_; }

    /* A word that is an mbarrier. */
    WG_BOTH bool wg_in_hardware() const {
#if WG_HARDWARE_BARRIER
        if constexpr (__Scope == thread_scope_block && ::std::is_same_v<__Completion, __nothing_to_do>)
            return __isShared(&__word_);
#endif
        return false;
    }

  private:
    /* `n` arrive, `drop` of them for the last time. */
    WG_BOTH uint64_t __leave(uint64_t __n, uint64_t __drop) {
        constexpr uint64_t __field = (1u << 31) - 1;
        uint64_t __change = __n + (__drop << 31);
#if defined(__CUDA_ARCH__)
        uint64_t __old = __device_add(&__word_, (uint64_t)(0 - __change), memory_order_acq_rel, __Scope);
#else
        uint64_t __old = __atomic_fetch_sub(&__word_, __change, __ATOMIC_ACQ_REL);
#endif
        if ((__old & __field) == __n) {
            uint64_t __expected = (__old >> 31 & __field) - __drop, __phase = (__old >> 62) + 1 & 3;
            __completion_();
            __store_word(&__word_, __phase << 62 | __expected << 31 | __expected, memory_order_release,
                         __Scope);
        }
        return __old;
    }

    alignas(8) mutable uint64_t __word_;
    [[no_unique_address]] __Completion __completion_;
};

} // namespace wg_details
} // namespace cuda
#pragma clang attribute pop

#endif
