/* barrier.h: cuda::barrier, on which so many arrivals wait for each other, again and again, and what the
 * device adds to it: transactions, and bulk copies that complete them.
 */
#ifndef WARPGLASS_CONCURRENCY_BARRIER_H
#define WARPGLASS_CONCURRENCY_BARRIER_H

#include "phases.h"
#include "patience.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {

template <thread_scope __Scope, class __Completion = wg_details::__nothing_to_do>
class barrier : public wg_details::__phases<__Scope, __Completion> {
    using __Base = wg_details::__phases<__Scope, __Completion>;

  public:
    /* Which phase an arrival belongs to; moved from the arrival to its wait. */
    class arrival_token {
      public:
        arrival_token() = default;
        arrival_token(arrival_token &&) = default;
        arrival_token &operator=(arrival_token &&) = default;

      private:
        WG_BOTH explicit arrival_token(uint64_t __token) : __token_(__token) {}
        uint64_t __token_;
        friend class barrier;
    };

    barrier() noexcept = default;
    WG_BOTH barrier(ptrdiff_t __expected, __Completion __completion = __Completion())
        : __Base(__expected, __completion) {}
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    friend WG_BOTH void init(barrier *__self, ptrdiff_t __expected) { __self->__start(__expected); }
    friend WG_BOTH void init(barrier *__self, ptrdiff_t __expected, __Completion __completion) {
        __self->__start(__expected, __completion);
    }

    [[nodiscard]] WG_BOTH arrival_token arrive(ptrdiff_t __n = 1) {
        return arrival_token(__Base::arrive(__n));
    }
    WG_BOTH void wait(arrival_token &&__token) const {
        __until([&] { return __Base::__over(__token.__token_); });
    }
    WG_BOTH void wait_parity(bool __parity) const {
        __until([&] { return __Base::__over_parity(__parity); });
    }
    WG_BOTH void arrive_and_wait() { wait(arrive()); }
    WG_BOTH void arrive_and_drop() { __Base::arrive_and_drop(); }

    WG_BOTH bool try_wait(arrival_token &&__token) const { return __Base::__over(__token.__token_); }
    WG_BOTH bool try_wait_parity(bool __parity) const { return __Base::__over_parity(__parity); }
    template <class __Rep, class __Period>
    WG_BOTH bool try_wait_for(arrival_token &&__token,
                              const ::std::chrono::duration<__Rep, __Period> &__time) const {
        return wg_details::__within(__time, [&] { return __Base::__over(__token.__token_); });
    }
    template <class __Rep, class __Period>
    WG_BOTH bool try_wait_parity_for(bool __parity,
                                     const ::std::chrono::duration<__Rep, __Period> &__time) const {
        return wg_details::__within(__time, [&] { return __Base::__over_parity(__parity); });
    }
    template <class __Clock, class __Duration>
    WG_BOTH bool try_wait_until(arrival_token &&__token,
                                const ::std::chrono::time_point<__Clock, __Duration> &__when) const {
        return try_wait_for(::std::move(__token), __when - __Clock::now());
    }
    template <class __Clock, class __Duration>
    WG_BOTH bool try_wait_parity_until(bool __parity,
                                       const ::std::chrono::time_point<__Clock, __Duration> &__when) const {
        return try_wait_parity_for(__parity, __when - __Clock::now());
    }
    static constexpr WG_BOTH ptrdiff_t max() { return (1 << 20) - 1; }

  private:
    /* Hardware waits a while by itself. Two loops: one that asks in each round where the barrier is has no
     * single entry once compiled. */
    template <class __Over> WG_BOTH void __until(__Over __over) const {
        if (__Base::wg_in_hardware()) {
            while (!__over()) {
            }
        } else {
            for (unsigned __looks = 0; !__over(); __looks++) wg_details::__pause(__looks);
        }
    }
};

namespace std {
template <class __Completion = wg_details::__nothing_to_do>
using barrier = cuda::barrier<thread_scope_system, __Completion>;
}

namespace device {

/* The mbarrier behind a barrier in shared memory, for PTX of one's own. */
WG_BOTH uint64_t *barrier_native_handle(barrier<thread_scope_block> &__b) { return __b.native(); }

} // namespace device
} // namespace cuda
#pragma clang attribute pop

#include "copies.h"

#endif
