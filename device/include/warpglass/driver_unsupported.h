/* driver_unsupported.h: the rest of CUDA 13's driver API, for programs that mention all of it: types, numbers, and functions
 * that Warpglass does not have. A compiler warns where one is called; it then returns CUDA_ERROR_NOT_SUPPORTED, and a line on
 * standard error names it.
 *
 * Part of cuda.h.
 */
#ifndef WARPGLASS_DRIVER_UNSUPPORTED_H
#define WARPGLASS_DRIVER_UNSUPPORTED_H

#define CUDA_ARRAY3D_2DARRAY                                     0x01
#define CUDA_ARRAY3D_COLOR_ATTACHMENT                            0x20
#define CUDA_ARRAY3D_DEFERRED_MAPPING                            0x80
#define CUDA_ARRAY3D_DEPTH_TEXTURE                               0x10
#define CUDA_ARRAY3D_SPARSE                                      0x40
#define CUDA_ARRAY3D_VIDEO_ENCODE_DECODE                         0x100
#define CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC 0x02
#define CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC  0x01
#define CUDA_EXTERNAL_MEMORY_DEDICATED                           0x1
#define CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC     0x01
#define CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC       0x02
#define CUDA_NVSCISYNC_ATTR_SIGNAL                               0x1
#define CUDA_NVSCISYNC_ATTR_WAIT                                 0x2
#define CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL                0x1
#define CU_COMPUTE_ACCELERATED_TARGET_BASE                       0x10000
#define CU_COMPUTE_FAMILY_TARGET_BASE                            0x20000
#define CU_GRAPH_KERNEL_NODE_PORT_DEFAULT                        0
#define CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER                   2
#define CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC                   1
#define CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW            CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION               CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE                                        \
    CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
#define CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE                  CU_LAUNCH_ATTRIBUTE_COOPERATIVE
#define CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE
#define CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN              CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
#define CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP          CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
#define CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION  CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION
#define CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT                                            \
    CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
#define CU_KERNEL_NODE_ATTRIBUTE_PRIORITY          CU_LAUNCH_ATTRIBUTE_PRIORITY
#define CU_LAUNCH_KERNEL_REQUIRED_BLOCK_DIM        1
#define CU_MEM_CREATE_USAGE_HW_DECOMPRESS          0x2
#define CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS     0x2
#define CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW   CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN        CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP    CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
#define CU_STREAM_ATTRIBUTE_PRIORITY               CU_LAUNCH_ATTRIBUTE_PRIORITY
#define CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
#define CU_TENSOR_MAP_NUM_QWORDS                   16
#define cuGraphicsResourceGetMappedPointer         cuGraphicsResourceGetMappedPointer_v2
#define cuGraphicsResourceSetMapFlags              cuGraphicsResourceSetMapFlags_v2

typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef unsigned long long CUtexObject_v1;
typedef unsigned long long CUsurfObject_v1;
typedef struct CUextMemory_st *CUexternalMemory;
typedef struct CUextSemaphore_st *CUexternalSemaphore;
typedef struct CUasyncCallbackEntry_st *CUasyncCallbackHandle;
typedef struct CUmemFabricHandle_st {
    unsigned char data[64];
} CUmemFabricHandle_v1;
typedef CUmemFabricHandle_v1 CUmemFabricHandle;
typedef struct CUDA_BATCH_MEM_OP_NODE_PARAMS_v1_st {
    CUcontext ctx;
    unsigned int count;
    CUstreamBatchMemOpParams *paramArray;
    unsigned int flags;
} CUDA_BATCH_MEM_OP_NODE_PARAMS_v1;
typedef CUDA_BATCH_MEM_OP_NODE_PARAMS_v1 CUDA_BATCH_MEM_OP_NODE_PARAMS;
typedef struct CUDA_BATCH_MEM_OP_NODE_PARAMS_v2_st {
    CUcontext ctx;
    unsigned int count;
    CUstreamBatchMemOpParams *paramArray;
    unsigned int flags;
} CUDA_BATCH_MEM_OP_NODE_PARAMS_v2;
typedef struct CUasyncNotificationInfo_st {
    CUasyncNotificationType type;
    union {
        struct {
            unsigned long long bytesOverBudget;
        } overBudget;
    } info;
} CUasyncNotificationInfo;
typedef void (*CUasyncCallback)(CUasyncNotificationInfo *info, void *userData,
                                CUasyncCallbackHandle callback);
