/* references.h: texture and surface references, which CUDA 12 removed.
 *
 *     texture<float, 2, cudaReadModeElementType> image;   a variable of the host, with its attributes, and one of the
 *                                                         device (PTX's .texref): a texture object, as its name finds it
 *     cudaBindTextureToArray(image, array);               makes such an object, and copies it there
 *     tex2D(image, x, y)                                  tex2D<float>(the variable's address, x, y)
 *
 * Not part of cuda_runtime.h, because newer programs have a `texture` of their own: compiled behind it when clang misses
 * one of these names (cli/refused.c).
 */
#ifndef WARPGLASS_TEXTURES_REFERENCES_H
#define WARPGLASS_TEXTURES_REFERENCES_H

/* ---- What is declared ---------------------------------------------------------------------------- */

struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int __wg_as_fraction;
    unsigned int __wg_bound, __wg_offset;
    int __cudaReserved[11];
};
struct surfaceReference {
    struct cudaChannelFormatDesc channelDesc;
};

template <class T, int texType = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    __host__ texture(int __norm = 0, enum cudaTextureFilterMode __filter = cudaFilterModePoint,
                     enum cudaTextureAddressMode __address = cudaAddressModeClamp)
        : texture(__norm, __filter, __address, cudaCreateChannelDesc<T>()) {}
    __host__ texture(int __norm, enum cudaTextureFilterMode __filter, enum cudaTextureAddressMode __address,
                     struct cudaChannelFormatDesc __desc)
        : textureReference() {
        normalized = __norm;
        filterMode = __filter;
        for (int __i = 0; __i < 3; __i++) addressMode[__i] = __address;
        channelDesc = __desc;
        __wg_as_fraction = mode == cudaReadModeNormalizedFloat;
    }
};
template <class T = void, int dim = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
    __host__ surface() : surfaceReference() {}
};

/* ---- What a kernel reads ------------------------------------------------------------------------- */

#define WG_REFERENCE static __device__ __inline__ __attribute__((always_inline, artificial))

/* In device code a reference is its address. */
template <class __T, int __N, enum cudaTextureReadMode __M>
WG_REFERENCE cudaTextureObject_t __wg_object_of(texture<__T, __N, __M> __t) {
    return *(cudaTextureObject_t *)&__t;
}
template <class __T, int __N> WG_REFERENCE cudaSurfaceObject_t __wg_object_of(surface<__T, __N> __s) {
    return *(cudaSurfaceObject_t *)&__s;
}

/* What a read returns: the texel, or fractions of the greatest whole number. */
template <class __T, enum cudaTextureReadMode __M> struct __wg_read_as {
    typedef __T __type;
};
#define WG_FRACTION(T, FLOAT)                                                                                \
    template <> struct __wg_read_as<T, cudaReadModeNormalizedFloat> {                                        \
        typedef FLOAT __type;                                                                                \
    };
#define WG_FRACTIONS(T, CHANNEL)                                                                             \
    WG_FRACTION(CHANNEL, float)                                                                              \
    WG_FRACTION(T##1, float1) WG_FRACTION(T##2, float2) WG_FRACTION(T##4, float4)
WG_FRACTION(char, float)
WG_FRACTIONS(char, signed char)
WG_FRACTIONS(uchar, unsigned char)
WG_FRACTIONS(short, short)
WG_FRACTIONS(ushort, unsigned short)
#undef WG_FRACTIONS
#undef WG_FRACTION

#define WG_FETCH(NAME, DIMS, PARAMETERS, ...)                                                                \
    template <class __T, enum cudaTextureReadMode __M>                                                       \
    WG_REFERENCE typename __wg_read_as<__T, __M>::__type NAME(texture<__T, DIMS, __M> __t, PARAMETERS) {     \
        return NAME<typename __wg_read_as<__T, __M>::__type>(__wg_object_of(__t), __VA_ARGS__);              \
    }
#define WG_AND ,
#define WG_X   float __x
#define WG_XY  float __x WG_AND float __y
#define WG_XYZ float __x WG_AND float __y WG_AND float __z
WG_FETCH(tex1Dfetch, cudaTextureType1D, int __x, __x)
WG_FETCH(tex1D, cudaTextureType1D, WG_X, __x)
WG_FETCH(tex2D, cudaTextureType2D, WG_XY, __x, __y)
WG_FETCH(tex3D, cudaTextureType3D, WG_XYZ, __x, __y, __z)
WG_FETCH(tex1DLayered, cudaTextureType1DLayered, WG_X WG_AND int __layer, __x, __layer)
WG_FETCH(tex2DLayered, cudaTextureType2DLayered, WG_XY WG_AND int __layer, __x, __y, __layer)
WG_FETCH(texCubemap, cudaTextureTypeCubemap, WG_XYZ, __x, __y, __z)
WG_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered, WG_XYZ WG_AND int __layer, __x, __y, __z, __layer)
WG_FETCH(tex1DLod, cudaTextureType1D, WG_X WG_AND float __level, __x, __level)
WG_FETCH(tex2DLod, cudaTextureType2D, WG_XY WG_AND float __level, __x, __y, __level)
WG_FETCH(tex3DLod, cudaTextureType3D, WG_XYZ WG_AND float __level, __x, __y, __z, __level)
WG_FETCH(tex1DGrad, cudaTextureType1D, WG_X WG_AND float __dx WG_AND float __dy, __x, __dx, __dy)
WG_FETCH(tex2DGrad, cudaTextureType2D, WG_XY WG_AND float2 __dx WG_AND float2 __dy, __x, __y, __dx, __dy)
WG_FETCH(tex3DGrad, cudaTextureType3D, WG_XYZ WG_AND float4 __dx WG_AND float4 __dy, __x, __y, __z, __dx,
         __dy)
