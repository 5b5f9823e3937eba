/* What is in libcudart.so.13 alone: the functions whose parameters differ from those of CUDA 12 (cuda12.c).
 */
#include "runtime/runtime.h"
#include "runtime/properties.h"
#include <string.h>

const int wg_runtime_version = CUDART_VERSION;

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    int v = 0;
    CUdevice d;
    CUresult r = cuInit(0) ?: p ? cuDeviceGet(&d, device) : CUDA_ERROR_INVALID_VALUE;
    if (r) return wg_note(r);
    memset(p, 0, sizeof *p);
    r = cuDeviceGetName(p->name, sizeof p->name, d) ?: cuDeviceGetUuid(&p->uuid, d) ?: cuDeviceTotalMem(&p->totalGlobalMem, d);
#define X(FIELD, ATTRIBUTE)                                                                                  \
    if (!r && !(r = cuDeviceGetAttribute(&v, (CUdevice_attribute)cudaDevAttr##ATTRIBUTE, d)))                \
        p->FIELD = (__typeof__(p->FIELD))v;
    WG_PROPERTIES(X)
    WG_PROPERTIES_13(X)
    WG_PROPERTIES_12(X)
#undef X
    return wg_note(r);
}

/* Where managed memory should be: as a kind of place and a number. */
_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "same layout");
static CUmemLocation driver_location(struct cudaMemLocation l) {
    return (CUmemLocation){(CUmemLocationType)l.type, l.id};
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, struct cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream) {
    return wg_note(
        wg_start()
            ?: cuMemPrefetchAsync((CUdeviceptr)(uintptr_t)p, n, driver_location(location), flags, stream));
}
cudaError_t cudaMemAdvise(const void *p, size_t n, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
    return wg_note(
        wg_start()
            ?: cuMemAdvise((CUdeviceptr)(uintptr_t)p, n, (CUmem_advise)advice, driver_location(location)));
}
WG_EXPORT cudaError_t cudaMemPrefetchAsync_ptsz(const void *p, size_t n, struct cudaMemLocation l,
                                                unsigned int flags, cudaStream_t s);
cudaError_t cudaMemPrefetchAsync_ptsz(const void *p, size_t n, struct cudaMemLocation l, unsigned int flags,
                                      cudaStream_t s) {
    return cudaMemPrefetchAsync(p, n, l, flags, s ? s : cudaStreamPerThread);
}

/* ---- Edges of graphs --------------------------------------------------------------------------- */

_Static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData), "same layout");
typedef CUgraphEdgeData E;
typedef cudaGraphNode_t N;
/* clang-format off */
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const N *from, const N *to, const cudaGraphEdgeData *e, size_t n) {
    return wg_note(wg_start() ?: cuGraphAddDependencies(g, from, to, (const E *)e, n));
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const N *from, const N *to, const cudaGraphEdgeData *e, size_t n) {
    return wg_note(wg_start() ?: cuGraphRemoveDependencies(g, from, to, (const E *)e, n));
}
cudaError_t cudaGraphGetEdges(cudaGraph_t g, N *from, N *to, cudaGraphEdgeData *e, size_t *n) {
    return wg_note(wg_start() ?: cuGraphGetEdges(g, from, to, (E *)e, n));
}
cudaError_t cudaGraphNodeGetDependencies(N node, N *v, cudaGraphEdgeData *e, size_t *n) {
    return wg_note(wg_start() ?: cuGraphNodeGetDependencies(node, v, (E *)e, n));
}
cudaError_t cudaGraphNodeGetDependentNodes(N node, N *v, cudaGraphEdgeData *e, size_t *n) {
    return wg_note(wg_start() ?: cuGraphNodeGetDependentNodes(node, v, (E *)e, n));
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *g, const N **v, const cudaGraphEdgeData **e, size_t *n) {
    return wg_note(wg_start() ?: cuStreamGetCaptureInfo(s, (CUstreamCaptureStatus *)status, (cuuint64_t *)id, g, v, (const E **)e, n));
}
WG_EXPORT cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t s, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                                    cudaGraph_t *g, const N **v, const cudaGraphEdgeData **e, size_t *n);
cudaError_t cudaStreamGetCaptureInfo_ptsz(cudaStream_t s, enum cudaStreamCaptureStatus *status, unsigned long long *id,
                                          cudaGraph_t *g, const N **v, const cudaGraphEdgeData **e, size_t *n) {
    return cudaStreamGetCaptureInfo(s ? s : cudaStreamPerThread, status, id, g, v, e, n);
}
/* clang-format on */

/* ---- Copies in batches: CUDA 12 has a parameter more ---------------------------------------------- */

_Static_assert(sizeof(struct cudaMemcpyAttributes) == sizeof(CUmemcpyAttributes) &&
                   sizeof(struct cudaMemcpy3DBatchOp) == sizeof(CUDA_MEMCPY3D_BATCH_OP),
               "the runtime's structs are the driver's");

cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes, size_t n,
                                 struct cudaMemcpyAttributes *attributes, size_t *firsts, size_t nattributes,
                                 cudaStream_t stream) {
    return wg_note(wg_start()
                       ?: cuMemcpyBatchAsync((CUdeviceptr *)(uintptr_t)to, (CUdeviceptr *)(uintptr_t)from,
                                             (size_t *)(uintptr_t)bytes, n,
                                             (CUmemcpyAttributes *)(void *)attributes, firsts, nattributes,
                                             stream));
}
cudaError_t cudaMemcpy3DBatchAsync(size_t n, struct cudaMemcpy3DBatchOp *operations, unsigned long long flags,
                                   cudaStream_t stream) {
    return wg_note(
        wg_start() ?: cuMemcpy3DBatchAsync(n, (CUDA_MEMCPY3D_BATCH_OP *)(void *)operations, flags, stream));
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
    return wg_note(wg_start() ?: cuGraphKernelNodeCopyAttributes(to, from));
}
