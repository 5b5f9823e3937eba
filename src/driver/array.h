/* Arrays: a program knows them by handles only; here they are rows in device memory. */
#ifndef WG_DRIVER_ARRAY_H
#define WG_DRIVER_ARRAY_H
#include "driver/driver.h"

struct CUarray_st {
    struct CUctx_st *ctx;
    CUDA_ARRAY3D_DESCRIPTOR d; /* as it was asked for: 0 where there is no such dimension */
    CUdeviceptr texels;
    size_t texel_bytes, pitch, slice;
    size_t rows, slices; /* never 0; layers and a cube's faces are slices */
};

/* Channels of an array, and bytes of each; false where there is no such format. */
bool wg_array_format(CUarray_format format, unsigned *bytes);
bool wg_is_array(CUarray array);
#endif
