/* device_attributes.h: enum cudaDeviceAttr, the questions cudaDeviceGetAttribute answers.
 *
 * Part of driver_types.h, apart because it is a table. The driver API's CU_DEVICE_ATTRIBUTE_* (cuda.h) have
 * the same numbers, which lets the runtime hand the question on unchanged.
 */
#ifndef WARPGLASS_DEVICE_ATTRIBUTES_H
#define WARPGLASS_DEVICE_ATTRIBUTES_H

/* clang-format off */
enum cudaDeviceAttr {
    /* Limits of a launch. */
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,                     cudaDevAttrMaxBlockDimY = 3,                cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,                      cudaDevAttrMaxGridDimY = 6,                 cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,          cudaDevAttrTotalConstantMemory = 9,         cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,                        cudaDevAttrMaxRegistersPerBlock = 12,       cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,                cudaDevAttrGpuOverlap = 15,                 cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,               cudaDevAttrIntegrated = 18,                 cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    /* Extents of textures. */
    cudaDevAttrMaxTexture1DWidth = 21,               cudaDevAttrMaxTexture2DWidth = 22,          cudaDevAttrMaxTexture2DHeight = 23,
    cudaDevAttrMaxTexture3DWidth = 24,               cudaDevAttrMaxTexture3DHeight = 25,         cudaDevAttrMaxTexture3DDepth = 26,
    cudaDevAttrMaxTexture2DLayeredWidth = 27,        cudaDevAttrMaxTexture2DLayeredHeight = 28,  cudaDevAttrMaxTexture2DLayeredLayers = 29,
    cudaDevAttrSurfaceAlignment = 30,                cudaDevAttrConcurrentKernels = 31,          cudaDevAttrEccEnabled = 32,
    cudaDevAttrPciBusId = 33,                        cudaDevAttrPciDeviceId = 34,                cudaDevAttrTccDriver = 35,
    cudaDevAttrMemoryClockRate = 36,                 cudaDevAttrGlobalMemoryBusWidth = 37,       cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,     cudaDevAttrAsyncEngineCount = 40,           cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrMaxTexture1DLayeredWidth = 42,        cudaDevAttrMaxTexture1DLayeredLayers = 43,
    cudaDevAttrMaxTexture2DGatherWidth = 45,         cudaDevAttrMaxTexture2DGatherHeight = 46,
    cudaDevAttrMaxTexture3DWidthAlt = 47,            cudaDevAttrMaxTexture3DHeightAlt = 48,      cudaDevAttrMaxTexture3DDepthAlt = 49,
    cudaDevAttrPciDomainId = 50,                     cudaDevAttrTexturePitchAlignment = 51,      cudaDevAttrMaxTextureCubemapWidth = 52,
    cudaDevAttrMaxTextureCubemapLayeredWidth = 53,   cudaDevAttrMaxTextureCubemapLayeredLayers = 54,
    /* Extents of surfaces. */
    cudaDevAttrMaxSurface1DWidth = 55,               cudaDevAttrMaxSurface2DWidth = 56,          cudaDevAttrMaxSurface2DHeight = 57,
    cudaDevAttrMaxSurface3DWidth = 58,               cudaDevAttrMaxSurface3DHeight = 59,         cudaDevAttrMaxSurface3DDepth = 60,
    cudaDevAttrMaxSurface1DLayeredWidth = 61,        cudaDevAttrMaxSurface1DLayeredLayers = 62,
    cudaDevAttrMaxSurface2DLayeredWidth = 63,        cudaDevAttrMaxSurface2DLayeredHeight = 64,  cudaDevAttrMaxSurface2DLayeredLayers = 65,
    cudaDevAttrMaxSurfaceCubemapWidth = 66,          cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
    cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,  cudaDevAttrMaxTexture1DLinearWidth = 69,
    cudaDevAttrMaxTexture2DLinearWidth = 70,         cudaDevAttrMaxTexture2DLinearHeight = 71,   cudaDevAttrMaxTexture2DLinearPitch = 72,
    cudaDevAttrMaxTexture2DMipmappedWidth = 73,      cudaDevAttrMaxTexture2DMipmappedHeight = 74,
    /* The machine, its memory, and what the two can do together. */
    cudaDevAttrComputeCapabilityMajor = 75,          cudaDevAttrComputeCapabilityMinor = 76,     cudaDevAttrMaxTexture1DMipmappedWidth = 77,
    cudaDevAttrStreamPrioritiesSupported = 78,       cudaDevAttrGlobalL1CacheSupported = 79,     cudaDevAttrLocalL1CacheSupported = 80,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,                   cudaDevAttrIsMultiGpuBoard = 84,            cudaDevAttrMultiGpuBoardGroupID = 85,
    cudaDevAttrHostNativeAtomicSupported = 86,       cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
    cudaDevAttrPageableMemoryAccess = 88,            cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrComputePreemptionSupported = 90,      cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
    cudaDevAttrReserved92 = 92,                      cudaDevAttrReserved93 = 93,                 cudaDevAttrReserved94 = 94,
    cudaDevAttrCooperativeLaunch = 95,               cudaDevAttrReserved96 = 96,                 cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrCanFlushRemoteWrites = 98,            cudaDevAttrHostRegisterSupported = 99,
    cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100, cudaDevAttrDirectManagedMemAccessFromHost = 101,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,     cudaDevAttrMaxPersistingL2CacheSize = 108,  cudaDevAttrMaxAccessPolicyWindowSize = 109,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,   cudaDevAttrSparseCudaArraySupported = 112,
    cudaDevAttrHostRegisterReadOnlySupported = 113,  cudaDevAttrTimelineSemaphoreInteropSupported = 114,
    cudaDevAttrMemoryPoolsSupported = 115,           cudaDevAttrGPUDirectRDMASupported = 116,
    cudaDevAttrGPUDirectRDMAFlushWritesOptions = 117, cudaDevAttrGPUDirectRDMAWritesOrdering = 118,
    cudaDevAttrMemoryPoolSupportedHandleTypes = 119, cudaDevAttrClusterLaunch = 120,
    cudaDevAttrDeferredMappingCudaArraySupported = 121,
    cudaDevAttrReserved122 = 122,                    cudaDevAttrReserved123 = 123,               cudaDevAttrReserved124 = 124,
    cudaDevAttrIpcEventSupport = 125,                cudaDevAttrMemSyncDomainCount = 126,
    cudaDevAttrReserved127 = 127,                    cudaDevAttrReserved128 = 128,               cudaDevAttrReserved129 = 129,
    cudaDevAttrNumaConfig = 130,                     cudaDevAttrNumaId = 131,                    cudaDevAttrReserved132 = 132,
    cudaDevAttrMpsEnabled = 133,                     cudaDevAttrHostNumaId = 134,                cudaDevAttrD3D12CigSupported = 135,
    cudaDevAttrVulkanCigSupported = 138,             cudaDevAttrGpuPciDeviceId = 139,            cudaDevAttrGpuPciSubsystemId = 140,
    cudaDevAttrReserved141 = 141,                    cudaDevAttrHostNumaMemoryPoolsSupported = 142,
    cudaDevAttrHostNumaMultinodeIpcSupported = 143,  cudaDevAttrHostMemoryPoolsSupported = 144,
    cudaDevAttrReserved145 = 145,                    cudaDevAttrOnlyPartialHostNativeAtomicSupported = 147,
    cudaDevAttrMax
};
/* clang-format on */

#endif
