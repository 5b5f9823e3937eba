/* Arrays, the memory that textures and surfaces read: cuArrayCreate and its kin. */
#include "driver/array.h"
#include <stdlib.h>

/* Rows begin where no vector access to a texel needs more. */
enum { ROW_ALIGNMENT = 32, MAX_EXTENT = 131072 };

bool wg_array_format(CUarray_format format, unsigned *bytes) {
    switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8: *bytes = 1; return true;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF: *bytes = 2; return true;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT: *bytes = 4; return true;
    default: return false;
    }
}

bool wg_is_array(CUarray array) { return wg_handle_is(array, WG_H_ARRAY); }

static bool possible(const CUDA_ARRAY3D_DESCRIPTOR *d) {
    bool layered = d->Flags & CUDA_ARRAY3D_LAYERED, cube = d->Flags & CUDA_ARRAY3D_CUBEMAP;
    if (!d->Width || d->Width > MAX_EXTENT || d->Height > MAX_EXTENT || d->Depth > MAX_EXTENT) return false;
    if (cube) return d->Width == d->Height && d->Depth && (layered ? d->Depth % 6 == 0 : d->Depth == 6);
    if (layered) return d->Depth != 0;
    return !d->Depth || d->Height;
}

CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d) {
    struct CUctx_st *ctx;
    unsigned channel;
    CUresult r = wg_current(&ctx);
    if (r) return r;
    if (!array || !d || !possible(d) || !wg_array_format(d->Format, &channel))
        return CUDA_ERROR_INVALID_VALUE;
    if (d->NumChannels != 1 && d->NumChannels != 2 && d->NumChannels != 4) return CUDA_ERROR_INVALID_VALUE;
    if (d->Flags & ~(unsigned)(CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_SURFACE_LDST |
                               CUDA_ARRAY3D_TEXTURE_GATHER))
        return wg_not_supported("a sparse array, or one with deferred mapping");
    struct CUarray_st a = {.ctx = ctx, .d = *d, .texel_bytes = channel * d->NumChannels};
    a.rows = d->Height ? d->Height : 1;
    a.slices = d->Depth ? d->Depth : 1;
    a.pitch = (d->Width * a.texel_bytes + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    a.slice = a.pitch * a.rows;
    size_t bytes;
    if (__builtin_mul_overflow(a.slice, a.slices, &bytes)) return CUDA_ERROR_OUT_OF_MEMORY;
    if ((r = cuMemAlloc(&a.texels, bytes))) return r;
    *array = wg_xcalloc(1, sizeof **array);
    **array = a;
    wg_handle_add_in(ctx, *array, WG_H_ARRAY, free);
    return CUDA_SUCCESS;
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d) {
    if (!d) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR deep = {
        .Width = d->Width, .Height = d->Height, .Format = d->Format, .NumChannels = d->NumChannels};
    return cuArray3DCreate(array, &deep);
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_is_array(array)) return CUDA_ERROR_INVALID_HANDLE;
    if (!d) return CUDA_ERROR_INVALID_VALUE;
    *d = array->d;
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *d, CUarray array) {
    CUDA_ARRAY3D_DESCRIPTOR deep;
    CUresult r = cuArray3DGetDescriptor(&deep, array);
    if (r) return r;
    if (!d) return CUDA_ERROR_INVALID_VALUE;
    *d = (CUDA_ARRAY_DESCRIPTOR){deep.Width, deep.Height, deep.Format, deep.NumChannels};
    return CUDA_SUCCESS;
}

CUresult cuArrayDestroy(CUarray array) {
    CUresult r = wg_initialized();
    if (r) return r;
    if (!wg_handle_remove(array, WG_H_ARRAY)) return CUDA_ERROR_INVALID_HANDLE;
    CUdeviceptr texels = array->texels;
    free(array);
    return cuMemFree(texels);
}
