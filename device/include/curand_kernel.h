/* curand_kernel.h: random numbers in kernels, as cuRAND's device functions give them: the generators XORWOW
 * and Philox4x32-10, and their uniform, normal and log-normal numbers.
 *
 * Whole numbers and uniform ones are those of NVIDIA's library, bit by bit. Normal ones go through a
 * logarithm and a sine, which are ours: they may differ in the last bits. The other generators and
 * distributions are left out. Example:
 *     curand_init(seed, thread, 0, &state); float x = curand_uniform(&state);   ->   in (0, 1]
 */
#ifndef WARPGLASS_CURAND_KERNEL_H
#define WARPGLASS_CURAND_KERNEL_H
#define CURAND_KERNEL_H_ /* as in host_defines.h */

#if defined(__cplusplus) && defined(__CUDA__)
#include "cuda_runtime.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
#include "warpglass/random/xorwow.h"
#include "warpglass/random/philox.h"
#include "warpglass/random/distributions.h"
#pragma clang attribute pop

typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;
#endif

#endif
