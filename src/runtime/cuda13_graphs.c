/* Graphs, in libcudart.so.13 alone: functions whose parameters differ from those of CUDA 12 (cuda12_graphs.c). */
#include "runtime/runtime.h"

typedef CUgraphEdgeData E;
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *before,
                             const cudaGraphEdgeData *edges, size_t n, struct cudaGraphNodeParams *p) {
    return wg_note(wg_graph_add_node(node, g, before, edges, n, p));
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *v,
                                                const cudaGraphEdgeData *e, size_t n, unsigned int flags) {
    return wg_note(wg_start()
                       ?: cuStreamUpdateCaptureDependencies(s, v, (const E *)(const void *)e, n, flags));
}
WG_EXPORT cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t s, cudaGraphNode_t *v,
                                                               const cudaGraphEdgeData *e, size_t n,
                                                               unsigned int flags);
cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t s, cudaGraphNode_t *v,
                                                     const cudaGraphEdgeData *e, size_t n,
                                                     unsigned int flags) {
    return cudaStreamUpdateCaptureDependencies(s ? s : cudaStreamPerThread, v, e, n, flags);
}
