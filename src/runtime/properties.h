/* Which fields of struct cudaDeviceProp are device attributes: one list for the structs of CUDA 12 and 13. */
#ifndef WG_RUNTIME_PROPERTIES_H
#define WG_RUNTIME_PROPERTIES_H

/* Each property that is an attribute. X(field, cudaDevAttr...) */
/* clang-format off */
#define WG_PROPERTIES(X) \
    X(sharedMemPerBlock, MaxSharedMemoryPerBlock) X(regsPerBlock, MaxRegistersPerBlock) X(warpSize, WarpSize) \
    X(memPitch, MaxPitch) X(maxThreadsPerBlock, MaxThreadsPerBlock) X(maxThreadsDim[0], MaxBlockDimX) \
    X(maxThreadsDim[1], MaxBlockDimY) X(maxThreadsDim[2], MaxBlockDimZ) X(maxGridSize[0], MaxGridDimX) \
    X(maxGridSize[1], MaxGridDimY) X(maxGridSize[2], MaxGridDimZ) X(totalConstMem, TotalConstantMemory) \
    X(major, ComputeCapabilityMajor) X(minor, ComputeCapabilityMinor) X(textureAlignment, TextureAlignment) \
    X(texturePitchAlignment, TexturePitchAlignment) X(multiProcessorCount, MultiProcessorCount) X(integrated, Integrated) \
    X(canMapHostMemory, CanMapHostMemory) X(maxTexture1D, MaxTexture1DWidth) X(maxTexture1DMipmap, MaxTexture1DMipmappedWidth) \
    X(maxTexture2D[0], MaxTexture2DWidth) X(maxTexture2D[1], MaxTexture2DHeight) \
    X(maxTexture2DMipmap[0], MaxTexture2DMipmappedWidth) X(maxTexture2DMipmap[1], MaxTexture2DMipmappedHeight) \
    X(maxTexture2DLinear[0], MaxTexture2DLinearWidth) X(maxTexture2DLinear[1], MaxTexture2DLinearHeight) \
    X(maxTexture2DLinear[2], MaxTexture2DLinearPitch) X(maxTexture2DGather[0], MaxTexture2DGatherWidth) \
    X(maxTexture2DGather[1], MaxTexture2DGatherHeight) X(maxTexture3D[0], MaxTexture3DWidth) \
    X(maxTexture3D[1], MaxTexture3DHeight) X(maxTexture3D[2], MaxTexture3DDepth) X(maxTexture3DAlt[0], MaxTexture3DWidthAlt) \
    X(maxTexture3DAlt[1], MaxTexture3DHeightAlt) X(maxTexture3DAlt[2], MaxTexture3DDepthAlt) \
    X(maxTextureCubemap, MaxTextureCubemapWidth) X(maxTexture1DLayered[0], MaxTexture1DLayeredWidth) \
    X(maxTexture1DLayered[1], MaxTexture1DLayeredLayers) X(maxTexture2DLayered[0], MaxTexture2DLayeredWidth) \
    X(maxTexture2DLayered[1], MaxTexture2DLayeredHeight) X(maxTexture2DLayered[2], MaxTexture2DLayeredLayers) \
    X(maxTextureCubemapLayered[0], MaxTextureCubemapLayeredWidth) X(maxTextureCubemapLayered[1], MaxTextureCubemapLayeredLayers) \
    X(maxSurface1D, MaxSurface1DWidth) X(maxSurface2D[0], MaxSurface2DWidth) X(maxSurface2D[1], MaxSurface2DHeight) \
    X(maxSurface3D[0], MaxSurface3DWidth) X(maxSurface3D[1], MaxSurface3DHeight) X(maxSurface3D[2], MaxSurface3DDepth) \
    X(maxSurface1DLayered[0], MaxSurface1DLayeredWidth) X(maxSurface1DLayered[1], MaxSurface1DLayeredLayers) \
    X(maxSurface2DLayered[0], MaxSurface2DLayeredWidth) X(maxSurface2DLayered[1], MaxSurface2DLayeredHeight) \
    X(maxSurface2DLayered[2], MaxSurface2DLayeredLayers) X(maxSurfaceCubemap, MaxSurfaceCubemapWidth) \
    X(maxSurfaceCubemapLayered[0], MaxSurfaceCubemapLayeredWidth) X(maxSurfaceCubemapLayered[1], MaxSurfaceCubemapLayeredLayers) \
    X(surfaceAlignment, SurfaceAlignment) X(concurrentKernels, ConcurrentKernels) X(ECCEnabled, EccEnabled) \
    X(pciBusID, PciBusId) X(pciDeviceID, PciDeviceId) X(pciDomainID, PciDomainId) X(tccDriver, TccDriver) \
    X(asyncEngineCount, AsyncEngineCount) X(unifiedAddressing, UnifiedAddressing) X(memoryBusWidth, GlobalMemoryBusWidth) \
    X(l2CacheSize, L2CacheSize) X(persistingL2CacheMaxSize, MaxPersistingL2CacheSize) \
    X(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor) X(streamPrioritiesSupported, StreamPrioritiesSupported) \
    X(globalL1CacheSupported, GlobalL1CacheSupported) X(localL1CacheSupported, LocalL1CacheSupported) \
    X(sharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor) X(regsPerMultiprocessor, MaxRegistersPerMultiprocessor) \
    X(managedMemory, ManagedMemory) X(isMultiGpuBoard, IsMultiGpuBoard) X(multiGpuBoardGroupID, MultiGpuBoardGroupID) \
    X(hostNativeAtomicSupported, HostNativeAtomicSupported) X(pageableMemoryAccess, PageableMemoryAccess) \
    X(concurrentManagedAccess, ConcurrentManagedAccess) X(computePreemptionSupported, ComputePreemptionSupported) \
    X(canUseHostPointerForRegisteredMem, CanUseHostPointerForRegisteredMem) X(cooperativeLaunch, CooperativeLaunch) \
    X(sharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin) \
    X(pageableMemoryAccessUsesHostPageTables, PageableMemoryAccessUsesHostPageTables) \
    X(directManagedMemAccessFromHost, DirectManagedMemAccessFromHost) \
    X(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor) X(accessPolicyMaxWindowSize, MaxAccessPolicyWindowSize) \
    X(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock) X(hostRegisterSupported, HostRegisterSupported) \
    X(sparseCudaArraySupported, SparseCudaArraySupported) X(hostRegisterReadOnlySupported, HostRegisterReadOnlySupported) \
    X(timelineSemaphoreInteropSupported, TimelineSemaphoreInteropSupported) X(memoryPoolsSupported, MemoryPoolsSupported) \
    X(gpuDirectRDMASupported, GPUDirectRDMASupported) X(gpuDirectRDMAFlushWritesOptions, GPUDirectRDMAFlushWritesOptions) \
    X(gpuDirectRDMAWritesOrdering, GPUDirectRDMAWritesOrdering) \
    X(memoryPoolSupportedHandleTypes, MemoryPoolSupportedHandleTypes) \
    X(deferredMappingCudaArraySupported, DeferredMappingCudaArraySupported) X(ipcEventSupported, IpcEventSupport) \
    X(clusterLaunch, ClusterLaunch)
/* Those that CUDA 13 dropped. */
#define WG_PROPERTIES_12(X) \
    X(clockRate, ClockRate) X(deviceOverlap, GpuOverlap) X(kernelExecTimeoutEnabled, KernelExecTimeout) \
    X(computeMode, ComputeMode) X(maxTexture1DLinear, MaxTexture1DLinearWidth) X(memoryClockRate, MemoryClockRate) \
    X(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio)
/* Those that CUDA 13 added. */
#define WG_PROPERTIES_13(X) \
    X(deviceNumaConfig, NumaConfig) X(deviceNumaId, NumaId) X(mpsEnabled, MpsEnabled) \
    X(hostNumaId, HostNumaId) X(gpuPciDeviceID, GpuPciDeviceId) X(gpuPciSubsystemID, GpuPciSubsystemId) \
    X(hostNumaMultinodeIpcSupported, HostNumaMultinodeIpcSupported)
/* clang-format on */
#endif
