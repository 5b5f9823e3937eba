/* The twins whose stream 0 is the calling thread's own default stream: see driver/per_thread.c, which this
 * mirrors.
 *
 *     nvcc --default-stream per-thread:   cudaMemcpy(...)        calls   cudaMemcpy_ptds
 *                                         cudaMemcpyAsync(...)   calls   cudaMemcpyAsync_ptsz
 */
#include "runtime/runtime.h"

#define TWIN(NAME, FORM, PARAMETERS, ARGUMENTS)                                                              \
    WG_EXPORT cudaError_t NAME##FORM PARAMETERS;                                                             \
    cudaError_t NAME##FORM PARAMETERS {                                                                      \
        bool was = wg_default_stream_per_thread(true);                                                       \
        cudaError_t status = NAME ARGUMENTS;                                                                 \
        wg_default_stream_per_thread(was);                                                                   \
        return status;                                                                                       \
    }
#define PTDS(NAME, PARAMETERS, ARGUMENTS) TWIN(NAME, _ptds, PARAMETERS, ARGUMENTS)
#define PTSZ(NAME, PARAMETERS, ARGUMENTS) TWIN(NAME, _ptsz, PARAMETERS, ARGUMENTS)

/* clang-format off */
typedef cudaStream_t S;
typedef enum cudaMemcpyKind K;
typedef enum cudaDriverEntryPointQueryResult R;

