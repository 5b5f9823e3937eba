/* functions.h: tex1D and its kin, and surfaces.
 *
 *     float4 c = tex2D<float4>(image, x, y);      -> sampling.h, and the components that a float4 takes
 *     surf2Dwrite(value, surface, 4 * x, y);      -> a store
 *
 * A texel type is a channel type and how many of them. Whole numbers are read without a mean: a texture that
 * would need one is refused when it is made. There are no mipmaps, so that a level of detail chooses nothing.
 */
#ifndef WARPGLASS_TEXTURES_FUNCTIONS_H
#define WARPGLASS_TEXTURES_FUNCTIONS_H
#include "warpglass/textures/sampling.h"

/* ---- Texel types -------------------------------------------------------------------------------- */

template <typename __T> struct __wg_texel_type;
#define WG_TEXEL_1(T)                                                                                        \
    template <> struct __wg_texel_type<T> {                                                                  \
        typedef T __channel;                                                                                 \
        enum { __n = 1 };                                                                                    \
        static __device__ __forceinline__ T __of(const T *__v) { return __v[0]; }                            \
    };
#define WG_TEXEL_N(T, CHANNEL, N, ...)                                                                       \
    template <> struct __wg_texel_type<T> {                                                                  \
        typedef CHANNEL __channel;                                                                           \
        enum { __n = N };                                                                                    \
        static __device__ __forceinline__ T __of(const CHANNEL *__v) {                                       \
            T __t = {__VA_ARGS__};                                                                           \
            return __t;                                                                                      \
        }                                                                                                    \
    };
