/* Texture and surface objects.
 *
 * An object is the address of a struct wg_texture in device memory, which kernels read
 * (device/include/warpglass/textures/): how texels lie in memory, and how a coordinate becomes a value.
 */
#include "driver/texture.h"
#include "driver/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an object was made of; listed as a handle while it lives. */
struct wg_texture_object {
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC description;
    CUdeviceptr place; /* of the struct wg_texture: the object's name */
    bool surface;
    struct wg_texture_object *next;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct wg_texture_object *objects;

_Static_assert(sizeof(struct wg_texture) == WG_REFERENCE_BYTES, "the compiled program's references hold one");

/* What textures may lie on: PITCH_ALIGNMENT is a property of the device, too (driver/device.c). */
enum { LINE_ALIGNMENT = 16, PITCH_ALIGNMENT = 32 };

static CUresult set_format(struct wg_texture *t, CUarray_format format, unsigned channels) {
    unsigned bytes;
    if (!wg_array_format(format, &bytes) || (channels != 1 && channels != 2 && channels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    t->__channels = (uint8_t)channels;
    t->__bytes = (uint8_t)bytes;
    t->__kind = format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT ? WG_TEXEL_FLOAT
                : format >= CU_AD_FORMAT_SIGNED_INT8                        ? WG_TEXEL_SIGNED
                                                                            : WG_TEXEL_UNSIGNED;
    return CUDA_SUCCESS;
}

static CUresult set_array(struct wg_texture *t, CUarray a) {
    if (!wg_is_array(a)) return CUDA_ERROR_INVALID_HANDLE;
    bool layered = a->d.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP);
    t->__texels = (unsigned char *)(uintptr_t)a->texels;
    t->__pitch = (unsigned)a->pitch;
    t->__slice = a->slice;
    t->__extent[0] = (unsigned)a->d.Width;
    t->__extent[1] = (unsigned)a->rows;
    t->__extent[2] = layered ? 1 : (unsigned)a->slices;
    t->__layers = layered ? (unsigned)a->slices : 1;
    return set_format(t, a->d.Format, a->d.NumChannels);
}

static CUresult set_resource(struct wg_texture *t, const CUDA_RESOURCE_DESC *r) {
    CUresult e;
    t->__extent[1] = t->__extent[2] = t->__layers = 1;
    switch (r->resType) {
    case CU_RESOURCE_TYPE_ARRAY: return set_array(t, r->res.array.hArray);
    case CU_RESOURCE_TYPE_LINEAR:
        if ((e = set_format(t, r->res.linear.format, r->res.linear.numChannels))) return e;
        if (!r->res.linear.devPtr || r->res.linear.devPtr % LINE_ALIGNMENT) return CUDA_ERROR_INVALID_VALUE;
        t->__texels = (unsigned char *)(uintptr_t)r->res.linear.devPtr;
        t->__extent[0] = (unsigned)(r->res.linear.sizeInBytes / (t->__bytes * t->__channels));
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_PITCH2D:
        if ((e = set_format(t, r->res.pitch2D.format, r->res.pitch2D.numChannels))) return e;
        if (!r->res.pitch2D.devPtr || r->res.pitch2D.devPtr % PITCH_ALIGNMENT ||
            r->res.pitch2D.pitchInBytes % PITCH_ALIGNMENT ||
            r->res.pitch2D.pitchInBytes < r->res.pitch2D.width * t->__bytes * t->__channels)
            return CUDA_ERROR_INVALID_VALUE;
        t->__texels = (unsigned char *)(uintptr_t)r->res.pitch2D.devPtr;
        t->__extent[0] = (unsigned)r->res.pitch2D.width;
        t->__extent[1] = (unsigned)r->res.pitch2D.height;
        t->__pitch = (unsigned)r->res.pitch2D.pitchInBytes;
        return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: return wg_not_supported("a texture of a mipmapped array");
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

/* A border's colour is rounded to what a texel can hold. */
static void set_border(struct wg_texture *t, const float *colour) {
    float most = t->__bytes == 1                ? t->__kind == WG_TEXEL_SIGNED ? 127 : 255
                 : t->__kind == WG_TEXEL_SIGNED ? 32767
                                                : 65535;
    for (int i = 0; i < t->__channels; i++) /* the others are zeros, as in what is read elsewhere */
        t->__border[i] =
            !t->__normalized
                ? colour[i]
                : rintf(fminf(fmaxf(colour[i], t->__kind == WG_TEXEL_SIGNED ? -1 : 0), 1) * most) / most;
}

static CUresult set_reading(struct wg_texture *t, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *d) {
    bool whole = t->__kind != WG_TEXEL_FLOAT;
    if (d->flags & CU_TRSF_SRGB) return wg_not_supported("a texture of sRGB colours");
    if (d->maxAnisotropy > 1) return wg_not_supported("anisotropic filtering");
    t->__normalized = whole && t->__bytes < 4 && !(d->flags & CU_TRSF_READ_AS_INTEGER);
    t->__linear = d->filterMode == CU_TR_FILTER_MODE_LINEAR && r->resType != CU_RESOURCE_TYPE_LINEAR;
    t->__by_index = r->resType == CU_RESOURCE_TYPE_LINEAR;
    t->__unit = (d->flags & CU_TRSF_NORMALIZED_COORDINATES) && r->resType != CU_RESOURCE_TYPE_LINEAR;
    if (t->__linear && whole && !t->__normalized) return CUDA_ERROR_INVALID_VALUE;
    if (r->resType == CU_RESOURCE_TYPE_ARRAY && r->res.array.hArray->d.Flags & CUDA_ARRAY3D_CUBEMAP) {
        if (!t->__unit) return wg_not_supported("a cube map's texture without normalized coordinates");
        if (t->__linear && d->flags & CU_TRSF_SEAMLESS_CUBEMAP)
            return wg_not_supported("filtering across the edges of a cube map's faces");
    }
    for (int i = 0; i < 3; i++) {
        if ((unsigned)d->addressMode[i] > CU_TR_ADDRESS_MODE_BORDER) return CUDA_ERROR_INVALID_VALUE;
        /* Coordinates of texels neither wrap nor mirror. */
        bool border = d->addressMode[i] == CU_TR_ADDRESS_MODE_BORDER;
        t->__mode[i] = (uint8_t)(t->__unit || border ? d->addressMode[i] : CU_TR_ADDRESS_MODE_CLAMP);
        if (border && whole && !t->__normalized &&
            (d->borderColor[0] || d->borderColor[1] || d->borderColor[2] || d->borderColor[3]))
            return wg_not_supported("a border colour other than 0 for an integer texture");
    }
    set_border(t, d->borderColor);
    return CUDA_SUCCESS;
}

CUresult wg_texture_describe_as(struct wg_texture *t, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *d,
                                CUarray_format format, unsigned channels) {
    CUresult e = set_resource(t, r);
    unsigned bytes = t->__bytes * t->__channels;
    if (e || (e = set_format(t, format, channels))) return e;
    return bytes == t->__bytes * t->__channels ? set_reading(t, r, d) : CUDA_ERROR_INVALID_VALUE;
}
CUresult wg_texture_describe(struct wg_texture *t, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *d) {
    CUresult e = set_resource(t, r);
    return e || !d ? e : set_reading(t, r, d);
}

static void end(void *handle) {
    struct wg_texture_object *o = handle;
    pthread_mutex_lock(&lock);
    for (struct wg_texture_object **at = &objects; *at; at = &(*at)->next)
        if (*at == o) {
            *at = o->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    free(o);
}

static CUresult make(struct CUctx_st *ctx, unsigned long long *name, const struct wg_texture_object *made,
                     const struct wg_texture *t) {
    CUdeviceptr place;
    CUresult r = cuMemAlloc(&place, sizeof *t);
    if (r || (r = cuMemcpyHtoD(place, t, sizeof *t))) return r;
    struct wg_texture_object *o = wg_xcalloc(1, sizeof *o);
    *o = *made;
    o->place = place;
    pthread_mutex_lock(&lock);
    o->next = objects;
    objects = o;
    pthread_mutex_unlock(&lock);
    wg_handle_add_in(ctx, o, WG_H_TEXTURE, end);
    *name = place;
    return CUDA_SUCCESS;
}

/* Where the list has it: to be taken out there. NULL: not alive. Under the lock. */
static struct wg_texture_object **find(unsigned long long name, bool surface) {
    for (struct wg_texture_object **o = &objects; *o; o = &(*o)->next)
        if ((*o)->place == name && (*o)->surface == surface) return o;
    return NULL;
}

static CUresult destroy(unsigned long long name, bool surface) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r || !name) return r;
    pthread_mutex_lock(&lock);
    struct wg_texture_object **at = find(name, surface), *o = at ? *at : NULL;
    if (at) *at = o->next;
    pthread_mutex_unlock(&lock);
    if (at) wg_handle_remove(o, WG_H_TEXTURE);
    free(o);
    return at ? cuMemFree(name) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult describe(struct wg_texture_object *out, unsigned long long name, bool surface) {
    CUresult r = wg_initialized();
    if (r) return r;
    pthread_mutex_lock(&lock);
    struct wg_texture_object **at = find(name, surface);
    if (at) *out = **at;
    pthread_mutex_unlock(&lock);
    return at ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *description, const CUDA_RESOURCE_VIEW_DESC *view) {
    struct CUctx_st *ctx;
    struct wg_texture t = {0};
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!texture || !resource || !description) return CUDA_ERROR_INVALID_VALUE;
    if (view) return wg_not_supported("a texture with its own resource view of an array");
    if ((r = wg_texture_describe(&t, resource, description))) return r;
    return make(ctx, texture, &(struct wg_texture_object){.resource = *resource, .description = *description},
                &t);
}
CUresult cuTexObjectDestroy(CUtexObject texture) { return destroy(texture, false); }

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject texture) {
    struct wg_texture_object o;
    CUresult r = resource ? describe(&o, texture, false) : CUDA_ERROR_INVALID_VALUE;
    if (!r) *resource = o.resource;
    return r;
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *description, CUtexObject texture) {
    struct wg_texture_object o;
    CUresult r = description ? describe(&o, texture, false) : CUDA_ERROR_INVALID_VALUE;
    if (!r) *description = o.description;
    return r;
}

CUresult cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource) {
    struct CUctx_st *ctx;
    struct wg_texture t = {0};
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!surface || !resource || resource->resType != CU_RESOURCE_TYPE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
    if ((r = wg_texture_describe(&t, resource, NULL))) return r;
    return make(ctx, surface, &(struct wg_texture_object){.resource = *resource, .surface = true}, &t);
}
CUresult cuSurfObjectDestroy(CUsurfObject surface) { return destroy(surface, true); }
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject surface) {
    struct wg_texture_object o;
    CUresult r = resource ? describe(&o, surface, true) : CUDA_ERROR_INVALID_VALUE;
    if (!r) *resource = o.resource;
    return r;
}
