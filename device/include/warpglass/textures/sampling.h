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
template <int __Num> struct __wg_values {
    float __v[__Num];
};

WG_TEXTURE const unsigned char *__wg_texel_at(__wg_texture_t __t, int __x, int __y, int __z) {
    return __t->__texels + (unsigned long long)__z * __t->__slice + (unsigned long long)__y * __t->__pitch +
           (unsigned long long)__x * (__t->__channels * __t->__bytes);
}

WG_TEXTURE int __wg_whole_channel(__wg_texture_t __t, const unsigned char *__p) {
    bool __sign = __t->__kind == WG_TEXEL_SIGNED;
    if (__t->__bytes == 4) return __ldg((const int *)__p);
    if (__t->__bytes == 2) {
        unsigned short __u = __ldg((const unsigned short *)__p);
        return __sign ? (int)(short)__u : (int)__u;
    }
    unsigned char __u = __ldg(__p);
    return __sign ? (int)(signed char)__u : (int)__u;
}

WG_TEXTURE float __wg_float_channel(__wg_texture_t __t, const unsigned char *__p) {
    if (__t->__bytes == 4) return __ldg((const float *)__p);
    if (__t->__kind == WG_TEXEL_FLOAT) {
        float __f;
        asm("cvt.f32.f16 %0, %1;" : "=f"(__f) : "h"(__ldg((const unsigned short *)__p)));
        return __f;
    }
    int __whole = __wg_whole_channel(__t, __p);
    if (!__t->__normalized) return __int_as_float(__whole);
    if (__t->__kind == WG_TEXEL_UNSIGNED) return (float)__whole / (__t->__bytes == 1 ? 255.0f : 65535.0f);
    float __part = (float)__whole / (__t->__bytes == 1 ? 127.0f : 32767.0f);
    return __t->__linear ? __part : fmaxf(__part, -1.0f); /* -128 goes into a mean as it is */
}

template <int __Num> WG_TEXTURE __wg_values<__Num> __wg_texel(__wg_texture_t __t, int __x, int __y, int __z) {
    __wg_values<__Num> __r;
    if (__x < 0 || __y < 0 || __z < 0) {
        for (int __i = 0; __i < __Num; __i++) __r.__v[__i] = __t->__border[__i];
        return __r;
    }
    const unsigned char *__p = __wg_texel_at(__t, __x, __y, __z);
    for (int __i = 0; __i < __Num; __i++)
        __r.__v[__i] = __i < __t->__channels ? __wg_float_channel(__t, __p + __i * __t->__bytes) : 0.0f;
    return __r;
}

/* ---- Where a coordinate falls ------------------------------------------------------------------- */

/* Two neighbours of one dimension, -1 where there is no texel and the border stands; `part`: 256ths of
 * `high`. */
struct __wg_place {
    int __low, __high, __part;
};

/* What a normalized coordinate stands for beyond the edges: a mirror's images come in pairs. */
WG_TEXTURE float __wg_unit_coordinate(float __x, int __mode) {
    if (__mode == cudaAddressModeWrap) return __x - floorf(__x);
    if (__mode == cudaAddressModeMirror) return __x - 2.0f * floorf(0.5f * __x);
    return __x;
}

/* The texel that stands at i. */
WG_TEXTURE int __wg_texel_index(int __i, int __n, int __mode) {
    if (__i >= 0 && __i < __n) return __i;
    if (__mode == cudaAddressModeBorder) return -1;
    if (__mode == cudaAddressModeWrap) return __i < 0 ? __n - 1 : 0;
    if (__mode == cudaAddressModeMirror && __i < 2 * __n) return __i < 0 ? 0 : 2 * __n - 1 - __i;
    return __i < 0 || __mode == cudaAddressModeMirror ? 0 : __n - 1;
}

