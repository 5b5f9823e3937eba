/* runtime_unsupported.h: the rest of CUDA 13's runtime API, as driver_unsupported.h has the driver's. A function returns
 * cudaErrorNotSupported.
 *
 * Part of cuda_runtime_api.h.
 */
#ifndef WARPGLASS_RUNTIME_UNSUPPORTED_H
#define WARPGLASS_RUNTIME_UNSUPPORTED_H

/* clang-format off */
enum cudaResourceViewFormat {
    cudaResViewFormatNone = 0,                       cudaResViewFormatUnsignedChar1 = 1,
    cudaResViewFormatUnsignedChar2 = 2,              cudaResViewFormatUnsignedChar4 = 3,
    cudaResViewFormatSignedChar1 = 4,                cudaResViewFormatSignedChar2 = 5,
    cudaResViewFormatSignedChar4 = 6,                cudaResViewFormatUnsignedShort1 = 7,
    cudaResViewFormatUnsignedShort2 = 8,             cudaResViewFormatUnsignedShort4 = 9,
    cudaResViewFormatSignedShort1 = 10,              cudaResViewFormatSignedShort2 = 11,
    cudaResViewFormatSignedShort4 = 12,              cudaResViewFormatUnsignedInt1 = 13,
    cudaResViewFormatUnsignedInt2 = 14,              cudaResViewFormatUnsignedInt4 = 15,
    cudaResViewFormatSignedInt1 = 16,                cudaResViewFormatSignedInt2 = 17,
    cudaResViewFormatSignedInt4 = 18,                cudaResViewFormatHalf1 = 19,
    cudaResViewFormatHalf2 = 20,                     cudaResViewFormatHalf4 = 21,
    cudaResViewFormatFloat1 = 22,                    cudaResViewFormatFloat2 = 23,
    cudaResViewFormatFloat4 = 24,                    cudaResViewFormatUnsignedBlockCompressed1 = 25,
    cudaResViewFormatUnsignedBlockCompressed2 = 26,  cudaResViewFormatUnsignedBlockCompressed3 = 27,
    cudaResViewFormatUnsignedBlockCompressed4 = 28,  cudaResViewFormatSignedBlockCompressed4 = 29,
    cudaResViewFormatUnsignedBlockCompressed5 = 30,  cudaResViewFormatSignedBlockCompressed5 = 31,
    cudaResViewFormatUnsignedBlockCompressed6H = 32, cudaResViewFormatSignedBlockCompressed6H = 33,
    cudaResViewFormatUnsignedBlockCompressed7 = 34,
};
enum cudaAtomicOperation {
    cudaAtomicOperationIntegerAdd = 0,       cudaAtomicOperationIntegerMin = 1,
    cudaAtomicOperationIntegerMax = 2,       cudaAtomicOperationIntegerIncrement = 3,
    cudaAtomicOperationIntegerDecrement = 4, cudaAtomicOperationAnd = 5,
    cudaAtomicOperationOr = 6,               cudaAtomicOperationXOR = 7,
    cudaAtomicOperationExchange = 8,         cudaAtomicOperationCAS = 9,
    cudaAtomicOperationFloatAdd = 10,        cudaAtomicOperationFloatMin = 11,
    cudaAtomicOperationFloatMax = 12,
};
enum cudaAtomicOperationCapability {
    cudaAtomicCapabilitySigned = 1,        cudaAtomicCapabilityUnsigned = 2,
    cudaAtomicCapabilityReduction = 4,     cudaAtomicCapabilityScalar32 = 8,
    cudaAtomicCapabilityScalar64 = 16,     cudaAtomicCapabilityScalar128 = 32,
    cudaAtomicCapabilityVector32x4 = 0x40,
};
enum cudaExternalMemoryHandleType {
    cudaExternalMemoryHandleTypeOpaqueFd = 1,         cudaExternalMemoryHandleTypeOpaqueWin32 = 2,
    cudaExternalMemoryHandleTypeOpaqueWin32Kmt = 3,   cudaExternalMemoryHandleTypeD3D12Heap = 4,
    cudaExternalMemoryHandleTypeD3D12Resource = 5,    cudaExternalMemoryHandleTypeD3D11Resource = 6,
    cudaExternalMemoryHandleTypeD3D11ResourceKmt = 7, cudaExternalMemoryHandleTypeNvSciBuf = 8,
};
enum cudaExternalSemaphoreHandleType {
    cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
    cudaExternalSemaphoreHandleTypeOpaqueWin32 = 2,
    cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
    cudaExternalSemaphoreHandleTypeD3D12Fence = 4,
    cudaExternalSemaphoreHandleTypeD3D11Fence = 5,
    cudaExternalSemaphoreHandleTypeNvSciSync = 6,
    cudaExternalSemaphoreHandleTypeKeyedMutex = 7,
    cudaExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10,
};
enum cudaCGScope {
    cudaCGScopeInvalid = 0,  cudaCGScopeGrid = 1,
    cudaCGScopeReserved = 2,
};
typedef enum cudaGraphDependencyType_enum {
    cudaGraphDependencyTypeDefault = 0,      cudaGraphDependencyTypeProgrammatic = 1,
} cudaGraphDependencyType;
enum cudaGraphKernelNodeField {
    cudaGraphKernelNodeFieldInvalid = 0, cudaGraphKernelNodeFieldGridDim = 1,
    cudaGraphKernelNodeFieldParam = 2,   cudaGraphKernelNodeFieldEnabled = 3,
};
typedef enum cudaAsyncNotificationType_enum {
    cudaAsyncNotificationTypeOverBudget = 1,
} cudaAsyncNotificationType;
typedef enum CUDAlogLevel_enum {
    cudaLogLevelError = 0,   cudaLogLevelWarning = 1,
} cudaLogLevel;
/* clang-format on */

