/* Devices: which one is current, their properties and limits, and how they reach each other. */
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
    if (!r) *device = wg_chosen_device();
    return wg_note(r);
}
cudaError_t cudaSetDevice(int device) {
    CUdevice d;
    return wg_note(ready() ?: cuDeviceGet(&d, device) ?: wg_choose_device(d));
}
cudaError_t cudaDeviceReset(void) { return wg_note(ready() ?: cuDevicePrimaryCtxReset(wg_chosen_device())); }
cudaError_t cudaDeviceSynchronize(void) { return wg_note(wg_start() ?: cuCtxSynchronize()); }
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
    CUdevice d;
    return wg_note(ready() ?: cuDeviceGet(&d, device) ?: wg_hold_primary(d));
}
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
    if (!device || !properties) return wg_note(CUDA_ERROR_INVALID_VALUE);
    CUresult r = ready();
    int n = 0, major, minor;
    if (!r) r = cuDeviceGetCount(&n);
    if (!r) *device = 0;
    for (int i = 0; i < n && !r; i++) { /* the first that has what is asked for */
        r = cuDeviceComputeCapability(&major, &minor, i);
        if (r || 10 * major + minor < 10 * properties->major + properties->minor) continue;
        *device = i;
        break;
    }
    return wg_note(r);
}
cudaError_t cudaSetValidDevices(int *devices, int count) {
    CUdevice d;
    CUresult r = ready();
    if (!r && (count < 0 || (count && !devices))) r = CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < count && !r; i++) r = cuDeviceGet(&d, devices[i]);
    return wg_note(r);
}

/* ---- Flags -------------------------------------------------------------------------------------- */

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    return wg_note(ready()
                       ?: flags & ~(unsigned)cudaDeviceMask
                          ? CUDA_ERROR_INVALID_VALUE
                          : cuDevicePrimaryCtxSetFlags(wg_chosen_device(), flags));
}
cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
    int active;
    CUresult r = ready()
                     ?: flags ? cuDevicePrimaryCtxGetState(wg_chosen_device(), flags, &active)
                              : CUDA_ERROR_INVALID_VALUE;
    if (!r) *flags |= cudaDeviceMapHost; /* the runtime's contexts always map host memory */
    return wg_note(r);
}

/* ---- Properties --------------------------------------------------------------------------------- */

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    return wg_note(ready() ?: cuDeviceGetAttribute(value, (CUdevice_attribute)attribute, device));
}

/* ---- Limits and settings ------------------------------------------------------------------------ */

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
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope) {
    return wg_note(wg_not_supported(__func__));
}

/* ---- Other devices, other processes ------------------------------------------------------------- */

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *bus_id) {
    return wg_note(ready() ?: cuDeviceGetByPCIBusId(device, bus_id));
}
cudaError_t cudaDeviceGetPCIBusId(char *bus_id, int length, int device) {
    return wg_note(ready() ?: cuDeviceGetPCIBusId(bus_id, length, device));
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    return wg_note(ready() ?: cuDeviceCanAccessPeer(can, device, peer));
}
/* The runtime's context of another device, which this opens. */
static CUresult peer_context(int peer, CUcontext *out) {
    CUdevice d;
    CUresult r = cuDeviceGet(&d, peer) ?: wg_hold_primary(d) ?: cuDevicePrimaryCtxRetain(out, d);
    return r ? r : cuDevicePrimaryCtxRelease(d);
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
    CUcontext c;
    CUresult r = wg_start() ?: flags ? CUDA_ERROR_INVALID_VALUE : peer_context(peer, &c);
    return wg_note(r ?: cuCtxEnablePeerAccess(c, flags));
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    CUcontext c;
    return wg_note(wg_start() ?: peer_context(peer, &c) ?: cuCtxDisablePeerAccess(c));
}
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int source,
                                      int destination) {
    return wg_note(
        ready() ?: cuDeviceGetP2PAttribute(value, (CUdevice_P2PAttribute)attribute, source, destination));
}

_Static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(CUipcMemHandle), "same layout");
_Static_assert(sizeof(cudaIpcEventHandle_t) == sizeof(CUipcEventHandle), "same layout");

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event) {
    return wg_note(wg_start() ?: cuIpcGetEventHandle((CUipcEventHandle *)handle, event));
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle) {
    CUipcEventHandle h;
    memcpy(&h, &handle, sizeof h);
    return wg_note(wg_start() ?: cuIpcOpenEventHandle(event, h));
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer) {
    return wg_note(wg_start()
                       ?: cuIpcGetMemHandle((CUipcMemHandle *)handle, (CUdeviceptr)(uintptr_t)pointer));
}
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
    CUipcMemHandle h;
    memcpy(&h, &handle, sizeof h);
    return wg_note(wg_start() ?: cuIpcOpenMemHandle((CUdeviceptr *)pointer, h, flags));
}
cudaError_t cudaIpcCloseMemHandle(void *pointer) {
    return wg_note(wg_start() ?: cuIpcCloseMemHandle((CUdeviceptr)(uintptr_t)pointer));
}
