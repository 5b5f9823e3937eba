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
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count);
CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location);
CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, CUmemAllocationType type);

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
CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                            CUmemcpyAttributes *attributes, size_t *firsts, size_t nattributes,
                            CUstream stream);

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
CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource *resource, CUdevResourceType type);
CUresult cuCtxGetDevResource(CUcontext context, CUdevResource *resource, CUdevResourceType type);
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc *desc, CUdevResource *resources, unsigned int count);
CUresult cuGreenCtxCreate(CUgreenCtx *context, CUdevResourceDesc desc, CUdevice device, unsigned int flags);
CUresult cuGreenCtxDestroy(CUgreenCtx context);
CUresult cuGreenCtxGetId(CUgreenCtx context, unsigned long long *id);
CUresult cuGreenCtxStreamCreate(CUstream *stream, CUgreenCtx context, unsigned int flags, int priority);
CUresult cuCtxFromGreenCtx(CUcontext *context, CUgreenCtx green);
CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green);

CUresult cuLibraryGetManaged(CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name);
CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
typedef CUlaunchAttributeID CUkernelNodeAttrID;
typedef CUlaunchAttributeValue CUkernelNodeAttrValue;
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID id,
                                       const CUkernelNodeAttrValue *value);

#endif