#define WG_TEXELS(T, CHANNEL)                                                                                \
    WG_TEXEL_1(CHANNEL)                                                                                      \
    WG_TEXEL_N(T##1, CHANNEL, 1, __v[0])                                                                     \
    WG_TEXEL_N(T##2, CHANNEL, 2, __v[0], __v[1])                                                             \
    WG_TEXEL_N(T##4, CHANNEL, 4, __v[0], __v[1], __v[2], __v[3])
WG_TEXEL_1(char)
WG_TEXELS(char, signed char)
WG_TEXELS(uchar, unsigned char)
WG_TEXELS(short, short)
WG_TEXELS(ushort, unsigned short)
WG_TEXELS(int, int)
WG_TEXELS(uint, unsigned int)
WG_TEXELS(float, float)
#undef WG_TEXEL_1
#undef WG_TEXEL_N
#undef WG_TEXELS

/* Floats come from a sample, whole numbers from the nearest texel. */
template <typename __T, typename __C> struct __wg_fetch {
    enum { __n = __wg_texel_type<__T>::__n };
    static __device__ __forceinline__ __T __texel(__wg_texture_t __t, int __x, int __y, int __z) {
        __C __v[__n];
        for (int __i = 0; __i < __n; __i++) __v[__i] = 0;
        if (__x >= 0 && __y >= 0 && __z >= 0) {
            const unsigned char *__p = __wg_texel_at(__t, __x, __y, __z);
            for (int __i = 0; __i < __n; __i++)
                if (__i < __t->__channels) __v[__i] = (__C)__wg_whole_channel(__t, __p + __i * __t->__bytes);
        }
        return __wg_texel_type<__T>::__of(__v);
    }
    static __device__ __forceinline__ __T __one(__wg_texture_t __t, float __x, int __z) {
        return __texel(__t, __wg_nearest(__t, __x, 0), 0, __z);
    }
    static __device__ __forceinline__ __T __two(__wg_texture_t __t, float __x, float __y, int __z) {
        return __texel(__t, __wg_nearest(__t, __x, 0), __wg_nearest(__t, __y, 1), __z);
    }
    static __device__ __forceinline__ __T __three(__wg_texture_t __t, float __x, float __y, float __z) {
        return __texel(__t, __wg_nearest(__t, __x, 0), __wg_nearest(__t, __y, 1), __wg_nearest(__t, __z, 2));
    }
};
template <typename __T> struct __wg_fetch<__T, float> {
    enum { __n = __wg_texel_type<__T>::__n };
    static __device__ __forceinline__ __T __texel(__wg_texture_t __t, int __x, int __y, int __z) {
        return __wg_texel_type<__T>::__of(__wg_texel<__n>(__t, __x, __y, __z).__v);
    }
    static __device__ __forceinline__ __T __one(__wg_texture_t __t, float __x, int __z) {
        return __wg_texel_type<__T>::__of(__wg_sample_1<__n>(__t, __x, __z).__v);
    }
    static __device__ __forceinline__ __T __two(__wg_texture_t __t, float __x, float __y, int __z) {
        return __wg_texel_type<__T>::__of(__wg_sample_2<__n>(__t, __x, __y, __z).__v);
    }
    static __device__ __forceinline__ __T __three(__wg_texture_t __t, float __x, float __y, float __z) {
        return __wg_texel_type<__T>::__of(__wg_sample_3<__n>(__t, __x, __y, __z).__v);
    }
};
#define WG_FETCH(T) __wg_fetch<T, typename __wg_texel_type<T>::__channel>

WG_TEXTURE __wg_texture_t __wg_texture(cudaTextureObject_t __o) { return (__wg_texture_t)__o; }
/* Layers are clamped as the hardware does it: what is below 0 is a great number. */
WG_TEXTURE int __wg_layer(__wg_texture_t __t, int __layer) {
    return (unsigned)__layer < __t->__layers ? __layer : (int)__t->__layers - 1;
}

/* ---- Textures ----------------------------------------------------------------------------------- */

template <typename __T> WG_TEXTURE __T tex1Dfetch(cudaTextureObject_t __object, int __x) {
    __wg_texture_t __t = __wg_texture(__object);
    if ((unsigned)__x < __t->__extent[0]) return WG_FETCH(__T)::__texel(__t, __x, 0, 0);
    typename __wg_texel_type<__T>::__channel __none[4] = {0, 0, 0, 0};
    return __wg_texel_type<__T>::__of(__none);
}
template <typename __T> WG_TEXTURE __T tex1D(cudaTextureObject_t __object, float __x) {
    return WG_FETCH(__T)::__one(__wg_texture(__object), __x, 0);
}
template <typename __T> WG_TEXTURE __T tex2D(cudaTextureObject_t __object, float __x, float __y) {
    return WG_FETCH(__T)::__two(__wg_texture(__object), __x, __y, 0);
}
template <typename __T> WG_TEXTURE __T tex3D(cudaTextureObject_t __object, float __x, float __y, float __z) {
    return WG_FETCH(__T)::__three(__wg_texture(__object), __x, __y, __z);
}
template <typename __T> WG_TEXTURE __T tex1DLayered(cudaTextureObject_t __object, float __x, int __layer) {
    __wg_texture_t __t = __wg_texture(__object);
    return WG_FETCH(__T)::__one(__t, __x, __wg_layer(__t, __layer));
}
template <typename __T>
WG_TEXTURE __T tex2DLayered(cudaTextureObject_t __object, float __x, float __y, int __layer) {
    __wg_texture_t __t = __wg_texture(__object);
    return WG_FETCH(__T)::__two(__t, __x, __y, __wg_layer(__t, __layer));
}
template <typename __T> WG_TEXTURE __T tex1DLod(cudaTextureObject_t __object, float __x, float) {
    return tex1D<__T>(__object, __x);
}
template <typename __T> WG_TEXTURE __T tex2DLod(cudaTextureObject_t __object, float __x, float __y, float) {
    return tex2D<__T>(__object, __x, __y);
}
template <typename __T>
WG_TEXTURE __T tex3DLod(cudaTextureObject_t __object, float __x, float __y, float __z, float) {
    return tex3D<__T>(__object, __x, __y, __z);
}
template <typename __T> WG_TEXTURE __T tex1DGrad(cudaTextureObject_t __object, float __x, float, float) {
    return tex1D<__T>(__object, __x);
}
template <typename __T>
WG_TEXTURE __T tex2DGrad(cudaTextureObject_t __object, float __x, float __y, float2, float2) {
    return tex2D<__T>(__object, __x, __y);
}
template <typename __T>
WG_TEXTURE __T tex3DGrad(cudaTextureObject_t __object, float __x, float __y, float __z, float4, float4) {
    return tex3D<__T>(__object, __x, __y, __z);
}

/* A cube map's faces are layers; of several cubes each has six. */
template <typename __T>
WG_TEXTURE __T texCubemapLayered(cudaTextureObject_t __object, float __x, float __y, float __z, int __layer) {
    __wg_texture_t __t = __wg_texture(__object);
    struct __wg_cube __p = __wg_cube_at(__x, __y, __z);
    unsigned int __cubes = __t->__layers / 6;
    int __cube = (unsigned)__layer < __cubes ? __layer : (int)__cubes - 1;
    return WG_FETCH(__T)::__two(__t, __p.__x, __p.__y, __wg_layer(__t, __cube * 6 + __p.__face));
}
template <typename __T>
WG_TEXTURE __T texCubemap(cudaTextureObject_t __object, float __x, float __y, float __z) {
    __wg_texture_t __t = __wg_texture(__object);
    struct __wg_cube __p = __wg_cube_at(__x, __y, __z);
    return WG_FETCH(__T)::__two(__t, __p.__x, __p.__y, __wg_layer(__t, __p.__face));
}
template <typename __T>
WG_TEXTURE __T texCubemapLod(cudaTextureObject_t __object, float __x, float __y, float __z, float) {
    return texCubemap<__T>(__object, __x, __y, __z);
}
template <typename __T>
WG_TEXTURE __T texCubemapLayeredLod(cudaTextureObject_t __object, float __x, float __y, float __z,
                                    int __layer, float) {
    return texCubemapLayered<__T>(__object, __x, __y, __z, __layer);
}
template <typename __T>
WG_TEXTURE __T texCubemapGrad(cudaTextureObject_t __object, float __x, float __y, float __z, float4, float4) {
    return texCubemap<__T>(__object, __x, __y, __z);
}
template <typename __T>
WG_TEXTURE __T texCubemapLayeredGrad(cudaTextureObject_t __object, float __x, float __y, float __z,
                                     int __layer, float4, float4) {
    return texCubemapLayered<__T>(__object, __x, __y, __z, __layer);
}

template <typename __C> struct __wg_four;
#define WG_FOUR(T, CHANNEL)                                                                                  \
    template <> struct __wg_four<CHANNEL> {                                                                  \
        typedef T##4 __type;                                                                                 \
    };
WG_FOUR(char, signed char)
WG_FOUR(uchar, unsigned char)
WG_FOUR(short, short)
WG_FOUR(ushort, unsigned short)
WG_FOUR(int, int)
WG_FOUR(uint, unsigned int)
WG_FOUR(float, float)
#undef WG_FOUR
template <typename __C> WG_TEXTURE __C __wg_channel(typename __wg_four<__C>::__type __v, int __channel) {
    return __channel == 0 ? __v.x : __channel == 1 ? __v.y : __channel == 2 ? __v.z : __v.w;
}

/* One channel of the four texels that a mean would be of, counter-clockwise from the lower left. */
template <typename __T>
WG_TEXTURE __T tex2Dgather(cudaTextureObject_t __object, float __x, float __y, int __channel = 0) {
    typedef typename __wg_texel_type<__T>::__channel __C;
    typedef typename __wg_four<__C>::__type __four;
    __wg_texture_t __t = __wg_texture(__object);
    struct __wg_place __a = __wg_between(__t, __x, 0), __b = __wg_between(__t, __y, 1);
    __C __v[4] = {
        __wg_channel<__C>(__wg_fetch<__four, __C>::__texel(__t, __a.__low, __b.__high, 0), __channel),
        __wg_channel<__C>(__wg_fetch<__four, __C>::__texel(__t, __a.__high, __b.__high, 0), __channel),
        __wg_channel<__C>(__wg_fetch<__four, __C>::__texel(__t, __a.__high, __b.__low, 0), __channel),
        __wg_channel<__C>(__wg_fetch<__four, __C>::__texel(__t, __a.__low, __b.__low, 0), __channel)};
    return __wg_texel_type<__T>::__of(__v);
}

/* The older form: the value goes where a pointer says. */
#define WG_OLDER(NAME, PARAMETERS, ...)                                                                      \
    template <typename __T> WG_TEXTURE void NAME(__T *__value, cudaTextureObject_t __object, PARAMETERS) {   \
        *__value = NAME<__T>(__object, __VA_ARGS__);                                                         \
    }
#define WG_AND ,
WG_OLDER(tex1Dfetch, int __x, __x)
WG_OLDER(tex1D, float __x, __x)
WG_OLDER(tex2D, float __x WG_AND float __y, __x, __y)
WG_OLDER(tex3D, float __x WG_AND float __y WG_AND float __z, __x, __y, __z)
WG_OLDER(tex1DLayered, float __x WG_AND int __layer, __x, __layer)
WG_OLDER(tex2DLayered, float __x WG_AND float __y WG_AND int __layer, __x, __y, __layer)
WG_OLDER(texCubemap, float __x WG_AND float __y WG_AND float __z, __x, __y, __z)
WG_OLDER(texCubemapLayered, float __x WG_AND float __y WG_AND float __z WG_AND int __layer, __x, __y, __z,
         __layer)
WG_OLDER(tex2DLod, float __x WG_AND float __y WG_AND float __level, __x, __y, __level)
WG_OLDER(tex3DLod, float __x WG_AND float __y WG_AND float __z WG_AND float __level, __x, __y, __z, __level)
#undef WG_OLDER
#undef WG_AND

/* ---- Surfaces ----------------------------------------------------------------------------------- */

/* Where x (in bytes), y and z lie; NULL beyond the edges, where a read is 0 and a write does nothing. */
template <typename __T>
WG_TEXTURE unsigned char *__wg_surface_at(__wg_texture_t __t, int __x, int __y, int __z,
                                          unsigned int __slices, cudaSurfaceBoundaryMode __mode) {
    int __width = (int)(__t->__extent[0] * __t->__channels * __t->__bytes) - (int)sizeof(__T);
    int __rows = (int)__t->__extent[1] - 1, __last = (int)__slices - 1;
    if (__mode == cudaBoundaryModeClamp) {
        __x = min(max(__x, 0), __width), __y = min(max(__y, 0), __rows), __z = min(max(__z, 0), __last);
    } else if (__x < 0 || __x > __width || (unsigned)__y > (unsigned)__rows ||
               (unsigned)__z > (unsigned)__last) {
        if (__mode == cudaBoundaryModeTrap) __trap();
        return 0;
    }
    return __t->__texels + (unsigned long long)__z * __t->__slice + (unsigned long long)__y * __t->__pitch +
           (unsigned)__x;
}
template <typename __T> WG_TEXTURE __T __wg_surface_read(const unsigned char *__p) {
    __T __none = {};
    return __p ? *(const __T *)__p : __none;
}
template <typename __T> WG_TEXTURE void __wg_surface_write(unsigned char *__p, __T __value) {
    if (__p) *(__T *)__p = __value;
}

#define WG_SURFACE(READ, WRITE, PARAMETERS, SLICES, X, Y, Z)                                                 \
    template <typename __T>                                                                                  \
    WG_TEXTURE __T READ(cudaSurfaceObject_t __object, PARAMETERS,                                            \
                        cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                             \
        __wg_texture_t __t = __wg_texture(__object);                                                         \
        return __wg_surface_read<__T>(__wg_surface_at<__T>(__t, X, Y, Z, SLICES, __mode));                   \
    }                                                                                                        \
    template <typename __T>                                                                                  \
    WG_TEXTURE void READ(__T *__value, cudaSurfaceObject_t __object, PARAMETERS,                             \
                         cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                            \
        __wg_texture_t __t = __wg_texture(__object);                                                         \
        *__value = __wg_surface_read<__T>(__wg_surface_at<__T>(__t, X, Y, Z, SLICES, __mode));               \
    }                                                                                                        \
    template <typename __T>                                                                                  \
    WG_TEXTURE void WRITE(__T __value, cudaSurfaceObject_t __object, PARAMETERS,                             \
                          cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                           \
        __wg_texture_t __t = __wg_texture(__object);                                                         \
        __wg_surface_write<__T>(__wg_surface_at<__T>(__t, X, Y, Z, SLICES, __mode), __value);                \
    }
#define WG_AND ,
WG_SURFACE(surf1Dread, surf1Dwrite, int __x, 1, __x, 0, 0)
WG_SURFACE(surf2Dread, surf2Dwrite, int __x WG_AND int __y, 1, __x, __y, 0)
WG_SURFACE(surf3Dread, surf3Dwrite, int __x WG_AND int __y WG_AND int __z, __t->__extent[2], __x, __y, __z)
WG_SURFACE(surf1DLayeredread, surf1DLayeredwrite, int __x WG_AND int __layer, __t->__layers, __x, 0, __layer)
WG_SURFACE(surf2DLayeredread, surf2DLayeredwrite, int __x WG_AND int __y WG_AND int __layer, __t->__layers,
           __x, __y, __layer)
WG_SURFACE(surfCubemapread, surfCubemapwrite, int __x WG_AND int __y WG_AND int __face, __t->__layers, __x,
           __y, __face)
WG_SURFACE(surfCubemapLayeredread, surfCubemapLayeredwrite, int __x WG_AND int __y WG_AND int __face,
           __t->__layers, __x, __y, __face)
#undef WG_AND
#undef WG_SURFACE
#undef WG_FETCH
#endif
