/* surface_types.h: the kinds of surfaces, and what happens beyond their edges, for C17 and C++. */
#ifndef WARPGLASS_SURFACE_TYPES_H
#define WARPGLASS_SURFACE_TYPES_H
#define __SURFACE_TYPES_H__ /* as in host_defines.h */

#define cudaSurfaceType1D             0x01
#define cudaSurfaceType2D             0x02
#define cudaSurfaceType3D             0x03
#define cudaSurfaceTypeCubemap        0x0C
#define cudaSurfaceType1DLayered      0xF1
#define cudaSurfaceType2DLayered      0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
};
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };
#endif
