/* cuda_runtime_api.h: the functions of the CUDA runtime API, for C17 and C++.
 *
 * Declared here, defined by our libcudart.so.13 (runtime/), which includes this header so that the compiler
 * compares the two. Names, parameters and enum values are CUDA 13's: a program compiled against NVIDIA's
 * header and one compiled against this one call the same symbols in the same way. A function that is not here
 * is not supported: its use is a compile error that names it. The C++ conveniences
 * (cudaMalloc(&float_pointer, n), ...) are in cuda_runtime.h.
 */
#ifndef WARPGLASS_CUDA_RUNTIME_API_H
#define WARPGLASS_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__ /* as in host_defines.h */

#include "warpglass/per_thread.h"
#include "device_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"

#define CUDART_VERSION       13000
#define __CUDART_API_VERSION CUDART_VERSION

/* WG_OR(v): a default argument where the language has them. */
#if defined(__cplusplus)
#define WG_OR(VALUE) = VALUE
extern "C" {
#else
#define WG_OR(VALUE)
#endif

/* Errors. */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t __error);
const char *cudaGetErrorString(cudaError_t __error);

/* Devices. */
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit __limit, size_t __value);
cudaError_t cudaDeviceGetLimit(size_t *__value, enum cudaLimit __limit);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *__config);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache __config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *__config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig __config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *__least, int *__greatest);
cudaError_t cudaDeviceGetByPCIBusId(int *__device, const char *__bus_id);
cudaError_t cudaDeviceGetPCIBusId(char *__bus_id, int __length, int __device);
cudaError_t cudaGetDeviceCount(int *__count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *__properties, int __device);
cudaError_t cudaDeviceGetAttribute(int *__value, enum cudaDeviceAttr __attr, int __device);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *__pool, int __device);
cudaError_t cudaDeviceSetMemPool(int __device, cudaMemPool_t __pool);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *__pool, int __device);
cudaError_t cudaDeviceGetP2PAttribute(int *__value, enum cudaDeviceP2PAttr __attr, int __source,
                                      int __destination);
cudaError_t cudaChooseDevice(int *__device, const struct cudaDeviceProp *__properties);
cudaError_t cudaInitDevice(int __device, unsigned int __device_flags, unsigned int __flags);
cudaError_t cudaSetDevice(int __device);
cudaError_t cudaGetDevice(int *__device);
cudaError_t cudaSetValidDevices(int *__devices, int __count);
cudaError_t cudaSetDeviceFlags(unsigned int __flags);
cudaError_t cudaGetDeviceFlags(unsigned int *__flags);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDriverGetVersion(int *__version);
cudaError_t cudaRuntimeGetVersion(int *__version);

/* Other devices and other processes. */
cudaError_t cudaDeviceCanAccessPeer(int *__can, int __device, int __peer);
cudaError_t cudaDeviceEnablePeerAccess(int __peer, unsigned int __flags);
cudaError_t cudaDeviceDisablePeerAccess(int __peer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *__handle, cudaEvent_t __event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *__event, cudaIpcEventHandle_t __handle);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *__handle, void *__pointer);
cudaError_t cudaIpcOpenMemHandle(void **__pointer, cudaIpcMemHandle_t __handle, unsigned int __flags);
cudaError_t cudaIpcCloseMemHandle(void *__pointer);

/* Streams. */
cudaError_t cudaStreamCreate(cudaStream_t *__stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *__stream, unsigned int __flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *__stream, unsigned int __flags, int __priority);
cudaError_t cudaStreamGetPriority(cudaStream_t __stream, int *__priority);
cudaError_t cudaStreamGetFlags(cudaStream_t __stream, unsigned int *__flags);
cudaError_t cudaStreamGetId(cudaStream_t __stream, unsigned long long *__id);
cudaError_t cudaStreamGetDevice(cudaStream_t __stream, int *__device);
cudaError_t cudaStreamCopyAttributes(cudaStream_t __destination, cudaStream_t __source);
cudaError_t cudaStreamGetAttribute(cudaStream_t __stream, cudaLaunchAttributeID __attr,
                                   cudaLaunchAttributeValue *__value);
