/* See references.h. The getters give what the setters were given; the defaults are the driver's. */
#include "driver/references.h"
#include "base/thread_text.h"
#include "driver/array.h"
#include "driver/texture.h"
#include "ptx/tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUtexref_st {
    struct CUmod_st *module; /* NULL: cuTexRefCreate's, which no kernel reads */
    const char *name;        /* the module's */
    CUdeviceptr place;       /* of the variable */
    bool bound, changed;     /* since it was written there */
    CUarray_format format;
    unsigned channels;
    CUdeviceptr base; /* of linear memory, as it was given */
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC reading;
    struct CUtexref_st *next;
};
struct CUsurfref_st {
    struct CUmod_st *module;
    const char *name;
    CUdeviceptr place;
    bool changed;
    CUarray array; /* NULL: none */
    struct CUsurfref_st *next;
};

/* Of the flags, those that the driver of an H200 takes: also two without a name. */
enum { FLAGS = 0x3f };

/* ---- By their names ------------------------------------------------------------------------------ */

/* Where the module has such a variable; NULL: it has none. */
static const char *find(struct CUmod_st *m, const char *name, enum wg_reference kind, CUdeviceptr *place) {
    const struct wg_ir_module *ir = wg_module_ir(m->m);
    for (uint32_t i = 0; i < ir->nsyms; i++) {
        void *p;
        if (ir->syms[i].reference != kind || ir->syms[i].kind != WG_SYM_GLOBAL ||
            strcmp(ir->syms[i].name, name) != 0 || wg_module_global(m->m, name, &p, NULL) != WG_OK)
            continue;
        *place = (CUdeviceptr)(uintptr_t)p;
        return ir->syms[i].name;
    }
    return NULL;
}

bool wg_is_reference(struct CUmod_st *m, const char *name) {
    CUdeviceptr place;
    return find(m, name, WG_REFERENCE_TEXTURE, &place) || find(m, name, WG_REFERENCE_SURFACE, &place);
}

static CUtexref new_reference(void) {
    CUtexref t = wg_xcalloc(1, sizeof *t);
    t->format = CU_AD_FORMAT_FLOAT;
    t->channels = 1;
    for (int i = 0; i < 3; i++) t->reading.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    wg_handle_add(t, WG_H_TEXTURE_REFERENCE);
    return t;
}

/* `out`: where the program wants the reference. */
static CUresult ask(const void *out, CUmodule module, const char *name, enum wg_reference kind,
                    const char **found, CUdeviceptr *place) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!out || !name || !name[0]) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_handle_is(module, WG_H_MODULE)) return CUDA_ERROR_INVALID_HANDLE;
    *found = find(module, name, kind, place);
    return *found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name) {
    const char *found;
    CUdeviceptr place;
    CUresult r = ask(reference, module, name, WG_REFERENCE_TEXTURE, &found, &place);
    if (r) return r;
    pthread_mutex_lock(&module->lock);
    CUtexref t = module->textures;
    while (t && t->place != place) t = t->next;
    if (!t) {
        t = new_reference();
        t->module = module;
        t->name = found;
        t->place = place;
        t->next = module->textures;
        module->textures = t;
    }
    pthread_mutex_unlock(&module->lock);
    *reference = t;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetSurfRef(CUsurfref *reference, CUmodule module, const char *name) {
    const char *found;
    CUdeviceptr place;
    CUresult r = ask(reference, module, name, WG_REFERENCE_SURFACE, &found, &place);
    if (r) return r;
    pthread_mutex_lock(&module->lock);
    CUsurfref s = module->surfaces;
    while (s && s->place != place) s = s->next;
    if (!s) {
        s = wg_xcalloc(1, sizeof *s);
        *s = (struct CUsurfref_st){.module = module, .name = found, .place = place, .next = module->surfaces};
        module->surfaces = s;
        wg_handle_add(s, WG_H_SURFACE_REFERENCE);
    }
    pthread_mutex_unlock(&module->lock);
    *reference = s;
    return CUDA_SUCCESS;
}

static void free_texture(CUtexref t) {
    wg_handle_remove(t, WG_H_TEXTURE_REFERENCE);
    free(t);
}
void wg_references_free(struct CUmod_st *module) {
    for (CUtexref t = module->textures, next; t; t = next) {
        next = t->next;
        free_texture(t);
    }
    for (CUsurfref s = module->surfaces, next; s; s = next) {
        next = s->next;
        wg_handle_remove(s, WG_H_SURFACE_REFERENCE);
        free(s);
    }
}

CUresult cuTexRefCreate(CUtexref *reference) {
    struct CUctx_st *ctx;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!reference) return CUDA_ERROR_INVALID_VALUE;
    *reference = new_reference();
    return CUDA_SUCCESS;
}
/* A module's ends with its module. */
CUresult cuTexRefDestroy(CUtexref reference) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(reference, WG_H_TEXTURE_REFERENCE)) return CUDA_ERROR_INVALID_HANDLE;
    if (reference->module) return CUDA_ERROR_INVALID_VALUE;
    free_texture(reference);
    return CUDA_SUCCESS;
}

