/* Graphs: the driver's, with kernels by their host addresses and the rules of cudaMemcpyKind. */
#include "runtime/runtime.h"

static CUresult kernel_node(const struct cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *out) {
    CUfunction f;
    CUresult r = wg_start() ?: p ? wg_kernel_of(p->func, &f) : CUDA_ERROR_INVALID_VALUE;
    if (r) return r;
    *out = (CUDA_KERNEL_NODE_PARAMS){.func = f,
                                     .gridDimX = p->gridDim.x,
                                     .gridDimY = p->gridDim.y,
                                     .gridDimZ = p->gridDim.z,
                                     .blockDimX = p->blockDim.x,
                                     .blockDimY = p->blockDim.y,
                                     .blockDimZ = p->blockDim.z,
                                     .sharedMemBytes = p->sharedMemBytes,
                                     .kernelParams = p->kernelParams,
                                     .extra = p->extra};
    return CUDA_SUCCESS;
}
static CUresult fill_node(const struct cudaMemsetParams *p, CUDA_MEMSET_NODE_PARAMS *out) {
    CUresult r = wg_start() ?: p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (r) return r;
    *out = (CUDA_MEMSET_NODE_PARAMS){
        (CUdeviceptr)(uintptr_t)p->dst, p->pitch, p->value, p->elementSize, p->width, p->height};
    return CUDA_SUCCESS;
}
/* The two APIs' structures are one thing under two names. */
_Static_assert(sizeof(struct cudaHostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS), "same layout");
_Static_assert(sizeof(cudaGraphInstantiateParams) == sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS), "same layout");
_Static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo), "same layout");
_Static_assert(sizeof(struct cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS), "same layout");
static const CUDA_HOST_NODE_PARAMS *host_node(const struct cudaHostNodeParams *p) {
    return (const CUDA_HOST_NODE_PARAMS *)(const void *)p;
}

/* ---- Told again --------------------------------------------------------------------------------- */

static CUresult tell_kernel(cudaGraphNode_t node, struct cudaKernelNodeParams *p) {
    CUDA_KERNEL_NODE_PARAMS q;
    CUresult r = wg_start() ?: p ? cuGraphKernelNodeGetParams(node, &q) : CUDA_ERROR_INVALID_VALUE;
    if (r) return r;
    const void *stub = wg_stub_of(q.func);
    *p = (struct cudaKernelNodeParams){.func = stub ? (void *)(uintptr_t)stub : (void *)q.func,
                                       .gridDim = {q.gridDimX, q.gridDimY, q.gridDimZ},
                                       .blockDim = {q.blockDimX, q.blockDimY, q.blockDimZ},
                                       .sharedMemBytes = q.sharedMemBytes,
                                       .kernelParams = q.kernelParams};
    return CUDA_SUCCESS;
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p) {
    return wg_note(tell_kernel(node, p));
}

static CUresult tell_fill(cudaGraphNode_t node, struct cudaMemsetParams *p) {
    CUDA_MEMSET_NODE_PARAMS q;
    CUresult r = wg_start() ?: p ? cuGraphMemsetNodeGetParams(node, &q) : CUDA_ERROR_INVALID_VALUE;
    if (r) return r;
    *p = (struct cudaMemsetParams){
        (void *)(uintptr_t)q.dst, q.pitch, q.value, q.elementSize, q.width, q.height};
    return CUDA_SUCCESS;
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *p) {
    return wg_note(tell_fill(node, p));
}

static CUresult tell_copy(cudaGraphNode_t node, struct cudaMemcpy3DParms *p) {
    CUDA_MEMCPY3D q;
    CUresult r = wg_start() ?: p ? cuGraphMemcpyNodeGetParams(node, &q) : CUDA_ERROR_INVALID_VALUE;
    if (r) return r;
    wg_box_from(&q, p);
    return CUDA_SUCCESS;
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *p) {
    return wg_note(tell_copy(node, p));
}

/* ---- Copies to and from variables --------------------------------------------------------------- */