typedef CUdevprop CUdevprop_v1;
typedef CUaccessPolicyWindow CUaccessPolicyWindow_v1;
typedef struct CUDA_KERNEL_NODE_PARAMS_st {
    CUfunction func;
    unsigned int gridDimX;
    unsigned int gridDimY;
    unsigned int gridDimZ;
    unsigned int blockDimX;
    unsigned int blockDimY;
    unsigned int blockDimZ;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
} CUDA_KERNEL_NODE_PARAMS_v1;
typedef CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v2;
typedef CUDA_MEMSET_NODE_PARAMS CUDA_MEMSET_NODE_PARAMS_v1;
typedef CUDA_HOST_NODE_PARAMS CUDA_HOST_NODE_PARAMS_v1;
typedef CUlaunchAttributeValue CUkernelNodeAttrValue_v1;
typedef CUlaunchAttributeValue CUstreamAttrValue_v1;
typedef struct CUexecAffinitySmCount_st {
    unsigned int val;
} CUexecAffinitySmCount_v1;
typedef CUexecAffinitySmCount_v1 CUexecAffinitySmCount;
typedef struct CUexecAffinityParam_st {
    CUexecAffinityType type;
    union {
        CUexecAffinitySmCount smCount;
    } param;
} CUexecAffinityParam_v1;
typedef CUexecAffinityParam_v1 CUexecAffinityParam;
typedef struct CUctxCigParam_st {
    CUcigDataType sharedDataType;
    void *sharedData;
} CUctxCigParam;
typedef struct CUlibraryHostUniversalFunctionAndDataTable_st {
    void *functionTable;
    size_t functionWindowSize;
    void *dataTable;
    size_t dataWindowSize;
} CUlibraryHostUniversalFunctionAndDataTable;
typedef CUDA_MEMCPY2D CUDA_MEMCPY2D_v2;
typedef CUDA_MEMCPY3D CUDA_MEMCPY3D_v2;
typedef CUDA_MEMCPY3D_PEER CUDA_MEMCPY3D_PEER_v1;
typedef CUDA_ARRAY_DESCRIPTOR CUDA_ARRAY_DESCRIPTOR_v2;
typedef CUDA_ARRAY3D_DESCRIPTOR CUDA_ARRAY3D_DESCRIPTOR_v2;
typedef struct CUDA_ARRAY_SPARSE_PROPERTIES_st {
    struct {
        unsigned int width;
        unsigned int height;
        unsigned int depth;
    } tileExtent;
    unsigned int miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned int flags;
    unsigned int reserved[4];
} CUDA_ARRAY_SPARSE_PROPERTIES_v1;
typedef CUDA_ARRAY_SPARSE_PROPERTIES_v1 CUDA_ARRAY_SPARSE_PROPERTIES;
typedef struct CUDA_ARRAY_MEMORY_REQUIREMENTS_st {
    size_t size;
    size_t alignment;
    unsigned int reserved[4];
} CUDA_ARRAY_MEMORY_REQUIREMENTS_v1;
typedef CUDA_ARRAY_MEMORY_REQUIREMENTS_v1 CUDA_ARRAY_MEMORY_REQUIREMENTS;
typedef CUDA_RESOURCE_DESC CUDA_RESOURCE_DESC_v1;
typedef CUDA_TEXTURE_DESC CUDA_TEXTURE_DESC_v1;
typedef CUDA_RESOURCE_VIEW_DESC CUDA_RESOURCE_VIEW_DESC_v1;
typedef struct CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st {
    unsigned long long p2pToken;
    unsigned int vaSpaceToken;
} CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1;
typedef CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1 CUDA_POINTER_ATTRIBUTE_P2P_TOKENS;
typedef struct CUDA_LAUNCH_PARAMS_st {
    CUfunction function;
    unsigned int gridDimX;
    unsigned int gridDimY;
    unsigned int gridDimZ;
    unsigned int blockDimX;
    unsigned int blockDimY;
    unsigned int blockDimZ;
    unsigned int sharedMemBytes;
    CUstream hStream;
    void **kernelParams;
} CUDA_LAUNCH_PARAMS_v1;
typedef CUDA_LAUNCH_PARAMS_v1 CUDA_LAUNCH_PARAMS;
typedef struct CUDA_EXTERNAL_MEMORY_HANDLE_DESC_st {
    CUexternalMemoryHandleType type;
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
} CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1;
typedef CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1 CUDA_EXTERNAL_MEMORY_HANDLE_DESC;
typedef struct CUDA_EXTERNAL_MEMORY_BUFFER_DESC_st {
    unsigned long long offset;
    unsigned long long size;
    unsigned int flags;
    unsigned int reserved[16];
} CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1;
typedef CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1 CUDA_EXTERNAL_MEMORY_BUFFER_DESC;
typedef struct CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_st {
    unsigned long long offset;
    CUDA_ARRAY3D_DESCRIPTOR arrayDesc;
    unsigned int numLevels;
    unsigned int reserved[16];
} CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1;
typedef CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1 CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC;
typedef struct CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_st {
    CUexternalSemaphoreHandleType type;
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
} CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1;
typedef CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1 CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC;
typedef struct CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_st {
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
} CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1;
typedef CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1 CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;
typedef struct CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_st {
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
} CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1;
typedef CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1 CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;
typedef struct CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_st {
    CUexternalSemaphore *extSemArray;
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray;
    unsigned int numExtSems;
} CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1;
typedef CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 CUDA_EXT_SEM_SIGNAL_NODE_PARAMS;
typedef struct CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2_st {
    CUexternalSemaphore *extSemArray;
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray;
    unsigned int numExtSems;
} CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2;
typedef struct CUDA_EXT_SEM_WAIT_NODE_PARAMS_st {
    CUexternalSemaphore *extSemArray;
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray;
    unsigned int numExtSems;
} CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1;
typedef CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1 CUDA_EXT_SEM_WAIT_NODE_PARAMS;
typedef struct CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2_st {
    CUexternalSemaphore *extSemArray;
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray;
    unsigned int numExtSems;
} CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2;
typedef struct CUarrayMapInfo_st {
    CUresourcetype resourceType;
    union {
        CUmipmappedArray mipmap;
        CUarray array;
    } resource;
    CUarraySparseSubresourceType subresourceType;
    union {
        struct {
            unsigned int level;
            unsigned int layer;
            unsigned int offsetX;
            unsigned int offsetY;
            unsigned int offsetZ;
            unsigned int extentWidth;
            unsigned int extentHeight;
            unsigned int extentDepth;
        } sparseLevel;
        struct {
            unsigned int layer;
            unsigned long long offset;
            unsigned long long size;
        } miptail;
    } subresource;
    CUmemOperationType memOperationType;
    CUmemHandleType memHandleType;
    union {
        CUmemGenericAllocationHandle memHandle;
    } memHandle;
    unsigned long long offset;
    unsigned int deviceBitMask;
    unsigned int flags;
    unsigned int reserved[2];
} CUarrayMapInfo_v1;
typedef CUarrayMapInfo_v1 CUarrayMapInfo;
typedef CUgraphExecUpdateResultInfo CUgraphExecUpdateResultInfo_v1;
typedef CUmemPoolProps CUmemPoolProps_v1;
typedef CUmemcpyAttributes CUmemcpyAttributes_v1;
typedef CUoffset3D CUoffset3D_v1;
typedef CUextent3D CUextent3D_v1;
typedef CUmemcpy3DOperand CUmemcpy3DOperand_v1;
typedef CUDA_MEMCPY3D_BATCH_OP CUDA_MEMCPY3D_BATCH_OP_v1;
typedef CUDA_MEM_ALLOC_NODE_PARAMS CUDA_MEM_ALLOC_NODE_PARAMS_v1;
typedef struct CUcheckpointLockArgs_st {
    unsigned int timeoutMs;
    unsigned int reserved0;
    cuuint64_t reserved1[7];
} CUcheckpointLockArgs;
typedef struct CUcheckpointCheckpointArgs_st {
    cuuint64_t reserved[8];
} CUcheckpointCheckpointArgs;
typedef struct CUcheckpointGpuPair_st {
    CUuuid oldUuid;
    CUuuid newUuid;
} CUcheckpointGpuPair;
typedef struct CUcheckpointRestoreArgs_st {
    CUcheckpointGpuPair *gpuPairs;
    unsigned int gpuPairsCount;
    char reserved[52 - (sizeof(CUcheckpointGpuPair *))];
    cuuint64_t reserved1;
} CUcheckpointRestoreArgs;
typedef struct CUcheckpointUnlockArgs_st {
    cuuint64_t reserved[8];
} CUcheckpointUnlockArgs;
/* Not told: its members have names that programs define as macros. */
typedef struct CUmemDecompressParams_st CUmemDecompressParams;
typedef CUdevResource CUdevResource_v1;
typedef struct CUlogsCallbackEntry_st *CUlogsCallbackHandle;
typedef void (*CUlogsCallback)(void *data, CUlogLevel logLevel, char *message, size_t length);
typedef unsigned int CUlogIterator;

