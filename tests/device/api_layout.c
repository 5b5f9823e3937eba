/* api_layout.c: sizes, alignments, offsets and values of CUDA 13 that programs built by nvcc rely on, as
 * facts.
 *
 * Compiled, not run, by api.sh: as C17 and as C++.
 */
#include <cuda.h>
#include <cuda_runtime.h>
#include <stddef.h>

#if defined(__cplusplus)
#define FACT(CONDITION) static_assert(CONDITION, #CONDITION)
#define ALIGNMENT(T)    alignof(T)
#else
#define FACT(CONDITION) _Static_assert(CONDITION, #CONDITION)
#define ALIGNMENT(T)    _Alignof(T)
#endif
#define SIZE(T, BYTES, ALIGN) FACT(sizeof(T) == BYTES && ALIGNMENT(T) == ALIGN)
#define AT(T, FIELD, OFFSET)  FACT(offsetof(T, FIELD) == OFFSET)

/* clang-format off */
SIZE(struct cudaDeviceProp, 1008, 8);
AT(struct cudaDeviceProp, name, 0);
AT(struct cudaDeviceProp, uuid, 256);
AT(struct cudaDeviceProp, luid, 272);
AT(struct cudaDeviceProp, totalGlobalMem, 288);
AT(struct cudaDeviceProp, sharedMemPerBlock, 296);
AT(struct cudaDeviceProp, regsPerBlock, 304);
AT(struct cudaDeviceProp, warpSize, 308);
AT(struct cudaDeviceProp, maxThreadsPerBlock, 320);
AT(struct cudaDeviceProp, maxThreadsDim, 324);
AT(struct cudaDeviceProp, maxGridSize, 336);
AT(struct cudaDeviceProp, totalConstMem, 352);
AT(struct cudaDeviceProp, major, 360);
AT(struct cudaDeviceProp, minor, 364);
AT(struct cudaDeviceProp, multiProcessorCount, 384);
AT(struct cudaDeviceProp, maxTexture1D, 396);
AT(struct cudaDeviceProp, surfaceAlignment, 552);
AT(struct cudaDeviceProp, concurrentKernels, 560);
AT(struct cudaDeviceProp, pciBusID, 568);
AT(struct cudaDeviceProp, unifiedAddressing, 588);
AT(struct cudaDeviceProp, memoryBusWidth, 592);
AT(struct cudaDeviceProp, l2CacheSize, 596);
AT(struct cudaDeviceProp, maxThreadsPerMultiProcessor, 604);
AT(struct cudaDeviceProp, sharedMemPerMultiprocessor, 624);
AT(struct cudaDeviceProp, regsPerMultiprocessor, 632);
AT(struct cudaDeviceProp, managedMemory, 636);
AT(struct cudaDeviceProp, cooperativeLaunch, 668);
AT(struct cudaDeviceProp, sharedMemPerBlockOptin, 672);
AT(struct cudaDeviceProp, maxBlocksPerMultiProcessor, 688);
AT(struct cudaDeviceProp, reservedSharedMemPerBlock, 696);
AT(struct cudaDeviceProp, hostRegisterSupported, 704);
AT(struct cudaDeviceProp, memoryPoolsSupported, 720);
AT(struct cudaDeviceProp, clusterLaunch, 748);
AT(struct cudaDeviceProp, unifiedFunctionPointers, 752);
AT(struct cudaDeviceProp, mpsEnabled, 764);
AT(struct cudaDeviceProp, hostNumaMultinodeIpcSupported, 780);
AT(struct cudaDeviceProp, reserved, 784);
SIZE(struct cudaFuncAttributes, 144, 8);
AT(struct cudaFuncAttributes, sharedSizeBytes, 0);
AT(struct cudaFuncAttributes, localSizeBytes, 16);
AT(struct cudaFuncAttributes, maxThreadsPerBlock, 24);
AT(struct cudaFuncAttributes, numRegs, 28);
AT(struct cudaFuncAttributes, ptxVersion, 32);
AT(struct cudaFuncAttributes, binaryVersion, 36);
AT(struct cudaFuncAttributes, maxDynamicSharedSizeBytes, 44);
AT(struct cudaFuncAttributes, clusterDimMustBeSet, 52);
AT(struct cudaFuncAttributes, nonPortableClusterSizeAllowed, 72);
AT(struct cudaFuncAttributes, reserved, 76);
SIZE(struct cudaPointerAttributes, 88, 8);
AT(struct cudaPointerAttributes, type, 0);
AT(struct cudaPointerAttributes, device, 4);
AT(struct cudaPointerAttributes, devicePointer, 8);
AT(struct cudaPointerAttributes, hostPointer, 16);
AT(struct cudaPointerAttributes, reserved, 24);
SIZE(struct cudaPitchedPtr, 32, 8);
AT(struct cudaPitchedPtr, ptr, 0);
AT(struct cudaPitchedPtr, pitch, 8);
AT(struct cudaPitchedPtr, xsize, 16);
AT(struct cudaPitchedPtr, ysize, 24);
SIZE(struct cudaExtent, 24, 8);
AT(struct cudaExtent, width, 0);
AT(struct cudaExtent, height, 8);
AT(struct cudaExtent, depth, 16);
SIZE(struct cudaMemcpy3DParms, 160, 8);
AT(struct cudaMemcpy3DParms, srcArray, 0);
AT(struct cudaMemcpy3DParms, srcPos, 8);
AT(struct cudaMemcpy3DParms, srcPtr, 32);
AT(struct cudaMemcpy3DParms, dstArray, 64);
AT(struct cudaMemcpy3DParms, dstPos, 72);
AT(struct cudaMemcpy3DParms, dstPtr, 96);
AT(struct cudaMemcpy3DParms, extent, 128);
AT(struct cudaMemcpy3DParms, kind, 152);
SIZE(struct cudaMemcpy3DPeerParms, 168, 8);
AT(struct cudaMemcpy3DPeerParms, srcDevice, 64);
AT(struct cudaMemcpy3DPeerParms, dstArray, 72);
AT(struct cudaMemcpy3DPeerParms, dstDevice, 136);
AT(struct cudaMemcpy3DPeerParms, extent, 144);
SIZE(struct cudaMemPoolProps, 88, 8);
AT(struct cudaMemPoolProps, allocType, 0);
AT(struct cudaMemPoolProps, handleTypes, 4);
AT(struct cudaMemPoolProps, location, 8);
AT(struct cudaMemPoolProps, win32SecurityAttributes, 16);
AT(struct cudaMemPoolProps, maxSize, 24);
AT(struct cudaMemPoolProps, usage, 32);
AT(struct cudaMemPoolProps, reserved, 34);
SIZE(struct cudaAccessPolicyWindow, 32, 8);
AT(struct cudaAccessPolicyWindow, base_ptr, 0);
AT(struct cudaAccessPolicyWindow, num_bytes, 8);
AT(struct cudaAccessPolicyWindow, hitRatio, 16);
AT(struct cudaAccessPolicyWindow, hitProp, 20);
AT(struct cudaAccessPolicyWindow, missProp, 24);
SIZE(cudaLaunchAttribute, 72, 8);
AT(cudaLaunchAttribute, id, 0);
AT(cudaLaunchAttribute, val, 8);
SIZE(cudaLaunchConfig_t, 56, 8);
AT(cudaLaunchConfig_t, gridDim, 0);
AT(cudaLaunchConfig_t, blockDim, 12);
AT(cudaLaunchConfig_t, dynamicSmemBytes, 24);
AT(cudaLaunchConfig_t, stream, 32);
AT(cudaLaunchConfig_t, attrs, 40);
AT(cudaLaunchConfig_t, numAttrs, 48);
SIZE(cudaLaunchAttributeValue, 64, 8);
SIZE(CUlaunchConfig, 56, 8);
AT(CUlaunchConfig, gridDimX, 0);
AT(CUlaunchConfig, blockDimX, 12);
AT(CUlaunchConfig, sharedMemBytes, 24);
AT(CUlaunchConfig, hStream, 32);
AT(CUlaunchConfig, attrs, 40);
AT(CUlaunchConfig, numAttrs, 48);
SIZE(CUlaunchAttribute, 72, 8);
AT(CUlaunchAttribute, id, 0);
AT(CUlaunchAttribute, value, 8);
SIZE(CUDA_MEMCPY2D, 128, 8);
AT(CUDA_MEMCPY2D, srcXInBytes, 0);
AT(CUDA_MEMCPY2D, srcMemoryType, 16);
AT(CUDA_MEMCPY2D, srcHost, 24);
AT(CUDA_MEMCPY2D, srcDevice, 32);
AT(CUDA_MEMCPY2D, srcArray, 40);
AT(CUDA_MEMCPY2D, srcPitch, 48);
AT(CUDA_MEMCPY2D, dstXInBytes, 56);
AT(CUDA_MEMCPY2D, dstDevice, 88);
AT(CUDA_MEMCPY2D, WidthInBytes, 112);
AT(CUDA_MEMCPY2D, Height, 120);
SIZE(CUDA_MEMCPY3D, 200, 8);
AT(CUDA_MEMCPY3D, srcLOD, 24);
AT(CUDA_MEMCPY3D, srcMemoryType, 32);
AT(CUDA_MEMCPY3D, srcDevice, 48);
AT(CUDA_MEMCPY3D, reserved0, 64);
AT(CUDA_MEMCPY3D, srcHeight, 80);
AT(CUDA_MEMCPY3D, dstMemoryType, 120);
AT(CUDA_MEMCPY3D, dstDevice, 136);
AT(CUDA_MEMCPY3D, dstHeight, 168);
AT(CUDA_MEMCPY3D, Depth, 192);
SIZE(cudaIpcMemHandle_t, 64, 1);
SIZE(CUdevprop, 56, 4);
SIZE(CUDA_ARRAY_DESCRIPTOR, 24, 8);
SIZE(CUDA_ARRAY3D_DESCRIPTOR, 40, 8);
SIZE(CUDA_RESOURCE_DESC, 144, 8);
AT(CUDA_RESOURCE_DESC, flags, 136);
SIZE(CUDA_TEXTURE_DESC, 104, 4);
AT(CUDA_TEXTURE_DESC, borderColor, 40);
SIZE(struct cudaResourceDesc, 144, 8);
SIZE(struct cudaTextureDesc, 72, 4);
AT(struct cudaTextureDesc, normalizedCoords, 40);
AT(struct cudaTextureDesc, seamlessCubemap, 68);
AT(CUdevprop, SIMDWidth, 36);
AT(CUdevprop, textureAlign, 52);
SIZE(char2, 2, 2);
SIZE(uchar4, 4, 4);
SIZE(short4, 8, 8);
SIZE(int2, 8, 8);
SIZE(int3, 12, 4);
SIZE(int4, 16, 16);
SIZE(long2, 16, 16);
SIZE(longlong4, 32, 16);
SIZE(float2, 8, 8);
SIZE(float3, 12, 4);
SIZE(float4, 16, 16);
SIZE(double2, 16, 16);
SIZE(double4, 32, 16);
SIZE(double4_32a, 32, 32);
SIZE(dim3, 12, 4);
/* What Warpglass does not have, and programs mention. */
SIZE(CUmemFabricHandle_v1, 64, 1);
SIZE(CUstreamBatchMemOpParams_v1, 48, 8);
SIZE(CUDA_BATCH_MEM_OP_NODE_PARAMS_v1, 32, 8);
SIZE(CUDA_BATCH_MEM_OP_NODE_PARAMS_v2, 32, 8);
SIZE(CUasyncNotificationInfo, 16, 8);
SIZE(CUDA_KERNEL_NODE_PARAMS_v1, 56, 8);
SIZE(CUexecAffinitySmCount_v1, 4, 4);
SIZE(CUexecAffinityParam_v1, 8, 4);
SIZE(CUctxCigParam, 16, 8);
SIZE(CUlibraryHostUniversalFunctionAndDataTable, 32, 8);
SIZE(CUDA_ARRAY_SPARSE_PROPERTIES_v1, 48, 8);
SIZE(CUDA_ARRAY_MEMORY_REQUIREMENTS_v1, 32, 8);
SIZE(CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1, 16, 8);
SIZE(CUDA_LAUNCH_PARAMS_v1, 56, 8);
SIZE(CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1, 104, 8);
SIZE(CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1, 88, 8);
SIZE(CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1, 120, 8);
SIZE(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1, 96, 8);
SIZE(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1, 144, 8);
SIZE(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1, 144, 8);
SIZE(CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1, 24, 8);
SIZE(CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2, 24, 8);
SIZE(CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1, 24, 8);
SIZE(CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2, 24, 8);
SIZE(CUarrayMapInfo_v1, 96, 8);
SIZE(CUcheckpointLockArgs, 64, 8);
SIZE(CUcheckpointCheckpointArgs, 64, 8);
SIZE(CUcheckpointGpuPair, 32, 1);
SIZE(CUcheckpointRestoreArgs, 64, 8);
SIZE(CUcheckpointUnlockArgs, 64, 8);
SIZE(cudaGraphDependencyType, 4, 4);
SIZE(cudaAsyncNotificationType, 4, 4);
SIZE(cudaLogLevel, 4, 4);
SIZE(cudaMemFabricHandle_t, 64, 1);
SIZE(cudaAsyncNotificationInfo_t, 16, 8);
SIZE(struct cudaResourceViewDesc, 112, 8);
SIZE(struct cudaArraySparseProperties, 48, 8);
SIZE(struct cudaArrayMemoryRequirements, 32, 8);
SIZE(struct cudaExternalMemoryHandleDesc, 104, 8);
SIZE(struct cudaExternalMemoryBufferDesc, 88, 8);
SIZE(struct cudaExternalMemoryMipmappedArrayDesc, 128, 8);
SIZE(struct cudaExternalSemaphoreHandleDesc, 96, 8);
SIZE(struct cudaExternalSemaphoreSignalParams, 144, 8);
SIZE(struct cudaExternalSemaphoreWaitParams, 144, 8);
SIZE(struct cudalibraryHostUniversalFunctionAndDataTable, 32, 8);
SIZE(struct cudaExternalSemaphoreSignalNodeParams, 24, 8);
SIZE(struct cudaExternalSemaphoreSignalNodeParamsV2, 24, 8);
SIZE(struct cudaExternalSemaphoreWaitNodeParams, 24, 8);
SIZE(struct cudaExternalSemaphoreWaitNodeParamsV2, 24, 8);
SIZE(struct cudaGraphKernelNodeUpdate, 40, 8);
SIZE(CUDA_RESOURCE_VIEW_DESC, 112, 8);
SIZE(CUarray_format, 4, 4);
SIZE(CUresourceViewFormat, 4, 4);
/* clang-format on */

