/* Arrays, textures and surfaces: the runtime's descriptions become the driver's.
 *
 * A cudaArray_t is the driver's CUarray, an object the driver's object.
 */
#include "runtime/runtime.h"
#include <string.h>

static CUdeviceptr device_address(const void *p) { return (CUdeviceptr)(uintptr_t)p; }
static CUarray array_of(cudaArray_const_t a) { return (CUarray)(uintptr_t)a; }

/* ---- Channels ----------------------------------------------------------------------------------- */

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind) {
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

static CUresult format_of(const struct cudaChannelFormatDesc *c, CUarray_format *format, unsigned *channels) {
    static const struct {
        enum cudaChannelFormatKind kind;
        int bits;
        CUarray_format format;
    } formats[] = {
        {cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8},
        {cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16},
        {cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32},
        {cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8},
        {cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16},
        {cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32},
        {cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF},
        {cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT},
    };
    int n = c->w ? 4 : c->z ? 3 : c->y ? 2 : 1;
    if (n == 3 || (n > 1 && c->y != c->x) || (n > 2 && (c->z != c->x || c->w != c->x)))
        return (CUresult)cudaErrorInvalidChannelDescriptor;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].kind == c->f && formats[i].bits == c->x) {
            *format = formats[i].format;
            *channels = (unsigned)n;
            return CUDA_SUCCESS;
        }
    return (CUresult)cudaErrorInvalidChannelDescriptor;
}

static int channel_bits(CUarray_format f) {
    switch (f) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: return 8;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: return 16;
    default: return 32;
    }
}
static struct cudaChannelFormatDesc channels_of(CUarray_format f, unsigned n) {
    int bits = channel_bits(f);
    return (struct cudaChannelFormatDesc){bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 2 ? bits : 0,
                                          f >= CU_AD_FORMAT_HALF          ? cudaChannelFormatKindFloat
                                          : f >= CU_AD_FORMAT_SIGNED_INT8 ? cudaChannelFormatKindSigned
                                                                          : cudaChannelFormatKindUnsigned};
}
size_t wg_texel_bytes(const CUDA_ARRAY3D_DESCRIPTOR *d) {
    return (size_t)channel_bits(d->Format) / 8 * d->NumChannels;
}

/* ---- Arrays ------------------------------------------------------------------------------------- */

static CUresult make_array(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
                           struct cudaExtent e, unsigned int flags) {
    CUresult r = wg_start();
    if (r) return r;
    if (!array || !channels) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = e.width, .Height = e.height, .Depth = e.depth, .Flags = flags};
    return format_of(channels, &d.Format, &d.NumChannels) ?: cuArray3DCreate((CUarray *)array, &d);
}
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width,
                            size_t height, unsigned int flags) {
    return wg_note(make_array(array, channels, (struct cudaExtent){width, height, 0}, flags));
}
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
                              struct cudaExtent extent, unsigned int flags) {
    return wg_note(make_array(array, channels, extent, flags));
}
cudaError_t cudaFreeArray(cudaArray_t array) {
    return wg_note(wg_start() ?: array ? cuArrayDestroy(array_of(array)) : CUDA_SUCCESS);
}

static CUresult array_info(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent,
                           unsigned int *flags, cudaArray_const_t array) {
    CUDA_ARRAY3D_DESCRIPTOR d;
    CUresult r = wg_start() ?: cuArray3DGetDescriptor(&d, array_of(array));
    if (r) return r;
    if (channels) *channels = channels_of(d.Format, d.NumChannels);
    if (extent) *extent = (struct cudaExtent){d.Width, d.Height, d.Depth};
    if (flags) *flags = d.Flags;
    return CUDA_SUCCESS;
}
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent,
                             unsigned int *flags, cudaArray_t array) {
    return wg_note(array_info(channels, extent, flags, array));
}
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_const_t array) {
    return wg_note(channels ? array_info(channels, NULL, NULL, array) : CUDA_ERROR_INVALID_VALUE);
}

/* ---- Copies ------------------------------------------------------------------------------------- */

/* One side of a copy: a place in an array, x in bytes, or memory. */
struct place {
    cudaArray_const_t array;
    size_t x, y;
    const void *memory;
    size_t pitch;
};

