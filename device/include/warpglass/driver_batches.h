/* driver_batches.h: copies in batches, bytes of arrays, user objects, attributes of kernel nodes, and what else few programs
 * call.
 *
 * Part of cuda.h.
 */
#ifndef WARPGLASS_DRIVER_BATCHES_H
#define WARPGLASS_DRIVER_BATCHES_H

/* ---- Batches ---- */
typedef enum CUmemcpyFlags_enum {
    CU_MEMCPY_FLAG_DEFAULT = 0,
    CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE = 1
} CUmemcpyFlags;
typedef enum CUmemcpy3DOperandType_enum {
    CU_MEMCPY_OPERAND_TYPE_POINTER = 1,
    CU_MEMCPY_OPERAND_TYPE_ARRAY = 2,
    CU_MEMCPY_OPERAND_TYPE_MAX = 0x7fffffff
} CUmemcpy3DOperandType;
typedef struct CUoffset3D_st {
    size_t x, y, z;
} CUoffset3D;
typedef struct CUextent3D_st {
    size_t width, height, depth;
} CUextent3D;
typedef struct CUmemcpy3DOperand_st {
    CUmemcpy3DOperandType type;
    union {
        struct {
            CUdeviceptr ptr;
            size_t rowLength, layerHeight;
            CUmemLocation locHint;
        } ptr;
        struct {
            CUarray array;
            CUoffset3D offset;
        } array;
    } op;
} CUmemcpy3DOperand;
#pragma push_macro("src") /* a member of a name that programs give macros */
#undef src
typedef struct CUDA_MEMCPY3D_BATCH_OP_st {
    CUmemcpy3DOperand src, dst;
    CUextent3D extent;
    CUmemcpySrcAccessOrder srcAccessOrder;
    unsigned int flags;
} CUDA_MEMCPY3D_BATCH_OP;
#pragma pop_macro("src")

#define cuMemcpyBatchAsync   cuMemcpyBatchAsync_v2
#define cuMemcpy3DBatchAsync cuMemcpy3DBatchAsync_v2
CUresult cuMemcpyBatchAsync(CUdeviceptr *__to, CUdeviceptr *__from, size_t *__bytes, size_t __count,
                            CUmemcpyAttributes *__attributes, size_t *__firsts, size_t __nattributes,
                            CUstream __stream);
CUresult cuMemcpy3DBatchAsync(size_t __count, CUDA_MEMCPY3D_BATCH_OP *__operations,
                              unsigned long long __flags, CUstream __stream);
CUresult cuMemPrefetchBatchAsync(CUdeviceptr *__pointers, size_t *__bytes, size_t __count,
                                 CUmemLocation *__places, size_t *__firsts, size_t __nplaces,
                                 unsigned long long __flags, CUstream __stream);
CUresult cuMemDiscardBatchAsync(CUdeviceptr *__pointers, size_t *__bytes, size_t __count,
                                unsigned long long __flags, CUstream __stream);
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *__pointers, size_t *__bytes, size_t __count,
                                           CUmemLocation *__places, size_t *__firsts, size_t __nplaces,
                                           unsigned long long __flags, CUstream __stream);

/* ---- Bytes of an array's first row ---- */
#define cuMemcpyHtoA      cuMemcpyHtoA_v2
#define cuMemcpyAtoH      cuMemcpyAtoH_v2
#define cuMemcpyDtoA      cuMemcpyDtoA_v2
#define cuMemcpyAtoD      cuMemcpyAtoD_v2
#define cuMemcpyAtoA      cuMemcpyAtoA_v2
#define cuMemcpyHtoAAsync cuMemcpyHtoAAsync_v2
#define cuMemcpyAtoHAsync cuMemcpyAtoHAsync_v2
CUresult cuMemcpyHtoA(CUarray __to, size_t __offset, const void *__from, size_t __bytes);
CUresult cuMemcpyAtoH(void *__to, CUarray __from, size_t __offset, size_t __bytes);
CUresult cuMemcpyDtoA(CUarray __to, size_t __offset, CUdeviceptr __from, size_t __bytes);
CUresult cuMemcpyAtoD(CUdeviceptr __to, CUarray __from, size_t __offset, size_t __bytes);
CUresult cuMemcpyAtoA(CUarray __to, size_t __to_offset, CUarray __from, size_t __from_offset, size_t __bytes);
CUresult cuMemcpyHtoAAsync(CUarray __to, size_t __offset, const void *__from, size_t __bytes,
                           CUstream __stream);
CUresult cuMemcpyAtoHAsync(void *__to, CUarray __from, size_t __offset, size_t __bytes, CUstream __stream);