/* ---- Into the variables -------------------------------------------------------------------------- */

static CUresult refuse(const char *what, const char *name) {
    snprintf(wg_thread_text(WG_TEXT_LAUNCH), WG_TEXT_BYTES,
             "what is bound to its %s reference '%s' cannot be read as that says", what, name);
    return CUDA_ERROR_INVALID_VALUE;
}

/* Not by a call of the API: a stream may be captured meanwhile. */
static CUresult write(struct CUctx_st *ctx, CUdeviceptr to, const struct wg_texture *t) {
    struct wg_stream *s = wg_device_stream(ctx->dev, WG_STREAM_LEGACY);
    struct wg_copy c = {.dst = (void *)(uintptr_t)to, .src = t, .width = sizeof *t, .height = 1, .depth = 1};
    enum wg_status status = wg_copy(s, &c);
    return wg_done(ctx, status == WG_OK ? wg_stream_sync(s) : status);
}

/* The format is the reference's, at the launch. */
static CUresult write_texture(CUtexref t) {
    struct wg_texture now = {0};
    CUDA_RESOURCE_DESC r = t->resource;
    if (r.resType == CU_RESOURCE_TYPE_LINEAR) {
        r.res.linear.format = t->format;
        r.res.linear.numChannels = t->channels;
    } else if (r.resType == CU_RESOURCE_TYPE_PITCH2D) {
        r.res.pitch2D.format = t->format;
        r.res.pitch2D.numChannels = t->channels;
    }
    CUresult e =
        t->bound ? wg_texture_describe_as(&now, &r, &t->reading, t->format, t->channels) : CUDA_SUCCESS;
    if (e) return e == CUDA_ERROR_NOT_SUPPORTED ? e : refuse("texture", t->name);
    if (!(e = write(t->module->ctx, t->place, &now))) t->changed = false;
    return e;
}
static CUresult write_surface(CUsurfref s) {
    struct wg_texture now = {0};
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = s->array};
    if (s->array && wg_texture_describe(&now, &r, NULL)) return refuse("surface", s->name);
    CUresult e = write(s->module->ctx, s->place, &now);
    if (!e) s->changed = false;
    return e;
}

/* Earlier launches read what was bound then. */
CUresult wg_references_write(struct CUmod_st *module) {
    CUresult r = CUDA_SUCCESS;
    if (!atomic_load(&module->references_changed)) return r;
    pthread_mutex_lock(&module->lock);
    if (!(r = wg_done(module->ctx, wg_device_sync(module->ctx->dev))))
        atomic_store(&module->references_changed, false);
    for (CUtexref t = module->textures; t && !r; t = t->next)
        if (t->changed) r = write_texture(t);
    for (CUsurfref s = module->surfaces; s && !r; s = s->next)
        if (s->changed) r = write_surface(s);
    if (r) atomic_store(&module->references_changed, true);
    pthread_mutex_unlock(&module->lock);
    return r;
}

/* ---- What is bound ------------------------------------------------------------------------------- */

static bool is_texture(CUtexref t) { return wg_handle_is(t, WG_H_TEXTURE_REFERENCE); }

static CUresult changed(CUtexref t) {
    t->changed = true;
    if (t->module) atomic_store(&t->module->references_changed, true);
    return CUDA_SUCCESS;
}
/* `base` 0 where it is memory: nothing from now on. */
static CUresult bind(CUtexref t, const CUDA_RESOURCE_DESC *r, CUdeviceptr base) {
    t->resource = *r;
    t->base = base;
    t->bound = base || r->resType == CU_RESOURCE_TYPE_ARRAY;
    return changed(t);
}

