/* xorwow.h: Marsaglia's XORWOW: five words of shifts and exclusive ors, and a counter that is added.
 *
 * Sequence n of a seed begins 2**67 steps behind sequence n - 1; jumping there takes 160 steps for each
 * hexadecimal digit of n that is not zero (jumps.h).
 */
#ifndef WARPGLASS_RANDOM_XORWOW_H
#define WARPGLASS_RANDOM_XORWOW_H

#include "jumps.h"

#define WG_RANDOM static __device__ __forceinline__

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;

WG_RANDOM void wg_xorwow_step(unsigned int *__v) {
    unsigned int __t = __v[0] ^ __v[0] >> 2;
    __v[0] = __v[1];
    __v[1] = __v[2];
    __v[2] = __v[3];
    __v[3] = __v[4];
    __v[4] = __v[4] ^ __v[4] << 4 ^ __t ^ __t << 1;
}
static __device__ inline void wg_xorwow_jump(unsigned int *__v, const unsigned int (*__table)[15][5],
                                             unsigned long long __n) {
    for (int __place = 0; __n; __place++, __n >>= 4) {
        if (__n % 16 == 0) continue;
        unsigned int __sum[5] = {0, 0, 0, 0, 0};
        for (int __word = 0; __word < 5; __word++) {
            unsigned int __coefficients = __table[__place][__n % 16 - 1][__word];
            for (int __bit = 0; __bit < 32; __bit++) {
                unsigned int __taken = 0u - (__coefficients >> __bit & 1);
#pragma unroll
                for (int __i = 0; __i < 5; __i++) __sum[__i] ^= __v[__i] & __taken;
                wg_xorwow_step(__v);
            }
        }
#pragma unroll
        for (int __i = 0; __i < 5; __i++) __v[__i] = __sum[__i];
    }
}

WG_RANDOM unsigned int curand(curandStateXORWOW_t *__state) {
    wg_xorwow_step(__state->v);
    __state->d += 362437;
    return __state->v[4] + __state->d;
}
WG_RANDOM void skipahead(unsigned long long __n, curandStateXORWOW_t *__state) {
    wg_xorwow_jump(__state->v, wg_jump_steps, __n);
    __state->d += 362437u * (unsigned int)__n;
}
WG_RANDOM void skipahead_sequence(unsigned long long __n, curandStateXORWOW_t *__state) {
    wg_xorwow_jump(__state->v, wg_jump_sequences, __n);
}
WG_RANDOM void curand_init(unsigned long long __seed, unsigned long long __sequence,
                           unsigned long long __offset, curandStateXORWOW_t *__state) {
    unsigned int __a = 1099087573u * ((unsigned int)__seed ^ 0xaad26b49u);
    unsigned int __b = 2591861531u * ((unsigned int)(__seed >> 32) ^ 0xf7dcefddu);
    __state->d = 6615241u + __b + __a;
    __state->v[0] = 123456789u + __a;
    __state->v[1] = 362436069u ^ __a;
    __state->v[2] = 521288629u + __b;
    __state->v[3] = 88675123u ^ __b;
    __state->v[4] = 5783321u + __a;
    __state->boxmuller_flag = __state->boxmuller_flag_double = 0;
    __state->boxmuller_extra = 0;
    __state->boxmuller_extra_double = 0;
    skipahead_sequence(__sequence, __state);
    skipahead(__offset, __state);
}

#endif
