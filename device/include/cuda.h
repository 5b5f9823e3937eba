/* cuda.h: the CUDA driver API, for C17 and C++.
 *
 * Declared here, defined by our libcuda.so.1 (driver/), which includes this header. CUDA versions its driver
 * functions by suffix: a program that says cuMemAlloc calls the symbol cuMemAlloc_v2. The renames at the end
 * of the list are CUDA 13's, so that programs built against NVIDIA's header meet the same symbols. What
 * is in warpglass/driver_unsupported.h is there to be mentioned: a compiler warns of a call of it.
 */
#ifndef WARPGLASS_CUDA_H
#define WARPGLASS_CUDA_H
#define __cuda_cuda_h__ /* as in host_defines.h */

#include <stddef.h>
#include <stdint.h>

#include "warpglass/driver_enums.h"
#include "warpglass/driver_unsupported_enums.h"
#include "warpglass/uuid.h"

#define CUDA_VERSION 13000
#define CUDAAPI
#define CUDA_CB

#if defined(__cplusplus)
extern "C" {
#endif

/* Handles. A CUdeviceptr is an address in the process: host and device share one address space. */
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUarray_st *CUarray;
typedef struct CUevent_st *CUevent;
typedef struct CUstream_st *CUstream;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUgraphDeviceUpdatableNode_st *CUgraphDeviceNode;
typedef void(CUDA_CB *CUhostFn)(void *__user_data);
typedef void(CUDA_CB *CUstreamCallback)(CUstream __stream, CUresult __status, void *__user_data);
typedef size_t(CUDA_CB *CUoccupancyB2DSize)(int __block_size);

#define CU_STREAM_LEGACY              ((CUstream)0x1)
#define CU_STREAM_PER_THREAD          ((CUstream)0x2)
#define CU_DEVICE_CPU                 ((CUdevice) - 1)
#define CU_DEVICE_INVALID             ((CUdevice) - 2)
#define CU_MEMHOSTALLOC_PORTABLE      0x01
#define CU_MEMHOSTALLOC_DEVICEMAP     0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEMHOSTREGISTER_PORTABLE   0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP  0x02
#define CU_MEMHOSTREGISTER_IOMEMORY   0x04
#define CU_MEMHOSTREGISTER_READ_ONLY  0x08
/* Keys of cuLaunchKernel's `extra`: arguments packed in one buffer. */
#define CU_LAUNCH_PARAM_END                   ((void *)0x00)
#define CU_LAUNCH_PARAM_END_AS_INT            0x00
#define CU_LAUNCH_PARAM_BUFFER_POINTER        ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT 0x01
#define CU_LAUNCH_PARAM_BUFFER_SIZE           ((void *)0x02)
#define CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT    0x02

typedef struct CUdevprop_st {
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int sharedMemPerBlock;
    int totalConstantMemory;
    int SIMDWidth;
    int memPitch;
    int regsPerBlock;
    int clockRate;
    int textureAlign;
} CUdevprop;

typedef struct CUmemLocation_st {
    CUmemLocationType type;
    int id;
} CUmemLocation;

typedef struct CUmemPoolProps_st {
    CUmemAllocationType allocType;
    CUmemAllocationHandleType handleTypes;
    CUmemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} CUmemPoolProps;

typedef struct CUDA_MEMCPY2D_st {
    size_t srcXInBytes;
    size_t srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes;
    size_t dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes;
    size_t Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D_st {
    size_t srcXInBytes;
    size_t srcY;
    size_t srcZ;
    size_t srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    void *reserved0;
    size_t srcPitch;
    size_t srcHeight;
    size_t dstXInBytes;
    size_t dstY;
    size_t dstZ;
    size_t dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    void *reserved1;
    size_t dstPitch;
    size_t dstHeight;
    size_t WidthInBytes;
    size_t Height;
    size_t Depth;
} CUDA_MEMCPY3D;

/* The same, with the contexts of the two sides. */
typedef struct CUDA_MEMCPY3D_PEER_st {
    size_t srcXInBytes;
    size_t srcY;
    size_t srcZ;
    size_t srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    CUcontext srcContext;
    size_t srcPitch;
    size_t srcHeight;
    size_t dstXInBytes;
    size_t dstY;
    size_t dstZ;
    size_t dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    CUcontext dstContext;
    size_t dstPitch;
    size_t dstHeight;
    size_t WidthInBytes;
    size_t Height;
    size_t Depth;
} CUDA_MEMCPY3D_PEER;

/* Launches with attributes: cuLaunchKernelEx. */
typedef struct CUaccessPolicyWindow_st {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    CUaccessProperty hitProp;
    CUaccessProperty missProp;
} CUaccessPolicyWindow;

typedef struct CUlaunchMemSyncDomainMap_st {
    unsigned char default_;
    unsigned char remote;
} CUlaunchMemSyncDomainMap;

typedef union CUlaunchAttributeValue_union {
    char pad[64];
    CUaccessPolicyWindow accessPolicyWindow;
    int cooperative;
    CUsynchronizationPolicy syncPolicy;
    struct {
        unsigned int x, y, z;
    } clusterDim;
    CUclusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
    struct {
        CUevent event;
        int flags;
        int triggerAtBlockStart;
    } programmaticEvent;
    struct {
        CUevent event;
        int flags;
    } launchCompletionEvent;
    int priority;
    CUlaunchMemSyncDomainMap memSyncDomainMap;
    CUlaunchMemSyncDomain memSyncDomain;
    struct {
        unsigned int x, y, z;
    } preferredClusterDim;
    struct {
        int deviceUpdatable;
        CUgraphDeviceNode devNode;
    } deviceUpdatableKernelNode;
    unsigned int sharedMemCarveout;
    unsigned int nvlinkUtilCentricScheduling;
} CUlaunchAttributeValue;

typedef struct CUlaunchAttribute_st {
    CUlaunchAttributeID id;
    char pad[8 - sizeof(CUlaunchAttributeID)];
    CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig_st {
    unsigned int gridDimX, gridDimY, gridDimZ;
    unsigned int blockDimX, blockDimY, blockDimZ;
    unsigned int sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned int numAttrs;
} CUlaunchConfig;

/* What a context may be created with. Nothing of it is there yet: cuCtxCreate refuses what is asked for. */
typedef struct CUctxCreateParams_st {
    struct CUexecAffinityParam_st *execAffinityParams;
    int numExecAffinityParams;
    struct CUctxCigParam_st *cigParams; /* sharing with graphics */
} CUctxCreateParams;

/* Which symbol a plain name means in CUDA 13. */
#define cuDeviceTotalMem           cuDeviceTotalMem_v2
#define cuDeviceGetUuid            cuDeviceGetUuid_v2
#define cuDevicePrimaryCtxRelease  cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxReset    cuDevicePrimaryCtxReset_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuCtxCreate                cuCtxCreate_v4
#define cuCtxDestroy               cuCtxDestroy_v2
#define cuCtxPushCurrent           cuCtxPushCurrent_v2
#define cuCtxPopCurrent            cuCtxPopCurrent_v2
#define cuModuleGetGlobal          cuModuleGetGlobal_v2
#define cuLinkCreate               cuLinkCreate_v2
#define cuLinkAddData              cuLinkAddData_v2
#define cuLinkAddFile              cuLinkAddFile_v2
#define cuMemGetInfo               cuMemGetInfo_v2
#define cuMemAlloc                 cuMemAlloc_v2
#define cuMemAllocPitch            cuMemAllocPitch_v2
#define cuMemFree                  cuMemFree_v2
#define cuMemGetAddressRange       cuMemGetAddressRange_v2
#define cuMemAllocHost             cuMemAllocHost_v2
#define cuMemHostGetDevicePointer  cuMemHostGetDevicePointer_v2
#define cuMemHostRegister          cuMemHostRegister_v2
#define cuMemcpyHtoD               cuMemcpyHtoD_v2
#define cuMemcpyDtoH               cuMemcpyDtoH_v2
#define cuMemcpyDtoD               cuMemcpyDtoD_v2
#define cuMemcpyHtoDAsync          cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync          cuMemcpyDtoHAsync_v2
#define cuMemcpyDtoDAsync          cuMemcpyDtoDAsync_v2
#define cuMemcpy2D                 cuMemcpy2D_v2
#define cuMemcpy2DUnaligned        cuMemcpy2DUnaligned_v2
#define cuMemcpy2DAsync            cuMemcpy2DAsync_v2
#define cuMemcpy3D                 cuMemcpy3D_v2
#define cuMemcpy3DAsync            cuMemcpy3DAsync_v2
#define cuMemsetD8                 cuMemsetD8_v2
#define cuMemsetD16                cuMemsetD16_v2
#define cuMemsetD32                cuMemsetD32_v2
#define cuMemsetD2D8               cuMemsetD2D8_v2
#define cuMemsetD2D16              cuMemsetD2D16_v2
#define cuMemsetD2D32              cuMemsetD2D32_v2
#define cuMemPrefetchAsync         cuMemPrefetchAsync_v2
#define cuMemAdvise                cuMemAdvise_v2
#define cuStreamDestroy            cuStreamDestroy_v2
#define cuEventDestroy             cuEventDestroy_v2
#define cuEventElapsedTime         cuEventElapsedTime_v2
#define cuGetProcAddress           cuGetProcAddress_v2

/* Errors, start, devices. */
CUresult cuGetErrorString(CUresult __error, const char **__string);
CUresult cuGetErrorName(CUresult __error, const char **__name);
CUresult cuInit(unsigned int __flags);
CUresult cuDriverGetVersion(int *__version);
CUresult cuGetExportTable(const void **__table, const CUuuid *__id);
CUresult cuGetProcAddress(const char *__name, void **__function, int __version, cuuint64_t __flags,
                          CUdriverProcAddressQueryResult *__result);
CUresult cuDeviceGet(CUdevice *__device, int __ordinal);
CUresult cuDeviceGetCount(int *__count);
CUresult cuDeviceGetName(char *__name, int __length, CUdevice __device);
CUresult cuDeviceGetUuid(CUuuid *__uuid, CUdevice __device);
CUresult cuDeviceGetLuid(char *__luid, unsigned int *__node_mask, CUdevice __device);
CUresult cuDeviceTotalMem(size_t *__bytes, CUdevice __device);
CUresult cuDeviceGetAttribute(int *__value, CUdevice_attribute __attr, CUdevice __device);
CUresult cuDeviceGetProperties(CUdevprop *__properties, CUdevice __device);
CUresult cuDeviceComputeCapability(int *__major, int *__minor, CUdevice __device);
CUresult cuDeviceGetByPCIBusId(CUdevice *__device, const char *__bus_id);
CUresult cuDeviceGetPCIBusId(char *__bus_id, int __length, CUdevice __device);
CUresult cuDeviceCanAccessPeer(int *__can, CUdevice __device, CUdevice __peer);
CUresult cuDeviceGetP2PAttribute(int *__value, CUdevice_P2PAttribute __attr, CUdevice __source,
                                 CUdevice __destination);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *__pool, CUdevice __device);
CUresult cuDeviceGetMemPool(CUmemoryPool *__pool, CUdevice __device);
CUresult cuDeviceSetMemPool(CUdevice __device, CUmemoryPool __pool);

/* Contexts. */
CUresult cuDevicePrimaryCtxRetain(CUcontext *__context, CUdevice __device);
CUresult cuDevicePrimaryCtxRelease(CUdevice __device);
CUresult cuDevicePrimaryCtxSetFlags(CUdevice __device, unsigned int __flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice __device, unsigned int *__flags, int *__active);
CUresult cuDevicePrimaryCtxReset(CUdevice __device);
CUresult cuCtxCreate(CUcontext *__context, CUctxCreateParams *__parameters, unsigned int __flags,
                     CUdevice __device);
CUresult cuCtxDestroy(CUcontext __context);
CUresult cuCtxPushCurrent(CUcontext __context);
CUresult cuCtxPopCurrent(CUcontext *__context);
CUresult cuCtxSetCurrent(CUcontext __context);
CUresult cuCtxGetCurrent(CUcontext *__context);
CUresult cuCtxGetDevice(CUdevice *__device);
CUresult cuCtxGetFlags(unsigned int *__flags);
CUresult cuCtxSetFlags(unsigned int __flags);
CUresult cuCtxGetId(CUcontext __context, unsigned long long *__id);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSetLimit(CUlimit __limit, size_t __value);
CUresult cuCtxGetLimit(size_t *__value, CUlimit __limit);
CUresult cuCtxGetCacheConfig(CUfunc_cache *__config);
CUresult cuCtxSetCacheConfig(CUfunc_cache __config);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *__config);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig __config);
CUresult cuCtxGetApiVersion(CUcontext __context, unsigned int *__version);
CUresult cuCtxGetStreamPriorityRange(int *__least, int *__greatest);
CUresult cuCtxResetPersistingL2Cache(void);
CUresult cuCtxEnablePeerAccess(CUcontext __peer, unsigned int __flags);
CUresult cuCtxDisablePeerAccess(CUcontext __peer);