struct cudaResourceViewDesc {
    enum cudaResourceViewFormat format;
    size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
    unsigned int reserved[16];
};

#define cudaArrayColorAttachment                           0x20
#define cudaArrayDeferredMapping                           0x80
#define cudaArraySparse                                    0x40
#define cudaArraySparsePropertiesSingleMipTail             0x1
#define cudaExternalMemoryDedicated                        0x1
#define cudaExternalSemaphoreSignalSkipNvSciBufMemSync     0x01
#define cudaExternalSemaphoreWaitSkipNvSciBufMemSync       0x02
#define cudaGraphKernelNodePortDefault                     0
#define cudaGraphKernelNodePortLaunchCompletion            2
#define cudaGraphKernelNodePortProgrammatic                1
#define cudaKernelNodeAttributeDeviceUpdatableKernelNode   cudaLaunchAttributeDeviceUpdatableKernelNode
#define cudaKernelNodeAttributeNvlinkUtilCentricScheduling cudaLaunchAttributeNvlinkUtilCentricScheduling
#define cudaMemPoolCreateUsageHwDecompress                 0x2
#define cudaNvSciSyncAttrSignal                            0x1
#define cudaNvSciSyncAttrWait                              0x2

struct cudaArraySparseProperties {
    struct {
        unsigned int width;
        unsigned int height;
        unsigned int depth;
    } tileExtent;
    unsigned int miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned int flags;
    unsigned int reserved[4];
};
struct cudaArrayMemoryRequirements {
    size_t size;
    size_t alignment;
    unsigned int reserved[4];
};
typedef struct cudaMemFabricHandle_st {
    char reserved[64];
} cudaMemFabricHandle_t;
struct cudaExternalMemoryHandleDesc {
    enum cudaExternalMemoryHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciBufObject;
    } handle;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
};
struct cudaExternalMemoryBufferDesc {
    unsigned long long offset;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
};
struct cudaExternalMemoryMipmappedArrayDesc {
    unsigned long long offset;
    struct cudaChannelFormatDesc formatDesc;
    struct cudaExtent extent;
    unsigned int flags;
    unsigned int numLevels;
    unsigned int reserved[16];
};
struct cudaExternalSemaphoreHandleDesc {
    enum cudaExternalSemaphoreHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciSyncObj;
    } handle;
    unsigned int flags;
    unsigned int reserved[16];
};
struct cudaExternalSemaphoreSignalParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
        } keyedMutex;
        unsigned int reserved[12];
    } params;
    unsigned int flags;
    unsigned int reserved[16];
};
struct cudaExternalSemaphoreWaitParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
            unsigned int timeoutMs;
        } keyedMutex;
        unsigned int reserved[10];
    } params;
    unsigned int flags;
    unsigned int reserved[16];
};
typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
struct cudalibraryHostUniversalFunctionAndDataTable {
    void *functionTable;
    size_t functionWindowSize;
    void *dataTable;
    size_t dataWindowSize;
};
struct cudaExternalSemaphoreSignalNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const struct cudaExternalSemaphoreSignalParams *paramsArray;
    unsigned int numExtSems;
};
struct cudaExternalSemaphoreSignalNodeParamsV2 {
    cudaExternalSemaphore_t *extSemArray;
    const struct cudaExternalSemaphoreSignalParams *paramsArray;
    unsigned int numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const struct cudaExternalSemaphoreWaitParams *paramsArray;
    unsigned int numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParamsV2 {
    cudaExternalSemaphore_t *extSemArray;
    const struct cudaExternalSemaphoreWaitParams *paramsArray;
    unsigned int numExtSems;
};
#if !defined(__cplusplus) || __cplusplus >= 201103L /* a union with a constructor */
struct cudaGraphKernelNodeUpdate {
    cudaGraphDeviceNode_t node;
    enum cudaGraphKernelNodeField field;
    union {
        dim3 gridDim;
        struct {
            const void *pValue;
            size_t offset;
            size_t size;
        } param;
        unsigned int isEnabled;
    } updateData;
};
#endif
typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
typedef struct cudaAsyncNotificationInfo {
    cudaAsyncNotificationType type;
    union {
        struct {
            unsigned long long bytesOverBudget;
        } overBudget;
    } info;
} cudaAsyncNotificationInfo_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t);
typedef struct CUlogsCallbackEntry_st *cudaLogsCallbackHandle;
typedef unsigned int cudaLogIterator;
typedef void (*cudaLogsCallback_t)(void *data, cudaLogLevel logLevel, char *message, size_t length);

