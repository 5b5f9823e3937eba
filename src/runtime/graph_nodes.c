/* Nodes of any type, by one structure that says which: the driver's, with kernels by their host addresses and the rules of
 * cudaMemcpyKind.
 */
#include "runtime/runtime.h"
#include <string.h>

/* The two APIs' structures are one thing under two names, but for these. */
#define SAME(OF, DRIVER)                                                                                     \
    _Static_assert(sizeof((struct cudaGraphNodeParams){0}.OF) == sizeof((CUgraphNodeParams){0}.DRIVER),      \
                   "same layout")
SAME(host, host);
SAME(graph, graph);
SAME(alloc, alloc);
SAME(free, free);
_Static_assert(sizeof(struct cudaGraphNodeParams) == sizeof(CUgraphNodeParams), "same layout");
_Static_assert(offsetof(struct cudaGraphNodeParams, conditional.phGraph_out) ==
                   offsetof(CUgraphNodeParams, conditional.phGraph_out),
               "same layout");

static CUresult kernel(const struct cudaKernelNodeParamsV2 *p, CUDA_KERNEL_NODE_PARAMS *out) {
    CUfunction f;
    CUresult r = wg_kernel_of(p->func, &f);
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

static CUresult convert(const struct cudaGraphNodeParams *p, CUgraphNodeParams *out) {
    CUresult r = wg_start();
    if (r) return r;
    if (!p || (int)p->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) return CUDA_ERROR_INVALID_VALUE;
    memcpy(out, p, sizeof *out);
    switch (p->type) {
    case cudaGraphNodeTypeKernel: return kernel(&p->kernel, &out->kernel);
    case cudaGraphNodeTypeMemcpy:
        out->memcpy = (CUDA_MEMCPY_NODE_PARAMS){0};
        if (!(p->memcpy.copyParams.srcArray || p->memcpy.copyParams.srcPtr.ptr) ||
            !(p->memcpy.copyParams.dstArray || p->memcpy.copyParams.dstPtr.ptr))
            return CUDA_ERROR_INVALID_VALUE;
        return wg_box_of(&p->memcpy.copyParams, &out->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: out->memset.ctx = NULL; return CUDA_SUCCESS;
    case cudaGraphNodeTypeConditional: out->conditional.ctx = NULL; return CUDA_SUCCESS;
    default: return CUDA_SUCCESS;
    }
}

/* What the driver has put there. */
static void give_back(const CUgraphNodeParams *from, struct cudaGraphNodeParams *p) {
    if (p->type == cudaGraphNodeTypeMemAlloc) p->alloc.dptr = (void *)(uintptr_t)from->alloc.dptr;
    if (p->type == cudaGraphNodeTypeConditional) p->conditional.phGraph_out = from->conditional.phGraph_out;
}

CUresult wg_graph_add_node(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *before,
                           const cudaGraphEdgeData *edges, size_t n, struct cudaGraphNodeParams *p) {
    CUgraphNodeParams q;
    CUresult r = convert(p, &q);
    if (!r) r = cuGraphAddNode(node, g, before, (const CUgraphEdgeData *)(const void *)edges, n, &q);
    if (!r) give_back(&q, p);
    return r;
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *p) {
    CUgraphNodeParams q;
    CUresult r = convert(p, &q);
    return wg_note(r ? r : cuGraphNodeSetParams(node, &q));
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *p) {
    CUgraphNodeParams q;
    CUresult r = convert(p, &q);
    return wg_note(r ? r : cuGraphExecNodeSetParams(exec, node, &q));
}