/* Modules, libraries and linking: PTX text in, functions and variables out. */
CUresult cuModuleLoad(CUmodule *__module, const char *__file);
CUresult cuModuleLoadData(CUmodule *__module, const void *__image);
CUresult cuModuleLoadDataEx(CUmodule *__module, const void *__image, unsigned int __options,
                            CUjit_option *__option, void **__values);
CUresult cuModuleLoadFatBinary(CUmodule *__module, const void *__fat_binary);
CUresult cuModuleUnload(CUmodule __module);
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *__mode);
CUresult cuModuleGetFunction(CUfunction *__function, CUmodule __module, const char *__name);
CUresult cuModuleGetFunctionCount(unsigned int *__count, CUmodule __module);
CUresult cuModuleEnumerateFunctions(CUfunction *__functions, unsigned int __count, CUmodule __module);
CUresult cuModuleGetGlobal(CUdeviceptr *__pointer, size_t *__bytes, CUmodule __module, const char *__name);
CUresult cuLinkCreate(unsigned int __options, CUjit_option *__option, void **__values, CUlinkState *__state);
CUresult cuLinkAddData(CUlinkState __state, CUjitInputType __type, void *__data, size_t __bytes,
                       const char *__name, unsigned int __options, CUjit_option *__option, void **__values);