#undef WG_XYZ
#undef WG_XY
#undef WG_X
#undef WG_FETCH

template <class __T, enum cudaTextureReadMode __M>
WG_REFERENCE
    typename __wg_four<typename __wg_texel_type<typename __wg_read_as<__T, __M>::__type>::__channel>::__type
    tex2Dgather(texture<__T, cudaTextureType2D, __M> __t, float __x, float __y, int __channel = 0) {
    typedef typename __wg_texel_type<typename __wg_read_as<__T, __M>::__type>::__channel __C;
    return tex2Dgather<typename __wg_four<__C>::__type>(__wg_object_of(__t), __x, __y, __channel);
}

#define WG_SURFACE(READ, WRITE, DIMS, PARAMETERS, ...)                                                       \
    template <class __T>                                                                                     \
    WG_REFERENCE __T READ(surface<void, DIMS> __s, PARAMETERS,                                               \
                          cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                           \
        return READ<__T>(__wg_object_of(__s), __VA_ARGS__, __mode);                                          \
    }                                                                                                        \
    template <class __T>                                                                                     \
    WG_REFERENCE void READ(__T *__value, surface<void, DIMS> __s, PARAMETERS,                                \
                           cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                          \
        *__value = READ<__T>(__wg_object_of(__s), __VA_ARGS__, __mode);                                      \
    }                                                                                                        \
    template <class __T>                                                                                     \
    WG_REFERENCE void WRITE(__T __value, surface<void, DIMS> __s, PARAMETERS,                                \
                            cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap) {                         \
        WRITE<__T>(__value, __wg_object_of(__s), __VA_ARGS__, __mode);                                       \
    }
WG_SURFACE(surf1Dread, surf1Dwrite, cudaSurfaceType1D, int __x, __x)
WG_SURFACE(surf2Dread, surf2Dwrite, cudaSurfaceType2D, int __x WG_AND int __y, __x, __y)
WG_SURFACE(surf3Dread, surf3Dwrite, cudaSurfaceType3D, int __x WG_AND int __y WG_AND int __z, __x, __y, __z)
WG_SURFACE(surf1DLayeredread, surf1DLayeredwrite, cudaSurfaceType1DLayered, int __x WG_AND int __layer, __x,
           __layer)
WG_SURFACE(surf2DLayeredread, surf2DLayeredwrite, cudaSurfaceType2DLayered,
           int __x WG_AND int __y WG_AND int __layer, __x, __y, __layer)
WG_SURFACE(surfCubemapread, surfCubemapwrite, cudaSurfaceTypeCubemap,
           int __x WG_AND int __y WG_AND int __face, __x, __y, __face)
WG_SURFACE(surfCubemapLayeredread, surfCubemapLayeredwrite, cudaSurfaceTypeCubemapLayered,
           int __x WG_AND int __y WG_AND int __face, __x, __y, __face)
#undef WG_SURFACE
#undef WG_AND
#undef WG_REFERENCE

