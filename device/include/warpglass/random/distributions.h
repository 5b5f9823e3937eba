/* distributions.h: uniform and normal numbers from those of a generator.
 *
 * Uniform: the middle of each of 2**32 (float) or 2**53 (double) equal parts of (0, 1], rounded. Normal: by
 * Box and Muller, in pairs, of which the second is kept for the next call.
 */
#ifndef WARPGLASS_RANDOM_DISTRIBUTIONS_H
#define WARPGLASS_RANDOM_DISTRIBUTIONS_H

#include "philox.h"

WG_RANDOM float wg_uniform(unsigned int __x) { return __x * 0x1p-32f + 0x1p-33f; }
WG_RANDOM double wg_uniform_double(unsigned int __x, unsigned int __y) {
    return (__x ^ (unsigned long long)__y << 21) * 0x1p-53 + 0x1p-54;
}
WG_RANDOM float2 wg_normal2(unsigned int __x, unsigned int __y) {
    const float __turn = 6.2831855f * 0x1p-32f;
    float __radius = sqrtf(-2.0f * logf(wg_uniform(__x))), __angle = __y * __turn + __turn / 2, __sine,
          __cosine;
    __sincosf(__angle, &__sine, &__cosine);
    return make_float2(__radius * __sine, __radius * __cosine);
}
WG_RANDOM double2 wg_normal2_double(unsigned int __x0, unsigned int __x1, unsigned int __y0,
                                    unsigned int __y1) {
    double __radius = sqrt(-2.0 * log(wg_uniform_double(__x0, __x1))), __sine, __cosine;
    sincospi(2 * wg_uniform_double(__y0, __y1), &__sine, &__cosine);
    return make_double2(__radius * __sine, __radius * __cosine);
}

/* Two or four numbers of a generator at once, in order. */
WG_RANDOM uint4 wg_next4(curandStateXORWOW_t *__state) {
    unsigned int __x = curand(__state), __y = curand(__state), __z = curand(__state), __w = curand(__state);
    return make_uint4(__x, __y, __z, __w);
}
WG_RANDOM uint4 wg_next4(curandStatePhilox4_32_10_t *__state) { return curand4(__state); }
template <class __State> WG_RANDOM uint2 wg_next2(__State *__state) {
    unsigned int __x = curand(__state), __y = curand(__state);
    return make_uint2(__x, __y);
}

template <class __State> WG_RANDOM float wg_next_normal(__State *__state) {
    if (__state->boxmuller_flag) {
        __state->boxmuller_flag = 0;
        return __state->boxmuller_extra;
    }
    uint2 __x = wg_next2(__state);
    float2 __pair = wg_normal2(__x.x, __x.y);
    __state->boxmuller_extra = __pair.y;
    __state->boxmuller_flag = 1;
    return __pair.x;
}
template <class __State> WG_RANDOM double wg_next_normal_double(__State *__state) {
    if (__state->boxmuller_flag_double) {
        __state->boxmuller_flag_double = 0;
        return __state->boxmuller_extra_double;
    }
    uint4 __x = wg_next4(__state);
    double2 __pair = wg_normal2_double(__x.x, __x.y, __x.z, __x.w);
    __state->boxmuller_extra_double = __pair.y;
    __state->boxmuller_flag_double = 1;
    return __pair.x;
}

#define WG_DISTRIBUTIONS(STATE)                                                                              \
    WG_RANDOM float curand_uniform(STATE *__state) { return wg_uniform(curand(__state)); }                   \
    WG_RANDOM float curand_normal(STATE *__state) { return wg_next_normal(__state); }                        \
    WG_RANDOM float2 curand_normal2(STATE *__state) {                                                        \
        uint2 __x = wg_next2(__state);                                                                       \
        return wg_normal2(__x.x, __x.y);                                                                     \
    }                                                                                                        \
    WG_RANDOM double curand_normal_double(STATE *__state) { return wg_next_normal_double(__state); }         \
    WG_RANDOM double2 curand_normal2_double(STATE *__state) {                                                \
        uint4 __x = wg_next4(__state);                                                                       \
        return wg_normal2_double(__x.x, __x.y, __x.z, __x.w);                                                \
    }                                                                                                        \
    WG_RANDOM float curand_log_normal(STATE *__state, float __mean, float __deviation) {                     \
        return expf(__mean + __deviation * wg_next_normal(__state));                                         \
    }                                                                                                        \
    WG_RANDOM float2 curand_log_normal2(STATE *__state, float __mean, float __deviation) {                   \
        float2 __pair = curand_normal2(__state);                                                             \
        return make_float2(expf(__mean + __deviation * __pair.x), expf(__mean + __deviation * __pair.y));    \
    }                                                                                                        \
    WG_RANDOM double curand_log_normal_double(STATE *__state, double __mean, double __deviation) {           \
        return exp(__mean + __deviation * wg_next_normal_double(__state));                                   \
    }                                                                                                        \
    WG_RANDOM double2 curand_log_normal2_double(STATE *__state, double __mean, double __deviation) {         \
        double2 __pair = curand_normal2_double(__state);                                                     \
        return make_double2(exp(__mean + __deviation * __pair.x), exp(__mean + __deviation * __pair.y));     \
    }
WG_DISTRIBUTIONS(curandStateXORWOW_t)
WG_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
#undef WG_DISTRIBUTIONS

/* As the library has it, Philox makes a single double of 32 bits. */
WG_RANDOM double curand_uniform_double(curandStateXORWOW_t *__state) {
    uint2 __x = wg_next2(__state);
    return wg_uniform_double(__x.x, __x.y);
}
WG_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t *__state) {
    return curand(__state) * 0x1p-32 + 0x1p-32;
}

/* Four at once: Philox alone. */
WG_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t *__state) {
    uint4 __x = curand4(__state);
    return make_float4(wg_uniform(__x.x), wg_uniform(__x.y), wg_uniform(__x.z), wg_uniform(__x.w));
}
WG_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t *__state) {
    uint4 __x = curand4(__state);
    return make_double2(wg_uniform_double(__x.x, __x.y), wg_uniform_double(__x.z, __x.w));
}
WG_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t *__state) {
    uint4 __x = curand4(__state);
    float2 __a = wg_normal2(__x.x, __x.y), __b = wg_normal2(__x.z, __x.w);
    return make_float4(__a.x, __a.y, __b.x, __b.y);
}
WG_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t *__state, float __mean, float __deviation) {
    float4 __x = curand_normal4(__state);
    return make_float4(expf(__mean + __deviation * __x.x), expf(__mean + __deviation * __x.y),
                       expf(__mean + __deviation * __x.z), expf(__mean + __deviation * __x.w));
}
WG_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t *__state) {
    double2 __a = curand_uniform2_double(__state), __b = curand_uniform2_double(__state);
    return make_double4(__a.x, __a.y, __b.x, __b.y);
}
WG_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t *__state) {
    uint4 __x = curand4(__state), __y = curand4(__state);
    double2 __a = wg_normal2_double(__x.x, __x.y, __x.z, __x.w),
            __b = wg_normal2_double(__y.x, __y.y, __y.z, __y.w);
    return make_double4(__a.x, __a.y, __b.x, __b.y);
}
WG_RANDOM double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *__state, double __mean,
                                            double __deviation) {
    double4 __x = curand_normal4_double(__state);
    return make_double4(exp(__mean + __deviation * __x.x), exp(__mean + __deviation * __x.y),
                        exp(__mean + __deviation * __x.z), exp(__mean + __deviation * __x.w));
}

#endif
