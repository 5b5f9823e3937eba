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
    CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7,
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8,
    CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9,
    CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10,
    CU_GRAPH_NODE_TYPE_MEM_FREE = 11,
    CU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12,
    CU_GRAPH_NODE_TYPE_CONDITIONAL = 13
} CUgraphNodeType;

typedef enum CUgraphMem_attribute_enum {
    CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT = 0,
    CU_GRAPH_MEM_ATTR_USED_MEM_HIGH = 1,
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT = 2,
    CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH = 3
} CUgraphMem_attribute;

typedef enum CUgraphExecUpdateResult_enum {
    CU_GRAPH_EXEC_UPDATE_SUCCESS = 0,
    CU_GRAPH_EXEC_UPDATE_ERROR = 1,
    CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2,
    CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3,
    CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4,
    CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5,
    CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6,
    CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7,
    CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 8
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
typedef enum CUgraphInstantiateResult_enum {
    CUDA_GRAPH_INSTANTIATE_SUCCESS = 0,
    CUDA_GRAPH_INSTANTIATE_ERROR = 1,
    CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE = 2,
    CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED = 3,
    CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED = 4,
    CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED = 5
} CUgraphInstantiateResult;
typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS_st {
    cuuint64_t flags;
    CUstream hUploadStream;
    CUgraphNode hErrNode_out;
    CUgraphInstantiateResult result_out;
} CUDA_GRAPH_INSTANTIATE_PARAMS;

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

typedef struct CUDA_MEM_ALLOC_NODE_PARAMS_v1_st {
    CUmemPoolProps poolProps;
    const struct CUmemAccessDesc_st *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    CUdeviceptr dptr; /* what the node allocates */
} CUDA_MEM_ALLOC_NODE_PARAMS;

/* Nodes that choose, by a value that kernels set (cudaGraphSetConditional), which of their graphs are launched. */
typedef cuuint64_t CUgraphConditionalHandle;
#define CU_GRAPH_COND_ASSIGN_DEFAULT 0x1
typedef enum CUgraphConditionalNodeType_enum {
    CU_GRAPH_COND_TYPE_IF = 0,
    CU_GRAPH_COND_TYPE_WHILE = 1,
    CU_GRAPH_COND_TYPE_SWITCH = 2
} CUgraphConditionalNodeType;
typedef struct CUDA_CONDITIONAL_NODE_PARAMS {
    CUgraphConditionalHandle handle;
    CUgraphConditionalNodeType type;
    unsigned int size;
    CUgraph *phGraph_out; /* `size` graphs, the node's own */
    CUcontext ctx;
} CUDA_CONDITIONAL_NODE_PARAMS;

/* A node of any type. */
typedef CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v3;
typedef CUDA_HOST_NODE_PARAMS CUDA_HOST_NODE_PARAMS_v2;
typedef CUDA_MEM_ALLOC_NODE_PARAMS CUDA_MEM_ALLOC_NODE_PARAMS_v2;
typedef struct CUDA_MEMCPY_NODE_PARAMS_st {
    int flags, reserved;
    CUcontext copyCtx;
    CUDA_MEMCPY3D copyParams;
} CUDA_MEMCPY_NODE_PARAMS;
typedef struct CUDA_MEMSET_NODE_PARAMS_v2_st {
    CUdeviceptr dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
    CUcontext ctx;
} CUDA_MEMSET_NODE_PARAMS_v2;
typedef enum CUgraphChildGraphNodeOwnership_enum {
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE = 0,
    CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE = 1
} CUgraphChildGraphNodeOwnership;
typedef struct CUDA_CHILD_GRAPH_NODE_PARAMS_st {
    CUgraph graph;
    CUgraphChildGraphNodeOwnership ownership;
} CUDA_CHILD_GRAPH_NODE_PARAMS;
typedef struct CUDA_EVENT_RECORD_NODE_PARAMS_st {
    CUevent event;
} CUDA_EVENT_RECORD_NODE_PARAMS;
typedef struct CUDA_EVENT_WAIT_NODE_PARAMS_st {
    CUevent event;
} CUDA_EVENT_WAIT_NODE_PARAMS;
typedef struct CUDA_MEM_FREE_NODE_PARAMS_st {
    CUdeviceptr dptr;
} CUDA_MEM_FREE_NODE_PARAMS;
typedef struct CUgraphNodeParams_st {
    CUgraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        CUDA_KERNEL_NODE_PARAMS_v3 kernel;
        CUDA_MEMCPY_NODE_PARAMS memcpy;
        CUDA_MEMSET_NODE_PARAMS_v2 memset;
        CUDA_HOST_NODE_PARAMS_v2 host;
        CUDA_CHILD_GRAPH_NODE_PARAMS graph;
        CUDA_EVENT_WAIT_NODE_PARAMS eventWait;
        CUDA_EVENT_RECORD_NODE_PARAMS eventRecord;
        CUDA_MEM_ALLOC_NODE_PARAMS_v2 alloc;
        CUDA_MEM_FREE_NODE_PARAMS free;
        CUDA_CONDITIONAL_NODE_PARAMS conditional;
    };
    long long reserved2;
} CUgraphNodeParams;