WG_TEXTURE float __wg_texel_coordinate(__wg_texture_t __t, float __x, int __dimension) {
    float __n = (float)__t->__extent[__dimension];
    if (__t->__unit) __x = __wg_unit_coordinate(__x, __t->__mode[__dimension]) * __n;
    return fminf(fmaxf(__x, -4.0f), 2.0f * __n + 4.0f); /* further out is no different */
}

WG_TEXTURE int __wg_nearest(__wg_texture_t __t, float __x, int __dimension) {
    int __i = (int)floorf(__wg_texel_coordinate(__t, __x, __dimension));
    return __wg_texel_index(__i, (int)__t->__extent[__dimension], __t->__mode[__dimension]);
}

WG_TEXTURE struct __wg_place __wg_between(__wg_texture_t __t, float __x, int __dimension) {
    int __n = (int)__t->__extent[__dimension], __mode = __t->__mode[__dimension];
    int __fixed = (int)floorf(__wg_texel_coordinate(__t, __x, __dimension) * 256.0f + 0.5f) - 128;
    struct __wg_place __p = {__wg_texel_index(__fixed >> 8, __n, __mode),
                             __wg_texel_index((__fixed >> 8) + 1, __n, __mode), __fixed & 255};
    return __p;
}

/* Where a direction meets a cube: the face, and the place on it from 0 to 1. */
struct __wg_cube {
    int __face;
    float __x, __y;
};
WG_TEXTURE struct __wg_cube __wg_cube_at(float __x, float __y, float __z) {
    float __a = fabsf(__x), __b = fabsf(__y), __c = fabsf(__z), __most, __s, __t;
    struct __wg_cube __p;
    if (__c >= __a && __c >= __b)
        __p.__face = __z < 0 ? 5 : 4, __most = __c, __s = __z < 0 ? -__x : __x, __t = -__y;
    else if (__b >= __a)
        __p.__face = __y < 0 ? 3 : 2, __most = __b, __s = __x, __t = __y < 0 ? -__z : __z;
    else
        __p.__face = __x < 0 ? 1 : 0, __most = __a, __s = __x < 0 ? __z : -__z, __t = -__y;
    __p.__x = 0.5f * (__s / __most) + 0.5f;
    __p.__y = 0.5f * (__t / __most) + 0.5f;
    return __p;
}

/* ---- Sums --------------------------------------------------------------------------------------- */

template <int __Num>
WG_TEXTURE void __wg_add(__wg_values<__Num> &__sum, const __wg_values<__Num> &__v, int __weight) {
    if (__weight)
        for (int __i = 0; __i < __Num; __i++) __sum.__v[__i] += (float)__weight * 0x1p-8f * __v.__v[__i];
}

/* As many bits as the hardware's mean has. */
template <int __Num> WG_TEXTURE __wg_values<__Num> __wg_mean(__wg_texture_t __t, __wg_values<__Num> __v) {
    for (int __i = 0; __i < __Num; __i++) {
        if (__t->__normalized) {
            float __most = __t->__kind == WG_TEXEL_SIGNED ? 32767.0f : 65535.0f;
            __v.__v[__i] = fmaxf(rintf(__v.__v[__i] * __most) / __most, -1.0f);
        } else if (__t->__bytes == 2) {
            unsigned short __half;
            asm("cvt.rn.f16.f32 %0, %1;" : "=h"(__half) : "f"(__v.__v[__i]));
            asm("cvt.f32.f16 %0, %1;" : "=f"(__v.__v[__i]) : "h"(__half));
        }
    }
    return __v;
}

/* What four neighbours weigh: the last is rounded, and the others make up what is left. */
struct __wg_weights {
    int __w[4]; /* (low, low), (high, low), (low, high), (high, high) */
};
WG_TEXTURE struct __wg_weights __wg_weights_of(int __a, int __b) {
    int __both = (__a * __b + 128) >> 8;
    struct __wg_weights __w = {{256 - __a - __b + __both, __a - __both, __b - __both, __both}};
    return __w;
}

