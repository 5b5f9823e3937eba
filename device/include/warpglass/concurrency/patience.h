/* patience.h: looking again and again for what another thread is to change, but only for some time. */
#ifndef WARPGLASS_CONCURRENCY_PATIENCE_H
#define WARPGLASS_CONCURRENCY_PATIENCE_H

#include "order.h"

#include <chrono>

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {
namespace wg_details {

__device__ __forceinline__ uint64_t global_nanoseconds() {
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
/* Whether `look` came true; it is asked at least once. */
template <class Duration, class Look> WG_BOTH bool within(const Duration &time, Look look) {
    auto limit = ::std::chrono::duration_cast<::std::chrono::nanoseconds>(time).count();
#if defined(__CUDA_ARCH__)
    for (uint64_t begin = global_nanoseconds(); !look();)
        if ((long long)(global_nanoseconds() - begin) >= limit) return false;
#else
    using Clock = ::std::chrono::steady_clock;
    for (auto begin = Clock::now(); !look();)
        if ((Clock::now() - begin).count() >= limit) return false;
#endif
    return true;
}

} // namespace wg_details
} // namespace cuda
#pragma clang attribute pop

#endif