static CUresult symbol_line(const void *symbol, size_t bytes, size_t offset, void **at) {
    CUdeviceptr p;
    size_t size;
    CUresult r = wg_start() ?: wg_symbol_of(symbol, &p, &size);
    if (!r && (offset > size || bytes > size - offset)) r = CUDA_ERROR_INVALID_VALUE;
    if (!r) *at = (void *)(uintptr_t)(p + offset);
    return r;
}
#define TO_SYMBOL(NAME, PARAMETERS, CALL)                                                                    \
    cudaError_t NAME PARAMETERS {                                                                            \
        void *at;                                                                                            \
        CUDA_MEMCPY3D q;                                                                                     \
        return wg_note(symbol_line(to, bytes, offset, &at) ?: wg_line_of(at, from, bytes, kind, &q) ?: CALL);                                                                                               \
    }
#define FROM_SYMBOL(NAME, PARAMETERS, CALL)                                                                  \
    cudaError_t NAME PARAMETERS {                                                                            \
        void *at;                                                                                            \
        CUDA_MEMCPY3D q;                                                                                     \
        return wg_note(symbol_line(from, bytes, offset, &at) ?: wg_line_of(to, at, bytes, kind, &q) ?: CALL);                                                                                               \
    }

/* ---- All the rest ------------------------------------------------------------------------------- */

/* One function for each thing that may be done with a node of a kind: added, changed, changed in an
 * executable graph. */
#define NODE(NAME, PARAMETERS, PREPARE, CALL)                                                                \
    cudaError_t NAME PARAMETERS { return wg_note(PREPARE ?: CALL); }
#define KERNEL(NAME, PARAMETERS, CALL)                                                                       \
    cudaError_t NAME PARAMETERS {                                                                            \
        CUDA_KERNEL_NODE_PARAMS q;                                                                           \
        return wg_note(kernel_node(p, &q) ?: CALL);                                                          \
    }
#define FILL(NAME, PARAMETERS, CALL)                                                                         \
    cudaError_t NAME PARAMETERS {                                                                            \
        CUDA_MEMSET_NODE_PARAMS q;                                                                           \
        return wg_note(fill_node(p, &q) ?: CALL);                                                            \
    }
#define COPY(NAME, PARAMETERS, CALL)                                                                         \
    cudaError_t NAME PARAMETERS {                                                                            \
        CUDA_MEMCPY3D q;                                                                                     \
        return wg_note(wg_box_of(p, &q) ?: CALL);                                                            \
    }
#define COPY_1D(NAME, PARAMETERS, CALL)                                                                      \
    cudaError_t NAME PARAMETERS {                                                                            \
        CUDA_MEMCPY3D q;                                                                                     \
        return wg_note(wg_line_of(to, from, bytes, kind, &q) ?: CALL);                                       \
    }
