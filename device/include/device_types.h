/* device_types.h: the rounding modes by name. */
#ifndef WARPGLASS_DEVICE_TYPES_H
#define WARPGLASS_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__ /* as in host_defines.h */
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
#endif
