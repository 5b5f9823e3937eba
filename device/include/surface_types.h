/* surface_types.h: what happens beyond a surface's edge, for C17 and C++. */
#ifndef WARPGLASS_SURFACE_TYPES_H
#define WARPGLASS_SURFACE_TYPES_H
#define __SURFACE_TYPES_H__ /* as in host_defines.h */

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };
#endif
