/* runtime_graphs.h: graphs in the runtime API, for C17 and C++. Part of cuda_runtime_api.h; values are those
 * of CUDA 13. */
#ifndef WARPGLASS_RUNTIME_GRAPHS_H
#define WARPGLASS_RUNTIME_GRAPHS_H

enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeWaitEvent = 6,
    cudaGraphNodeTypeEventRecord = 7,
    cudaGraphNodeTypeExtSemaphoreSignal = 8,
    cudaGraphNodeTypeExtSemaphoreWait = 9,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11,
    cudaGraphNodeTypeConditional = 13,
    cudaGraphNodeTypeCount = 14
};
enum cudaGraphMemAttributeType {
    cudaGraphMemAttrUsedMemCurrent = 0,
    cudaGraphMemAttrUsedMemHigh = 1,
    cudaGraphMemAttrReservedMemCurrent = 2,
    cudaGraphMemAttrReservedMemHigh = 3
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,
    cudaGraphExecUpdateErrorFunctionChanged = 4,
    cudaGraphExecUpdateErrorParametersChanged = 5,
    cudaGraphExecUpdateErrorNotSupported = 6,
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
    cudaGraphExecUpdateErrorAttributesChanged = 8
};
typedef struct cudaGraphExecUpdateResultInfo_st {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
};
typedef enum cudaGraphInstantiateResult {
    cudaGraphInstantiateSuccess = 0,
    cudaGraphInstantiateError = 1,
    cudaGraphInstantiateInvalidStructure = 2,
    cudaGraphInstantiateNodeOperationNotSupported = 3,
    cudaGraphInstantiateMultipleDevicesNotSupported = 4,
    cudaGraphInstantiateConditionalHandleUnused = 5
} cudaGraphInstantiateResult;
typedef struct cudaGraphInstantiateParams_st {
    unsigned long long flags;
    cudaStream_t uploadStream;
    cudaGraphNode_t errNode_out; /* null: no single node is at fault */
    cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;
enum cudaGraphDebugDotFlags {
    cudaGraphDebugDotFlagsVerbose = 1 << 0,
    cudaGraphDebugDotFlagsKernelNodeParams = 1 << 2,
    cudaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
    cudaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
    cudaGraphDebugDotFlagsHostNodeParams = 1 << 5,
    cudaGraphDebugDotFlagsEventNodeParams = 1 << 6,
    cudaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
    cudaGraphDebugDotFlagsHandles = 1 << 10,
    cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 0x80,
    cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 0x100,
    cudaGraphDebugDotFlagsConditionalNodeParams = 0x8000
};
typedef struct cudaGraphEdgeData_st {
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;

struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};

struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    void *dptr; /* what the node allocates */
};

/* Nodes that choose, by a value that kernels set (cudaGraphSetConditional), which of their graphs are launched. */
typedef unsigned long long cudaGraphConditionalHandle;
enum cudaGraphConditionalHandleFlags { cudaGraphCondAssignDefault = 1 };
enum cudaGraphConditionalNodeType {
    cudaGraphCondTypeIf = 0,
    cudaGraphCondTypeWhile = 1,
    cudaGraphCondTypeSwitch = 2
};
struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    enum cudaGraphConditionalNodeType type;
    unsigned int size;
    cudaGraph_t *phGraph_out; /* `size` graphs, the node's own */
};