#if defined(__cplusplus)
extern "C" {
#endif
#define WG_UNSUPPORTED                                                                                       \
    __attribute__((__deprecated__("Warpglass does not have this function: it returns "                       \
                                  "cudaErrorNotSupported")))
WG_UNSUPPORTED cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
    size_t *__max_width_in_elements, const struct cudaChannelFormatDesc *__fmt_desc, int __device);
WG_UNSUPPORTED cudaError_t cudaDeviceRegisterAsyncNotification(int __device,
                                                               cudaAsyncCallback __callback_func,
                                                               void *__user_data,
                                                               cudaAsyncCallbackHandle_t *__callback);
WG_UNSUPPORTED cudaError_t cudaDeviceUnregisterAsyncNotification(int __device,
                                                                 cudaAsyncCallbackHandle_t __callback);
WG_UNSUPPORTED cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int *__capabilities,
                                                               const enum cudaAtomicOperation *__operations,
                                                               unsigned int __count, int __device);
WG_UNSUPPORTED cudaError_t cudaDeviceGetNvSciSyncAttributes(void *__nv_sci_sync_attr_list, int __device,
                                                            int __flags);
WG_UNSUPPORTED cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned int *__capabilities,
                                                              const enum cudaAtomicOperation *__operations,
                                                              unsigned int __count, int __src_device,
                                                              int __dst_device);
WG_UNSUPPORTED cudaError_t cudaImportExternalMemory(
    cudaExternalMemory_t *__ext_mem_out, const struct cudaExternalMemoryHandleDesc *__mem_handle_desc);
WG_UNSUPPORTED cudaError_t
cudaExternalMemoryGetMappedBuffer(void **__dev_ptr, cudaExternalMemory_t __ext_mem,
                                  const struct cudaExternalMemoryBufferDesc *__buffer_desc);
WG_UNSUPPORTED cudaError_t
cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *__mipmap, cudaExternalMemory_t __ext_mem,
                                          const struct cudaExternalMemoryMipmappedArrayDesc *__mipmap_desc);
WG_UNSUPPORTED cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t __ext_mem);
WG_UNSUPPORTED cudaError_t cudaImportExternalSemaphore(
    cudaExternalSemaphore_t *__ext_sem_out, const struct cudaExternalSemaphoreHandleDesc *__sem_handle_desc);
WG_UNSUPPORTED cudaError_t
cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *__ext_sem_array,
                                  const struct cudaExternalSemaphoreSignalParams *__params_array,
                                  unsigned int __num_ext_sems, cudaStream_t __stream);
WG_UNSUPPORTED cudaError_t
cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *__ext_sem_array,
                                const struct cudaExternalSemaphoreWaitParams *__params_array,
                                unsigned int __num_ext_sems, cudaStream_t __stream);
