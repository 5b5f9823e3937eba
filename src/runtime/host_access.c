/* Code that was compiled with -fsanitize-coverage=trace-loads,trace-stores calls one of these before each
 * access: clang's names. Nearly all are of no interest, and are let go here. */
#include "driver/host_access.h"

static inline void tell(const void *p, uint32_t bytes, bool write, const void *at) {
    if (!atomic_load_explicit(&wg_host_watch.used, memory_order_relaxed))
        atomic_store(&wg_host_watch.used, true);
    uint64_t base = atomic_load_explicit(&wg_host_watch.base, memory_order_relaxed);
    if ((uint64_t)p - base < atomic_load_explicit(&wg_host_watch.size, memory_order_relaxed) ||
        atomic_load_explicit(&wg_host_watch.calling, memory_order_relaxed))
        wg_host_accessed(p, bytes, write, at);
}

#pragma GCC visibility push(default)
#define TELL(BYTES)                                                                                          \
    void __sanitizer_cov_load##BYTES(const void *p);                                                         \
    void __sanitizer_cov_load##BYTES(const void *p) { tell(p, BYTES, false, __builtin_return_address(0)); }  \
    void __sanitizer_cov_store##BYTES(const void *p);                                                        \
    void __sanitizer_cov_store##BYTES(const void *p) { tell(p, BYTES, true, __builtin_return_address(0)); }
TELL(1)
TELL(2)
TELL(4)
TELL(8)
TELL(16)