/* How cuStreamUpdateCaptureDependencies changes what a stream's next work comes behind. */
typedef enum CUstreamUpdateCaptureDependencies_flags_enum {
    CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0,
    CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1
} CUstreamUpdateCaptureDependencies_flags;

#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_v2
#define cuGraphAddNode                    cuGraphAddNode_v2
#define cuStreamBeginCapture              cuStreamBeginCapture_v2
#define cuStreamGetCaptureInfo            cuStreamGetCaptureInfo_v3
#define cuGraphAddKernelNode              cuGraphAddKernelNode_v2
#define cuGraphKernelNodeSetParams        cuGraphKernelNodeSetParams_v2
#define cuGraphKernelNodeGetParams        cuGraphKernelNodeGetParams_v2
#define cuGraphExecKernelNodeSetParams    cuGraphExecKernelNodeSetParams_v2
#define cuGraphExecUpdate                 cuGraphExecUpdate_v2
#define cuGraphInstantiate                cuGraphInstantiateWithFlags
#define cuGraphAddDependencies            cuGraphAddDependencies_v2
#define cuGraphRemoveDependencies         cuGraphRemoveDependencies_v2
#define cuGraphGetEdges                   cuGraphGetEdges_v2
#define cuGraphNodeGetDependencies        cuGraphNodeGetDependencies_v2
#define cuGraphNodeGetDependentNodes      cuGraphNodeGetDependentNodes_v2

/* Streams that become graphs. */
CUresult cuStreamBeginCapture(CUstream __stream, CUstreamCaptureMode __mode);
CUresult cuStreamEndCapture(CUstream __stream, CUgraph *__graph);
CUresult cuStreamGetCaptureInfo(CUstream __stream, CUstreamCaptureStatus *__status, cuuint64_t *__id,
                                CUgraph *__graph, const CUgraphNode **__dependencies,
                                const CUgraphEdgeData **__edges, size_t *__count);
CUresult cuStreamBeginCaptureToGraph(CUstream __stream, CUgraph __graph, const CUgraphNode *__dependencies,
                                     const CUgraphEdgeData *__edges, size_t __count,
                                     CUstreamCaptureMode __mode);
CUresult cuStreamUpdateCaptureDependencies(CUstream __stream, CUgraphNode *__dependencies,
                                           const CUgraphEdgeData *__edges, size_t __count,
                                           unsigned int __flags);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *__mode);

/* Graphs, node by node. */
CUresult cuGraphCreate(CUgraph *__graph, unsigned int __flags);
CUresult cuGraphDestroy(CUgraph __graph);
CUresult cuGraphClone(CUgraph *__copy, CUgraph __original);
CUresult cuGraphAddNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                        const CUgraphEdgeData *__edges, size_t __count, CUgraphNodeParams *__parameters);
CUresult cuGraphNodeSetParams(CUgraphNode __node, CUgraphNodeParams *__parameters);
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *__handle, CUgraph __graph,
                                        CUcontext __context, unsigned int __default_value,
                                        unsigned int __flags);
CUresult cuGraphAddKernelNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                              size_t __count, const CUDA_KERNEL_NODE_PARAMS *__parameters);
CUresult cuGraphAddMemcpyNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                              size_t __count, const CUDA_MEMCPY3D *__copy, CUcontext __context);
CUresult cuGraphAddMemsetNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                              size_t __count, const CUDA_MEMSET_NODE_PARAMS *__parameters,
                              CUcontext __context);
CUresult cuGraphAddHostNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                            size_t __count, const CUDA_HOST_NODE_PARAMS *__parameters);
CUresult cuGraphAddEmptyNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                             size_t __count);
CUresult cuGraphAddChildGraphNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                                  size_t __count, CUgraph __child);
CUresult cuGraphAddEventRecordNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                                   size_t __count, CUevent __event);
CUresult cuGraphAddEventWaitNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                                 size_t __count, CUevent __event);
CUresult cuGraphAddMemAllocNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                                size_t __count, CUDA_MEM_ALLOC_NODE_PARAMS *__parameters);
CUresult cuGraphAddMemFreeNode(CUgraphNode *__node, CUgraph __graph, const CUgraphNode *__dependencies,
                               size_t __count, CUdeviceptr __pointer);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode __node, CUDA_MEM_ALLOC_NODE_PARAMS *__parameters);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode __node, CUdeviceptr *__pointer);
