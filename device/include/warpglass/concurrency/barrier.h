/* barrier.h: cuda::barrier, on which so many arrivals wait for each other, again and again, and what the
 * device adds to it: transactions, and bulk copies that complete them.
 */
#ifndef WARPGLASS_CONCURRENCY_BARRIER_H
#define WARPGLASS_CONCURRENCY_BARRIER_H

#include "phases.h"
#include "patience.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {

template <thread_scope Scope, class Completion = wg_details::nothing_to_do>
class barrier : public wg_details::phases<Scope, Completion> {
    using Base = wg_details::phases<Scope, Completion>;

  public:
    /* Which phase an arrival belongs to; moved from the arrival to its wait. */
    class arrival_token {
      public:
        arrival_token() = default;
        arrival_token(arrival_token &&) = default;
        arrival_token &operator=(arrival_token &&) = default;

      private:
        WG_BOTH explicit arrival_token(uint64_t token) : token_(token) {}
        uint64_t token_;
        friend class barrier;
    };

    barrier() noexcept = default;
    WG_BOTH barrier(ptrdiff_t expected, Completion completion = Completion()) : Base(expected, completion) {}
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    friend WG_BOTH void init(barrier *self, ptrdiff_t expected) { self->start(expected); }
    friend WG_BOTH void init(barrier *self, ptrdiff_t expected, Completion completion) {
        self->start(expected, completion);
    }

    [[nodiscard]] WG_BOTH arrival_token arrive(ptrdiff_t n = 1) { return arrival_token(Base::arrive(n)); }
    WG_BOTH void wait(arrival_token &&token) const {
        until([&] { return Base::over(token.token_); });
    }
    WG_BOTH void wait_parity(bool parity) const {
        until([&] { return Base::over_parity(parity); });
    }
    WG_BOTH void arrive_and_wait() { wait(arrive()); }
    WG_BOTH void arrive_and_drop() { Base::arrive_and_drop(); }

    WG_BOTH bool try_wait(arrival_token &&token) const { return Base::over(token.token_); }
    WG_BOTH bool try_wait_parity(bool parity) const { return Base::over_parity(parity); }
    template <class Rep, class Period>
    WG_BOTH bool try_wait_for(arrival_token &&token, const ::std::chrono::duration<Rep, Period> &time) const {
        return wg_details::within(time, [&] { return Base::over(token.token_); });
    }
    template <class Rep, class Period>
    WG_BOTH bool try_wait_parity_for(bool parity, const ::std::chrono::duration<Rep, Period> &time) const {
        return wg_details::within(time, [&] { return Base::over_parity(parity); });
    }
    template <class Clock, class Duration>
    WG_BOTH bool try_wait_until(arrival_token &&token,
                                const ::std::chrono::time_point<Clock, Duration> &when) const {
        return try_wait_for(::std::move(token), when - Clock::now());
    }
    template <class Clock, class Duration>
    WG_BOTH bool try_wait_parity_until(bool parity,
                                       const ::std::chrono::time_point<Clock, Duration> &when) const {
        return try_wait_parity_for(parity, when - Clock::now());
    }
    static constexpr WG_BOTH ptrdiff_t max() { return (1 << 20) - 1; }

  private:
    /* Hardware waits a while by itself. Two loops: one that asks in each round where the barrier is has no
     * single entry once compiled. */
    template <class Over> WG_BOTH void until(Over over) const {
        if (Base::wg_in_hardware()) {
            while (!over()) {
            }
        } else {
            for (unsigned looks = 0; !over(); looks++) wg_details::pause(looks);
        }
    }
};

namespace std {
template <class Completion = wg_details::nothing_to_do>
using barrier = cuda::barrier<thread_scope_system, Completion>;
}

namespace device {

/* The mbarrier behind a barrier in shared memory, for PTX of one's own. */
WG_BOTH uint64_t *barrier_native_handle(barrier<thread_scope_block> &b) { return b.native(); }

} // namespace device
} // namespace cuda
#pragma clang attribute pop

#include "copies.h"

#endif
