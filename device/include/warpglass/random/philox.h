/* philox.h: Philox4x32-10 (Salmon and others, 2011): the output is the counter, mixed ten times with the key.
 *
 * The key is the seed; the counter's upper half is the sequence, its lower half the place in it, four numbers
 * at a time.
 */
#ifndef WARPGLASS_RANDOM_PHILOX_H
#define WARPGLASS_RANDOM_PHILOX_H

#include "xorwow.h"

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE; /* how many of `output` are taken */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

WG_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
#pragma unroll
    for (int round = 0; round < 10; round++) {
        unsigned int high0 = __umulhi(0xd2511f53u, c.x), low0 = 0xd2511f53u * c.x;
        unsigned int high1 = __umulhi(0xcd9e8d57u, c.z), low1 = 0xcd9e8d57u * c.z;
        c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
        k.x += 0x9e3779b9u;
        k.y += 0xbb67ae85u;
    }
    return c;
}
/* The counter's two halves; a carry goes from the lower to the upper one. */
WG_RANDOM void wg_philox_forward(curandStatePhilox4_32_10_t *s, unsigned long long n) {
    unsigned long long low = (unsigned long long)s->ctr.y << 32 | s->ctr.x;
    unsigned long long high = (unsigned long long)s->ctr.w << 32 | s->ctr.z;
    low += n;
    high += low < n;
    s->ctr = make_uint4((unsigned int)low, (unsigned int)(low >> 32), (unsigned int)high,
                        (unsigned int)(high >> 32));
}
WG_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s) {
    s->STATE += (unsigned int)(n & 3);
    wg_philox_forward(s, n / 4 + s->STATE / 4);
    s->STATE %= 4;
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
WG_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s) {
    unsigned long long high = ((unsigned long long)s->ctr.w << 32 | s->ctr.z) + n;
    s->ctr.z = (unsigned int)high;
    s->ctr.w = (unsigned int)(high >> 32);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
WG_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                           curandStatePhilox4_32_10_t *s) {
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    s->STATE = 0;
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
    skipahead_sequence(sequence, s);
    skipahead(offset, s);
}

WG_RANDOM unsigned int curand(curandStatePhilox4_32_10_t *s) {
    unsigned int taken = s->STATE++;
    unsigned int x = taken == 0   ? s->output.x
                     : taken == 1 ? s->output.y
                     : taken == 2 ? s->output.z
                                  : s->output.w;
    if (s->STATE == 4) {
        wg_philox_forward(s, 1);
        s->output = curand_Philox4x32_10(s->ctr, s->key);
        s->STATE = 0;
    }
    return x;
}
/* The next four numbers. */
WG_RANDOM uint4 curand4(curandStatePhilox4_32_10_t *s) {
    uint4 old = s->output;
    wg_philox_forward(s, 1);
    uint4 next = s->output = curand_Philox4x32_10(s->ctr, s->key);
    switch (s->STATE) {
    case 0: return old;
    case 1: return make_uint4(old.y, old.z, old.w, next.x);
    case 2: return make_uint4(old.z, old.w, next.x, next.y);
    default: return make_uint4(old.w, next.x, next.y, next.z);
    }
}

#endif