#define WG_UNSUPPORTED                                                                                       \
    __attribute__((                                                                                          \
        __deprecated__("Warpglass does not have this function: it returns CUDA_ERROR_NOT_SUPPORTED")))
WG_UNSUPPORTED CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *__max_width_in_elements,
                                                           CUarray_format __format, unsigned __num_channels,
                                                           CUdevice __dev);
WG_UNSUPPORTED CUresult cuDeviceGetHostAtomicCapabilities(unsigned int *__capabilities,
                                                          const CUatomicOperation *__operations,
                                                          unsigned int __count, CUdevice __dev);
WG_UNSUPPORTED CUresult cuDeviceGetNvSciSyncAttributes(void *__nv_sci_sync_attr_list, CUdevice __dev,
                                                       int __flags);
WG_UNSUPPORTED CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget __target,
                                                   CUflushGPUDirectRDMAWritesScope __scope);
WG_UNSUPPORTED CUresult cuCtxGetDevice_v2(CUdevice *__device, CUcontext __ctx);
WG_UNSUPPORTED CUresult cuCtxSynchronize_v2(CUcontext __ctx);
WG_UNSUPPORTED CUresult cuCtxGetExecAffinity(CUexecAffinityParam *__p_exec_affinity,
                                             CUexecAffinityType __type);
