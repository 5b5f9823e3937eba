/* latch.h: cuda::latch, a barrier that opens once, and cuda::counting_semaphore, so many permits. */
#ifndef WARPGLASS_CONCURRENCY_LATCH_H
#define WARPGLASS_CONCURRENCY_LATCH_H

#include "atomic.h"
#include "patience.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {

template <thread_scope Scope = thread_scope_system> class latch {
  public:
    latch() noexcept = default;
    constexpr WG_BOTH explicit latch(ptrdiff_t expected) : left_(expected) {}
    latch(const latch &) = delete;
    latch &operator=(const latch &) = delete;

    WG_BOTH void count_down(ptrdiff_t n = 1) { left_.fetch_sub(n, memory_order_release); }
    WG_BOTH bool try_wait() const { return left_.load(memory_order_acquire) == 0; }
    WG_BOTH void wait() const {
        for (unsigned looks = 0; !try_wait(); looks++) wg_details::pause(looks);
    }
    WG_BOTH void arrive_and_wait(ptrdiff_t n = 1) {
        count_down(n);
        wait();
    }
    static constexpr WG_BOTH ptrdiff_t max() { return PTRDIFF_MAX; }

    friend WG_BOTH void init(latch *self, ptrdiff_t expected) {
        self->left_.store(expected, memory_order_relaxed);
    }

  private:
    atomic<ptrdiff_t, Scope> left_;
};

template <thread_scope Scope = thread_scope_system, ptrdiff_t Most = PTRDIFF_MAX> class counting_semaphore {
  public:
    counting_semaphore() noexcept = default;
    constexpr WG_BOTH explicit counting_semaphore(ptrdiff_t permits) : permits_(permits) {}
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;

    WG_BOTH void release(ptrdiff_t n = 1) { permits_.fetch_add(n, memory_order_release); }
    WG_BOTH bool try_acquire() {
        ptrdiff_t seen = permits_.load(memory_order_relaxed);
        while (seen > 0)
            if (permits_.compare_exchange_weak(seen, seen - 1, memory_order_acquire)) return true;
        return false;
    }
    WG_BOTH void acquire() {
        for (unsigned looks = 0; !try_acquire(); looks++) wg_details::pause(looks);
    }
    template <class Rep, class Period>
    WG_BOTH bool try_acquire_for(const ::std::chrono::duration<Rep, Period> &time) {
        return wg_details::within(time, [&] { return try_acquire(); });
    }
    template <class Clock, class Duration>
    WG_BOTH bool try_acquire_until(const ::std::chrono::time_point<Clock, Duration> &when) {
        return try_acquire_for(when - Clock::now());
    }
    static constexpr WG_BOTH ptrdiff_t max() { return Most; }

    friend WG_BOTH void init(counting_semaphore *self, ptrdiff_t permits) {
        self->permits_.store(permits, memory_order_relaxed);
    }

  private:
    atomic<ptrdiff_t, Scope> permits_;
};
template <thread_scope Scope = thread_scope_system> using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {
using latch = cuda::latch<thread_scope_system>;
template <ptrdiff_t Most = PTRDIFF_MAX>
using counting_semaphore = cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = cuda::binary_semaphore<thread_scope_system>;
} // namespace std

} // namespace cuda
#pragma clang attribute pop

#endif