cudaError_t cudaStreamSetAttribute(cudaStream_t __stream, cudaLaunchAttributeID __attr,
                                   const cudaLaunchAttributeValue *__value);
cudaError_t cudaStreamDestroy(cudaStream_t __stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t __stream, cudaEvent_t __event, unsigned int __flags WG_OR(0));
cudaError_t cudaStreamAddCallback(cudaStream_t __stream, cudaStreamCallback_t __callback, void *__user_data,
                                  unsigned int __flags);
cudaError_t cudaStreamSynchronize(cudaStream_t __stream);
cudaError_t cudaStreamQuery(cudaStream_t __stream);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t __stream, void *__pointer, size_t __length WG_OR(0),
                                     unsigned int __flags WG_OR(cudaMemAttachSingle));
cudaError_t cudaStreamIsCapturing(cudaStream_t __stream, enum cudaStreamCaptureStatus *__status);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *__mode);

/* Events. */
cudaError_t cudaEventCreate(cudaEvent_t *__event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *__event, unsigned int __flags);
cudaError_t cudaEventRecord(cudaEvent_t __event, cudaStream_t __stream WG_OR(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t __event, cudaStream_t __stream WG_OR(0),
                                     unsigned int __flags WG_OR(0));
cudaError_t cudaEventQuery(cudaEvent_t __event);
cudaError_t cudaEventSynchronize(cudaEvent_t __event);
cudaError_t cudaEventDestroy(cudaEvent_t __event);
cudaError_t cudaEventElapsedTime(float *__milliseconds, cudaEvent_t __start, cudaEvent_t __end);

/* Kernels. `kernel` is the host address that __global__ gives a function. */
cudaError_t cudaLaunchKernel(const void *__kern, dim3 __grid, dim3 __block, void **__arguments,
                             size_t __shared_bytes, cudaStream_t __stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *__config, const void *__kern, void **__arguments);
cudaError_t cudaLaunchCooperativeKernel(const void *__kern, dim3 __grid, dim3 __block, void **__arguments,
                                        size_t __shared_bytes, cudaStream_t __stream);
cudaError_t cudaLaunchHostFunc(cudaStream_t __stream, cudaHostFn_t __function, void *__user_data);
cudaError_t cudaFuncSetCacheConfig(const void *__kern, enum cudaFuncCache __config);
cudaError_t cudaFuncSetSharedMemConfig(const void *__kern, enum cudaSharedMemConfig __config);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *__attributes, const void *__kern);
cudaError_t cudaFuncSetAttribute(const void *__kern, enum cudaFuncAttribute __attr, int __value);
cudaError_t cudaFuncGetName(const char **__name, const void *__kern);
cudaError_t cudaFuncGetParamInfo(const void *__kern, size_t __index, size_t *__offset, size_t *__size);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *__function, const void *__kern);
cudaError_t cudaGetKernel(cudaKernel_t *__handle, const void *__kern);

/* Occupancy. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, const void *__kern, int __block_size,
                                                          size_t __dynamic_shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__blocks, const void *__kern,
                                                                   int __block_size,
                                                                   size_t __dynamic_shared_bytes,
                                                                   unsigned int __flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *__bytes, const void *__kern, int __blocks,
                                                      int __block_size);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *__cluster_size, const void *__kern,
                                                 const cudaLaunchConfig_t *__config);
cudaError_t cudaOccupancyMaxActiveClusters(int *__clusters, const void *__kern,
                                           const cudaLaunchConfig_t *__config);

/* Memory. */
cudaError_t cudaMalloc(void **__pointer, size_t __bytes);
cudaError_t cudaMallocHost(void **__pointer, size_t __bytes);
cudaError_t cudaMallocManaged(void **__pointer, size_t __bytes,
                              unsigned int __flags WG_OR(cudaMemAttachGlobal));
