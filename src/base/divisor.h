/* The greatest common divisor: of the steps of a sum of indices, and of what addresses are multiples of. */
#ifndef WG_BASE_DIVISOR_H
#define WG_BASE_DIVISOR_H
#include <stdint.h>

/* 0 stands for a number that everything divides: the other one is the answer. */
static inline uint64_t wg_common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
/* Of the two without their signs. */
static inline int64_t wg_common_divisor_of_steps(int64_t a, int64_t b) {
    uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b;
    return (int64_t)wg_common_divisor(x, y);
}
#endif