CUresult cuLinkAddFile(CUlinkState __state, CUjitInputType __type, const char *__file, unsigned int __options,
                       CUjit_option *__option, void **__values);
CUresult cuLinkComplete(CUlinkState __state, void **__image, size_t *__bytes);
CUresult cuLinkDestroy(CUlinkState __state);
CUresult cuLibraryLoadData(CUlibrary *__library, const void *__image, CUjit_option *__jit_option,
                           void **__jit_values, unsigned int __jit_options, CUlibraryOption *__option,
                           void **__values, unsigned int __options);
CUresult cuLibraryLoadFromFile(CUlibrary *__library, const char *__file, CUjit_option *__jit_option,
                               void **__jit_values, unsigned int __jit_options, CUlibraryOption *__option,
                               void **__values, unsigned int __options);
CUresult cuLibraryUnload(CUlibrary __library);
CUresult cuLibraryGetKernel(CUkernel *__kern, CUlibrary __library, const char *__name);
CUresult cuLibraryGetModule(CUmodule *__module, CUlibrary __library);
CUresult cuLibraryGetGlobal(CUdeviceptr *__pointer, size_t *__bytes, CUlibrary __library, const char *__name);
CUresult cuKernelGetFunction(CUfunction *__function, CUkernel __kern);
CUresult cuKernelGetAttribute(int *__value, CUfunction_attribute __attr, CUkernel __kern, CUdevice __device);
CUresult cuKernelSetAttribute(CUfunction_attribute __attr, int __value, CUkernel __kern, CUdevice __device);
CUresult cuKernelGetName(const char **__name, CUkernel __kern);