/* ---- Memory ---- */
CUresult cuMemGetMemPool(CUmemoryPool *__pool, CUmemLocation *__place, CUmemAllocationType __type);
CUresult cuMemSetMemPool(CUmemLocation *__place, CUmemAllocationType __type, CUmemoryPool __pool);
CUresult cuMemsetD2D8Async(CUdeviceptr __pointer, size_t __pitch, unsigned char __value, size_t __width,
                           size_t __height, CUstream __stream);
CUresult cuMemsetD2D16Async(CUdeviceptr __pointer, size_t __pitch, unsigned short __value, size_t __width,
                            size_t __height, CUstream __stream);
CUresult cuMemsetD2D32Async(CUdeviceptr __pointer, size_t __pitch, unsigned int __value, size_t __width,
                            size_t __height, CUstream __stream);
CUresult cuStreamAttachMemAsync(CUstream __stream, CUdeviceptr __pointer, size_t __bytes,
                                unsigned int __flags);
CUresult cuMemRangeGetAttribute(void *__data, size_t __size, CUmem_range_attribute __attr,
                                CUdeviceptr __pointer, size_t __bytes);
CUresult cuMemRangeGetAttributes(void **__data, size_t *__sizes, CUmem_range_attribute *__attributes,
                                 size_t __count, CUdeviceptr __pointer, size_t __bytes);

/* ---- User objects ---- */
typedef struct CUuserObject_st *CUuserObject;
typedef enum CUuserObject_flags_enum { CU_USER_OBJECT_NO_DESTRUCTOR_SYNC = 1 } CUuserObject_flags;
typedef enum CUuserObjectRetain_flags_enum { CU_GRAPH_USER_OBJECT_MOVE = 1 } CUuserObjectRetain_flags;
CUresult cuUserObjectCreate(CUuserObject *__object, void *__pointer, CUhostFn __destroy, unsigned int __count,
                            unsigned int __flags);
CUresult cuUserObjectRetain(CUuserObject __object, unsigned int __count);
CUresult cuUserObjectRelease(CUuserObject __object, unsigned int __count);
CUresult cuGraphRetainUserObject(CUgraph __graph, CUuserObject __object, unsigned int __count,
                                 unsigned int __flags);
CUresult cuGraphReleaseUserObject(CUgraph __graph, CUuserObject __object, unsigned int __count);

/* ---- Attributes of a kernel node ---- */
typedef CUlaunchAttributeID CUkernelNodeAttrID;
typedef CUlaunchAttributeValue CUkernelNodeAttrValue;
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode __node, CUkernelNodeAttrID __id,
                                       CUkernelNodeAttrValue *__value);
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode __node, CUkernelNodeAttrID __id,
                                       const CUkernelNodeAttrValue *__value);
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode __to, CUgraphNode __from);

/* ---- Kernels, streams, devices ---- */
typedef enum CUfunctionLoadingState_enum {
    CU_FUNCTION_LOADING_STATE_UNLOADED = 0,
    CU_FUNCTION_LOADING_STATE_LOADED = 1,
    CU_FUNCTION_LOADING_STATE_MAX
} CUfunctionLoadingState;
typedef enum CUexecAffinityType_enum {
    CU_EXEC_AFFINITY_TYPE_SM_COUNT = 0,
    CU_EXEC_AFFINITY_TYPE_MAX
} CUexecAffinityType;
typedef CUlaunchAttributeID CUstreamAttrID;
typedef CUlaunchAttributeValue CUstreamAttrValue;
CUresult cuFuncIsLoaded(CUfunctionLoadingState *__state, CUfunction __function);
CUresult cuFuncLoad(CUfunction __function);
CUresult cuLibraryGetKernelCount(unsigned int *__count, CUlibrary __library);
CUresult cuLibraryEnumerateKernels(CUkernel *__kernels, unsigned int __count, CUlibrary __library);
CUresult cuKernelGetParamInfo(CUkernel __kernel, size_t __index, size_t *__offset, size_t *__bytes);
CUresult cuKernelSetCacheConfig(CUkernel __kernel, CUfunc_cache __config, CUdevice __device);
CUresult cuStreamCopyAttributes(CUstream __to, CUstream __from);
CUresult cuStreamGetAttribute(CUstream __stream, CUstreamAttrID __id, CUstreamAttrValue *__value);
CUresult cuStreamSetAttribute(CUstream __stream, CUstreamAttrID __id, const CUstreamAttrValue *__value);
CUresult cuDeviceGetExecAffinitySupport(int *__support, CUexecAffinityType __type, CUdevice __device);

#endif
