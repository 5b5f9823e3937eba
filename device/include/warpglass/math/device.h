/* device.h: the mathematical functions as part of device code. */
#ifndef WARPGLASS_MATH_DEVICE_H
#define WARPGLASS_MATH_DEVICE_H

/* -ffast-math lets the compiler believe that there is no NaN and no infinity, and these functions compute
 * both. */
#if defined(__CUDA_ARCH__) && defined(__FAST_MATH__)
#error "-ffast-math breaks device mathematics; what nvcc calls -use_fast_math is -fgpu-approx-transcendentals"
#endif

#define WG_MATH_FN static __device__ inline
#include "functions.h"
#undef WG_MATH_FN

#endif