WG_UNSUPPORTED CUresult cuCtxRecordEvent(CUcontext __h_ctx, CUevent __h_event);
WG_UNSUPPORTED CUresult cuCtxWaitEvent(CUcontext __h_ctx, CUevent __h_event);
WG_UNSUPPORTED CUresult cuLibraryGetUnifiedFunction(void **__fptr, CUlibrary __library, const char *__symbol);
WG_UNSUPPORTED CUresult cuDeviceRegisterAsyncNotification(CUdevice __device, CUasyncCallback __callback_func,
                                                          void *__user_data,
                                                          CUasyncCallbackHandle *__callback);
WG_UNSUPPORTED CUresult cuDeviceUnregisterAsyncNotification(CUdevice __device,
                                                            CUasyncCallbackHandle __callback);
WG_UNSUPPORTED CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *__sparse_properties,
                                                   CUarray __array);
WG_UNSUPPORTED CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES *__sparse_properties,
                                                            CUmipmappedArray __mipmap);
WG_UNSUPPORTED CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS *__memory_requirements,
                                                     CUarray __array, CUdevice __device);
WG_UNSUPPORTED CUresult cuMipmappedArrayGetMemoryRequirements(
    CUDA_ARRAY_MEMORY_REQUIREMENTS *__memory_requirements, CUmipmappedArray __mipmap, CUdevice __device);
WG_UNSUPPORTED CUresult cuArrayGetPlane(CUarray *__p_plane_array, CUarray __h_array,
                                        unsigned int __plane_idx);
WG_UNSUPPORTED CUresult cuMipmappedArrayCreate(CUmipmappedArray *__p_handle,
                                               const CUDA_ARRAY3D_DESCRIPTOR *__p_mipmapped_array_desc,
                                               unsigned int __num_mipmap_levels);
WG_UNSUPPORTED CUresult cuMipmappedArrayGetLevel(CUarray *__p_level_array,
                                                 CUmipmappedArray __h_mipmapped_array, unsigned int __level);
WG_UNSUPPORTED CUresult cuMipmappedArrayDestroy(CUmipmappedArray __h_mipmapped_array);
WG_UNSUPPORTED CUresult cuMemGetHandleForAddressRange(void *__handle, CUdeviceptr __dptr, size_t __size,
                                                      CUmemRangeHandleType __handle_type,
                                                      unsigned long long __flags);
WG_UNSUPPORTED CUresult cuMemBatchDecompressAsync(CUmemDecompressParams *__params_array, size_t __count,
                                                  unsigned int __flags, size_t *__error_index,
                                                  CUstream __stream);
WG_UNSUPPORTED CUresult cuMemMapArrayAsync(CUarrayMapInfo *__map_info_list, unsigned int __count,
                                           CUstream __h_stream);
WG_UNSUPPORTED CUresult cuImportExternalMemory(CUexternalMemory *__ext_mem_out,
                                               const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *__mem_handle_desc);