CUresult cuTexRefSetArray(CUtexref t, CUarray array, unsigned int flags) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!is_texture(t) || !wg_is_array(array)) return CUDA_ERROR_INVALID_HANDLE;
    if (flags & ~(unsigned)CU_TRSA_OVERRIDE_FORMAT) return CUDA_ERROR_INVALID_VALUE;
    if (flags) {
        t->format = array->d.Format;
        t->channels = array->d.NumChannels;
    }
    return bind(t, &(CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array}, 0);
}
CUresult cuTexRefSetMipmappedArray(CUtexref t, CUmipmappedArray array, unsigned int flags) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!is_texture(t) || !array) return CUDA_ERROR_INVALID_HANDLE;
    return wg_not_supported("a texture of a mipmapped array");
}

static size_t texel_bytes(CUarray_format format, unsigned channels) {
    unsigned bytes;
    return wg_array_format(format, &bytes) ? (size_t)bytes * channels : 0;
}

/* Where the address is not aligned as textures are, the caller adds an offset to each place. */
enum { ALIGNMENT = 512 };
CUresult cuTexRefSetAddress(size_t *offset, CUtexref t, CUdeviceptr p, size_t bytes) {
    enum { MOST_TEXELS = 1 << 28 };
    CUresult r = wg_initialized();
    if (r) return r;
    if (!is_texture(t)) return CUDA_ERROR_INVALID_HANDLE;
    size_t skipped = p % ALIGNMENT, texel = texel_bytes(t->format, t->channels);
    if ((skipped && !offset) || (texel && bytes / texel > MOST_TEXELS)) return CUDA_ERROR_INVALID_VALUE;
    if (offset) *offset = skipped;
    CUDA_RESOURCE_DESC d = {.resType = CU_RESOURCE_TYPE_LINEAR,
                            .res.linear = {.devPtr = p - skipped, .sizeInBytes = bytes + skipped}};
    return bind(t, &d, p - skipped);
}
CUresult cuTexRefSetAddress2D(CUtexref t, const CUDA_ARRAY_DESCRIPTOR *a, CUdeviceptr p, size_t pitch) {
    enum { PITCH_ALIGNMENT = 32, MOST_WIDTH = 131072, MOST_HEIGHT = 65000, MOST_PITCH = 2097120 };
    CUresult r = wg_initialized();
    if (r) return r;
    if (!is_texture(t)) return CUDA_ERROR_INVALID_HANDLE;
    if (!a || p % ALIGNMENT || pitch % PITCH_ALIGNMENT || pitch > MOST_PITCH || a->Width > MOST_WIDTH ||
        a->Height > MOST_HEIGHT)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_RESOURCE_DESC d = {
        .resType = CU_RESOURCE_TYPE_PITCH2D,
        .res.pitch2D = {.devPtr = p, .width = a->Width, .height = a->Height, .pitchInBytes = pitch}};
    t->format = a->Format;
    t->channels = a->NumChannels;
    return bind(t, &d, p);
}
#undef cuTexRefSetAddress2D
WG_EXPORT CUresult cuTexRefSetAddress2D_v2(CUtexref t, const CUDA_ARRAY_DESCRIPTOR *a, CUdeviceptr p,
                                           size_t pitch);
CUresult cuTexRefSetAddress2D_v2(CUtexref t, const CUDA_ARRAY_DESCRIPTOR *a, CUdeviceptr p, size_t pitch) {
    return cuTexRefSetAddress2D_v3(t, a, p, pitch);
}

/* ---- How it is read ------------------------------------------------------------------------------ */

/* Each is one thing of the reference: a setter, whose value is possible, and a getter. */
#define SET(NAME, PARAMETERS, POSSIBLE, DO)                                                                  \
    CUresult NAME PARAMETERS {                                                                               \
        CUresult r = wg_initialized();                                                                       \
        if (r) return r;                                                                                     \
        if (!is_texture(t)) return CUDA_ERROR_INVALID_HANDLE;                                                \
        if (!(POSSIBLE)) return CUDA_ERROR_INVALID_VALUE;                                                    \
        DO;                                                                                                  \
        return changed(t);                                                                                   \
    }
#define GET(NAME, PARAMETERS, POSSIBLE, DO)                                                                  \
    CUresult NAME PARAMETERS {                                                                               \
        CUresult r = wg_initialized();                                                                       \
        if (r) return r;                                                                                     \
        if (!is_texture(t)) return CUDA_ERROR_INVALID_HANDLE;                                                \
        if (!(POSSIBLE)) return CUDA_ERROR_INVALID_VALUE;                                                    \
        DO;                                                                                                  \
        return CUDA_SUCCESS;                                                                                 \
    }