/* Functions, launches, occupancy. */
CUresult cuFuncGetAttribute(int *__value, CUfunction_attribute __attr, CUfunction __function);
CUresult cuFuncSetAttribute(CUfunction __function, CUfunction_attribute __attr, int __value);
CUresult cuFuncSetCacheConfig(CUfunction __function, CUfunc_cache __config);
CUresult cuFuncSetSharedMemConfig(CUfunction __function, CUsharedconfig __config);
CUresult cuFuncGetModule(CUmodule *__module, CUfunction __function);
CUresult cuFuncGetName(const char **__name, CUfunction __function);
CUresult cuFuncGetParamInfo(CUfunction __function, size_t __index, size_t *__offset, size_t *__size);
CUresult cuLaunchKernel(CUfunction __function, unsigned int __grid_x, unsigned int __grid_y,
                        unsigned int __grid_z, unsigned int __block_x, unsigned int __block_y,
                        unsigned int __block_z, unsigned int __shared_bytes, CUstream __stream,
                        void **__arguments, void **__extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig *__config, CUfunction __function, void **__arguments,
                          void **__extra);
CUresult cuLaunchCooperativeKernel(CUfunction __function, unsigned int __grid_x, unsigned int __grid_y,
                                   unsigned int __grid_z, unsigned int __block_x, unsigned int __block_y,
                                   unsigned int __block_z, unsigned int __shared_bytes, CUstream __stream,
                                   void **__arguments);