typedef cudaGraphNode_t N;
typedef cudaGraph_t G;
typedef cudaGraphExec_t X;
typedef enum cudaMemcpyKind K;
/* clang-format off */
KERNEL(cudaGraphAddKernelNode, (N *n, G g, const N *d, size_t c, const struct cudaKernelNodeParams *p), cuGraphAddKernelNode(n, g, d, c, &q))
KERNEL(cudaGraphKernelNodeSetParams, (N n, const struct cudaKernelNodeParams *p), cuGraphKernelNodeSetParams(n, &q))
KERNEL(cudaGraphExecKernelNodeSetParams, (X x, N n, const struct cudaKernelNodeParams *p), cuGraphExecKernelNodeSetParams(x, n, &q))
FILL(cudaGraphAddMemsetNode, (N *n, G g, const N *d, size_t c, const struct cudaMemsetParams *p), cuGraphAddMemsetNode(n, g, d, c, &q, NULL))
FILL(cudaGraphMemsetNodeSetParams, (N n, const struct cudaMemsetParams *p), cuGraphMemsetNodeSetParams(n, &q))
FILL(cudaGraphExecMemsetNodeSetParams, (X x, N n, const struct cudaMemsetParams *p), cuGraphExecMemsetNodeSetParams(x, n, &q, NULL))
COPY(cudaGraphAddMemcpyNode, (N *n, G g, const N *d, size_t c, const struct cudaMemcpy3DParms *p), cuGraphAddMemcpyNode(n, g, d, c, &q, NULL))
COPY(cudaGraphMemcpyNodeSetParams, (N n, const struct cudaMemcpy3DParms *p), cuGraphMemcpyNodeSetParams(n, &q))
COPY(cudaGraphExecMemcpyNodeSetParams, (X x, N n, const struct cudaMemcpy3DParms *p), cuGraphExecMemcpyNodeSetParams(x, n, &q, NULL))
COPY_1D(cudaGraphAddMemcpyNode1D, (N *n, G g, const N *d, size_t c, void *to, const void *from, size_t bytes, K kind), cuGraphAddMemcpyNode(n, g, d, c, &q, NULL))
COPY_1D(cudaGraphMemcpyNodeSetParams1D, (N n, void *to, const void *from, size_t bytes, K kind), cuGraphMemcpyNodeSetParams(n, &q))
COPY_1D(cudaGraphExecMemcpyNodeSetParams1D, (X x, N n, void *to, const void *from, size_t bytes, K kind), cuGraphExecMemcpyNodeSetParams(x, n, &q, NULL))
TO_SYMBOL(cudaGraphAddMemcpyNodeToSymbol, (N *n, G g, const N *d, size_t c, const void *to, const void *from, size_t bytes, size_t offset, K kind), cuGraphAddMemcpyNode(n, g, d, c, &q, NULL))
TO_SYMBOL(cudaGraphMemcpyNodeSetParamsToSymbol, (N n, const void *to, const void *from, size_t bytes, size_t offset, K kind), cuGraphMemcpyNodeSetParams(n, &q))
TO_SYMBOL(cudaGraphExecMemcpyNodeSetParamsToSymbol, (X x, N n, const void *to, const void *from, size_t bytes, size_t offset, K kind), cuGraphExecMemcpyNodeSetParams(x, n, &q, NULL))
FROM_SYMBOL(cudaGraphAddMemcpyNodeFromSymbol, (N *n, G g, const N *d, size_t c, void *to, const void *from, size_t bytes, size_t offset, K kind), cuGraphAddMemcpyNode(n, g, d, c, &q, NULL))
FROM_SYMBOL(cudaGraphMemcpyNodeSetParamsFromSymbol, (N n, void *to, const void *from, size_t bytes, size_t offset, K kind), cuGraphMemcpyNodeSetParams(n, &q))
FROM_SYMBOL(cudaGraphExecMemcpyNodeSetParamsFromSymbol, (X x, N n, void *to, const void *from, size_t bytes, size_t offset, K kind), cuGraphExecMemcpyNodeSetParams(x, n, &q, NULL))
NODE(cudaGraphAddHostNode, (N *n, G g, const N *d, size_t c, const struct cudaHostNodeParams *p), wg_start(), cuGraphAddHostNode(n, g, d, c, host_node(p)))
NODE(cudaGraphHostNodeSetParams, (N n, const struct cudaHostNodeParams *p), wg_start(), cuGraphHostNodeSetParams(n, host_node(p)))
NODE(cudaGraphExecHostNodeSetParams, (X x, N n, const struct cudaHostNodeParams *p), wg_start(), cuGraphExecHostNodeSetParams(x, n, host_node(p)))
NODE(cudaGraphAddEmptyNode, (N *n, G g, const N *d, size_t c), wg_start(), cuGraphAddEmptyNode(n, g, d, c))
NODE(cudaGraphAddChildGraphNode, (N *n, G g, const N *d, size_t c, G child), wg_start(), cuGraphAddChildGraphNode(n, g, d, c, child))
NODE(cudaGraphAddEventRecordNode, (N *n, G g, const N *d, size_t c, cudaEvent_t e), wg_start(), cuGraphAddEventRecordNode(n, g, d, c, e))
NODE(cudaGraphAddEventWaitNode, (N *n, G g, const N *d, size_t c, cudaEvent_t e), wg_start(), cuGraphAddEventWaitNode(n, g, d, c, e))
NODE(cudaGraphAddMemAllocNode, (N *n, G g, const N *d, size_t c, struct cudaMemAllocNodeParams *p), wg_start(), cuGraphAddMemAllocNode(n, g, d, c, (CUDA_MEM_ALLOC_NODE_PARAMS *)(void *)p))
NODE(cudaGraphAddMemFreeNode, (N *n, G g, const N *d, size_t c, void *p), wg_start(), cuGraphAddMemFreeNode(n, g, d, c, (CUdeviceptr)(uintptr_t)p))
NODE(cudaGraphMemAllocNodeGetParams, (N n, struct cudaMemAllocNodeParams *p), wg_start(), cuGraphMemAllocNodeGetParams(n, (CUDA_MEM_ALLOC_NODE_PARAMS *)(void *)p))
NODE(cudaGraphMemFreeNodeGetParams, (N n, void *p), wg_start(), cuGraphMemFreeNodeGetParams(n, (CUdeviceptr *)p))
NODE(cudaDeviceGraphMemTrim, (int device), wg_start(), cuDeviceGraphMemTrim(device))
NODE(cudaDeviceGetGraphMemAttribute, (int device, enum cudaGraphMemAttributeType a, void *v), wg_start(), cuDeviceGetGraphMemAttribute(device, (CUgraphMem_attribute)a, v))
NODE(cudaDeviceSetGraphMemAttribute, (int device, enum cudaGraphMemAttributeType a, void *v), wg_start(), cuDeviceSetGraphMemAttribute(device, (CUgraphMem_attribute)a, v))
NODE(cudaGraphHostNodeGetParams, (N n, struct cudaHostNodeParams *p), wg_start(), cuGraphHostNodeGetParams(n, (CUDA_HOST_NODE_PARAMS *)(void *)p))
NODE(cudaGraphEventRecordNodeGetEvent, (N n, cudaEvent_t *e), wg_start(), cuGraphEventRecordNodeGetEvent(n, e))
NODE(cudaGraphEventRecordNodeSetEvent, (N n, cudaEvent_t e), wg_start(), cuGraphEventRecordNodeSetEvent(n, e))
NODE(cudaGraphEventWaitNodeGetEvent, (N n, cudaEvent_t *e), wg_start(), cuGraphEventWaitNodeGetEvent(n, e))
NODE(cudaGraphEventWaitNodeSetEvent, (N n, cudaEvent_t e), wg_start(), cuGraphEventWaitNodeSetEvent(n, e))
NODE(cudaGraphDebugDotPrint, (G g, const char *path, unsigned int flags), wg_start(), cuGraphDebugDotPrint(g, path, flags))
NODE(cudaGraphKernelNodeGetAttribute, (N n, cudaLaunchAttributeID i, cudaLaunchAttributeValue *v), wg_start(), cuGraphKernelNodeGetAttribute(n, (CUlaunchAttributeID)i, (CUlaunchAttributeValue *)(void *)v))
NODE(cudaGraphKernelNodeSetAttribute, (N n, cudaLaunchAttributeID i, const cudaLaunchAttributeValue *v), wg_start(), cuGraphKernelNodeSetAttribute(n, (CUlaunchAttributeID)i, (const CUlaunchAttributeValue *)(const void *)v))
NODE(cudaUserObjectCreate, (cudaUserObject_t *o, void *p, cudaHostFn_t f, unsigned int count, unsigned int flags), wg_start(), cuUserObjectCreate(o, p, f, count, flags))
NODE(cudaUserObjectRetain, (cudaUserObject_t o, unsigned int count), wg_start(), cuUserObjectRetain(o, count))
NODE(cudaUserObjectRelease, (cudaUserObject_t o, unsigned int count), wg_start(), cuUserObjectRelease(o, count))
NODE(cudaGraphRetainUserObject, (G g, cudaUserObject_t o, unsigned int count, unsigned int flags), wg_start(), cuGraphRetainUserObject(g, o, count, flags))
NODE(cudaGraphReleaseUserObject, (G g, cudaUserObject_t o, unsigned int count), wg_start(), cuGraphReleaseUserObject(g, o, count))
NODE(cudaGraphDestroyNode, (N n), wg_start(), cuGraphDestroyNode(n))
NODE(cudaGraphCreate, (G *g, unsigned int flags), wg_start(), cuGraphCreate(g, flags))
NODE(cudaGraphDestroy, (G g), wg_start(), cuGraphDestroy(g))
NODE(cudaGraphClone, (G *copy, G g), wg_start(), cuGraphClone(copy, g))
NODE(cudaGraphGetNodes, (G g, N *n, size_t *c), wg_start(), cuGraphGetNodes(g, n, c))
NODE(cudaGraphGetRootNodes, (G g, N *n, size_t *c), wg_start(), cuGraphGetRootNodes(g, n, c))
NODE(cudaGraphNodeGetType, (N n, enum cudaGraphNodeType *t), wg_start(), cuGraphNodeGetType(n, (CUgraphNodeType *)t))
NODE(cudaGraphNodeFindInClone, (N *n, N original, G copy), wg_start(), cuGraphNodeFindInClone(n, original, copy))
NODE(cudaGraphChildGraphNodeGetGraph, (N n, G *g), wg_start(), cuGraphChildGraphNodeGetGraph(n, g))
NODE(cudaGraphInstantiate, (X *x, G g, unsigned long long flags), wg_start(), cuGraphInstantiateWithFlags(x, g, flags))
NODE(cudaGraphInstantiateWithFlags, (X *x, G g, unsigned long long flags), wg_start(), cuGraphInstantiateWithFlags(x, g, flags))
NODE(cudaGraphInstantiateWithParams, (X *x, G g, cudaGraphInstantiateParams *p), wg_start(), cuGraphInstantiateWithParams(x, g, (CUDA_GRAPH_INSTANTIATE_PARAMS *)(void *)p))
NODE(cudaGraphExecDestroy, (X x), wg_start(), cuGraphExecDestroy(x))
NODE(cudaGraphExecGetFlags, (X x, unsigned long long *flags), wg_start(), cuGraphExecGetFlags(x, (cuuint64_t *)flags))
NODE(cudaGraphLaunch, (X x, cudaStream_t s), wg_start(), cuGraphLaunch(x, s))
NODE(cudaGraphUpload, (X x, cudaStream_t s), wg_start(), cuGraphUpload(x, s))
NODE(cudaGraphExecUpdate, (X x, G g, cudaGraphExecUpdateResultInfo *i), wg_start(), cuGraphExecUpdate(x, g, (CUgraphExecUpdateResultInfo *)(void *)i))
NODE(cudaGraphConditionalHandleCreate, (cudaGraphConditionalHandle *h, G g, unsigned int value, unsigned int flags), wg_start(), cuGraphConditionalHandleCreate((CUgraphConditionalHandle *)h, g, NULL, value, flags))
NODE(cudaGraphExecChildGraphNodeSetParams, (X x, N n, G child), wg_start(), cuGraphExecChildGraphNodeSetParams(x, n, child))
NODE(cudaGraphExecEventRecordNodeSetEvent, (X x, N n, cudaEvent_t e), wg_start(), cuGraphExecEventRecordNodeSetEvent(x, n, e))
NODE(cudaGraphExecEventWaitNodeSetEvent, (X x, N n, cudaEvent_t e), wg_start(), cuGraphExecEventWaitNodeSetEvent(x, n, e))
NODE(cudaStreamBeginCaptureToGraph, (cudaStream_t s, G g, const N *d, const cudaGraphEdgeData *e, size_t c, enum cudaStreamCaptureMode m), wg_start(), cuStreamBeginCaptureToGraph(s, g, d, (const CUgraphEdgeData *)(const void *)e, c, (CUstreamCaptureMode)m))
NODE(cudaGraphNodeSetEnabled, (X x, N n, unsigned int on), wg_start(), cuGraphNodeSetEnabled(x, n, on))
NODE(cudaGraphNodeGetEnabled, (X x, N n, unsigned int *on), wg_start(), cuGraphNodeGetEnabled(x, n, on))
NODE(cudaStreamBeginCapture, (cudaStream_t s, enum cudaStreamCaptureMode m), wg_start(), cuStreamBeginCapture(s, (CUstreamCaptureMode)m))
NODE(cudaStreamEndCapture, (cudaStream_t s, G *g), wg_start(), cuStreamEndCapture(s, g))
/* clang-format on */