/* clang-format off */
SET(cuTexRefSetFormat, (CUtexref t, CUarray_format format, int channels), channels >= 0 && channels <= 4 && channels != 3, t->format = format; t->channels = (unsigned)channels)
SET(cuTexRefSetAddressMode, (CUtexref t, int dim, CUaddress_mode mode), dim >= 0 && dim < 3, if ((unsigned)mode <= CU_TR_ADDRESS_MODE_BORDER) t->reading.addressMode[dim] = mode)
SET(cuTexRefSetFilterMode, (CUtexref t, CUfilter_mode mode), true, t->reading.filterMode = mode)
SET(cuTexRefSetFlags, (CUtexref t, unsigned int flags), !(flags & ~(unsigned)FLAGS), t->reading.flags = flags)
SET(cuTexRefSetMaxAnisotropy, (CUtexref t, unsigned int most), true, t->reading.maxAnisotropy = most)
SET(cuTexRefSetBorderColor, (CUtexref t, float *colour), colour, memcpy(t->reading.borderColor, colour, sizeof t->reading.borderColor))
SET(cuTexRefSetMipmapFilterMode, (CUtexref t, CUfilter_mode mode), true, t->reading.mipmapFilterMode = mode)
SET(cuTexRefSetMipmapLevelBias, (CUtexref t, float bias), true, t->reading.mipmapLevelBias = bias)
SET(cuTexRefSetMipmapLevelClamp, (CUtexref t, float least, float most), true, t->reading.minMipmapLevelClamp = least; t->reading.maxMipmapLevelClamp = most)
GET(cuTexRefGetAddress, (CUdeviceptr *p, CUtexref t), p && (*p = t->base), (void)p)
GET(cuTexRefGetArray, (CUarray *array, CUtexref t), array && t->bound && t->resource.resType == CU_RESOURCE_TYPE_ARRAY, *array = t->resource.res.array.hArray)
GET(cuTexRefGetMipmappedArray, (CUmipmappedArray *array, CUtexref t), false, (void)array)
GET(cuTexRefGetAddressMode, (CUaddress_mode *mode, CUtexref t, int dim), mode && dim >= 0 && dim < 3, *mode = t->reading.addressMode[dim])
GET(cuTexRefGetFilterMode, (CUfilter_mode *mode, CUtexref t), mode, *mode = t->reading.filterMode)
GET(cuTexRefGetFormat, (CUarray_format *format, int *channels, CUtexref t), true, if (format) *format = t->format; if (channels) *channels = (int)t->channels)
GET(cuTexRefGetFlags, (unsigned int *flags, CUtexref t), flags, *flags = t->reading.flags)
GET(cuTexRefGetMaxAnisotropy, (int *most, CUtexref t), most, *most = (int)t->reading.maxAnisotropy)
GET(cuTexRefGetBorderColor, (float *colour, CUtexref t), colour, memcpy(colour, t->reading.borderColor, sizeof t->reading.borderColor))
GET(cuTexRefGetMipmapFilterMode, (CUfilter_mode *mode, CUtexref t), mode, *mode = t->reading.mipmapFilterMode)
GET(cuTexRefGetMipmapLevelBias, (float *bias, CUtexref t), bias, *bias = t->reading.mipmapLevelBias)
GET(cuTexRefGetMipmapLevelClamp, (float *least, float *most, CUtexref t), least && most, *least = t->reading.minMipmapLevelClamp; *most = t->reading.maxMipmapLevelClamp)
/* clang-format on */

/* ---- Surfaces ------------------------------------------------------------------------------------ */

CUresult cuSurfRefSetArray(CUsurfref s, CUarray array, unsigned int flags) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_is(s, WG_H_SURFACE_REFERENCE)) return CUDA_ERROR_INVALID_HANDLE;
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    if (!wg_is_array(array)) return CUDA_ERROR_INVALID_HANDLE;
    if (!(array->d.Flags & CUDA_ARRAY3D_SURFACE_LDST)) return CUDA_ERROR_INVALID_VALUE;
    s->array = array;
    s->changed = true;
    atomic_store(&s->module->references_changed, true);
    return CUDA_SUCCESS;
}
CUresult cuSurfRefGetArray(CUarray *array, CUsurfref s) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!array || !wg_handle_is(s, WG_H_SURFACE_REFERENCE) || !s->array) return CUDA_ERROR_INVALID_VALUE;
    *array = s->array;
    return CUDA_SUCCESS;
}
