/* sampling.h: from coordinates to a texture's value.
 *
 *     x, y -> along each dimension the two texels it lies between, and where between them
 *          -> what each weighs, in 256ths
 *          -> their sum
 *
 * Everything here is as an H200 does it: coordinates are whole 256ths of a texel, weights are whole 256ths
 * that make up one, and the mean of what a normalized texture holds has 16 bits. Its rounding of normalized
 * coordinates (less than a thousandth of them fall into the neighbouring 256th) and of the weights in three
 * dimensions is not known exactly.
 */
#ifndef WARPGLASS_TEXTURES_SAMPLING_H
#define WARPGLASS_TEXTURES_SAMPLING_H
#include "warpglass/textures/descriptor.h"

#define WG_TEXTURE static __device__ __forceinline__

typedef const struct wg_texture *__wg_texture_t;

/* ---- One texel ---------------------------------------------------------------------------------- */

/* The border, or the texel at (x, y, z); indices are in range or -1. */
template <int N> struct __wg_values {
    float v[N];
};

WG_TEXTURE const unsigned char *__wg_texel_at(__wg_texture_t t, int x, int y, int z) {
    return t->texels + (unsigned long long)z * t->slice + (unsigned long long)y * t->pitch +
           (unsigned long long)x * (t->channels * t->bytes);
}

WG_TEXTURE int __wg_whole_channel(__wg_texture_t t, const unsigned char *p) {
    bool sign = t->kind == WG_TEXEL_SIGNED;
    if (t->bytes == 4) return __ldg((const int *)p);
    if (t->bytes == 2) {
        unsigned short u = __ldg((const unsigned short *)p);
        return sign ? (int)(short)u : (int)u;
    }
    unsigned char u = __ldg(p);
    return sign ? (int)(signed char)u : (int)u;
}

WG_TEXTURE float __wg_float_channel(__wg_texture_t t, const unsigned char *p) {
    if (t->bytes == 4) return __ldg((const float *)p);
    if (t->kind == WG_TEXEL_FLOAT) {
        float f;
        asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(__ldg((const unsigned short *)p)));
        return f;
    }
    int whole = __wg_whole_channel(t, p);
    if (!t->normalized) return __int_as_float(whole);
    if (t->kind == WG_TEXEL_UNSIGNED) return (float)whole / (t->bytes == 1 ? 255.0f : 65535.0f);
    float part = (float)whole / (t->bytes == 1 ? 127.0f : 32767.0f);
    return t->linear ? part : fmaxf(part, -1.0f); /* -128 goes into a mean as it is */
}

template <int N> WG_TEXTURE __wg_values<N> __wg_texel(__wg_texture_t t, int x, int y, int z) {
    __wg_values<N> r;
    if (x < 0 || y < 0 || z < 0) {
        for (int i = 0; i < N; i++) r.v[i] = t->border[i];
        return r;
    }
    const unsigned char *p = __wg_texel_at(t, x, y, z);
    for (int i = 0; i < N; i++) r.v[i] = i < t->channels ? __wg_float_channel(t, p + i * t->bytes) : 0.0f;
    return r;
}

/* ---- Where a coordinate falls ------------------------------------------------------------------- */

/* Two neighbours of one dimension, -1 where there is no texel and the border stands; `part`: 256ths of
 * `high`. */
struct __wg_place {
    int low, high, part;
};

/* What a normalized coordinate stands for beyond the edges: a mirror's images come in pairs. */
WG_TEXTURE float __wg_unit_coordinate(float x, int mode) {
    if (mode == cudaAddressModeWrap) return x - floorf(x);
    if (mode == cudaAddressModeMirror) return x - 2.0f * floorf(0.5f * x);
    return x;
}

/* The texel that stands at i. */
WG_TEXTURE int __wg_texel_index(int i, int n, int mode) {
    if (i >= 0 && i < n) return i;
    if (mode == cudaAddressModeBorder) return -1;
    if (mode == cudaAddressModeWrap) return i < 0 ? n - 1 : 0;
    if (mode == cudaAddressModeMirror && i < 2 * n) return i < 0 ? 0 : 2 * n - 1 - i;
    return i < 0 || mode == cudaAddressModeMirror ? 0 : n - 1;
}

WG_TEXTURE float __wg_texel_coordinate(__wg_texture_t t, float x, int dimension) {
    float n = (float)t->extent[dimension];
    if (t->unit) x = __wg_unit_coordinate(x, t->mode[dimension]) * n;
    return fminf(fmaxf(x, -4.0f), 2.0f * n + 4.0f); /* further out is no different */
}

WG_TEXTURE int __wg_nearest(__wg_texture_t t, float x, int dimension) {
    int i = (int)floorf(__wg_texel_coordinate(t, x, dimension));
    return __wg_texel_index(i, (int)t->extent[dimension], t->mode[dimension]);
}