WG_UNSUPPORTED cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t __ext_sem);
WG_UNSUPPORTED cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t __mipmapped_array);
WG_UNSUPPORTED cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *__mipmapped_array,
                                                    const struct cudaChannelFormatDesc *__desc,
                                                    struct cudaExtent __extent, unsigned int __num_levels,
                                                    unsigned int __flags);
WG_UNSUPPORTED cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *__level_array,
                                                      cudaMipmappedArray_const_t __mipmapped_array,
                                                      unsigned int __level);
WG_UNSUPPORTED cudaError_t cudaArrayGetPlane(cudaArray_t *__p_plane_array, cudaArray_t __h_array,
                                             unsigned int __plane_idx);
WG_UNSUPPORTED cudaError_t cudaArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *__memory_requirements, cudaArray_t __array, int __device);
WG_UNSUPPORTED cudaError_t cudaMipmappedArrayGetMemoryRequirements(
    struct cudaArrayMemoryRequirements *__memory_requirements, cudaMipmappedArray_t __mipmap, int __device);
WG_UNSUPPORTED cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *__sparse_properties,
                                                        cudaArray_t __array);
WG_UNSUPPORTED cudaError_t cudaMipmappedArrayGetSparseProperties(
    struct cudaArraySparseProperties *__sparse_properties, cudaMipmappedArray_t __mipmap);
WG_UNSUPPORTED cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(
    cudaMipmappedArray_t *__mipmapped_array, cudaGraphicsResource_t __resource);
WG_UNSUPPORTED cudaError_t cudaGetTextureObjectResourceViewDesc(
    struct cudaResourceViewDesc *__p_res_view_desc, cudaTextureObject_t __tex_object);
WG_UNSUPPORTED cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t __callback_func, void *__user_data,
                                                    cudaLogsCallbackHandle *__callback_out);
WG_UNSUPPORTED cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle __callback);
WG_UNSUPPORTED cudaError_t cudaLogsCurrent(cudaLogIterator *__iterator_out, unsigned int __flags);
WG_UNSUPPORTED cudaError_t cudaLogsDumpToFile(cudaLogIterator *__iterator, const char *__path_to_file,
                                              unsigned int __flags);
WG_UNSUPPORTED cudaError_t cudaLogsDumpToMemory(cudaLogIterator *__iterator, char *__buffer, size_t *__size,
                                                unsigned int __flags);
WG_UNSUPPORTED cudaError_t cudaGraphAddExternalSemaphoresSignalNode(
    cudaGraphNode_t *__p_graph_node, cudaGraph_t __graph, const cudaGraphNode_t *__p_dependencies,
    size_t __num_dependencies, const struct cudaExternalSemaphoreSignalNodeParams *__node_params);
WG_UNSUPPORTED cudaError_t cudaGraphExternalSemaphoresSignalNodeGetParams(
    cudaGraphNode_t __h_node, struct cudaExternalSemaphoreSignalNodeParams *__params_out);
WG_UNSUPPORTED cudaError_t cudaGraphExternalSemaphoresSignalNodeSetParams(
    cudaGraphNode_t __h_node, const struct cudaExternalSemaphoreSignalNodeParams *__node_params);
WG_UNSUPPORTED cudaError_t cudaGraphAddExternalSemaphoresWaitNode(
    cudaGraphNode_t *__p_graph_node, cudaGraph_t __graph, const cudaGraphNode_t *__p_dependencies,
    size_t __num_dependencies, const struct cudaExternalSemaphoreWaitNodeParams *__node_params);
WG_UNSUPPORTED cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(
    cudaGraphNode_t __h_node, struct cudaExternalSemaphoreWaitNodeParams *__params_out);
WG_UNSUPPORTED cudaError_t cudaGraphExternalSemaphoresWaitNodeSetParams(
    cudaGraphNode_t __h_node, const struct cudaExternalSemaphoreWaitNodeParams *__node_params);
WG_UNSUPPORTED cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t __h_graph_exec, cudaGraphNode_t __h_node,
    const struct cudaExternalSemaphoreSignalNodeParams *__node_params);
WG_UNSUPPORTED cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t __h_graph_exec, cudaGraphNode_t __h_node,
    const struct cudaExternalSemaphoreWaitNodeParams *__node_params);
WG_UNSUPPORTED cudaError_t cudaLibraryGetUnifiedFunction(void **__fptr, cudaLibrary_t __library,
                                                         const char *__symbol);
#undef WG_UNSUPPORTED
#if defined(__cplusplus)
}
#endif
#endif
