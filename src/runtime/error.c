/* Errors: the last one of each thread, names and meanings. */
#include "runtime/runtime.h"

static _Thread_local cudaError_t last;

cudaError_t(wg_note)(CUresult status) {
    cudaError_t e = (cudaError_t)status;
    if (e != cudaSuccess && e != cudaErrorNotReady) last = e;
    return e;
}
cudaError_t cudaGetLastError(void) {
    cudaError_t e = last;
    last = cudaSuccess;
    wg_call_error_seen(CUDA_SUCCESS);
    return e;
}
cudaError_t cudaPeekAtLastError(void) {
    wg_call_error_seen(CUDA_SUCCESS);
    return last;
}

CUresult wg_start(void) { return wg_use_primary(); }

const char *cudaGetErrorName(cudaError_t error) {
    if (error) wg_call_error_seen((CUresult)error);
    switch ((int)error) {
#define X(NAME, VALUE)                                                                                       \
    case VALUE: return #NAME;
        WG_CUDA_ERRORS(X)
#undef X
    }
    return "unrecognized error code";
}

/* The codes that the driver does not have, or that mean something of their own here. */
/* clang-format off */
#define RUNTIME_ONLY(X) \
    X(cudaErrorCudartUnloading, "the driver is shutting down") \
    X(cudaErrorInvalidConfiguration, "invalid configuration argument: the grid or the block cannot be launched") \
    X(cudaErrorInvalidPitchValue, "invalid pitch argument") \
    X(cudaErrorInvalidSymbol, "invalid device symbol") \
    X(cudaErrorInvalidHostPointer, "invalid host pointer") \
    X(cudaErrorInvalidDevicePointer, "invalid device pointer") \
    X(cudaErrorInvalidTexture, "invalid texture reference") \
    X(cudaErrorInvalidTextureBinding, "the texture is not bound to a pointer") \
    X(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor") \
    X(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy") \
    X(cudaErrorAddressOfConstant, "a constant's address was taken") \
    X(cudaErrorTextureFetchFailed, "a fetch from a texture failed") \
    X(cudaErrorTextureNotBound, "the texture is not bound") \
    X(cudaErrorSynchronizationError, "a wait for the device failed") \
    X(cudaErrorInvalidFilterSetting, "linear filtering is not possible for this type") \
    X(cudaErrorInvalidNormSetting, "this type cannot be read as normalized values") \
    X(cudaErrorMixedDeviceExecution, "device code and its emulation cannot be mixed") \
    X(cudaErrorNotYetImplemented, "not implemented yet") \
    X(cudaErrorMemoryValueTooLarge, "the memory value is too large") \
    X(cudaErrorInsufficientDriver, "the driver is older than the runtime library") \
    X(cudaErrorInvalidSurface, "invalid surface reference") \
    X(cudaErrorDuplicateVariableName, "two variables have the same name") \
    X(cudaErrorDuplicateTextureName, "two textures have the same name") \
    X(cudaErrorDuplicateSurfaceName, "two surfaces have the same name") \
    X(cudaErrorIncompatibleDriverContext, "the context was not created in a way that the runtime can use") \
    X(cudaErrorMissingConfiguration, "there is no launch configuration") \
    X(cudaErrorPriorLaunchFailure, "an earlier launch failed") \
    X(cudaErrorLaunchMaxDepthExceeded, "kernel launches are nested more deeply than the device allows") \
    X(cudaErrorLaunchFileScopedTex, "the kernel uses file-scoped textures, which a child kernel cannot") \
    X(cudaErrorLaunchFileScopedSurf, "the kernel uses file-scoped surfaces, which a child kernel cannot") \
    X(cudaErrorSyncDepthExceeded, "a kernel waited more deeply than the device allows") \
    X(cudaErrorLaunchPendingCountExceeded, "too many child kernels are waiting") \
    X(cudaErrorInvalidDeviceFunction, "invalid device function") \
    X(cudaErrorSoftwareValidityNotEstablished, "the software's integrity could not be established") \
    X(cudaErrorStartupFailure, "the runtime library did not start") \
    X(cudaErrorApiFailureBase, "an error of the driver that has no runtime code")
/* clang-format on */

const char *cudaGetErrorString(cudaError_t error) {
    const char *text;
    if (error) wg_call_error_seen((CUresult)error);
    switch ((int)error) {
#define X(NAME, TEXT)                                                                                        \
    case NAME: return TEXT;
        RUNTIME_ONLY(X)
#undef X
    }
    return cuGetErrorString((CUresult)error, &text) == CUDA_SUCCESS ? text : "unrecognized error code";
}

cudaError_t cudaDriverGetVersion(int *version) { return wg_note(cuDriverGetVersion(version)); }
cudaError_t cudaRuntimeGetVersion(int *version) {
    if (!version) return wg_note(CUDA_ERROR_INVALID_VALUE);
    *version = wg_runtime_version;
    return cudaSuccess;
}
cudaError_t cudaProfilerStart(void) { return wg_note(wg_start() ?: cuProfilerStart()); }
cudaError_t cudaProfilerStop(void) { return wg_note(wg_start() ?: cuProfilerStop()); }

/* ---- Driver functions by name ------------------------------------------------------------------- */

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned int version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *result) {
    CUdriverProcAddressQueryResult r = CU_GET_PROC_ADDRESS_SUCCESS;
    CUresult status = wg_start() ?: cuGetProcAddress(name, function, (int)version, flags, &r);
    if (result && !status) *result = (enum cudaDriverEntryPointQueryResult)r;
    return wg_note(status);
}
cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *result) {
    return cudaGetDriverEntryPointByVersion(name, function, (unsigned)wg_runtime_version, flags, result);
}
