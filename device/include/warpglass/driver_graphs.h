/* driver_graphs.h: graphs in the driver API, for C17 and C++. Part of cuda.h; values are those of CUDA 13. */
#ifndef WARPGLASS_DRIVER_GRAPHS_H
#define WARPGLASS_DRIVER_GRAPHS_H

typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;

typedef enum CUstreamCaptureMode_enum {
    CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
    CU_STREAM_CAPTURE_MODE_RELAXED = 2
} CUstreamCaptureMode;

typedef enum CUgraphNodeType_enum {
    CU_GRAPH_NODE_TYPE_KERNEL = 0,
    CU_GRAPH_NODE_TYPE_MEMCPY = 1,
    CU_GRAPH_NODE_TYPE_MEMSET = 2,
    CU_GRAPH_NODE_TYPE_HOST = 3,
    CU_GRAPH_NODE_TYPE_GRAPH = 4,
    CU_GRAPH_NODE_TYPE_EMPTY = 5,
    CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6,
    CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7
} CUgraphNodeType;

typedef enum CUgraphExecUpdateResult_enum {
    CU_GRAPH_EXEC_UPDATE_SUCCESS = 0,
    CU_GRAPH_EXEC_UPDATE_ERROR = 1,
    CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2,
    CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3,
    CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4,
    CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5,
    CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6
} CUgraphExecUpdateResult;

typedef struct CUgraphExecUpdateResultInfo_st {
    CUgraphExecUpdateResult result;
    CUgraphNode errorNode, errorFromNode;
} CUgraphExecUpdateResultInfo;

typedef enum CUgraphInstantiate_flags_enum {
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1,
    CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2,
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4,
    CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8
} CUgraphInstantiate_flags;

typedef struct CUgraphEdgeData_st {
    unsigned char from_port, to_port, type, reserved[5];
} CUgraphEdgeData;

typedef struct CUDA_KERNEL_NODE_PARAMS_v2_st {
    CUfunction func;
    unsigned int gridDimX, gridDimY, gridDimZ;
    unsigned int blockDimX, blockDimY, blockDimZ;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
    CUkernel kern;
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct CUDA_MEMSET_NODE_PARAMS_st {
    CUdeviceptr dst;
    size_t pitch;
    unsigned int value;
    unsigned int elementSize; /* 1, 2 or 4 bytes */
    size_t width;             /* elements */
    size_t height;
} CUDA_MEMSET_NODE_PARAMS;

typedef struct CUDA_HOST_NODE_PARAMS_st {
    CUhostFn fn;
    void *userData;
} CUDA_HOST_NODE_PARAMS;

#define cuStreamBeginCapture           cuStreamBeginCapture_v2
#define cuStreamGetCaptureInfo         cuStreamGetCaptureInfo_v3
#define cuGraphAddKernelNode           cuGraphAddKernelNode_v2
#define cuGraphKernelNodeSetParams     cuGraphKernelNodeSetParams_v2
#define cuGraphKernelNodeGetParams     cuGraphKernelNodeGetParams_v2
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2
#define cuGraphExecUpdate              cuGraphExecUpdate_v2
#define cuGraphInstantiate             cuGraphInstantiateWithFlags
#define cuGraphAddDependencies         cuGraphAddDependencies_v2
#define cuGraphRemoveDependencies      cuGraphRemoveDependencies_v2
#define cuGraphGetEdges                cuGraphGetEdges_v2
#define cuGraphNodeGetDependencies     cuGraphNodeGetDependencies_v2
#define cuGraphNodeGetDependentNodes   cuGraphNodeGetDependentNodes_v2

/* Streams that become graphs. */
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph);
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                CUgraph *graph, const CUgraphNode **dependencies,
                                const CUgraphEdgeData **edges, size_t *count);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode);

/* Graphs, node by node. */
CUresult cuGraphCreate(CUgraph *graph, unsigned int flags);
CUresult cuGraphDestroy(CUgraph graph);
CUresult cuGraphClone(CUgraph *copy, CUgraph original);
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *parameters);
CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMCPY3D *copy, CUcontext context);
CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext context);
CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS *parameters);
CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count);
CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                  size_t count, CUgraph child);
CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                   size_t count, CUevent event);
CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, CUevent event);
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *parameters);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *parameters);
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *parameters);
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *parameters);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *parameters);
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *parameters);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphDestroyNode(CUgraphNode node);
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                const CUgraphEdgeData *edges, size_t count);
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *edges, size_t count);

/* What is in a graph. Lists: with NULL for the list, how long it is. */
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edges,
                         size_t *count);
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges,
                                    size_t *count);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges,
                                      size_t *count);
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type);
CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph copy);
CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph);

/* Graphs that can be launched. */
CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags);
CUresult cuGraphExecDestroy(CUgraphExec exec);
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags);
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream);
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream);
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *result);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *parameters);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy,
                                        CUcontext context);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext context);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *parameters);
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int enabled);
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *enabled);
#endif
