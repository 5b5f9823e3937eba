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

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {
namespace wg_details {

/* ---- mbarrier ---- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WG_HARDWARE_BARRIER 1
#define WG_DEVICE           __device__ __forceinline__

WG_DEVICE unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

WG_DEVICE void mbarrier_init(uint64_t *at, unsigned expected) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(at)), "r"(expected) : "memory");
}
WG_DEVICE uint64_t mbarrier_arrive(uint64_t *at, unsigned n) {
    uint64_t token;
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(token)
                 : "r"(shared_address(at)), "r"(n)
                 : "memory");
#else
    if (n > 1)
        asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                     : "=l"(token)
                     : "r"(shared_address(at)), "r"(n - 1)
                     : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(at)) : "memory");
#endif
    return token;
}
WG_DEVICE void mbarrier_inval(uint64_t *at) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(shared_address(at)) : "memory");
}
WG_DEVICE uint64_t mbarrier_arrive_drop(uint64_t *at) {
    uint64_t token;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"(shared_address(at))
                 : "memory");
    return token;
}
#if __CUDA_ARCH__ >= 900
#define WG_LOOK "mbarrier.try_wait" /* which waits a while by itself */
#else
#define WG_LOOK "mbarrier.test_wait"
#endif
WG_DEVICE bool mbarrier_look(uint64_t *at, uint64_t token) {
    unsigned over;
    asm volatile("{ .reg .pred p; " WG_LOOK ".shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(shared_address(at)), "l"(token)
                 : "memory");
    return over;
}
WG_DEVICE bool mbarrier_look_parity(uint64_t *at, bool parity) {
    unsigned over;
    asm volatile("{ .reg .pred p; " WG_LOOK ".parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(shared_address(at)), "r"((unsigned)parity)
                 : "memory");
    return over;
}
#undef WG_LOOK
#undef WG_DEVICE
#endif

/* ---- the word of our own ---- */

struct nothing_to_do {
    WG_BOTH void operator()() const {}
};

template <thread_scope Scope, class Completion> class phases {
  public:
    phases() noexcept = default;
    WG_BOTH explicit phases(ptrdiff_t expected, Completion completion = Completion()) {
        start(expected, completion);
    }
    WG_BOTH void start(ptrdiff_t expected, Completion completion = Completion()) {
        completion_ = completion;
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return mbarrier_init(&word_, (unsigned)expected);
#endif
        store_word(&word_, (uint64_t)expected << 31 | (uint64_t)expected, memory_order_relaxed, Scope);
    }
    WG_BOTH uint64_t arrive(ptrdiff_t n) {
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return mbarrier_arrive(&word_, (unsigned)n);
#endif
        return leave((uint64_t)n, 0);
    }
    WG_BOTH void arrive_and_drop() {
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return mbarrier_arrive_drop(&word_);
#endif
        leave(1, 1);
    }
    /* Whether the phase that the token is of is over. */
    WG_BOTH bool over(uint64_t token) const {
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return mbarrier_look(&word_, token);
#endif
        return (load_word(&word_, memory_order_acquire, Scope) ^ token) >> 62;
    }
    WG_BOTH bool over_parity(bool parity) const {
#if WG_HARDWARE_BARRIER
        if (wg_in_hardware()) return mbarrier_look_parity(&word_, parity);
#endif
        return (load_word(&word_, memory_order_acquire, Scope) >> 62 & 1) != parity;
    }
    WG_BOTH uint64_t *native() const { return &word_; }

    /* A word that is an mbarrier. */
    WG_BOTH bool wg_in_hardware() const {
#if WG_HARDWARE_BARRIER
        if constexpr (Scope == thread_scope_block && ::std::is_same_v<Completion, nothing_to_do>)
            return __isShared(&word_);
#endif
        return false;
    }

  private:
    /* `n` arrive, `drop` of them for the last time. */
    WG_BOTH uint64_t leave(uint64_t n, uint64_t drop) {
        constexpr uint64_t field = (1u << 31) - 1;
        uint64_t change = n + (drop << 31);
#if defined(__CUDA_ARCH__)
        uint64_t old = device_add(&word_, (uint64_t)(0 - change), memory_order_acq_rel, Scope);
#else
        uint64_t old = __atomic_fetch_sub(&word_, change, __ATOMIC_ACQ_REL);
#endif
        if ((old & field) == n) {
            uint64_t expected = (old >> 31 & field) - drop, phase = (old >> 62) + 1 & 3;
            completion_();
            store_word(&word_, phase << 62 | expected << 31 | expected, memory_order_release, Scope);
        }
        return old;
    }

    alignas(8) mutable uint64_t word_;
    [[no_unique_address]] Completion completion_;
};

} // namespace wg_details
} // namespace cuda
#pragma clang attribute pop

#endif