CUresult cuDeviceGraphMemTrim(CUdevice __device);
CUresult cuDeviceGetGraphMemAttribute(CUdevice __device, CUgraphMem_attribute __which, void *__value);
CUresult cuDeviceSetGraphMemAttribute(CUdevice __device, CUgraphMem_attribute __which, void *__value);
CUresult cuGraphKernelNodeSetParams(CUgraphNode __node, const CUDA_KERNEL_NODE_PARAMS *__parameters);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode __node, const CUDA_MEMCPY3D *__copy);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode __node, const CUDA_MEMSET_NODE_PARAMS *__parameters);
CUresult cuGraphHostNodeSetParams(CUgraphNode __node, const CUDA_HOST_NODE_PARAMS *__parameters);
CUresult cuGraphKernelNodeGetParams(CUgraphNode __node, CUDA_KERNEL_NODE_PARAMS *__parameters);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode __node, CUDA_MEMCPY3D *__copy);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode __node, CUDA_MEMSET_NODE_PARAMS *__parameters);
CUresult cuGraphHostNodeGetParams(CUgraphNode __node, CUDA_HOST_NODE_PARAMS *__parameters);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode __node, CUevent *__event);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode __node, CUevent __event);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode __node, CUevent *__event);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode __node, CUevent __event);
CUresult cuGraphDestroyNode(CUgraphNode __node);
CUresult cuGraphAddDependencies(CUgraph __graph, const CUgraphNode *__from, const CUgraphNode *__to,
                                const CUgraphEdgeData *__edges, size_t __count);
CUresult cuGraphRemoveDependencies(CUgraph __graph, const CUgraphNode *__from, const CUgraphNode *__to,
                                   const CUgraphEdgeData *__edges, size_t __count);

/* What is in a graph. Lists: with NULL for the list, how long it is. */
CUresult cuGraphGetNodes(CUgraph __graph, CUgraphNode *__nodes, size_t *__count);
CUresult cuGraphGetRootNodes(CUgraph __graph, CUgraphNode *__nodes, size_t *__count);
CUresult cuGraphGetEdges(CUgraph __graph, CUgraphNode *__from, CUgraphNode *__to, CUgraphEdgeData *__edges,
                         size_t *__count);
CUresult cuGraphNodeGetDependencies(CUgraphNode __node, CUgraphNode *__nodes, CUgraphEdgeData *__edges,
                                    size_t *__count);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode __node, CUgraphNode *__nodes, CUgraphEdgeData *__edges,
                                      size_t *__count);
CUresult cuGraphNodeGetType(CUgraphNode __node, CUgraphNodeType *__type);
CUresult cuGraphNodeFindInClone(CUgraphNode *__node, CUgraphNode __original, CUgraph __copy);
CUresult cuGraphDebugDotPrint(CUgraph __graph, const char *__path, unsigned int __flags);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode __node, CUgraph *__graph);

/* Graphs that can be launched. */
CUresult cuGraphInstantiateWithFlags(CUgraphExec *__exec, CUgraph __graph, unsigned long long __flags);
CUresult cuGraphInstantiateWithParams(CUgraphExec *__exec, CUgraph __graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *__parameters);
CUresult cuGraphExecDestroy(CUgraphExec __exec);
CUresult cuGraphExecGetFlags(CUgraphExec __exec, cuuint64_t *__flags);
CUresult cuGraphLaunch(CUgraphExec __exec, CUstream __stream);
CUresult cuGraphUpload(CUgraphExec __exec, CUstream __stream);
CUresult cuGraphExecUpdate(CUgraphExec __exec, CUgraph __graph, CUgraphExecUpdateResultInfo *__result);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                        const CUDA_KERNEL_NODE_PARAMS *__parameters);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec __exec, CUgraphNode __node, const CUDA_MEMCPY3D *__copy,
                                        CUcontext __context);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                        const CUDA_MEMSET_NODE_PARAMS *__parameters, CUcontext __context);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec __exec, CUgraphNode __node,
                                      const CUDA_HOST_NODE_PARAMS *__parameters);
CUresult cuGraphExecNodeSetParams(CUgraphExec __exec, CUgraphNode __node, CUgraphNodeParams *__parameters);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec __exec, CUgraphNode __node, CUgraph __child);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec __exec, CUgraphNode __node, CUevent __event);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec __exec, CUgraphNode __node, CUevent __event);
CUresult cuGraphNodeSetEnabled(CUgraphExec __exec, CUgraphNode __node, unsigned int __enabled);
CUresult cuGraphNodeGetEnabled(CUgraphExec __exec, CUgraphNode __node, unsigned int *__enabled);
#endif
