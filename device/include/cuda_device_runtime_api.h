/* cuda_device_runtime_api.h: kernels that launch kernels are not supported. The host's API is in
 * cuda_runtime_api.h.
 *
 * CUB, Thrust and programs' macros for errors name these in code for the device that is never used; a kernel
 * that does call one cannot be loaded, and the message names the function.
 */
#ifndef WARPGLASS_CUDA_DEVICE_RUNTIME_API_H
#define WARPGLASS_CUDA_DEVICE_RUNTIME_API_H
#include "cuda_runtime_api.h"

#if defined(__cplusplus) && defined(__CUDA__)
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t __alignment, size_t __bytes);
__device__ void *cudaGetParameterBufferV2(void *__kern, dim3 __grid, dim3 __block,
                                          unsigned int __shared_bytes);
__device__ cudaError_t cudaLaunchDevice(void *__kern, void *__parameters, dim3 __grid, dim3 __block,
                                        unsigned int __shared_bytes, cudaStream_t __stream);
__device__ cudaError_t cudaLaunchDeviceV2(void *__parameters, cudaStream_t __stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
__device__ const char *cudaGetErrorString(cudaError_t __error);
__device__ const char *cudaGetErrorName(cudaError_t __error);
__device__ cudaError_t cudaGetLastError(void);
__device__ cudaError_t cudaPeekAtLastError(void);
}
#endif
#endif
