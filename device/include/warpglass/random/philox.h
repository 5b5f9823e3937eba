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

WG_RANDOM uint4 curand_Philox4x32_10(uint4 __c, uint2 __k) {
#pragma unroll
    for (int __round = 0; __round < 10; __round++) {
        unsigned int __high0 = __umulhi(0xd2511f53u, __c.x), __low0 = 0xd2511f53u * __c.x;
        unsigned int __high1 = __umulhi(0xcd9e8d57u, __c.z), __low1 = 0xcd9e8d57u * __c.z;
        __c = make_uint4(__high1 ^ __c.y ^ __k.x, __low1, __high0 ^ __c.w ^ __k.y, __low0);
        __k.x += 0x9e3779b9u;
        __k.y += 0xbb67ae85u;
    }
    return __c;
}
/* The counter's two halves; a carry goes from the lower to the upper one. */
WG_RANDOM void wg_philox_forward(curandStatePhilox4_32_10_t *__s, unsigned long long __n) {
    unsigned long long __low = (unsigned long long)__s->ctr.y << 32 | __s->ctr.x;
    unsigned long long __high = (unsigned long long)__s->ctr.w << 32 | __s->ctr.z;
    __low += __n;
    __high += __low < __n;
    __s->ctr = make_uint4((unsigned int)__low, (unsigned int)(__low >> 32), (unsigned int)__high,
                          (unsigned int)(__high >> 32));
}
WG_RANDOM void skipahead(unsigned long long __n, curandStatePhilox4_32_10_t *__s) {
    __s->STATE += (unsigned int)(__n & 3);
    wg_philox_forward(__s, __n / 4 + __s->STATE / 4);
    __s->STATE %= 4;
    __s->output = curand_Philox4x32_10(__s->ctr, __s->key);
}
WG_RANDOM void skipahead_sequence(unsigned long long __n, curandStatePhilox4_32_10_t *__s) {
    unsigned long long __high = ((unsigned long long)__s->ctr.w << 32 | __s->ctr.z) + __n;
    __s->ctr.z = (unsigned int)__high;
    __s->ctr.w = (unsigned int)(__high >> 32);
    __s->output = curand_Philox4x32_10(__s->ctr, __s->key);
}
WG_RANDOM void curand_init(unsigned long long __seed, unsigned long long __sequence,
                           unsigned long long __offset, curandStatePhilox4_32_10_t *__s) {
    __s->ctr = make_uint4(0, 0, 0, 0);
    __s->key = make_uint2((unsigned int)__seed, (unsigned int)(__seed >> 32));
    __s->STATE = 0;
    __s->boxmuller_flag = __s->boxmuller_flag_double = 0;
    __s->boxmuller_extra = 0;
    __s->boxmuller_extra_double = 0;
    skipahead_sequence(__sequence, __s);
    skipahead(__offset, __s);
}

WG_RANDOM unsigned int curand(curandStatePhilox4_32_10_t *__s) {
    unsigned int __taken = __s->STATE++;
    unsigned int __x = __taken == 0   ? __s->output.x
                       : __taken == 1 ? __s->output.y
                       : __taken == 2 ? __s->output.z
                                      : __s->output.w;
    if (__s->STATE == 4) {
        wg_philox_forward(__s, 1);
        __s->output = curand_Philox4x32_10(__s->ctr, __s->key);
        __s->STATE = 0;
    }
    return __x;
}
/* The next four numbers. */
WG_RANDOM uint4 curand4(curandStatePhilox4_32_10_t *__s) {
    uint4 __old = __s->output;
    wg_philox_forward(__s, 1);
    uint4 __next = __s->output = curand_Philox4x32_10(__s->ctr, __s->key);
    switch (__s->STATE) {
    case 0: return __old;
    case 1: return make_uint4(__old.y, __old.z, __old.w, __next.x);
    case 2: return make_uint4(__old.z, __old.w, __next.x, __next.y);
    default: return make_uint4(__old.w, __next.x, __next.y, __next.z);
    }
}

#endif
