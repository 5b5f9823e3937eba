/* What a texture or surface is for kernels, out of what the API is given. */
#ifndef WG_DRIVER_TEXTURE_H
#define WG_DRIVER_TEXTURE_H
#include "driver/driver.h"
#include "warpglass/textures/descriptor.h"

/* `d` NULL: a surface. `t` is all zeros before. */
CUresult wg_texture_describe(struct wg_texture *t, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *d);
/* The same, of texels that are read in another format of their size. */
CUresult wg_texture_describe_as(struct wg_texture *t, const CUDA_RESOURCE_DESC *r, const CUDA_TEXTURE_DESC *d,
                                CUarray_format format, unsigned channels);
#endif