CUresult cuLaunchHostFunc(CUstream __stream, CUhostFn __function, void *__user_data);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, CUfunction __function, int __block_size,
                                                     size_t __dynamic_shared_bytes);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__blocks, CUfunction __function,
                                                              int __block_size, size_t __dynamic_shared_bytes,
                                                              unsigned int __flags);
CUresult cuOccupancyMaxPotentialBlockSize(int *__min_grid_size, int *__block_size, CUfunction __function,
                                          CUoccupancyB2DSize __shared_bytes_of_block,
                                          size_t __dynamic_shared_bytes, int __block_size_limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *__min_grid_size, int *__block_size,
                                                   CUfunction __function,
                                                   CUoccupancyB2DSize __shared_bytes_of_block,
                                                   size_t __dynamic_shared_bytes, int __block_size_limit,
                                                   unsigned int __flags);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *__bytes, CUfunction __function, int __blocks,
                                                 int __block_size);
CUresult cuOccupancyMaxPotentialClusterSize(int *__cluster_size, CUfunction __function,
                                            const CUlaunchConfig *__config);
CUresult cuOccupancyMaxActiveClusters(int *__clusters, CUfunction __function, const CUlaunchConfig *__config);

/* Memory. */
CUresult cuMemGetInfo(size_t *__free_bytes, size_t *__total_bytes);
CUresult cuMemAlloc(CUdeviceptr *__pointer, size_t __bytes);
CUresult cuMemAllocPitch(CUdeviceptr *__pointer, size_t *__pitch, size_t __width, size_t __height,
                         unsigned int __element_size);
CUresult cuMemAllocManaged(CUdeviceptr *__pointer, size_t __bytes, unsigned int __flags);
CUresult cuMemFree(CUdeviceptr __pointer);
CUresult cuMemGetAddressRange(CUdeviceptr *__base, size_t *__bytes, CUdeviceptr __pointer);
CUresult cuMemAllocHost(void **__pointer, size_t __bytes);
CUresult cuMemFreeHost(void *__pointer);
CUresult cuMemHostAlloc(void **__pointer, size_t __bytes, unsigned int __flags);
CUresult cuMemHostGetDevicePointer(CUdeviceptr *__device_pointer, void *__host_pointer, unsigned int __flags);
CUresult cuMemHostGetFlags(unsigned int *__flags, void *__host_pointer);
CUresult cuMemHostRegister(void *__pointer, size_t __bytes, unsigned int __flags);
CUresult cuMemHostUnregister(void *__pointer);
CUresult cuPointerGetAttribute(void *__value, CUpointer_attribute __attr, CUdeviceptr __pointer);
CUresult cuPointerGetAttributes(unsigned int __count, CUpointer_attribute *__attributes, void **__values,
                                CUdeviceptr __pointer);