/* A node of any type. */
struct cudaKernelNodeParamsV2 {
    void *func;
#if defined(__cplusplus) && __cplusplus < 201103L
    uint3 gridDim, blockDim;
#else
    dim3 gridDim, blockDim;
#endif
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
};
struct cudaMemcpyNodeParams {
    int flags, reserved[3];
    struct cudaMemcpy3DParms copyParams;
};
struct cudaMemsetParamsV2 {
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParamsV2 {
    cudaHostFn_t fn;
    void *userData;
};
enum cudaGraphChildGraphNodeOwnership {
    cudaGraphChildGraphOwnershipClone = 0,
    cudaGraphChildGraphOwnershipMove = 1
};
struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
    enum cudaGraphChildGraphNodeOwnership ownership;
};
struct cudaEventRecordNodeParams {
    cudaEvent_t event;
};
struct cudaEventWaitNodeParams {
    cudaEvent_t event;
};
struct cudaMemAllocNodeParamsV2 {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    void *dptr;
};
struct cudaMemFreeNodeParams {
    void *dptr;
};
struct cudaGraphNodeParams {
    enum cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        struct cudaKernelNodeParamsV2 kernel;
        struct cudaMemcpyNodeParams memcpy;
        struct cudaMemsetParamsV2 memset;
        struct cudaHostNodeParamsV2 host;
        struct cudaChildGraphNodeParams graph;
        struct cudaEventWaitNodeParams eventWait;
        struct cudaEventRecordNodeParams eventRecord;
        struct cudaMemAllocNodeParamsV2 alloc;
        struct cudaMemFreeNodeParams free;
        struct cudaConditionalNodeParams conditional;
    };
    long long reserved2;
};

enum cudaStreamUpdateCaptureDependenciesFlags {
    cudaStreamAddCaptureDependencies = 0,
    cudaStreamSetCaptureDependencies = 1
};

#if defined(__cplusplus)
extern "C" {
#define WG_OR(default) = default
#else
#define WG_OR(default)
#endif

/* Streams that become graphs. */
cudaError_t cudaStreamBeginCapture(cudaStream_t __stream, enum cudaStreamCaptureMode __mode);
cudaError_t cudaStreamEndCapture(cudaStream_t __stream, cudaGraph_t *__graph);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t __stream, enum cudaStreamCaptureStatus *__status,
                                     unsigned long long *__id WG_OR(0), cudaGraph_t *__graph WG_OR(0),
                                     const cudaGraphNode_t **__dependencies WG_OR(0),
                                     const cudaGraphEdgeData **__edges WG_OR(0), size_t *__count WG_OR(0));

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t __stream, cudaGraph_t __graph,
                                          const cudaGraphNode_t *__dependencies,
                                          const cudaGraphEdgeData *__edges, size_t __count,
                                          enum cudaStreamCaptureMode __mode);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t __stream, cudaGraphNode_t *__dependencies,
                                                const cudaGraphEdgeData *__edges, size_t __count,
                                                unsigned int __flags WG_OR(0));

/* Graphs, node by node. */
cudaError_t cudaGraphAddNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                             const cudaGraphNode_t *__dependencies, const cudaGraphEdgeData *__edges,
                             size_t __count, struct cudaGraphNodeParams *__parameters);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t __node, struct cudaGraphNodeParams *__parameters);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *__handle, cudaGraph_t __graph,
                                             unsigned int __default_value WG_OR(0),
                                             unsigned int __flags WG_OR(0));
cudaError_t cudaGraphCreate(cudaGraph_t *__graph, unsigned int __flags);
cudaError_t cudaGraphDestroy(cudaGraph_t __graph);
cudaError_t cudaGraphClone(cudaGraph_t *__copy, cudaGraph_t __original);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                   const cudaGraphNode_t *__dependencies, size_t __count,
                                   const struct cudaKernelNodeParams *__parameters);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                   const cudaGraphNode_t *__dependencies, size_t __count,
                                   const struct cudaMemcpy3DParms *__copy);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                     const cudaGraphNode_t *__dependencies, size_t __count, void *__to,
                                     const void *__from, size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                   const cudaGraphNode_t *__dependencies, size_t __count,
                                   const struct cudaMemsetParams *__parameters);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                 const cudaGraphNode_t *__dependencies, size_t __count,
                                 const struct cudaHostNodeParams *__parameters);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                  const cudaGraphNode_t *__dependencies, size_t __count);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                       const cudaGraphNode_t *__dependencies, size_t __count,
                                       cudaGraph_t __child);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                        const cudaGraphNode_t *__dependencies, size_t __count,
                                        cudaEvent_t __event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                      const cudaGraphNode_t *__dependencies, size_t __count,
                                      cudaEvent_t __event);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                     const cudaGraphNode_t *__dependencies, size_t __count,
                                     struct cudaMemAllocNodeParams *__parameters);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                    const cudaGraphNode_t *__dependencies, size_t __count, void *__pointer);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t __node,
                                           struct cudaMemAllocNodeParams *__parameters);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t __node, void *__pointer);
