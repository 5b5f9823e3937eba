/* driver_functions.h: small constructors for the structures that 3D copies are described by. */
#ifndef WARPGLASS_DRIVER_FUNCTIONS_H
#define WARPGLASS_DRIVER_FUNCTIONS_H
#define __DRIVER_FUNCTIONS_H__ /* as in host_defines.h */

#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch,
                                                                     size_t xsize, size_t ysize) {
    struct cudaPitchedPtr p;
    p.ptr = pointer, p.pitch = pitch, p.xsize = xsize, p.ysize = ysize;
    return p;
}
static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    struct cudaPos p;
    p.x = x, p.y = y, p.z = z;
    return p;
}
static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    struct cudaExtent e;
    e.width = width, e.height = height, e.depth = depth;
    return e;
}

#endif