PTDS(cudaMemcpy, (void *to, const void *from, size_t n, K k), (to, from, n, k))
PTDS(cudaMemcpyToSymbol, (const void *y, const void *from, size_t n, size_t o, K k), (y, from, n, o, k))
PTDS(cudaMemcpyFromSymbol, (void *to, const void *y, size_t n, size_t o, K k), (to, y, n, o, k))
PTDS(cudaMemcpy2D, (void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h, K k), (to, tp, from, fp, w, h, k))
PTDS(cudaMemcpy3D, (const struct cudaMemcpy3DParms *c), (c))
PTDS(cudaMemcpy3DPeer, (const struct cudaMemcpy3DPeerParms *c), (c))
PTDS(cudaMemset, (void *p, int v, size_t n), (p, v, n))
PTDS(cudaMemset2D, (void *p, size_t pitch, int v, size_t w, size_t h), (p, pitch, v, w, h))
PTDS(cudaMemset3D, (struct cudaPitchedPtr p, int v, struct cudaExtent e), (p, v, e))
PTSZ(cudaMemcpyAsync, (void *to, const void *from, size_t n, K k, S s), (to, from, n, k, s))
PTSZ(cudaMemcpyToSymbolAsync, (const void *y, const void *from, size_t n, size_t o, K k, S s), (y, from, n, o, k, s))
PTSZ(cudaMemcpyFromSymbolAsync, (void *to, const void *y, size_t n, size_t o, K k, S s), (to, y, n, o, k, s))
PTSZ(cudaMemcpy2DAsync, (void *to, size_t tp, const void *from, size_t fp, size_t w, size_t h, K k, S s), (to, tp, from, fp, w, h, k, s))
PTSZ(cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *c, S s), (c, s))
PTSZ(cudaMemcpy3DPeerAsync, (const struct cudaMemcpy3DPeerParms *c, S s), (c, s))
PTSZ(cudaMemsetAsync, (void *p, int v, size_t n, S s), (p, v, n, s))
PTSZ(cudaMemset2DAsync, (void *p, size_t pitch, int v, size_t w, size_t h, S s), (p, pitch, v, w, h, s))
PTSZ(cudaMemset3DAsync, (struct cudaPitchedPtr p, int v, struct cudaExtent e, S s), (p, v, e, s))
PTSZ(cudaMallocAsync, (void **p, size_t n, S s), (p, n, s))
PTSZ(cudaMallocFromPoolAsync, (void **p, size_t n, cudaMemPool_t pool, S s), (p, n, pool, s))
PTSZ(cudaFreeAsync, (void *p, S s), (p, s))
PTSZ(cudaStreamGetPriority, (S s, int *p), (s, p))
PTSZ(cudaStreamGetFlags, (S s, unsigned int *f), (s, f))
PTSZ(cudaStreamGetId, (S s, unsigned long long *id), (s, id))
PTSZ(cudaStreamGetDevice, (S s, int *d), (s, d))
PTSZ(cudaStreamWaitEvent, (S s, cudaEvent_t e, unsigned int f), (s, e, f))
PTSZ(cudaStreamAddCallback, (S s, cudaStreamCallback_t c, void *u, unsigned int f), (s, c, u, f))
PTSZ(cudaStreamAttachMemAsync, (S s, void *p, size_t n, unsigned int f), (s, p, n, f))
PTSZ(cudaStreamCopyAttributes, (S d, S s), (d, s))
PTSZ(cudaStreamGetAttribute, (S s, cudaLaunchAttributeID id, cudaLaunchAttributeValue *v), (s, id, v))
PTSZ(cudaStreamSetAttribute, (S s, cudaLaunchAttributeID id, const cudaLaunchAttributeValue *v), (s, id, v))
PTSZ(cudaStreamIsCapturing, (S s, enum cudaStreamCaptureStatus *c), (s, c))
PTSZ(cudaStreamQuery, (S s), (s))
PTSZ(cudaStreamSynchronize, (S s), (s))
PTSZ(cudaEventRecord, (cudaEvent_t e, S s), (e, s))
PTSZ(cudaEventRecordWithFlags, (cudaEvent_t e, S s, unsigned int f), (e, s, f))
PTSZ(cudaStreamBeginCapture, (S s, enum cudaStreamCaptureMode m), (s, m))
PTSZ(cudaStreamBeginCaptureToGraph, (S s, cudaGraph_t g, const cudaGraphNode_t *d, const cudaGraphEdgeData *e, size_t n, enum cudaStreamCaptureMode m), (s, g, d, e, n, m))
PTSZ(cudaStreamEndCapture, (S s, cudaGraph_t *g), (s, g))
PTSZ(cudaGraphInstantiateWithParams, (cudaGraphExec_t *x, cudaGraph_t g, cudaGraphInstantiateParams *p), (x, g, p))
PTSZ(cudaGraphLaunch, (cudaGraphExec_t x, S s), (x, s))
PTSZ(cudaGraphUpload, (cudaGraphExec_t x, S s), (x, s))
PTSZ(cudaLaunchHostFunc, (S s, cudaHostFn_t f, void *u), (s, f, u))
PTSZ(cudaLaunchKernel, (const void *f, dim3 g, dim3 b, void **a, size_t n, S s), (f, g, b, a, n, s))
PTSZ(__cudaLaunchKernel, (cudaKernel_t f, dim3 g, dim3 b, void **a, size_t n, S s), (f, g, b, a, n, s))
PTSZ(cudaLaunchKernelExC, (const cudaLaunchConfig_t *c, const void *f, void **a), (c, f, a))
PTSZ(cudaLaunchCooperativeKernel, (const void *f, dim3 g, dim3 b, void **a, size_t n, S s), (f, g, b, a, n, s))
/* clang-format on */

/* Flags 0 asks for the driver functions of the same kind. */
WG_EXPORT cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *name, void **f, unsigned int version,
                                                            unsigned long long flags, R *r);
cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *name, void **f, unsigned int version,
                                                  unsigned long long flags, R *r) {
    return cudaGetDriverEntryPointByVersion(name, f, version,
                                            flags ? flags : cudaEnablePerThreadDefaultStream, r);
}
WG_EXPORT cudaError_t cudaGetDriverEntryPoint_ptsz(const char *name, void **f, unsigned long long flags,
                                                   R *r);
cudaError_t cudaGetDriverEntryPoint_ptsz(const char *name, void **f, unsigned long long flags, R *r) {
    return cudaGetDriverEntryPointByVersion_ptsz(name, f, (unsigned)wg_runtime_version, flags, r);
}
