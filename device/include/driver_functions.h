/* driver_functions.h: small constructors for the structures that 3D copies are described by. */
#ifndef WARPGLASS_DRIVER_FUNCTIONS_H
#define WARPGLASS_DRIVER_FUNCTIONS_H
#define __DRIVER_FUNCTIONS_H__ /* as in host_defines.h */

#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *__pointer, size_t __pitch,
                                                                     size_t __xsize, size_t __ysize) {
    struct cudaPitchedPtr __p;
    __p.ptr = __pointer, __p.pitch = __pitch, __p.xsize = __xsize, __p.ysize = __ysize;
    return __p;
}
static __inline__ __host__ struct cudaPos make_cudaPos(size_t __x, size_t __y, size_t __z) {
    struct cudaPos __p;
    __p.x = __x, __p.y = __y, __p.z = __z;
    return __p;
}
static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t __width, size_t __height,
                                                             size_t __depth) {
    struct cudaExtent __e;
    __e.width = __width, __e.height = __height, __e.depth = __depth;
    return __e;
}

#endif