CUresult cuPointerSetAttribute(const void *__value, CUpointer_attribute __attr, CUdeviceptr __pointer);
CUresult cuMemcpy(CUdeviceptr __to, CUdeviceptr __from, size_t __bytes);
CUresult cuMemcpyAsync(CUdeviceptr __to, CUdeviceptr __from, size_t __bytes, CUstream __stream);
CUresult cuMemcpyHtoD(CUdeviceptr __to, const void *__from, size_t __bytes);
CUresult cuMemcpyDtoH(void *__to, CUdeviceptr __from, size_t __bytes);
CUresult cuMemcpyDtoD(CUdeviceptr __to, CUdeviceptr __from, size_t __bytes);
CUresult cuMemcpyHtoDAsync(CUdeviceptr __to, const void *__from, size_t __bytes, CUstream __stream);
CUresult cuMemcpyDtoHAsync(void *__to, CUdeviceptr __from, size_t __bytes, CUstream __stream);
CUresult cuMemcpyDtoDAsync(CUdeviceptr __to, CUdeviceptr __from, size_t __bytes, CUstream __stream);
CUresult cuMemcpyPeer(CUdeviceptr __to, CUcontext __to_context, CUdeviceptr __from, CUcontext __from_context,
                      size_t __bytes);
CUresult cuMemcpyPeerAsync(CUdeviceptr __to, CUcontext __to_context, CUdeviceptr __from,
                           CUcontext __from_context, size_t __bytes, CUstream __stream);
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *__copy);
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *__copy);
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *__copy, CUstream __stream);
CUresult cuMemcpy3D(const CUDA_MEMCPY3D *__copy);
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *__copy);
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *__copy, CUstream __stream);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *__copy, CUstream __stream);
CUresult cuMemsetD8(CUdeviceptr __pointer, unsigned char __value, size_t __count);
CUresult cuMemsetD16(CUdeviceptr __pointer, unsigned short __value, size_t __count);
CUresult cuMemsetD32(CUdeviceptr __pointer, unsigned int __value, size_t __count);
CUresult cuMemsetD8Async(CUdeviceptr __pointer, unsigned char __value, size_t __count, CUstream __stream);
CUresult cuMemsetD16Async(CUdeviceptr __pointer, unsigned short __value, size_t __count, CUstream __stream);
CUresult cuMemsetD32Async(CUdeviceptr __pointer, unsigned int __value, size_t __count, CUstream __stream);
CUresult cuMemsetD2D8(CUdeviceptr __pointer, size_t __pitch, unsigned char __value, size_t __width,
                      size_t __height);
CUresult cuMemsetD2D16(CUdeviceptr __pointer, size_t __pitch, unsigned short __value, size_t __width,
                       size_t __height);
CUresult cuMemsetD2D32(CUdeviceptr __pointer, size_t __pitch, unsigned int __value, size_t __width,
                       size_t __height);
CUresult cuMemPrefetchAsync(CUdeviceptr __pointer, size_t __bytes, CUmemLocation __location,
                            unsigned int __flags, CUstream __stream);
CUresult cuMemAdvise(CUdeviceptr __pointer, size_t __bytes, CUmem_advise __advice, CUmemLocation __location);
CUresult cuMemAllocAsync(CUdeviceptr *__pointer, size_t __bytes, CUstream __stream);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *__pointer, size_t __bytes, CUmemoryPool __pool,
                                 CUstream __stream);
CUresult cuMemFreeAsync(CUdeviceptr __pointer, CUstream __stream);
CUresult cuMemPoolCreate(CUmemoryPool *__pool, const CUmemPoolProps *__properties);
CUresult cuMemPoolDestroy(CUmemoryPool __pool);
CUresult cuMemPoolTrimTo(CUmemoryPool __pool, size_t __bytes_to_keep);
CUresult cuMemPoolSetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void *__value);
CUresult cuMemPoolGetAttribute(CUmemoryPool __pool, CUmemPool_attribute __attr, void *__value);