static CUresult copy_rows(struct place to, struct place from, size_t width, size_t height,
                          enum cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
    CUresult r = wg_start();
    if (r || !width || !height) return r;
    if ((unsigned)kind > cudaMemcpyDefault) return (CUresult)cudaErrorInvalidMemcpyDirection;
    CUmemorytype unified = CU_MEMORYTYPE_UNIFIED, device = CU_MEMORYTYPE_DEVICE;
    bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if ((to.array && kind == cudaMemcpyDeviceToHost) || (from.array && kind == cudaMemcpyHostToDevice))
        return (CUresult)cudaErrorInvalidMemcpyDirection;
    if ((!to.array && width > to.pitch) || (!from.array && width > from.pitch))
        return (CUresult)cudaErrorInvalidPitchValue;
    CUDA_MEMCPY2D c = {
        .dstMemoryType = to.array    ? CU_MEMORYTYPE_ARRAY
                         : to_device ? device
                                     : unified,
        .dstArray = array_of(to.array),
        .dstXInBytes = to.x,
        .dstY = to.y,
        .dstDevice = device_address(to.memory),
        .dstPitch = to.pitch,
        .srcMemoryType = from.array    ? CU_MEMORYTYPE_ARRAY
                         : from_device ? device
                                       : unified,
        .srcArray = array_of(from.array),
        .srcXInBytes = from.x,
        .srcY = from.y,
        .srcDevice = device_address(from.memory),
        .srcPitch = from.pitch,
        .WidthInBytes = width,
        .Height = height,
    };
    return wait ? cuMemcpy2D(&c) : cuMemcpy2DAsync(&c, stream);
}

/* `bytes` from (x, y) on, row after row: the rest of a row, whole rows, and the beginning of one. */
static CUresult copy_bytes(struct place to, struct place from, size_t bytes, enum cudaMemcpyKind kind,
                           cudaStream_t stream, bool wait) {
    CUDA_ARRAY3D_DESCRIPTOR d;
    struct place *in = to.array ? &to : &from, *out = to.array ? &from : &to;
    CUresult r = wg_start() ?: cuArray3DGetDescriptor(&d, array_of(in->array));
    if (r) return r;
    size_t row = d.Width * wg_texel_bytes(&d);
    if (in->x >= row) return CUDA_ERROR_INVALID_VALUE;
    while (bytes && !r) {
        size_t width = bytes < row - in->x ? bytes : row - in->x;
        size_t height = in->x || bytes < row ? 1 : bytes / row;
        out->pitch = width;
        r = copy_rows(to, from, width, height, kind, stream, wait);
        bytes -= width * height;
        out->memory = (const char *)out->memory + width * height;
        in->y += height;
        in->x = 0;
    }
    return r;
}

/* Between two arrays, each by its own rows. */
static CUresult copy_between(struct place to, struct place from, size_t bytes, enum cudaMemcpyKind kind) {
    CUDA_ARRAY3D_DESCRIPTOR t, f;
    CUresult r = wg_start() ?: cuArray3DGetDescriptor(&t, array_of(to.array)) ?: cuArray3DGetDescriptor(&f, array_of(from.array));
    if (r) return r;
    size_t to_row = t.Width * wg_texel_bytes(&t), from_row = f.Width * wg_texel_bytes(&f);
    if (to.x >= to_row || from.x >= from_row) return CUDA_ERROR_INVALID_VALUE;
    while (bytes && !r) {
        size_t width = to_row - to.x < from_row - from.x ? to_row - to.x : from_row - from.x;
        if (width > bytes) width = bytes;
        r = copy_rows(to, from, width, 1, kind, NULL, true);
        bytes -= width;
        to.x += width, from.x += width;
        if (to.x == to_row) to.x = 0, to.y++;
        if (from.x == from_row) from.x = 0, from.y++;
    }
    return r;
}

