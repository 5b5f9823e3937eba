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

template <typename T> struct __wg_texel_type;
#define WG_TEXEL_1(T)                                                                                        \
    template <> struct __wg_texel_type<T> {                                                                  \
        typedef T channel;                                                                                   \
        enum { n = 1 };                                                                                      \
        static __device__ __forceinline__ T of(const T *v) { return v[0]; }                                  \
    };
#define WG_TEXEL_N(T, CHANNEL, N, ...)                                                                       \
    template <> struct __wg_texel_type<T> {                                                                  \
        typedef CHANNEL channel;                                                                             \
        enum { n = N };                                                                                      \
        static __device__ __forceinline__ T of(const CHANNEL *v) {                                           \
            T t = {__VA_ARGS__};                                                                             \
            return t;                                                                                        \
        }                                                                                                    \
    };
#define WG_TEXELS(T, CHANNEL)                                                                                \
    WG_TEXEL_1(CHANNEL)                                                                                      \
    WG_TEXEL_N(T##1, CHANNEL, 1, v[0])                                                                       \
    WG_TEXEL_N(T##2, CHANNEL, 2, v[0], v[1])                                                                 \
    WG_TEXEL_N(T##4, CHANNEL, 4, v[0], v[1], v[2], v[3])
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
template <typename T, typename C> struct __wg_fetch {
    enum { n = __wg_texel_type<T>::n };
    static __device__ __forceinline__ T texel(__wg_texture_t t, int x, int y, int z) {
        C v[n];
        for (int i = 0; i < n; i++) v[i] = 0;
        if (x >= 0 && y >= 0 && z >= 0) {
            const unsigned char *p = __wg_texel_at(t, x, y, z);
            for (int i = 0; i < n; i++)
                if (i < t->channels) v[i] = (C)__wg_whole_channel(t, p + i * t->bytes);
        }
        return __wg_texel_type<T>::of(v);
    }
    static __device__ __forceinline__ T one(__wg_texture_t t, float x, int z) {
        return texel(t, __wg_nearest(t, x, 0), 0, z);
    }
    static __device__ __forceinline__ T two(__wg_texture_t t, float x, float y, int z) {
        return texel(t, __wg_nearest(t, x, 0), __wg_nearest(t, y, 1), z);
    }
    static __device__ __forceinline__ T three(__wg_texture_t t, float x, float y, float z) {
        return texel(t, __wg_nearest(t, x, 0), __wg_nearest(t, y, 1), __wg_nearest(t, z, 2));
    }
};
template <typename T> struct __wg_fetch<T, float> {
    enum { n = __wg_texel_type<T>::n };
    static __device__ __forceinline__ T texel(__wg_texture_t t, int x, int y, int z) {
        return __wg_texel_type<T>::of(__wg_texel<n>(t, x, y, z).v);
    }
    static __device__ __forceinline__ T one(__wg_texture_t t, float x, int z) {
        return __wg_texel_type<T>::of(__wg_sample_1<n>(t, x, z).v);
    }
    static __device__ __forceinline__ T two(__wg_texture_t t, float x, float y, int z) {
        return __wg_texel_type<T>::of(__wg_sample_2<n>(t, x, y, z).v);
    }
    static __device__ __forceinline__ T three(__wg_texture_t t, float x, float y, float z) {
        return __wg_texel_type<T>::of(__wg_sample_3<n>(t, x, y, z).v);
    }
};
#define WG_FETCH(T) __wg_fetch<T, typename __wg_texel_type<T>::channel>

WG_TEXTURE __wg_texture_t __wg_texture(cudaTextureObject_t o) { return (__wg_texture_t)o; }
/* Layers are clamped as the hardware does it: what is below 0 is a great number. */
WG_TEXTURE int __wg_layer(__wg_texture_t t, int layer) {
    return (unsigned)layer < t->layers ? layer : (int)t->layers - 1;
}

/* ---- Textures ----------------------------------------------------------------------------------- */

template <typename T> WG_TEXTURE T tex1Dfetch(cudaTextureObject_t object, int x) {
    __wg_texture_t t = __wg_texture(object);
    if ((unsigned)x < t->extent[0]) return WG_FETCH(T)::texel(t, x, 0, 0);
    typename __wg_texel_type<T>::channel none[4] = {0, 0, 0, 0};
    return __wg_texel_type<T>::of(none);
}
template <typename T> WG_TEXTURE T tex1D(cudaTextureObject_t object, float x) {
    return WG_FETCH(T)::one(__wg_texture(object), x, 0);
}
template <typename T> WG_TEXTURE T tex2D(cudaTextureObject_t object, float x, float y) {
    return WG_FETCH(T)::two(__wg_texture(object), x, y, 0);
}
template <typename T> WG_TEXTURE T tex3D(cudaTextureObject_t object, float x, float y, float z) {
    return WG_FETCH(T)::three(__wg_texture(object), x, y, z);
}
template <typename T> WG_TEXTURE T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
    __wg_texture_t t = __wg_texture(object);
    return WG_FETCH(T)::one(t, x, __wg_layer(t, layer));
}
template <typename T> WG_TEXTURE T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
    __wg_texture_t t = __wg_texture(object);
    return WG_FETCH(T)::two(t, x, y, __wg_layer(t, layer));
}
template <typename T> WG_TEXTURE T tex1DLod(cudaTextureObject_t object, float x, float) {
    return tex1D<T>(object, x);
}
template <typename T> WG_TEXTURE T tex2DLod(cudaTextureObject_t object, float x, float y, float) {
    return tex2D<T>(object, x, y);
}
template <typename T> WG_TEXTURE T tex3DLod(cudaTextureObject_t object, float x, float y, float z, float) {
    return tex3D<T>(object, x, y, z);
}
template <typename T> WG_TEXTURE T tex1DGrad(cudaTextureObject_t object, float x, float, float) {
    return tex1D<T>(object, x);
}
template <typename T> WG_TEXTURE T tex2DGrad(cudaTextureObject_t object, float x, float y, float2, float2) {
    return tex2D<T>(object, x, y);
}
template <typename T>
WG_TEXTURE T tex3DGrad(cudaTextureObject_t object, float x, float y, float z, float4, float4) {
    return tex3D<T>(object, x, y, z);
}

template <typename C> struct __wg_four;
#define WG_FOUR(T, CHANNEL)                                                                                  \
    template <> struct __wg_four<CHANNEL> {                                                                  \
        typedef T##4 type;                                                                                   \
    };
WG_FOUR(char, signed char)
WG_FOUR(uchar, unsigned char)
WG_FOUR(short, short)
WG_FOUR(ushort, unsigned short)
WG_FOUR(int, int)
WG_FOUR(uint, unsigned int)
WG_FOUR(float, float)
#undef WG_FOUR
template <typename F> WG_TEXTURE auto __wg_channel(F v, int channel) -> decltype(v.x) {
    return channel == 0 ? v.x : channel == 1 ? v.y : channel == 2 ? v.z : v.w;
}

/* One channel of the four texels that a mean would be of, counter-clockwise from the lower left. */
template <typename T>
WG_TEXTURE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0) {
    typedef typename __wg_texel_type<T>::channel C;
    typedef typename __wg_four<C>::type four;
    __wg_texture_t t = __wg_texture(object);
    struct __wg_place a = __wg_between(t, x, 0), b = __wg_between(t, y, 1);
    C v[4] = {__wg_channel(__wg_fetch<four, C>::texel(t, a.low, b.high, 0), channel),
              __wg_channel(__wg_fetch<four, C>::texel(t, a.high, b.high, 0), channel),
              __wg_channel(__wg_fetch<four, C>::texel(t, a.high, b.low, 0), channel),
              __wg_channel(__wg_fetch<four, C>::texel(t, a.low, b.low, 0), channel)};
    return __wg_texel_type<T>::of(v);
}