cudaError_t cudaDeviceGraphMemTrim(int __device);
cudaError_t cudaDeviceGetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __which,
                                           void *__value);
cudaError_t cudaDeviceSetGraphMemAttribute(int __device, enum cudaGraphMemAttributeType __which,
                                           void *__value);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t __node,
                                         const struct cudaKernelNodeParams *__parameters);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t __node, const struct cudaMemcpy3DParms *__copy);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t __node, void *__to, const void *__from,
                                           size_t __bytes, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t __node, const struct cudaMemsetParams *__parameters);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t __node, const struct cudaHostNodeParams *__parameters);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                           const cudaGraphNode_t *__dependencies, size_t __count,
                                           const void *__to, const void *__from, size_t __bytes,
                                           size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                             const cudaGraphNode_t *__dependencies, size_t __count,
                                             void *__to, const void *__from, size_t __bytes, size_t __offset,
                                             enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t __node, const void *__to, const void *__from,
                                                 size_t __bytes, size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t __node, void *__to, const void *__from,
                                                   size_t __bytes, size_t __offset,
                                                   enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                                     const void *__to, const void *__from, size_t __bytes,
                                                     size_t __offset, enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                                       void *__to, const void *__from, size_t __bytes,
                                                       size_t __offset, enum cudaMemcpyKind __kind);

/* A kernel node's attributes. */
#define cudaKernelNodeAttrID                      cudaLaunchAttributeID
#define cudaKernelNodeAttrValue                   cudaLaunchAttributeValue
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative        cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributePriority           cudaLaunchAttributePriority
#define cudaKernelNodeAttributeClusterDimension   cudaLaunchAttributeClusterDimension
#define cudaKernelNodeAttributeClusterSchedulingPolicyPreference                                             \
    cudaLaunchAttributeClusterSchedulingPolicyPreference
#define cudaKernelNodeAttributeMemSyncDomainMap              cudaLaunchAttributeMemSyncDomainMap
#define cudaKernelNodeAttributeMemSyncDomain                 cudaLaunchAttributeMemSyncDomain
#define cudaKernelNodeAttributePreferredSharedMemoryCarveout cudaLaunchAttributePreferredSharedMemoryCarveout
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t __node, cudaKernelNodeAttrID __id,
                                            cudaKernelNodeAttrValue *__value);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t __node, cudaKernelNodeAttrID __id,
                                            const cudaKernelNodeAttrValue *__value);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t __to, cudaGraphNode_t __from);

/* User objects: what is destroyed with the last reference to it. */
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };
cudaError_t cudaUserObjectCreate(cudaUserObject_t *__object, void *__pointer, cudaHostFn_t __destroy,
                                 unsigned int __count, unsigned int __flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t __object, unsigned int __count WG_OR(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t __object, unsigned int __count WG_OR(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t __graph, cudaUserObject_t __object,
                                      unsigned int __count WG_OR(1), unsigned int __flags WG_OR(0));
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t __graph, cudaUserObject_t __object,
                                       unsigned int __count WG_OR(1));

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t __node, struct cudaKernelNodeParams *__parameters);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t __node, struct cudaMemcpy3DParms *__copy);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t __node, struct cudaMemsetParams *__parameters);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t __node, struct cudaHostNodeParams *__parameters);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t *__event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t __node, cudaEvent_t *__event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t __node, cudaEvent_t __event);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t __node);
cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                     const cudaGraphNode_t *__to, const cudaGraphEdgeData *__edges,
                                     size_t __count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                        const cudaGraphNode_t *__to, const cudaGraphEdgeData *__edges,
                                        size_t __count);