FACT(CUDART_VERSION == 13000 && CUDA_VERSION == 13000);
FACT(cudaErrorInvalidValue == 1 && cudaErrorInvalidConfiguration == 9 &&
     cudaErrorInvalidDeviceFunction == 98);
FACT(cudaErrorIllegalAddress == 700 && cudaErrorLaunchFailure == 719 && cudaErrorUnknown == 999);
FACT(cudaErrorNoKernelImageForDevice == 209 && cudaErrorMisalignedAddress == 716 && cudaErrorAssert == 710);
FACT(cudaMemcpyDefault == 4 && cudaMemoryTypeManaged == 3 && cudaLimitMallocHeapSize == 2);
FACT(cudaDevAttrMaxThreadsPerBlock == (int)CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
FACT(cudaDevAttrMaxSharedMemoryPerBlockOptin == (int)CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
FACT(cudaDevAttrClusterLaunch == 120 && cudaDevAttrMax == 148 && CU_DEVICE_ATTRIBUTE_MAX == 148);
FACT(cudaFuncAttributeMaxDynamicSharedMemorySize == 8 &&
     cudaFuncAttributeNonPortableClusterSizeAllowed == 14);
FACT(cudaLaunchAttributeClusterDimension == 4 && cudaLaunchAttributeCooperative == 2);
FACT(CUDA_ERROR_ILLEGAL_ADDRESS == 700 && CUDA_ERROR_NOT_FOUND == 500 && CU_JIT_INPUT_PTX == 1);

/* The API as a C program sees it. */
int main(void) {
    struct cudaDeviceProp properties;
    dim3 grid = {1, 1, 1};
    float4 v = make_float4(1, 2, 3, 4);
    struct cudaExtent extent = make_cudaExtent(1, 2, 3);
    return cudaGetDeviceProperties(&properties, 0) != cudaSuccess || grid.x != 1 || v.w != 4 ||
           extent.depth != 3;
}
