/* Programs ask which headers they have been given by the names of a toolkit's include guards (NVIDIA's
 * samples, in helper_cuda.h, for one). */
#include <channel_descriptor.h>
#include <cooperative_groups.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <device_launch_parameters.h>
#include <device_types.h>
#include <driver_functions.h>
#include <library_types.h>
#include <math_constants.h>
#include <surface_types.h>
#include <texture_types.h>
#include <vector_functions.h>
#include <vector_types.h>
#if !defined(__CUDA_FP16_TYPES_EXIST__) || !defined(__CUDA_BF16_TYPES_EXIST__) ||                            \
    !defined(__CUDA_FP8_TYPES_EXIST__) || !defined(__CUDA_FP6_TYPES_EXIST__) ||                              \
    !defined(__CUDA_FP4_TYPES_EXIST__)
#error "a header of narrow numbers does not say that its types are there"
#endif
#if !defined(__CUDA_FP6_H__) || !defined(__CUDA_FP4_H__)
#error "cuda_fp6.h or cuda_fp4.h does not say that it is there"
#endif
#ifndef __CHANNEL_DESCRIPTOR_H__
#error "channel_descriptor.h does not say that it is there"
#endif
#ifndef _COOPERATIVE_GROUPS_H_
#error "cooperative_groups.h does not say that it is there"
#endif
#ifndef CU_COMPLEX_H_
#error "cuComplex.h does not say that it is there"
#endif
#ifndef __cuda_cuda_h__
#error "cuda.h does not say that it is there"
#endif
#ifndef __CUDA_BF16_H__
#error "cuda_bf16.h does not say that it is there"
#endif
#ifndef __CUDA_FP16_H__
#error "cuda_fp16.h does not say that it is there"
#endif
#ifndef __CUDA_FP8_H__
#error "cuda_fp8.h does not say that it is there"
#endif
#ifndef _CUDA_PIPELINE_H_
#error "cuda_pipeline.h does not say that it is there"
#endif
#ifndef __CUDA_RUNTIME_H__
#error "cuda_runtime.h does not say that it is there"
#endif
#ifndef __CUDA_RUNTIME_API_H__
#error "cuda_runtime_api.h does not say that it is there"
#endif
#ifndef CURAND_KERNEL_H_
#error "curand_kernel.h does not say that it is there"
#endif
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#error "device_launch_parameters.h does not say that it is there"
#endif
#ifndef __DEVICE_TYPES_H__
#error "device_types.h does not say that it is there"
#endif
#ifndef __DRIVER_FUNCTIONS_H__
#error "driver_functions.h does not say that it is there"
#endif
#ifndef __LIBRARY_TYPES_H__
#error "library_types.h does not say that it is there"
#endif
#ifndef __MATH_CONSTANTS_H__
#error "math_constants.h does not say that it is there"
#endif
#ifndef __SURFACE_TYPES_H__
#error "surface_types.h does not say that it is there"
#endif
#ifndef __TEXTURE_TYPES_H__
#error "texture_types.h does not say that it is there"
#endif
#ifndef __VECTOR_FUNCTIONS_H__
#error "vector_functions.h does not say that it is there"
#endif
#ifndef __VECTOR_TYPES_H__
#error "vector_types.h does not say that it is there"
#endif

__global__ void nothing() {}
int main() { return 0; }