template <int __Num>
WG_TEXTURE __wg_values<__Num> __wg_mean_2(__wg_texture_t __t, float __x, float __y, int __z) {
    struct __wg_place __a = __wg_between(__t, __x, 0), __b = __wg_between(__t, __y, 1);
    struct __wg_weights __w = __wg_weights_of(__a.__part, __b.__part);
    __wg_values<__Num> __sum = {};
    __wg_add(__sum, __wg_texel<__Num>(__t, __a.__low, __b.__low, __z), __w.__w[0]);
    __wg_add(__sum, __wg_texel<__Num>(__t, __a.__high, __b.__low, __z), __w.__w[1]);
    __wg_add(__sum, __wg_texel<__Num>(__t, __a.__low, __b.__high, __z), __w.__w[2]);
    __wg_add(__sum, __wg_texel<__Num>(__t, __a.__high, __b.__high, __z), __w.__w[3]);
    return __wg_mean(__t, __sum);
}

template <int __Num>
WG_TEXTURE __wg_values<__Num> __wg_mean_3(__wg_texture_t __t, float __x, float __y, float __z) {
    struct __wg_place __a = __wg_between(__t, __x, 0), __b = __wg_between(__t, __y, 1),
                      __c = __wg_between(__t, __z, 2);
    struct __wg_weights __w = __wg_weights_of(__a.__part, __c.__part);
    __wg_values<__Num> __sum = {};
    for (int __i = 0; __i < 4; __i++) {
        int __at_x = __i & 1 ? __a.__high : __a.__low, __at_z = __i & 2 ? __c.__high : __c.__low;
        int __high = (__w.__w[__i] * __b.__part + 128) >> 8;
        __wg_add(__sum, __wg_texel<__Num>(__t, __at_x, __b.__low, __at_z), __w.__w[__i] - __high);
        __wg_add(__sum, __wg_texel<__Num>(__t, __at_x, __b.__high, __at_z), __high);
    }
    return __wg_mean(__t, __sum);
}

/* ---- Samples: floats ---------------------------------------------------------------------------- */

template <int __Num>
WG_TEXTURE __wg_values<__Num> __wg_sample_2(__wg_texture_t __t, float __x, float __y, int __z) {
    if (__t->__linear) return __wg_mean_2<__Num>(__t, __x, __y, __z);
    return __wg_texel<__Num>(__t, __wg_nearest(__t, __x, 0), __wg_nearest(__t, __y, 1), __z);
}

template <int __Num> WG_TEXTURE __wg_values<__Num> __wg_sample_1(__wg_texture_t __t, float __x, int __z) {
    if (__t->__by_index) return {}; /* as an H200 gives it */
    /* A line is an image of one row, of which y = 0 is the upper edge. */
    if (__t->__linear && __t->__mode[1] == cudaAddressModeBorder)
        return __wg_mean_2<__Num>(__t, __x, 0.0f, __z);
    if (!__t->__linear) return __wg_texel<__Num>(__t, __wg_nearest(__t, __x, 0), 0, __z);
    struct __wg_place __a = __wg_between(__t, __x, 0);
    __wg_values<__Num> __sum = {};
    __wg_add(__sum, __wg_texel<__Num>(__t, __a.__low, 0, __z), 256 - __a.__part);
    __wg_add(__sum, __wg_texel<__Num>(__t, __a.__high, 0, __z), __a.__part);
    return __wg_mean(__t, __sum);
}

template <int __Num>
WG_TEXTURE __wg_values<__Num> __wg_sample_3(__wg_texture_t __t, float __x, float __y, float __z) {
    if (__t->__linear) return __wg_mean_3<__Num>(__t, __x, __y, __z);
    return __wg_texel<__Num>(__t, __wg_nearest(__t, __x, 0), __wg_nearest(__t, __y, 1),
                             __wg_nearest(__t, __z, 2));
}
#endif