/* ---- What the host binds ------------------------------------------------------------------------- */

/* A copy of what a texture or surface object is; NULL: nothing to read. */
static inline cudaError_t __wg_set_reference(const void *__ref, const void *__object) {
    struct wg_texture __none = {};
    return cudaMemcpyToSymbol(__ref, __object ? __object : &__none, sizeof __none, 0, cudaMemcpyDefault);
}

/* The reference is const where it is bound, as in CUDA 11; its attributes are those it has at this moment. */
static inline cudaError_t __wg_bind(const struct textureReference *__ref, const cudaResourceDesc *__resource,
                                    size_t __offset) {
    struct textureReference *__t = const_cast<struct textureReference *>(__ref);
    cudaTextureDesc __d = {};
    cudaTextureObject_t __object;
    for (int __i = 0; __i < 3; __i++) __d.addressMode[__i] = __t->addressMode[__i];
    __d.filterMode = __t->filterMode;
    __d.readMode = __t->__wg_as_fraction ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    __d.sRGB = __t->sRGB;
    __d.normalizedCoords = __t->normalized;
    __d.maxAnisotropy = __t->maxAnisotropy;
    cudaError_t __error = cudaCreateTextureObject(&__object, __resource, &__d, 0);
    if (__error) return __error;
    __t->__wg_bound = 1;
    __t->__wg_offset = (unsigned int)__offset;
    __error = __wg_set_reference(__t, (const void *)__object);
    return __error ? __error : cudaDestroyTextureObject(__object);
}
static inline cudaError_t cudaUnbindTexture(const struct textureReference *__ref) {
    const_cast<struct textureReference *>(__ref)->__wg_bound = 0;
    return __wg_set_reference(__ref, 0);
}

/* Where the pointer is not aligned as textures are, the caller adds an offset to each place. */
static inline cudaError_t __wg_bind_memory(size_t *__offset, const struct textureReference *__t,
                                           cudaResourceDesc *__r, void **__p) {
    enum { __wg_alignment = 512 };
    size_t __off = (size_t)*__p % __wg_alignment;
    if (__off && !__offset) return cudaErrorInvalidValue;
    *__p = (char *)*__p - __off;
    if (__offset) *__offset = __off;
    if (__r->resType == cudaResourceTypeLinear) __r->res.linear.sizeInBytes += __off;
    return __wg_bind(__t, __r, __off);
}
static inline cudaError_t cudaBindTexture(size_t *__offset, const struct textureReference *__t,
                                          const void *__p, const cudaChannelFormatDesc *__desc,
                                          size_t __size = 0xffffffffu) {
    cudaResourceDesc __r = {};
    __r.resType = cudaResourceTypeLinear;
    __r.res.linear.devPtr = const_cast<void *>(__p);
    __r.res.linear.desc = *__desc;
    __r.res.linear.sizeInBytes = __size;
    return __wg_bind_memory(__offset, __t, &__r, &__r.res.linear.devPtr);
}
static inline cudaError_t cudaBindTexture2D(size_t *__offset, const struct textureReference *__t,
                                            const void *__p, const cudaChannelFormatDesc *__desc,
                                            size_t __width, size_t __height, size_t __pitch) {
    cudaResourceDesc __r = {};
    __r.resType = cudaResourceTypePitch2D;
    __r.res.pitch2D.devPtr = const_cast<void *>(__p);
    __r.res.pitch2D.desc = *__desc;
    __r.res.pitch2D.width = __width;
    __r.res.pitch2D.height = __height;
    __r.res.pitch2D.pitchInBytes = __pitch;
    return __wg_bind_memory(__offset, __t, &__r, &__r.res.pitch2D.devPtr);
}
static inline cudaError_t cudaBindTextureToArray(const struct textureReference *__t,
                                                 cudaArray_const_t __array, const cudaChannelFormatDesc *) {
    cudaResourceDesc __r = {};
    __r.resType = cudaResourceTypeArray;
    __r.res.array.array = const_cast<cudaArray_t>(__array);
    return __wg_bind(__t, &__r, 0);
}
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *__offset,
                                                        const struct textureReference *__t) {
    if (!__t->__wg_bound) return cudaErrorInvalidTextureBinding;
    *__offset = __t->__wg_offset;
    return cudaSuccess;
}
static inline cudaError_t cudaGetTextureReference(const struct textureReference **__t, const void *__symbol) {
    *__t = (const struct textureReference *)__symbol;
    return __symbol ? cudaSuccess : cudaErrorInvalidTexture;
}
static inline cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *__ref,
                                                 cudaArray_const_t __array, const cudaChannelFormatDesc *) {
    cudaSurfaceObject_t __object;
    cudaResourceDesc __r = {};
    __r.resType = cudaResourceTypeArray;
    __r.res.array.array = const_cast<cudaArray_t>(__array);
    cudaError_t __error = cudaCreateSurfaceObject(&__object, &__r);
    if (!__error) __error = __wg_set_reference(__ref, (const void *)__object);
    return __error ? __error : cudaDestroySurfaceObject(__object);
}
static inline cudaError_t cudaGetSurfaceReference(const struct surfaceReference **__s, const void *__symbol) {
    *__s = (const struct surfaceReference *)__symbol;
    return __symbol ? cudaSuccess : cudaErrorInvalidSurface;
}

