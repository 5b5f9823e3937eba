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

WG_RANDOM void wg_xorwow_step(unsigned int *v) {
    unsigned int t = v[0] ^ v[0] >> 2;
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}
static __device__ inline void wg_xorwow_jump(unsigned int *v, const unsigned int (*table)[15][5],
                                             unsigned long long n) {
    for (int place = 0; n; place++, n >>= 4) {
        if (n % 16 == 0) continue;
        unsigned int sum[5] = {0, 0, 0, 0, 0};
        for (int word = 0; word < 5; word++) {
            unsigned int coefficients = table[place][n % 16 - 1][word];
            for (int bit = 0; bit < 32; bit++) {
                unsigned int taken = 0u - (coefficients >> bit & 1);
#pragma unroll
                for (int i = 0; i < 5; i++) sum[i] ^= v[i] & taken;
                wg_xorwow_step(v);
            }
        }
#pragma unroll
        for (int i = 0; i < 5; i++) v[i] = sum[i];
    }
}

WG_RANDOM unsigned int curand(curandStateXORWOW_t *state) {
    wg_xorwow_step(state->v);
    state->d += 362437;
    return state->v[4] + state->d;
}
WG_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
    wg_xorwow_jump(state->v, wg_jump_steps, n);
    state->d += 362437u * (unsigned int)n;
}
WG_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
    wg_xorwow_jump(state->v, wg_jump_sequences, n);
}
WG_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                           curandStateXORWOW_t *state) {
    unsigned int a = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
    unsigned int b = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    state->d = 6615241u + b + a;
    state->v[0] = 123456789u + a;
    state->v[1] = 362436069u ^ a;
    state->v[2] = 521288629u + b;
    state->v[3] = 88675123u ^ b;
    state->v[4] = 5783321u + a;
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
    skipahead_sequence(sequence, state);
    skipahead(offset, state);
}

#endif
