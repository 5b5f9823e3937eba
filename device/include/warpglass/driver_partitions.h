/* driver_partitions.h: access to memory pools, copies in batches, green contexts and more, which libraries'
 * headers name whatever a program does (CCCL's, for one). What of it is not there answers "not supported".
 *
 * Part of cuda.h.
 */
#ifndef WARPGLASS_DRIVER_PARTITIONS_H
#define WARPGLASS_DRIVER_PARTITIONS_H

typedef enum CUmemAccess_flags_enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
    CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
    CU_MEM_ACCESS_FLAGS_PROT_MAX = 0x7fffffff
} CUmemAccess_flags;
typedef struct CUmemAccessDesc_st {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc;
CUresult cuMemPoolSetAccess(CUmemoryPool __pool, const CUmemAccessDesc *__access, size_t __count);
CUresult cuMemPoolGetAccess(CUmemAccess_flags *__flags, CUmemoryPool __pool, CUmemLocation *__location);
CUresult cuMemGetDefaultMemPool(CUmemoryPool *__pool, CUmemLocation *__location, CUmemAllocationType __type);

typedef enum CUmemcpySrcAccessOrder_enum {
    CU_MEMCPY_SRC_ACCESS_ORDER_INVALID = 0,
    CU_MEMCPY_SRC_ACCESS_ORDER_STREAM = 1,
    CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL = 2,
    CU_MEMCPY_SRC_ACCESS_ORDER_ANY = 3,
    CU_MEMCPY_SRC_ACCESS_ORDER_MAX = 0x7fffffff
} CUmemcpySrcAccessOrder;
typedef struct CUmemcpyAttributes_st {
    CUmemcpySrcAccessOrder srcAccessOrder;
    CUmemLocation srcLocHint, dstLocHint;
    unsigned int flags;
} CUmemcpyAttributes;

typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUdevResourceDesc_st *CUdevResourceDesc;
typedef enum { CU_GREEN_CTX_DEFAULT_STREAM = 1 } CUgreenCtxCreate_flags;
typedef enum { CU_DEV_RESOURCE_TYPE_INVALID = 0, CU_DEV_RESOURCE_TYPE_SM = 1 } CUdevResourceType;
typedef struct CUdevSmResource_st {
    unsigned int smCount, minSmPartitionSize, smCoscheduledAlignment;
} CUdevSmResource;
typedef struct CUdevResource_st {
    CUdevResourceType type;
    unsigned char reserved_[92];
    union {
        CUdevSmResource sm;
        unsigned char reserved2_[48];
    };
} CUdevResource;
CUresult cuDeviceGetDevResource(CUdevice __device, CUdevResource *__resource, CUdevResourceType __type);
CUresult cuCtxGetDevResource(CUcontext __context, CUdevResource *__resource, CUdevResourceType __type);
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *__desc, CUdevResource *__resources,
                                   unsigned int __count);
CUresult cuGreenCtxCreate(CUgreenCtx *__context, CUdevResourceDesc __desc, CUdevice __device,
                          unsigned int __flags);
CUresult cuGreenCtxDestroy(CUgreenCtx __context);
CUresult cuGreenCtxGetId(CUgreenCtx __context, unsigned long long *__id);
CUresult cuGreenCtxStreamCreate(CUstream *__stream, CUgreenCtx __context, unsigned int __flags,
                                int __priority);
CUresult cuCtxFromGreenCtx(CUcontext *__context, CUgreenCtx __green);
CUresult cuStreamGetCtx_v2(CUstream __stream, CUcontext *__context, CUgreenCtx *__green);

CUresult cuLibraryGetManaged(CUdeviceptr *__pointer, size_t *__bytes, CUlibrary __library,
                             const char *__name);
CUresult cuKernelGetLibrary(CUlibrary *__library, CUkernel __kern);

#endif