#define IN(ARRAY, X, Y)   ((struct place){.array = (ARRAY), .x = (X), .y = (Y)})
#define AT(MEMORY, PITCH) ((struct place){.memory = (MEMORY), .pitch = (PITCH)})

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind) {
    return wg_note(copy_bytes(IN(to, x, y), AT(from, 0), bytes, kind, NULL, true));
}
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
    return wg_note(copy_bytes(AT(to, 0), IN(from, x, y), bytes, kind, NULL, true));
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream) {
    return wg_note(copy_bytes(IN(to, x, y), AT(from, 0), bytes, kind, stream, false));
}
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream) {
    return wg_note(copy_bytes(AT(to, 0), IN(from, x, y), bytes, kind, stream, false));
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind) {
    return wg_note(copy_rows(IN(to, x, y), AT(from, pitch), width, height, kind, NULL, true));
}
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind) {
    return wg_note(copy_rows(AT(to, pitch), IN(from, x, y), width, height, kind, NULL, true));
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    return wg_note(copy_rows(IN(to, x, y), AT(from, pitch), width, height, kind, stream, false));
}
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return wg_note(copy_rows(AT(to, pitch), IN(from, x, y), width, height, kind, stream, false));
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind) {
    return wg_note(copy_rows(IN(to, to_x, to_y), IN(from, from_x, from_y), width, height, kind, NULL, true));
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes, enum cudaMemcpyKind kind) {
    return wg_note(copy_between(IN(to, to_x, to_y), IN(from, from_x, from_y), bytes, kind));
}

/* ---- Textures and surfaces ---------------------------------------------------------------------- */

static CUresult resource_of(const struct cudaResourceDesc *r, CUDA_RESOURCE_DESC *out,
                            CUarray_format *format) {
    *out = (CUDA_RESOURCE_DESC){.resType = (CUresourcetype)r->resType};
    switch (r->resType) {
    case cudaResourceTypeArray: {
        CUDA_ARRAY3D_DESCRIPTOR d;
        out->res.array.hArray = array_of(r->res.array.array);
        CUresult e = cuArray3DGetDescriptor(&d, out->res.array.hArray);
        if (!e) *format = d.Format;
        return e;
    }
    case cudaResourceTypeLinear:
        out->res.linear.devPtr = device_address(r->res.linear.devPtr);
        out->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
        return format_of(&r->res.linear.desc, format, &out->res.linear.numChannels)
                   ?: (out->res.linear.format = *format, CUDA_SUCCESS);
    case cudaResourceTypePitch2D:
        out->res.pitch2D.devPtr = device_address(r->res.pitch2D.devPtr);
        out->res.pitch2D.width = r->res.pitch2D.width;
        out->res.pitch2D.height = r->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
        return format_of(&r->res.pitch2D.desc, format, &out->res.pitch2D.numChannels)
                   ?: (out->res.pitch2D.format = *format, CUDA_SUCCESS);
    default: return CUDA_SUCCESS; /* the driver says what it thinks of it */
    }
}

