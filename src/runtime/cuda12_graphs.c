/* Graphs, in libcudart.so.12 alone: first without data of edges, and then with it. */
#include "runtime/runtime.h"

typedef cudaGraphNode_t N;
typedef CUgraphEdgeData E;
typedef struct cudaGraphNodeParams P;
static cudaStream_t own(cudaStream_t s) { return s ? s : cudaStreamPerThread; }

#define OTHER(NAME, PARAMETERS, CALL)                                                                        \
    WG_EXPORT cudaError_t rt12_##NAME PARAMETERS __asm__(#NAME);                                             \
    cudaError_t rt12_##NAME PARAMETERS { return wg_note(wg_start() ?: CALL); }
/* clang-format off */
OTHER(cudaGraphAddNode, (N *node, cudaGraph_t g, const N *v, size_t n, P *p), wg_graph_add_node(node, g, v, NULL, n, p))
OTHER(cudaGraphAddNode_v2, (N *node, cudaGraph_t g, const N *v, const cudaGraphEdgeData *e, size_t n, P *p), wg_graph_add_node(node, g, v, e, n, p))
OTHER(cudaStreamUpdateCaptureDependencies, (cudaStream_t s, N *v, size_t n, unsigned int flags), cuStreamUpdateCaptureDependencies(s, v, NULL, n, flags))
OTHER(cudaStreamUpdateCaptureDependencies_ptsz, (cudaStream_t s, N *v, size_t n, unsigned int flags), cuStreamUpdateCaptureDependencies(own(s), v, NULL, n, flags))
OTHER(cudaStreamUpdateCaptureDependencies_v2, (cudaStream_t s, N *v, const E *e, size_t n, unsigned int flags), cuStreamUpdateCaptureDependencies(s, v, e, n, flags))
OTHER(cudaStreamUpdateCaptureDependencies_v2_ptsz, (cudaStream_t s, N *v, const E *e, size_t n, unsigned int flags), cuStreamUpdateCaptureDependencies(own(s), v, e, n, flags))
/* clang-format on */