WG_UNSUPPORTED CUresult
cuExternalMemoryGetMappedBuffer(CUdeviceptr *__dev_ptr, CUexternalMemory __ext_mem,
                                const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *__buffer_desc);
WG_UNSUPPORTED CUresult
cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray *__mipmap, CUexternalMemory __ext_mem,
                                        const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *__mipmap_desc);
WG_UNSUPPORTED CUresult cuDestroyExternalMemory(CUexternalMemory __ext_mem);
WG_UNSUPPORTED CUresult cuImportExternalSemaphore(
    CUexternalSemaphore *__ext_sem_out, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *__sem_handle_desc);
WG_UNSUPPORTED CUresult cuSignalExternalSemaphoresAsync(
    const CUexternalSemaphore *__ext_sem_array, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *__params_array,
    unsigned int __num_ext_sems, CUstream __stream);
WG_UNSUPPORTED CUresult cuWaitExternalSemaphoresAsync(
    const CUexternalSemaphore *__ext_sem_array, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *__params_array,
    unsigned int __num_ext_sems, CUstream __stream);
WG_UNSUPPORTED CUresult cuDestroyExternalSemaphore(CUexternalSemaphore __ext_sem);
WG_UNSUPPORTED CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *__launch_params_list,
                                                             unsigned int __num_devices,
                                                             unsigned int __flags);
WG_UNSUPPORTED CUresult cuGraphAddExternalSemaphoresSignalNode(
    CUgraphNode *__ph_graph_node, CUgraph __h_graph, const CUgraphNode *__dependencies,
    size_t __num_dependencies, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *__node_params);
WG_UNSUPPORTED CUresult cuGraphExternalSemaphoresSignalNodeGetParams(
    CUgraphNode __h_node, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *__params_out);
WG_UNSUPPORTED CUresult cuGraphExternalSemaphoresSignalNodeSetParams(
    CUgraphNode __h_node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *__node_params);
WG_UNSUPPORTED CUresult cuGraphAddExternalSemaphoresWaitNode(
    CUgraphNode *__ph_graph_node, CUgraph __h_graph, const CUgraphNode *__dependencies,
    size_t __num_dependencies, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *__node_params);
WG_UNSUPPORTED CUresult
cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode __h_node, CUDA_EXT_SEM_WAIT_NODE_PARAMS *__params_out);
WG_UNSUPPORTED CUresult cuGraphExternalSemaphoresWaitNodeSetParams(
    CUgraphNode __h_node, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *__node_params);
WG_UNSUPPORTED CUresult cuGraphAddBatchMemOpNode(CUgraphNode *__ph_graph_node, CUgraph __h_graph,
                                                 const CUgraphNode *__dependencies, size_t __num_dependencies,
                                                 const CUDA_BATCH_MEM_OP_NODE_PARAMS *__node_params);
WG_UNSUPPORTED CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode __h_node,
                                                       CUDA_BATCH_MEM_OP_NODE_PARAMS *__node_params_out);
WG_UNSUPPORTED CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode __h_node,
                                                       const CUDA_BATCH_MEM_OP_NODE_PARAMS *__node_params);
WG_UNSUPPORTED CUresult cuGraphExecBatchMemOpNodeSetParams(
    CUgraphExec __h_graph_exec, CUgraphNode __h_node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *__node_params);
WG_UNSUPPORTED CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(
    CUgraphExec __h_graph_exec, CUgraphNode __h_node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *__node_params);
WG_UNSUPPORTED CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(
    CUgraphExec __h_graph_exec, CUgraphNode __h_node, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *__node_params);
WG_UNSUPPORTED CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *__p_res_view_desc,
                                                       CUtexObject __tex_object);
WG_UNSUPPORTED CUresult cuTensorMapEncodeIm2colWide(
    CUtensorMap *__tensor_map, CUtensorMapDataType __tensor_data_type, cuuint32_t __tensor_rank,
    void *__global_address, const cuuint64_t *__global_dim, const cuuint64_t *__global_strides,
    int __pixel_box_lower_corner_width, int __pixel_box_upper_corner_width, cuuint32_t __channels_per_pixel,
    cuuint32_t __pixels_per_column, const cuuint32_t *__element_strides, CUtensorMapInterleave __interleave,
    CUtensorMapIm2ColWideMode __mode, CUtensorMapSwizzle __swizzle, CUtensorMapL2promotion __l2_promotion,
    CUtensorMapFloatOOBfill __oob_fill);