cudaError_t cudaMallocPitch(void **__pointer, size_t *__pitch, size_t __width, size_t __height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *__pointer, struct cudaExtent __extent);
cudaError_t cudaFree(void *__pointer);
cudaError_t cudaFreeHost(void *__pointer);
cudaError_t cudaHostAlloc(void **__pointer, size_t __bytes, unsigned int __flags);
cudaError_t cudaHostRegister(void *__pointer, size_t __bytes, unsigned int __flags);
cudaError_t cudaHostUnregister(void *__pointer);
cudaError_t cudaHostGetDevicePointer(void **__device_pointer, void *__host_pointer, unsigned int __flags);
cudaError_t cudaHostGetFlags(unsigned int *__flags, void *__host_pointer);
cudaError_t cudaMemGetInfo(size_t *__free_bytes, size_t *__total_bytes);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *__attributes, const void *__pointer);
cudaError_t cudaGetSymbolAddress(void **__pointer, const void *__symbol);
cudaError_t cudaGetSymbolSize(size_t *__bytes, const void *__symbol);

cudaError_t cudaMemcpy(void *__to, const void *__from, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyAsync(void *__to, const void *__from, size_t __bytes, enum cudaMemcpyKind __kind,
                            cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpy2D(void *__to, size_t __to_pitch, const void *__from, size_t __from_pitch,
                         size_t __width, size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DAsync(void *__to, size_t __to_pitch, const void *__from, size_t __from_pitch,
                              size_t __width, size_t __height, enum cudaMemcpyKind __kind,
                              cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *__copy);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *__copy, cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *__copy);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *__copy, cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpyPeer(void *__to, int __to_device, const void *__from, int __from_device,
                           size_t __bytes);
cudaError_t cudaMemcpyPeerAsync(void *__to, int __to_device, const void *__from, int __from_device,
                                size_t __bytes, cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpyToSymbol(const void *__symbol, const void *__from, size_t __bytes,
                               size_t __offset WG_OR(0),
                               enum cudaMemcpyKind __kind WG_OR(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *__to, const void *__symbol, size_t __bytes, size_t __offset WG_OR(0),
                                 enum cudaMemcpyKind __kind WG_OR(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *__symbol, const void *__from, size_t __bytes, size_t __offset,
                                    enum cudaMemcpyKind __kind, cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *__to, const void *__symbol, size_t __bytes, size_t __offset,
                                      enum cudaMemcpyKind __kind, cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemset(void *__pointer, int __byte, size_t __bytes);
cudaError_t cudaMemsetAsync(void *__pointer, int __byte, size_t __bytes, cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemset2D(void *__pointer, size_t __pitch, int __byte, size_t __width, size_t __height);
cudaError_t cudaMemset2DAsync(void *__pointer, size_t __pitch, int __byte, size_t __width, size_t __height,
                              cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr __pointer, int __byte, struct cudaExtent __extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr __pointer, int __byte, struct cudaExtent __extent,
                              cudaStream_t __stream WG_OR(0));

/* Managed memory: where pages should be. */
cudaError_t cudaMemPrefetchAsync(const void *__pointer, size_t __bytes, struct cudaMemLocation __location,
                                 unsigned int __flags, cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemAdvise(const void *__pointer, size_t __bytes, enum cudaMemoryAdvise __advice,
                          struct cudaMemLocation __location);
cudaError_t cudaMemRangeGetAttribute(void *__data, size_t __data_size, enum cudaMemRangeAttribute __attr,
                                     const void *__pointer, size_t __bytes);

/* Stream-ordered memory. */
cudaError_t cudaMallocAsync(void **__pointer, size_t __bytes, cudaStream_t __stream);
cudaError_t cudaMallocFromPoolAsync(void **__pointer, size_t __bytes, cudaMemPool_t __pool,
                                    cudaStream_t __stream);
cudaError_t cudaFreeAsync(void *__pointer, cudaStream_t __stream);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *__pool, const struct cudaMemPoolProps *__properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t __pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t __pool, size_t __bytes_to_keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __attr, void *__value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t __pool, enum cudaMemPoolAttr __attr, void *__value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t __pool, const struct cudaMemAccessDesc *__list,
                                 size_t __count);
cudaError_t cudaMemPoolExportToShareableHandle(void *__handle, cudaMemPool_t __pool,
                                               enum cudaMemAllocationHandleType __type, unsigned int __flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *__pool, void *__handle,
                                                 enum cudaMemAllocationHandleType __type,
                                                 unsigned int __flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *__data, void *__pointer);
cudaError_t cudaMemPoolImportPointer(void **__pointer, cudaMemPool_t __pool,
                                     struct cudaMemPoolPtrExportData *__data);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *__flags, cudaMemPool_t __pool,
                                 struct cudaMemLocation *__location);

/* Driver functions by name; profiler range. */
cudaError_t cudaGetDriverEntryPoint(const char *__name, void **__function, unsigned long long __flags,
                                    enum cudaDriverEntryPointQueryResult *__result WG_OR(NULL));
cudaError_t cudaGetDriverEntryPointByVersion(const char *__name, void **__function, unsigned int __version,
                                             unsigned long long __flags,
                                             enum cudaDriverEntryPointQueryResult *__result WG_OR(NULL));
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* What CUDA 12 and older programs still write. */
#if !defined(__WARPGLASS_ONLY_CUDA_13)
static inline cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
static inline cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
static inline cudaError_t cudaThreadSetLimit(enum cudaLimit __limit, size_t __value) {
    return cudaDeviceSetLimit(__limit, __value);
}
static inline cudaError_t cudaThreadGetLimit(size_t *__value, enum cudaLimit __limit) {
    return cudaDeviceGetLimit(__value, __limit);
}
static inline cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache __config) {
    return cudaDeviceSetCacheConfig(__config);
}
static inline cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *__config) {
    return cudaDeviceGetCacheConfig(__config);
}
#endif

/* What a compiled program calls by itself: its fat binary, kernels and variables are registered before main,
 * and `kernel<<<grid, block, shared, stream>>>(...)` is a push of the configuration, then the kernel's host
 * stub, which pops it and calls cudaLaunchKernel. */
void **__cudaRegisterFatBinary(void *__wrapper);
void __cudaRegisterFatBinaryEnd(void **__module);
void __cudaUnregisterFatBinary(void **__module);
void __cudaRegisterFunction(void **__module, const char *__stub, char *__device_name, const char *__name,
                            int __thread_limit, uint3 *__tid, uint3 *__bid, dim3 *__block, dim3 *__grid,
                            int *__warp_size);
void __cudaRegisterVar(void **__module, char *__shadow, char *__device_name, const char *__name,
                       int __external, size_t __bytes, int __is_constant, int __is_global);
void __cudaRegisterManagedVar(void **__module, void **__shadow, char *__device_name, const char *__name,
                              int __external, size_t __bytes, int __is_constant, int __is_global);
char __cudaInitModule(void **__module);
unsigned int __cudaPushCallConfiguration(dim3 __grid, dim3 __block, size_t __shared_bytes WG_OR(0),
                                         struct CUstream_st *__stream WG_OR(0));
cudaError_t __cudaPopCallConfiguration(dim3 *__grid, dim3 *__block, size_t *__shared_bytes, void *__stream);

#if defined(__cplusplus)
}
#endif
#undef WG_OR
#include "warpglass/runtime_graphics.h"
#include "warpglass/runtime_graphs.h"
#include "warpglass/runtime_libraries.h"
#include "warpglass/runtime_textures.h"
#include "warpglass/runtime_unsupported.h"

#endif
