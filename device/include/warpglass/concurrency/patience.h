/* patience.h: looking again and again for what another thread is to change, but only for some time. */
#ifndef WARPGLASS_CONCURRENCY_PATIENCE_H
#define WARPGLASS_CONCURRENCY_PATIENCE_H

#include "order.h"

#include <chrono>

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {
namespace wg_details {

__device__ __forceinline__ uint64_t __global_nanoseconds() {
    uint64_t __now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(__now));
    return __now;
}
/* Whether `look` came true; it is asked at least once. */
template <class __Duration, class __Look> WG_BOTH bool __within(const __Duration &__time, __Look __look) {
    auto __limit = ::std::chrono::duration_cast<::std::chrono::nanoseconds>(__time).count();
#if defined(__CUDA_ARCH__)
    for (uint64_t __begin = __global_nanoseconds(); !__look();)
        if ((long long)(__global_nanoseconds() - __begin) >= __limit) return false;
#else
    using __Clock = ::std::chrono::steady_clock;
    for (auto __begin = __Clock::now(); !__look();)
        if ((__Clock::now() - __begin).count() >= __limit) return false;
#endif
    return true;
}

} // namespace wg_details
} // namespace cuda
#pragma clang attribute pop

#endif
