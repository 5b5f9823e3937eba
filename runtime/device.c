/* The device: its properties, limits, and the calls about other devices, of which there are none. */
#include "runtime/runtime.h"
#include <string.h>

/* For functions that ask about the device without using it: no context is made. */
static CUresult ready(void) { return cuInit(0); }

cudaError_t cudaGetDeviceCount(int *count) {
    if (!count) return wg_note(CUDA_ERROR_INVALID_VALUE);
    *count = 0;
    return wg_note(ready() ?: cuDeviceGetCount(count));
}
cudaError_t cudaGetDevice(int *device) {
    if (!device) return wg_note(CUDA_ERROR_INVALID_VALUE);
    CUresult r = ready();
    if (!r) *device = 0;
    return wg_note(r);
}
cudaError_t cudaSetDevice(int device) {
    CUcontext primary, current = NULL;
    CUdevice d;
    CUresult r = ready() ?: cuDeviceGet(&d, device);
    if (r || (r = wg_start()) || (r = cuCtxGetCurrent(&current))) return wg_note(r);
    /* A context that the program made through the driver API gives way to the device's own. */
    if ((r = cuDevicePrimaryCtxRetain(&primary, d))) return wg_note(r);
    if (primary != current) r = cuCtxSetCurrent(primary);
    cuDevicePrimaryCtxRelease(d);
    return wg_note(r);
}
cudaError_t cudaDeviceReset(void) { return wg_note(ready() ?: cuDevicePrimaryCtxReset(0)); }
cudaError_t cudaDeviceSynchronize(void) { return wg_note(wg_start() ?: cuCtxSynchronize()); }
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
    CUdevice d;
    return wg_note(ready() ?: cuDeviceGet(&d, device) ?: wg_start());
}
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
    if (!device || !properties) return wg_note(CUDA_ERROR_INVALID_VALUE);
    CUresult r = ready();
    if (!r) *device = 0;
    return wg_note(r);
}
cudaError_t cudaSetValidDevices(int *devices, int count) {
    CUdevice d;
    CUresult r = ready();
    if (!r && (count < 0 || (count && !devices))) r = CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < count && !r; i++) r = cuDeviceGet(&d, devices[i]);
    return wg_note(r);
}

/* ---- Flags ----------------------------------------------------------------------------------------------
 */

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    return wg_note(ready()
                       ?: flags & ~(unsigned)cudaDeviceMask ? CUDA_ERROR_INVALID_VALUE
                                                            : cuDevicePrimaryCtxSetFlags(0, flags));
}
cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
    int active;
    CUresult r = ready() ?: flags ? cuDevicePrimaryCtxGetState(0, flags, &active) : CUDA_ERROR_INVALID_VALUE;
    if (!r) *flags |= cudaDeviceMapHost; /* the runtime's contexts always map host memory */
    return wg_note(r);
}

/* ---- Properties -----------------------------------------------------------------------------------------
 */

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    return wg_note(ready() ?: cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

/* Each property that is an attribute. X(field, cudaDevAttr...) */
/* clang-format off */
#define PROPERTIES(X) \
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
    X(clusterLaunch, ClusterLaunch) X(deviceNumaConfig, NumaConfig) X(deviceNumaId, NumaId) X(mpsEnabled, MpsEnabled) \
    X(hostNumaId, HostNumaId) X(gpuPciDeviceID, GpuPciDeviceId) X(gpuPciSubsystemID, GpuPciSubsystemId) \
    X(hostNumaMultinodeIpcSupported, HostNumaMultinodeIpcSupported)
/* clang-format on */

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    CUresult r = ready();
    int v = 0;
    if (!r && !p) r = CUDA_ERROR_INVALID_VALUE;
    CUdevice d;
    if (r || (r = cuDeviceGet(&d, device))) return wg_note(r);
    memset(p, 0, sizeof *p);
    r = cuDeviceGetName(p->name, sizeof p->name, d) ?: cuDeviceGetUuid(&p->uuid, d) ?: cuDeviceTotalMem(&p->totalGlobalMem, d);
#define X(FIELD, ATTRIBUTE)                                                                                  \
    if (!r && !(r = cuDeviceGetAttribute(&v, (CUdevice_attribute)cudaDevAttr##ATTRIBUTE, d)))                \
        p->FIELD = (__typeof__(p->FIELD))v;
    PROPERTIES(X)
#undef X
    return wg_note(r);
}

/* ---- Limits and settings --------------------------------------------------------------------------------
 */

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    return wg_note(wg_start() ?: cuCtxSetLimit((CUlimit)limit, value));
}
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    return wg_note(wg_start() ?: cuCtxGetLimit(value, (CUlimit)limit));
}
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
    return wg_note(wg_start() ?: cuCtxGetCacheConfig((CUfunc_cache *)config));
}
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    return wg_note(wg_start() ?: cuCtxSetCacheConfig((CUfunc_cache)config));
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
    return wg_note(wg_start() ?: cuCtxGetSharedMemConfig((CUsharedconfig *)config));
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
    return wg_note(wg_start() ?: cuCtxSetSharedMemConfig((CUsharedconfig)config));
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    return wg_note(wg_start() ?: cuCtxGetStreamPriorityRange(least, greatest));
}
cudaError_t cudaCtxResetPersistingL2Cache(void) {
    return wg_note(wg_start() ?: cuCtxResetPersistingL2Cache());
}
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope) {
    return wg_note(wg_not_supported(__func__));
}

/* ---- Other devices, other processes ---------------------------------------------------------------------
 */

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *bus_id) {
    return wg_note(ready() ?: cuDeviceGetByPCIBusId(device, bus_id));
}
cudaError_t cudaDeviceGetPCIBusId(char *bus_id, int length, int device) {
    return wg_note(ready() ?: cuDeviceGetPCIBusId(bus_id, length, device));
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    return wg_note(ready() ?: cuDeviceCanAccessPeer(can, device, peer));
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
    CUdevice d;
    CUcontext c;
    CUresult r = wg_start() ?: flags ? CUDA_ERROR_INVALID_VALUE : cuDeviceGet(&d, peer);
    return wg_note(r ?: cuCtxGetCurrent(&c) ?: cuCtxEnablePeerAccess(c, flags));
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    CUdevice d;
    CUcontext c;
    return wg_note(wg_start() ?: cuDeviceGet(&d, peer) ?: cuCtxGetCurrent(&c) ?: cuCtxDisablePeerAccess(c));
}
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int source,
                                      int destination) {
    return wg_note(
        ready() ?: cuDeviceGetP2PAttribute(value, (CUdevice_P2PAttribute)attribute, source, destination));
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
    return wg_note(wg_not_supported(__func__));
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
    return wg_note(wg_not_supported(__func__));
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
    return wg_note(wg_not_supported(__func__));
}
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
    return wg_note(wg_not_supported(__func__));
}
cudaError_t cudaIpcCloseMemHandle(void *pointer) { return wg_note(wg_not_supported(__func__)); }
