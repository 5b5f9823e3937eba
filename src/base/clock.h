/* The monotonic clock. */
#ifndef WG_BASE_CLOCK_H
#define WG_BASE_CLOCK_H
#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment before the process began. */
static inline uint64_t wg_now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
#endif
