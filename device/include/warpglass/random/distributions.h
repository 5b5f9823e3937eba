/* distributions.h: uniform and normal numbers from those of a generator.
 *
 * Uniform: the middle of each of 2**32 (float) or 2**53 (double) equal parts of (0, 1], rounded. Normal: by
 * Box and Muller, in pairs, of which the second is kept for the next call.
 */
#ifndef WARPGLASS_RANDOM_DISTRIBUTIONS_H
#define WARPGLASS_RANDOM_DISTRIBUTIONS_H

#include "philox.h"

WG_RANDOM float wg_uniform(unsigned int x) { return x * 0x1p-32f + 0x1p-33f; }
WG_RANDOM double wg_uniform_double(unsigned int x, unsigned int y) {
    return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
WG_RANDOM float2 wg_normal2(unsigned int x, unsigned int y) {
    const float turn = 6.2831855f * 0x1p-32f;
    float radius = sqrtf(-2.0f * logf(wg_uniform(x))), angle = y * turn + turn / 2, sine, cosine;
    __sincosf(angle, &sine, &cosine);
    return make_float2(radius * sine, radius * cosine);
}
WG_RANDOM double2 wg_normal2_double(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
    double radius = sqrt(-2.0 * log(wg_uniform_double(x0, x1))), sine, cosine;
    sincospi(2 * wg_uniform_double(y0, y1), &sine, &cosine);
    return make_double2(radius * sine, radius * cosine);
}

/* Two or four numbers of a generator at once, in order. */
WG_RANDOM uint4 wg_next4(curandStateXORWOW_t *state) {
    unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return make_uint4(x, y, z, w);
}
WG_RANDOM uint4 wg_next4(curandStatePhilox4_32_10_t *state) { return curand4(state); }
template <class State> WG_RANDOM uint2 wg_next2(State *state) {
    unsigned int x = curand(state), y = curand(state);
    return make_uint2(x, y);
}

template <class State> WG_RANDOM float wg_next_normal(State *state) {
    if (state->boxmuller_flag) {
        state->boxmuller_flag = 0;
        return state->boxmuller_extra;
    }
    uint2 x = wg_next2(state);
    float2 pair = wg_normal2(x.x, x.y);
    state->boxmuller_extra = pair.y;
    state->boxmuller_flag = 1;
    return pair.x;
}
template <class State> WG_RANDOM double wg_next_normal_double(State *state) {
    if (state->boxmuller_flag_double) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    uint4 x = wg_next4(state);
    double2 pair = wg_normal2_double(x.x, x.y, x.z, x.w);
    state->boxmuller_extra_double = pair.y;
    state->boxmuller_flag_double = 1;
    return pair.x;
}

#define WG_DISTRIBUTIONS(STATE)                                                                              \
    WG_RANDOM float curand_uniform(STATE *state) { return wg_uniform(curand(state)); }                       \
    WG_RANDOM float curand_normal(STATE *state) { return wg_next_normal(state); }                            \
    WG_RANDOM float2 curand_normal2(STATE *state) {                                                          \
        uint2 x = wg_next2(state);                                                                           \
        return wg_normal2(x.x, x.y);                                                                         \
    }                                                                                                        \
    WG_RANDOM double curand_normal_double(STATE *state) { return wg_next_normal_double(state); }             \
    WG_RANDOM double2 curand_normal2_double(STATE *state) {                                                  \
        uint4 x = wg_next4(state);                                                                           \
        return wg_normal2_double(x.x, x.y, x.z, x.w);                                                        \
    }                                                                                                        \
    WG_RANDOM float curand_log_normal(STATE *state, float mean, float deviation) {                           \
        return expf(mean + deviation * wg_next_normal(state));                                               \
    }                                                                                                        \
    WG_RANDOM float2 curand_log_normal2(STATE *state, float mean, float deviation) {                         \
        float2 pair = curand_normal2(state);                                                                 \
        return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));                \
    }                                                                                                        \
    WG_RANDOM double curand_log_normal_double(STATE *state, double mean, double deviation) {                 \
        return exp(mean + deviation * wg_next_normal_double(state));                                         \
    }                                                                                                        \
    WG_RANDOM double2 curand_log_normal2_double(STATE *state, double mean, double deviation) {               \
        double2 pair = curand_normal2_double(state);                                                         \
        return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));                 \
    }
WG_DISTRIBUTIONS(curandStateXORWOW_t)
WG_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
#undef WG_DISTRIBUTIONS

/* As the library has it, Philox makes a single double of 32 bits. */
WG_RANDOM double curand_uniform_double(curandStateXORWOW_t *state) {
    uint2 x = wg_next2(state);
    return wg_uniform_double(x.x, x.y);
}
WG_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t *state) {
    return curand(state) * 0x1p-32 + 0x1p-32;
}

/* Four at once: Philox alone. */
WG_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
    uint4 x = curand4(state);
    return make_float4(wg_uniform(x.x), wg_uniform(x.y), wg_uniform(x.z), wg_uniform(x.w));
}
WG_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
    uint4 x = curand4(state);
    return make_double2(wg_uniform_double(x.x, x.y), wg_uniform_double(x.z, x.w));
}
WG_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
    uint4 x = curand4(state);
    float2 a = wg_normal2(x.x, x.y), b = wg_normal2(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
WG_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float deviation) {
    float4 x = curand_normal4(state);
    return make_float4(expf(mean + deviation * x.x), expf(mean + deviation * x.y),
                       expf(mean + deviation * x.z), expf(mean + deviation * x.w));
}
WG_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
    double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return make_double4(a.x, a.y, b.x, b.y);
}
WG_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
    uint4 x = curand4(state), y = curand4(state);
    double2 a = wg_normal2_double(x.x, x.y, x.z, x.w), b = wg_normal2_double(y.x, y.y, y.z, y.w);
    return make_double4(a.x, a.y, b.x, b.y);
}
WG_RANDOM double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean,
                                            double deviation) {
    double4 x = curand_normal4_double(state);
    return make_double4(exp(mean + deviation * x.x), exp(mean + deviation * x.y), exp(mean + deviation * x.z),
                        exp(mean + deviation * x.w));
}

#endif
