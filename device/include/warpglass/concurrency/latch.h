/* latch.h: cuda::latch, a barrier that opens once, and cuda::counting_semaphore, so many permits. */
#ifndef WARPGLASS_CONCURRENCY_LATCH_H
#define WARPGLASS_CONCURRENCY_LATCH_H

#include "atomic.h"
#include "patience.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {

template <thread_scope __Scope = thread_scope_system> class latch {
  public:
    latch() noexcept = default;
    constexpr WG_BOTH explicit latch(ptrdiff_t __expected) : __left_(__expected) {}
    latch(const latch &) = delete;
    latch &operator=(const latch &) = delete;

    WG_BOTH void count_down(ptrdiff_t __n = 1) { __left_.fetch_sub(__n, memory_order_release); }
    WG_BOTH bool try_wait() const { return __left_.load(memory_order_acquire) == 0; }
    WG_BOTH void wait() const {
        for (unsigned __looks = 0; !try_wait(); __looks++) wg_details::__pause(__looks);
    }
    WG_BOTH void arrive_and_wait(ptrdiff_t __n = 1) {
        count_down(__n);
        wait();
    }
    static constexpr WG_BOTH ptrdiff_t max() { return PTRDIFF_MAX; }

    friend WG_BOTH void init(latch *__self, ptrdiff_t __expected) {
        __self->__left_.store(__expected, memory_order_relaxed);
    }

  private:
    atomic<ptrdiff_t, __Scope> __left_;
};

template <thread_scope __Scope = thread_scope_system, ptrdiff_t __Most = PTRDIFF_MAX>
class counting_semaphore {
  public:
    counting_semaphore() noexcept = default;
    constexpr WG_BOTH explicit counting_semaphore(ptrdiff_t __permits) : __permits_(__permits) {}
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;

    WG_BOTH void release(ptrdiff_t __n = 1) { __permits_.fetch_add(__n, memory_order_release); }
    WG_BOTH bool try_acquire() {
        ptrdiff_t __seen = __permits_.load(memory_order_relaxed);
        while (__seen > 0)
            if (__permits_.compare_exchange_weak(__seen, __seen - 1, memory_order_acquire)) return true;
        return false;
    }
    WG_BOTH void acquire() {
        for (unsigned __looks = 0; !try_acquire(); __looks++) wg_details::__pause(__looks);
    }
    template <class __Rep, class __Period>
    WG_BOTH bool try_acquire_for(const ::std::chrono::duration<__Rep, __Period> &__time) {
        return wg_details::__within(__time, [&] { return try_acquire(); });
    }
    template <class __Clock, class __Duration>
    WG_BOTH bool try_acquire_until(const ::std::chrono::time_point<__Clock, __Duration> &__when) {
        return try_acquire_for(__when - __Clock::now());
    }
    static constexpr WG_BOTH ptrdiff_t max() { return __Most; }

    friend WG_BOTH void init(counting_semaphore *__self, ptrdiff_t __permits) {
        __self->__permits_.store(__permits, memory_order_relaxed);
    }

  private:
    atomic<ptrdiff_t, __Scope> __permits_;
};
template <thread_scope __Scope = thread_scope_system> using binary_semaphore = counting_semaphore<__Scope, 1>;

namespace std {
using latch = cuda::latch<thread_scope_system>;
template <ptrdiff_t __Most = PTRDIFF_MAX>
using counting_semaphore = cuda::counting_semaphore<thread_scope_system, __Most>;
using binary_semaphore = cuda::binary_semaphore<thread_scope_system>;
} // namespace std

} // namespace cuda
#pragma clang attribute pop

#endif