/* The older form: the value goes where a pointer says. */
#define WG_OLDER(NAME, PARAMETERS, ...)                                                                      \
    template <typename T> WG_TEXTURE void NAME(T *value, cudaTextureObject_t object, PARAMETERS) {           \
        *value = NAME<T>(object, __VA_ARGS__);                                                               \
    }
#define WG_AND ,
WG_OLDER(tex1Dfetch, int x, x)
WG_OLDER(tex1D, float x, x)
WG_OLDER(tex2D, float x WG_AND float y, x, y)
WG_OLDER(tex3D, float x WG_AND float y WG_AND float z, x, y, z)
WG_OLDER(tex1DLayered, float x WG_AND int layer, x, layer)
WG_OLDER(tex2DLayered, float x WG_AND float y WG_AND int layer, x, y, layer)
WG_OLDER(tex2DLod, float x WG_AND float y WG_AND float level, x, y, level)
WG_OLDER(tex3DLod, float x WG_AND float y WG_AND float z WG_AND float level, x, y, z, level)
#undef WG_OLDER
#undef WG_AND

/* ---- Surfaces ----------------------------------------------------------------------------------- */

/* Where x (in bytes), y and z lie; NULL beyond the edges, where a read is 0 and a write does nothing. */
template <typename T>
WG_TEXTURE unsigned char *__wg_surface_at(__wg_texture_t t, int x, int y, int z, unsigned int slices,
                                          cudaSurfaceBoundaryMode mode) {
    int width = (int)(t->extent[0] * t->channels * t->bytes) - (int)sizeof(T);
    int rows = (int)t->extent[1] - 1, last = (int)slices - 1;
    if (mode == cudaBoundaryModeClamp) {
        x = min(max(x, 0), width), y = min(max(y, 0), rows), z = min(max(z, 0), last);
    } else if (x < 0 || x > width || (unsigned)y > (unsigned)rows || (unsigned)z > (unsigned)last) {
        if (mode == cudaBoundaryModeTrap) __trap();
        return 0;
    }
    return t->texels + (unsigned long long)z * t->slice + (unsigned long long)y * t->pitch + (unsigned)x;
}
template <typename T> WG_TEXTURE T __wg_surface_read(const unsigned char *p) {
    T none = {};
    return p ? *(const T *)p : none;
}
template <typename T> WG_TEXTURE void __wg_surface_write(unsigned char *p, T value) {
    if (p) *(T *)p = value;
}