WG_TEXTURE struct __wg_place __wg_between(__wg_texture_t t, float x, int dimension) {
    int n = (int)t->extent[dimension], mode = t->mode[dimension];
    int fixed = (int)floorf(__wg_texel_coordinate(t, x, dimension) * 256.0f + 0.5f) - 128;
    struct __wg_place p = {__wg_texel_index(fixed >> 8, n, mode), __wg_texel_index((fixed >> 8) + 1, n, mode),
                           fixed & 255};
    return p;
}

/* ---- Sums --------------------------------------------------------------------------------------- */

template <int N> WG_TEXTURE void __wg_add(__wg_values<N> &sum, const __wg_values<N> &v, int weight) {
    if (weight)
        for (int i = 0; i < N; i++) sum.v[i] += (float)weight * 0x1p-8f * v.v[i];
}

/* As many bits as the hardware's mean has. */
template <int N> WG_TEXTURE __wg_values<N> __wg_mean(__wg_texture_t t, __wg_values<N> v) {
    for (int i = 0; i < N; i++) {
        if (t->normalized) {
            float most = t->kind == WG_TEXEL_SIGNED ? 32767.0f : 65535.0f;
            v.v[i] = fmaxf(rintf(v.v[i] * most) / most, -1.0f);
        } else if (t->bytes == 2) {
            unsigned short half;
            asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(v.v[i]));
            asm("cvt.f32.f16 %0, %1;" : "=f"(v.v[i]) : "h"(half));
        }
    }
    return v;
}

/* What four neighbours weigh: the last is rounded, and the others make up what is left. */
struct __wg_weights {
    int w[4]; /* (low, low), (high, low), (low, high), (high, high) */
};
WG_TEXTURE struct __wg_weights __wg_weights_of(int a, int b) {
    int both = (a * b + 128) >> 8;
    struct __wg_weights w = {{256 - a - b + both, a - both, b - both, both}};
    return w;
}

template <int N> WG_TEXTURE __wg_values<N> __wg_mean_2(__wg_texture_t t, float x, float y, int z) {
    struct __wg_place a = __wg_between(t, x, 0), b = __wg_between(t, y, 1);
    struct __wg_weights w = __wg_weights_of(a.part, b.part);
    __wg_values<N> sum = {};
    __wg_add(sum, __wg_texel<N>(t, a.low, b.low, z), w.w[0]);
    __wg_add(sum, __wg_texel<N>(t, a.high, b.low, z), w.w[1]);
    __wg_add(sum, __wg_texel<N>(t, a.low, b.high, z), w.w[2]);
    __wg_add(sum, __wg_texel<N>(t, a.high, b.high, z), w.w[3]);
    return __wg_mean(t, sum);
}

template <int N> WG_TEXTURE __wg_values<N> __wg_mean_3(__wg_texture_t t, float x, float y, float z) {
    struct __wg_place a = __wg_between(t, x, 0), b = __wg_between(t, y, 1), c = __wg_between(t, z, 2);
    struct __wg_weights w = __wg_weights_of(a.part, c.part);
    __wg_values<N> sum = {};
    for (int i = 0; i < 4; i++) {
        int at_x = i & 1 ? a.high : a.low, at_z = i & 2 ? c.high : c.low;
        int high = (w.w[i] * b.part + 128) >> 8;
        __wg_add(sum, __wg_texel<N>(t, at_x, b.low, at_z), w.w[i] - high);
        __wg_add(sum, __wg_texel<N>(t, at_x, b.high, at_z), high);
    }
    return __wg_mean(t, sum);
}

/* ---- Samples: floats ---------------------------------------------------------------------------- */

template <int N> WG_TEXTURE __wg_values<N> __wg_sample_2(__wg_texture_t t, float x, float y, int z) {
    if (t->linear) return __wg_mean_2<N>(t, x, y, z);
    return __wg_texel<N>(t, __wg_nearest(t, x, 0), __wg_nearest(t, y, 1), z);
}

template <int N> WG_TEXTURE __wg_values<N> __wg_sample_1(__wg_texture_t t, float x, int z) {
    /* A line is an image of one row, of which y = 0 is the upper edge. */
    if (t->linear && t->mode[1] == cudaAddressModeBorder) return __wg_mean_2<N>(t, x, 0.0f, z);
    if (!t->linear) return __wg_texel<N>(t, __wg_nearest(t, x, 0), 0, z);
    struct __wg_place a = __wg_between(t, x, 0);
    __wg_values<N> sum = {};
    __wg_add(sum, __wg_texel<N>(t, a.low, 0, z), 256 - a.part);
    __wg_add(sum, __wg_texel<N>(t, a.high, 0, z), a.part);
    return __wg_mean(t, sum);
}

template <int N> WG_TEXTURE __wg_values<N> __wg_sample_3(__wg_texture_t t, float x, float y, float z) {
    if (t->linear) return __wg_mean_3<N>(t, x, y, z);
    return __wg_texel<N>(t, __wg_nearest(t, x, 0), __wg_nearest(t, y, 1), __wg_nearest(t, z, 2));
}
#endif