/* The same of a reference by its name. */
#define WG_TYPED template <class __T, int __N, enum cudaTextureReadMode __M> static inline cudaError_t
WG_TYPED cudaUnbindTexture(const texture<__T, __N, __M> &__t) {
    return cudaUnbindTexture((const struct textureReference *)&__t);
}
WG_TYPED cudaBindTexture(size_t *__offset, const texture<__T, __N, __M> &__t, const void *__p,
                         const cudaChannelFormatDesc &__desc, size_t __size = 0xffffffffu) {
    return cudaBindTexture(__offset, (const struct textureReference *)&__t, __p, &__desc, __size);
}
WG_TYPED cudaBindTexture(size_t *__offset, const texture<__T, __N, __M> &__t, const void *__p,
                         size_t __size = 0xffffffffu) {
    return cudaBindTexture(__offset, (const struct textureReference *)&__t, __p, &__t.channelDesc, __size);
}
WG_TYPED cudaBindTexture2D(size_t *__offset, const texture<__T, __N, __M> &__t, const void *__p,
                           const cudaChannelFormatDesc &__desc, size_t __width, size_t __height,
                           size_t __pitch) {
    return cudaBindTexture2D(__offset, (const struct textureReference *)&__t, __p, &__desc, __width, __height,
                             __pitch);
}
WG_TYPED cudaBindTexture2D(size_t *__offset, const texture<__T, __N, __M> &__t, const void *__p,
                           size_t __width, size_t __height, size_t __pitch) {
    return cudaBindTexture2D(__offset, (const struct textureReference *)&__t, __p, &__t.channelDesc, __width,
                             __height, __pitch);
}
WG_TYPED cudaBindTextureToArray(const texture<__T, __N, __M> &__t, cudaArray_const_t __array,
                                const cudaChannelFormatDesc &__desc) {
    return cudaBindTextureToArray((const struct textureReference *)&__t, __array, &__desc);
}
WG_TYPED cudaBindTextureToArray(const texture<__T, __N, __M> &__t, cudaArray_const_t __array) {
    return cudaBindTextureToArray((const struct textureReference *)&__t, __array, &__t.channelDesc);
}
WG_TYPED cudaGetTextureAlignmentOffset(size_t *__offset, const texture<__T, __N, __M> &__t) {
    return cudaGetTextureAlignmentOffset(__offset, (const struct textureReference *)&__t);
}
WG_TYPED cudaGetTextureReference(const struct textureReference **__ref, const texture<__T, __N, __M> &__t) {
    return cudaGetTextureReference(__ref, (const void *)&__t);
}
#undef WG_TYPED
template <class __T, int __N>
static inline cudaError_t cudaBindSurfaceToArray(const surface<__T, __N> &__s, cudaArray_const_t __array) {
    return cudaBindSurfaceToArray((const struct surfaceReference *)&__s, __array, &__s.channelDesc);
}
template <class __T, int __N>
static inline cudaError_t cudaBindSurfaceToArray(const surface<__T, __N> &__s, cudaArray_const_t __array,
                                                 const cudaChannelFormatDesc &__desc) {
    return cudaBindSurfaceToArray((const struct surfaceReference *)&__s, __array, &__desc);
}
template <class __T, int __N>
static inline cudaError_t cudaGetSurfaceReference(const struct surfaceReference **__ref,
                                                  const surface<__T, __N> &__s) {
    return cudaGetSurfaceReference(__ref, (const void *)&__s);
}
#endif