static CUresult make_texture(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                             const struct cudaTextureDesc *t, const struct cudaResourceViewDesc *view) {
    CUDA_RESOURCE_DESC r;
    CUarray_format format = CU_AD_FORMAT_FLOAT;
    CUresult e = wg_start();
    if (e) return e;
    if (!texture || !resource || !t) return CUDA_ERROR_INVALID_VALUE;
    if ((e = resource_of(resource, &r, &format))) return e;
    bool as_fraction = t->readMode == cudaReadModeNormalizedFloat, floats = format >= CU_AD_FORMAT_HALF;
    if (as_fraction && channel_bits(format) == 32 && !floats) return (CUresult)cudaErrorInvalidNormSetting;
    if (t->filterMode == cudaFilterModeLinear && !as_fraction && !floats)
        return (CUresult)cudaErrorInvalidFilterSetting;
    CUDA_TEXTURE_DESC d = {.filterMode = (CUfilter_mode)t->filterMode,
                           .maxAnisotropy = t->maxAnisotropy,
                           .mipmapFilterMode = (CUfilter_mode)t->mipmapFilterMode,
                           .mipmapLevelBias = t->mipmapLevelBias,
                           .minMipmapLevelClamp = t->minMipmapLevelClamp,
                           .maxMipmapLevelClamp = t->maxMipmapLevelClamp};
    for (int i = 0; i < 3; i++) d.addressMode[i] = (CUaddress_mode)t->addressMode[i];
    memcpy(d.borderColor, t->borderColor, sizeof d.borderColor);
    d.flags = (as_fraction ? 0 : CU_TRSF_READ_AS_INTEGER) |
              (t->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0) | (t->sRGB ? CU_TRSF_SRGB : 0) |
              (t->disableTrilinearOptimization ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
              (t->seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
    return cuTexObjectCreate(texture, &r, &d, (const CUDA_RESOURCE_VIEW_DESC *)view);
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *description,
                                    const struct cudaResourceViewDesc *view) {
    return wg_note(make_texture(texture, resource, description, view));
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    return wg_note(wg_start() ?: cuTexObjectDestroy(texture));
}

static CUresult resource_from(struct cudaResourceDesc *out, const CUDA_RESOURCE_DESC *r) {
    *out = (struct cudaResourceDesc){.resType = (enum cudaResourceType)r->resType};
    if (r->resType == CU_RESOURCE_TYPE_ARRAY) {
        out->res.array.array = (cudaArray_t)r->res.array.hArray;
    } else if (r->resType == CU_RESOURCE_TYPE_LINEAR) {
        out->res.linear.devPtr = (void *)(uintptr_t)r->res.linear.devPtr;
        out->res.linear.desc = channels_of(r->res.linear.format, r->res.linear.numChannels);
        out->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
    } else {
        out->res.pitch2D.devPtr = (void *)(uintptr_t)r->res.pitch2D.devPtr;
        out->res.pitch2D.desc = channels_of(r->res.pitch2D.format, r->res.pitch2D.numChannels);
        out->res.pitch2D.width = r->res.pitch2D.width;
        out->res.pitch2D.height = r->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
    }
    return CUDA_SUCCESS;
}
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t texture) {
    CUDA_RESOURCE_DESC r;
    if (!resource) return wg_note(CUDA_ERROR_INVALID_VALUE);
    return wg_note(wg_start() ?: cuTexObjectGetResourceDesc(&r, texture) ?: resource_from(resource, &r));
}
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *t, cudaTextureObject_t texture) {
    CUDA_TEXTURE_DESC d;
    CUresult r = t ? wg_start() ?: cuTexObjectGetTextureDesc(&d, texture) : CUDA_ERROR_INVALID_VALUE;
    if (r) return wg_note(r);
    *t = (struct cudaTextureDesc){
        .filterMode = (enum cudaTextureFilterMode)d.filterMode,
        .readMode = d.flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat,
        .sRGB = (d.flags & CU_TRSF_SRGB) != 0,
        .normalizedCoords = (d.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0,
        .maxAnisotropy = d.maxAnisotropy,
        .mipmapFilterMode = (enum cudaTextureFilterMode)d.mipmapFilterMode,
        .mipmapLevelBias = d.mipmapLevelBias,
        .minMipmapLevelClamp = d.minMipmapLevelClamp,
        .maxMipmapLevelClamp = d.maxMipmapLevelClamp,
        .disableTrilinearOptimization = (d.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
        .seamlessCubemap = (d.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0};
    for (int i = 0; i < 3; i++) t->addressMode[i] = (enum cudaTextureAddressMode)d.addressMode[i];
    memcpy(t->borderColor, d.borderColor, sizeof d.borderColor);
    return cudaSuccess;
}

static CUresult make_surface(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource) {
    CUDA_RESOURCE_DESC r;
    CUarray_format format;
    CUresult e = wg_start();
    if (e) return e;
    if (!surface || !resource) return CUDA_ERROR_INVALID_VALUE;
    return resource_of(resource, &r, &format) ?: cuSurfObjectCreate(surface, &r);
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource) {
    return wg_note(make_surface(surface, resource));
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    return wg_note(wg_start() ?: cuSurfObjectDestroy(surface));
}
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t surface) {
    CUDA_RESOURCE_DESC r;
    if (!resource) return wg_note(CUDA_ERROR_INVALID_VALUE);
    return wg_note(wg_start() ?: cuSurfObjectGetResourceDesc(&r, surface) ?: resource_from(resource, &r));
}