#define WG_SURFACE(READ, WRITE, PARAMETERS, SLICES, X, Y, Z)                                                 \
    template <typename T>                                                                                    \
    WG_TEXTURE T READ(cudaSurfaceObject_t object, PARAMETERS,                                                \
                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                 \
        __wg_texture_t t = __wg_texture(object);                                                             \
        return __wg_surface_read<T>(__wg_surface_at<T>(t, X, Y, Z, SLICES, mode));                           \
    }                                                                                                        \
    template <typename T>                                                                                    \
    WG_TEXTURE void READ(T *value, cudaSurfaceObject_t object, PARAMETERS,                                   \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                              \
        __wg_texture_t t = __wg_texture(object);                                                             \
        *value = __wg_surface_read<T>(__wg_surface_at<T>(t, X, Y, Z, SLICES, mode));                         \
    }                                                                                                        \
    template <typename T>                                                                                    \
    WG_TEXTURE void WRITE(T value, cudaSurfaceObject_t object, PARAMETERS,                                   \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                             \
        __wg_texture_t t = __wg_texture(object);                                                             \
        __wg_surface_write<T>(__wg_surface_at<T>(t, X, Y, Z, SLICES, mode), value);                          \
    }
#define WG_AND ,
WG_SURFACE(surf1Dread, surf1Dwrite, int x, 1, x, 0, 0)
WG_SURFACE(surf2Dread, surf2Dwrite, int x WG_AND int y, 1, x, y, 0)
WG_SURFACE(surf3Dread, surf3Dwrite, int x WG_AND int y WG_AND int z, t->extent[2], x, y, z)
WG_SURFACE(surf1DLayeredread, surf1DLayeredwrite, int x WG_AND int layer, t->layers, x, 0, layer)
WG_SURFACE(surf2DLayeredread, surf2DLayeredwrite, int x WG_AND int y WG_AND int layer, t->layers, x, y, layer)
#undef WG_AND
#undef WG_SURFACE
#undef WG_FETCH
#endif