WG_UNSUPPORTED CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int *__capabilities,
                                                         const CUatomicOperation *__operations,
                                                         unsigned int __count, CUdevice __src_device,
                                                         CUdevice __dst_device);
WG_UNSUPPORTED CUresult cuGraphicsUnregisterResource(CUgraphicsResource __resource);
WG_UNSUPPORTED CUresult cuGraphicsSubResourceGetMappedArray(CUarray *__p_array, CUgraphicsResource __resource,
                                                            unsigned int __array_index,
                                                            unsigned int __mip_level);
WG_UNSUPPORTED CUresult cuGraphicsResourceGetMappedMipmappedArray(CUmipmappedArray *__p_mipmapped_array,
                                                                  CUgraphicsResource __resource);
WG_UNSUPPORTED CUresult cuGraphicsResourceGetMappedPointer_v2(CUdeviceptr *__p_dev_ptr, size_t *__p_size,
                                                              CUgraphicsResource __resource);
WG_UNSUPPORTED CUresult cuGraphicsResourceSetMapFlags_v2(CUgraphicsResource __resource, unsigned int __flags);
WG_UNSUPPORTED CUresult cuGraphicsMapResources(unsigned int __count, CUgraphicsResource *__resources,
                                               CUstream __h_stream);
WG_UNSUPPORTED CUresult cuGraphicsUnmapResources(unsigned int __count, CUgraphicsResource *__resources,
                                                 CUstream __h_stream);
WG_UNSUPPORTED CUresult cuCoredumpGetAttribute(CUcoredumpSettings __attrib, void *__value, size_t *__size);
WG_UNSUPPORTED CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings __attrib, void *__value,
                                                     size_t *__size);
WG_UNSUPPORTED CUresult cuCoredumpSetAttribute(CUcoredumpSettings __attrib, void *__value, size_t *__size);
WG_UNSUPPORTED CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings __attrib, void *__value,
                                                     size_t *__size);
WG_UNSUPPORTED CUresult cuGreenCtxGetDevResource(CUgreenCtx __h_ctx, CUdevResource *__resource,
                                                 CUdevResourceType __type);
WG_UNSUPPORTED CUresult cuDevSmResourceSplitByCount(CUdevResource *__result, unsigned int *__nb_groups,
                                                    const CUdevResource *__input, CUdevResource *__remaining,
                                                    unsigned int __use_flags, unsigned int __min_count);
WG_UNSUPPORTED CUresult cuGreenCtxRecordEvent(CUgreenCtx __h_ctx, CUevent __h_event);
WG_UNSUPPORTED CUresult cuGreenCtxWaitEvent(CUgreenCtx __h_ctx, CUevent __h_event);
WG_UNSUPPORTED CUresult cuStreamGetGreenCtx(CUstream __h_stream, CUgreenCtx *__ph_ctx);
WG_UNSUPPORTED CUresult cuLogsRegisterCallback(CUlogsCallback __callback_func, void *__user_data,
                                               CUlogsCallbackHandle *__callback_out);
WG_UNSUPPORTED CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle __callback);
WG_UNSUPPORTED CUresult cuLogsCurrent(CUlogIterator *__iterator_out, unsigned int __flags);
WG_UNSUPPORTED CUresult cuLogsDumpToFile(CUlogIterator *__iterator, const char *__path_to_file,
                                         unsigned int __flags);
WG_UNSUPPORTED CUresult cuLogsDumpToMemory(CUlogIterator *__iterator, char *__buffer, size_t *__size,
                                           unsigned int __flags);
WG_UNSUPPORTED CUresult cuCheckpointProcessGetRestoreThreadId(int __pid, int *__tid);
WG_UNSUPPORTED CUresult cuCheckpointProcessGetState(int __pid, CUprocessState *__state);
WG_UNSUPPORTED CUresult cuCheckpointProcessLock(int __pid, CUcheckpointLockArgs *__args);
WG_UNSUPPORTED CUresult cuCheckpointProcessCheckpoint(int __pid, CUcheckpointCheckpointArgs *__args);
WG_UNSUPPORTED CUresult cuCheckpointProcessRestore(int __pid, CUcheckpointRestoreArgs *__args);
WG_UNSUPPORTED CUresult cuCheckpointProcessUnlock(int __pid, CUcheckpointUnlockArgs *__args);
#undef WG_UNSUPPORTED
#endif
