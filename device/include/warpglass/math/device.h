/* device.h: the mathematical functions as part of device code.
 *
 * They compute rounding errors of sums and products, so a product must not be fused with a sum here. clang has no way to
 * save and restore that setting for this target; the end sets what the compile flags of device/README.md ask for.
 */
#ifndef WARPGLASS_MATH_DEVICE_H
#define WARPGLASS_MATH_DEVICE_H

#if defined(__CUDA_ARCH__) && defined(__FAST_MATH__)
#error "-ffast-math breaks device mathematics: nvcc's -use_fast_math is -fgpu-approx-transcendentals (see device/README.md)"
#endif

#if defined(__CUDA_ARCH__)
#pragma clang fp contract(off)
#endif

#define WG_MATH_FN static __device__ inline
#include "functions.h"
#undef WG_MATH_FN

#if defined(__CUDA_ARCH__) && !defined(WARPGLASS_NO_FMAD)
#pragma clang fp contract(fast)
#endif

#endif
