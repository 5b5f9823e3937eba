/* Streams and events: the driver's, with the runtime's last error. */
#include "runtime/runtime.h"

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return wg_note(wg_start() ?: cuStreamCreate(stream, 0));
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
    return wg_note(wg_start() ?: cuStreamCreate(stream, flags));
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
    return wg_note(wg_start() ?: cuStreamCreateWithPriority(stream, flags, priority));
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return wg_note(wg_start() ?: cuStreamDestroy(stream)); }
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
    return wg_note(wg_start() ?: cuStreamGetPriority(stream, priority));
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
    return wg_note(wg_start() ?: cuStreamGetFlags(stream, flags));
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
    return wg_note(wg_start() ?: cuStreamGetId(stream, id));
}
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
    return wg_note(wg_start() ?: cuStreamGetDevice(stream, device));
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
    return wg_note(wg_start() ?: cuStreamWaitEvent(stream, event, flags));
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return wg_note(wg_start() ?: cuStreamSynchronize(stream));
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return wg_note(wg_start() ?: cuStreamQuery(stream)); }

/* A CUresult and a cudaError_t are passed alike and have the same numbers. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
                                  unsigned int flags) {
    return wg_note(wg_start()
                       ?: cuStreamAddCallback(stream, (CUstreamCallback)(void *)callback, user, flags));
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user) {
    return wg_note(wg_start() ?: cuLaunchHostFunc(stream, function, user));
}

_Static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(CUlaunchAttributeValue), "same layout");
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value) {
    return wg_note(
        wg_start()
            ?: cuStreamGetAttribute(stream, (CUlaunchAttributeID)attribute, (CUlaunchAttributeValue *)value));
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value) {
    return wg_note(wg_start()
                       ?: cuStreamSetAttribute(stream, (CUlaunchAttributeID)attribute,
                                               (const CUlaunchAttributeValue *)value));
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source) {
    return wg_note(wg_start() ?: cuStreamCopyAttributes(destination, source));
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
    return wg_note(wg_start() ?: cuStreamIsCapturing(stream, (CUstreamCaptureStatus *)status));
}
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
    return wg_note(wg_start() ?: cuThreadExchangeStreamCaptureMode((CUstreamCaptureMode *)mode));
}

/* ---- Events ------------------------------------------------------------------------------------- */

cudaError_t cudaEventCreate(cudaEvent_t *event) { return wg_note(wg_start() ?: cuEventCreate(event, 0)); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
    return wg_note(wg_start() ?: cuEventCreate(event, flags));
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return wg_note(wg_start() ?: cuEventRecord(event, stream));
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
    return wg_note(wg_start() ?: cuEventRecordWithFlags(event, stream, flags));
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return wg_note(wg_start() ?: cuEventQuery(event)); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return wg_note(wg_start() ?: cuEventSynchronize(event));
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return wg_note(wg_start() ?: cuEventDestroy(event)); }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return wg_note(wg_start()
                       ?: milliseconds ? cuEventElapsedTime(milliseconds, start, end)
                                       : CUDA_ERROR_INVALID_VALUE);
}