/* Streams and events. */
CUresult cuStreamCreate(CUstream *__stream, unsigned int __flags);
CUresult cuStreamCreateWithPriority(CUstream *__stream, unsigned int __flags, int __priority);
CUresult cuStreamGetPriority(CUstream __stream, int *__priority);
CUresult cuStreamGetDevice(CUstream __stream, CUdevice *__device);
CUresult cuStreamGetFlags(CUstream __stream, unsigned int *__flags);
CUresult cuStreamGetId(CUstream __stream, unsigned long long *__id);
CUresult cuStreamGetCtx(CUstream __stream, CUcontext *__context);
CUresult cuStreamWaitEvent(CUstream __stream, CUevent __event, unsigned int __flags);
CUresult cuStreamAddCallback(CUstream __stream, CUstreamCallback __callback, void *__user_data,
                             unsigned int __flags);
CUresult cuStreamIsCapturing(CUstream __stream, CUstreamCaptureStatus *__status);
CUresult cuStreamQuery(CUstream __stream);
CUresult cuStreamSynchronize(CUstream __stream);
CUresult cuStreamDestroy(CUstream __stream);
CUresult cuEventCreate(CUevent *__event, unsigned int __flags);
CUresult cuEventRecord(CUevent __event, CUstream __stream);
CUresult cuEventRecordWithFlags(CUevent __event, CUstream __stream, unsigned int __flags);
CUresult cuEventQuery(CUevent __event);
CUresult cuEventSynchronize(CUevent __event);
CUresult cuEventDestroy(CUevent __event);
CUresult cuEventElapsedTime(float *__milliseconds, CUevent __start, CUevent __end);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#include "warpglass/driver_graphs.h"
#include "warpglass/driver_textures.h"
#include "warpglass/driver_references.h"
#include "warpglass/driver_partitions.h"
#include "warpglass/driver_batches.h"
#include "warpglass/driver_memory.h"

/* Tensor maps, of what cp.async.bulk.tensor copies. */
typedef struct CUtensorMap_st {
#if defined(__cplusplus)
    alignas(64)
#else
    _Alignas(64)
#endif
        cuuint64_t opaque[16];
} CUtensorMap;
typedef enum CUtensorMapDataType_enum {
    CU_TENSOR_MAP_DATA_TYPE_UINT8,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
    CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum {
    CU_TENSOR_MAP_INTERLEAVE_NONE,
    CU_TENSOR_MAP_INTERLEAVE_16B,
    CU_TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum {
    CU_TENSOR_MAP_SWIZZLE_NONE,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum {
    CU_TENSOR_MAP_L2_PROMOTION_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
} CUtensorMapFloatOOBfill;
CUresult cuTensorMapEncodeTiled(CUtensorMap *__map, CUtensorMapDataType __type, cuuint32_t __rank,
                                void *__base, const cuuint64_t *__dims, const cuuint64_t *__strides,
                                const cuuint32_t *__box, const cuuint32_t *__steps,
                                CUtensorMapInterleave __interleave, CUtensorMapSwizzle __swizzle,
                                CUtensorMapL2promotion __promotion, CUtensorMapFloatOOBfill __fill);
CUresult cuTensorMapEncodeIm2col(CUtensorMap *__map, CUtensorMapDataType __type, cuuint32_t __rank,
                                 void *__base, const cuuint64_t *__dims, const cuuint64_t *__strides,
                                 const int *__lower, const int *__upper, cuuint32_t __channels,
                                 cuuint32_t __pixels, const cuuint32_t *__steps,
                                 CUtensorMapInterleave __interleave, CUtensorMapSwizzle __swizzle,
                                 CUtensorMapL2promotion __promotion, CUtensorMapFloatOOBfill __fill);
CUresult cuTensorMapReplaceAddress(CUtensorMap *__map, void *__base);

#include "warpglass/driver_stream_values.h"
#include "warpglass/driver_unsupported.h"

#if defined(__cplusplus)
}
#endif

#endif
