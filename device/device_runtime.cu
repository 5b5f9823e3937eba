/* The functions of CUDA's device runtime under the names that nvcc gives them: what the headers make of them
 * (include/cuda_device_runtime_api.h). Compiled when Warpglass is built, and added to each module that names one
 * (machine/device_runtime_text.c). A launch itself is the machine's (ir/ir.h). */
#define CDP2 extern "C" __device__ __attribute__((__noinline__))

CDP2 void *__cudaCDP2GetParameterBufferV2(void *kern, dim3 grid, dim3 block, unsigned shared) {
    return cudaGetParameterBufferV2(kern, grid, block, shared);
}
CDP2 cudaError_t __cudaCDP2GetLastError(void) { return cudaGetLastError(); }
CDP2 cudaError_t __cudaCDP2PeekAtLastError(void) { return cudaPeekAtLastError(); }
CDP2 const char *__cudaCDP2GetErrorName(cudaError_t e) { return cudaGetErrorName(e); }
CDP2 const char *__cudaCDP2GetErrorString(cudaError_t e) { return cudaGetErrorString(e); }
CDP2 cudaError_t __cudaCDP2StreamCreateWithFlags(cudaStream_t *s, unsigned f) {
    return cudaStreamCreateWithFlags(s, f);
}
CDP2 cudaError_t __cudaCDP2StreamDestroy(cudaStream_t s) { return cudaStreamDestroy(s); }
CDP2 cudaError_t __cudaCDP2StreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned f) {
    return cudaStreamWaitEvent(s, e, f);
}
CDP2 cudaError_t __cudaCDP2StreamWaitEvent_ptsz(cudaStream_t s, cudaEvent_t e, unsigned f) {
    return cudaStreamWaitEvent(s, e, f);
}
CDP2 cudaError_t __cudaCDP2EventCreateWithFlags(cudaEvent_t *e, unsigned f) {
    return cudaEventCreateWithFlags(e, f);
}
CDP2 cudaError_t __cudaCDP2EventRecord(cudaEvent_t e, cudaStream_t s) { return cudaEventRecord(e, s); }
CDP2 cudaError_t __cudaCDP2EventRecord_ptsz(cudaEvent_t e, cudaStream_t s) { return cudaEventRecord(e, s); }
CDP2 cudaError_t __cudaCDP2EventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned f) {
    return cudaEventRecordWithFlags(e, s, f);
}
CDP2 cudaError_t __cudaCDP2EventRecordWithFlags_ptsz(cudaEvent_t e, cudaStream_t s, unsigned f) {
    return cudaEventRecordWithFlags(e, s, f);
}
CDP2 cudaError_t __cudaCDP2EventDestroy(cudaEvent_t e) { return cudaEventDestroy(e); }
CDP2 cudaError_t __cudaCDP2Malloc(void **p, size_t n) { return cudaMalloc(p, n); }
CDP2 cudaError_t __cudaCDP2Free(void *p) { return cudaFree(p); }
CDP2 cudaError_t __cudaCDP2MemcpyAsync(void *d, const void *s, size_t n, enum cudaMemcpyKind k,
                                       cudaStream_t t) {
    return cudaMemcpyAsync(d, s, n, k, t);
}
CDP2 cudaError_t __cudaCDP2MemcpyAsync_ptsz(void *d, const void *s, size_t n, enum cudaMemcpyKind k,
                                            cudaStream_t t) {
    return cudaMemcpyAsync(d, s, n, k, t);
}
CDP2 cudaError_t __cudaCDP2MemsetAsync(void *d, int v, size_t n, cudaStream_t t) {
    return cudaMemsetAsync(d, v, n, t);
}
CDP2 cudaError_t __cudaCDP2MemsetAsync_ptsz(void *d, int v, size_t n, cudaStream_t t) {
    return cudaMemsetAsync(d, v, n, t);
}
CDP2 cudaError_t __cudaCDP2GetDevice(int *d) { return cudaGetDevice(d); }
CDP2 cudaError_t __cudaCDP2GetDeviceCount(int *n) { return cudaGetDeviceCount(n); }
CDP2 cudaError_t __cudaCDP2DeviceGetLimit(size_t *v, enum cudaLimit l) { return cudaDeviceGetLimit(v, l); }
CDP2 cudaError_t __cudaCDP2RuntimeGetVersion(int *v) { return cudaRuntimeGetVersion(v); }
CDP2 cudaError_t __cudaCDP2DeviceGetAttribute(int *v, enum cudaDeviceAttr a, int d) {
    return cudaDeviceGetAttribute(v, a, d);
}
CDP2 cudaError_t __cudaCDP2FuncGetAttributes(struct cudaFuncAttributes *a, const void *f) {
    return cudaFuncGetAttributes(a, f);
}
CDP2 cudaError_t __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int t, size_t s) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, f, t, s);
}
CDP2 cudaError_t __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *f, int t,
                                                                              size_t s, unsigned flags) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, f, t, s, flags);
}
extern "C" __device__ __attribute__((__noinline__)) void
cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
    __wg_device_runtime(20, handle, value, 0);
}