/* What is in a graph. Lists: with NULL for the list, how long it is. */
cudaError_t cudaGraphGetNodes(cudaGraph_t __graph, cudaGraphNode_t *__nodes, size_t *__count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t __graph, cudaGraphNode_t *__nodes, size_t *__count);
cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t *__from, cudaGraphNode_t *__to,
                              cudaGraphEdgeData *__edges, size_t *__count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t __node, cudaGraphNode_t *__nodes,
                                         cudaGraphEdgeData *__edges, size_t *__count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t __node, cudaGraphNode_t *__nodes,
                                           cudaGraphEdgeData *__edges, size_t *__count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t __node, enum cudaGraphNodeType *__type);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *__node, cudaGraphNode_t __original, cudaGraph_t __copy);
/* Writes the graph to a file in Graphviz's language; flags say how much of each node, and are not looked at.
 */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t __graph, const char *__path, unsigned int __flags);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t __node, cudaGraph_t *__graph);

/* Graphs that can be launched. */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                 unsigned long long __flags WG_OR(0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                          unsigned long long __flags WG_OR(0));
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                           cudaGraphInstantiateParams *__parameters);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t __exec);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t __exec, unsigned long long *__flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphUpload(cudaGraphExec_t __exec, cudaStream_t __stream);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t __graph,
                                cudaGraphExecUpdateResultInfo *__result);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                             const struct cudaKernelNodeParams *__parameters);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                             const struct cudaMemcpy3DParms *__copy);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t __exec, cudaGraphNode_t __node, void *__to,
                                               const void *__from, size_t __bytes,
                                               enum cudaMemcpyKind __kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                             const struct cudaMemsetParams *__parameters);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                           const struct cudaHostNodeParams *__parameters);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                       struct cudaGraphNodeParams *__parameters);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                                 cudaGraph_t __child);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                                 cudaEvent_t __event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t __exec, cudaGraphNode_t __node,
                                               cudaEvent_t __event);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t __exec, cudaGraphNode_t __node, unsigned int __enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t __exec, cudaGraphNode_t __node, unsigned int *__enabled);

#if defined(__cplusplus)
}

/* As CUDA 12 and older have them. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *__exec, cudaGraph_t __graph,
                                               cudaGraphNode_t *__error, char *__log, size_t __bytes) {
    if (__log && __bytes) *__log = 0;
    if (__error) *__error = 0;
    return cudaGraphInstantiateWithFlags(__exec, __graph, 0);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *__node, cudaGraph_t __graph,
                                           const cudaGraphNode_t *__dependencies, size_t __count,
                                           struct cudaGraphNodeParams *__parameters) {
    return cudaGraphAddNode(__node, __graph, __dependencies, (const cudaGraphEdgeData *)0, __count,
                            __parameters);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t __graph, const cudaGraphNode_t *__from,
                                                   const cudaGraphNode_t *__to, size_t __count) {
    return cudaGraphAddDependencies(__graph, __from, __to, (const cudaGraphEdgeData *)0, __count);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t __stream,
                                                              cudaGraphNode_t *__dependencies, size_t __count,
                                                              unsigned int __flags = 0) {
    return cudaStreamUpdateCaptureDependencies(__stream, __dependencies, (const cudaGraphEdgeData *)0,
                                               __count, __flags);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t __graph, cudaGraphNode_t *__from,
                                            cudaGraphNode_t *__to, size_t *__count) {
    return cudaGraphGetEdges(__graph, __from, __to, (cudaGraphEdgeData *)0, __count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t __node, cudaGraphNode_t *__nodes,
                                                       size_t *__count) {
    return cudaGraphNodeGetDependencies(__node, __nodes, (cudaGraphEdgeData *)0, __count);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t __exec, cudaGraph_t __graph,
                                              cudaGraphNode_t *__error,
                                              enum cudaGraphExecUpdateResult *__result) {
    cudaGraphExecUpdateResultInfo __info;
    cudaError_t __e = cudaGraphExecUpdate(__exec, __graph, &__info);
    if (__error) *__error = __info.errorNode;
    if (__result) *__result = __info.result;
    return __e;
}
#endif
#undef WG_OR
#endif
