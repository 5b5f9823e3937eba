/* libcudart.so.12: the runtime library for programs that nvcc 12 built.
 *
 * It is libcudart.so.13 under CUDA 12's name and version, with what differs: struct cudaDeviceProp (which
 * still had the clocks and the compute mode), memory advice by device number, and functions that CUDA 13
 * dropped.
 */
#include "runtime/runtime.h"
#include "runtime/properties.h"
#include <string.h>

const int wg_runtime_version = 12090;

/* A function whose plain name is another one in our header, which is CUDA 13's. */
#define OTHER(NAME, PARAMETERS)                                                                              \
    WG_EXPORT cudaError_t rt12_##NAME PARAMETERS __asm__(#NAME);                                             \
    cudaError_t rt12_##NAME PARAMETERS

/* ---- Devices ------------------------------------------------------------------------------------ */

struct prop12 {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory,
        computeMode;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2];
    int maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3];
    int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
        hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess;
    int computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
    int cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned int gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned int memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
    int reserved[63];
};
_Static_assert(sizeof(struct prop12) == 1032 && offsetof(struct prop12, clockRate) == 348,
               "CUDA 12's layout");
_Static_assert(offsetof(struct prop12, computeMode) == 404 && offsetof(struct prop12, memoryClockRate) == 608,
               "CUDA 12's layout");
_Static_assert(offsetof(struct prop12, clusterLaunch) == 772, "CUDA 12's layout");

WG_EXPORT cudaError_t cudaGetDeviceProperties_v2(struct prop12 *p, int device);
cudaError_t cudaGetDeviceProperties_v2(struct prop12 *p, int device) {
    int v = 0;
    CUdevice d;
    CUresult r = cuInit(0) ?: p ? cuDeviceGet(&d, device) : CUDA_ERROR_INVALID_VALUE;
    if (r) return wg_note(r);
    memset(p, 0, sizeof *p);
    r = cuDeviceGetName(p->name, sizeof p->name, d) ?: cuDeviceGetUuid(&p->uuid, d) ?: cuDeviceTotalMem(&p->totalGlobalMem, d);
#define X(FIELD, ATTRIBUTE)                                                                                  \
    if (!r && !(r = cuDeviceGetAttribute(&v, (CUdevice_attribute)cudaDevAttr##ATTRIBUTE, d)))                \
        p->FIELD = (__typeof__(p->FIELD))v;
    WG_PROPERTIES(X)
    WG_PROPERTIES_12(X)
#undef X
    return wg_note(r);
}
/* The first form of CUDA 11 and before, whose struct ended earlier: a program that calls it was not built by
 * nvcc 12. */
OTHER(cudaGetDeviceProperties, (void *p, int device)) {
    return wg_note(wg_not_supported("cudaGetDeviceProperties of CUDA 11"));
}

/* ---- Managed memory: by device number (-1: the host), or as in CUDA 13 --------------------------- */

static CUmemLocation location_of(int device) {
    return device == cudaCpuDeviceId ? (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0}
                                     : (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
}
static cudaError_t advise(const void *p, size_t n, enum cudaMemoryAdvise advice, CUmemLocation location) {
    return wg_note(wg_start() ?: cuMemAdvise((CUdeviceptr)(uintptr_t)p, n, (CUmem_advise)advice, location));
}
static cudaError_t prefetch(const void *p, size_t n, CUmemLocation location, unsigned int flags,
                            cudaStream_t stream) {
    return wg_note(wg_start() ?: cuMemPrefetchAsync((CUdeviceptr)(uintptr_t)p, n, location, flags, stream));
}
static cudaStream_t own(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

OTHER(cudaMemAdvise, (const void *p, size_t n, enum cudaMemoryAdvise a, int device)) {
    return advise(p, n, a, location_of(device));
}
OTHER(cudaMemPrefetchAsync, (const void *p, size_t n, int device, cudaStream_t s)) {
    return prefetch(p, n, location_of(device), 0, s);
}
OTHER(cudaMemPrefetchAsync_ptsz, (const void *p, size_t n, int device, cudaStream_t s)) {
    return prefetch(p, n, location_of(device), 0, own(s));
}

/* ---- Functions under the names of CUDA 12 ----------------------------------------------------- */

/* NAME is NEW with the same parameters. */
#define SAME(NAME, NEW, PARAMETERS, ARGUMENTS)                                                               \
    OTHER(NAME, PARAMETERS) { return NEW ARGUMENTS; }
/* clang-format off */
SAME(cudaMemAdvise_v2, advise, (const void *p, size_t n, enum cudaMemoryAdvise a, CUmemLocation l), (p, n, a, l))
SAME(cudaMemPrefetchAsync_v2, prefetch, (const void *p, size_t n, CUmemLocation l, unsigned int f, cudaStream_t s), (p, n, l, f, s))
SAME(cudaMemPrefetchAsync_v2_ptsz, prefetch, (const void *p, size_t n, CUmemLocation l, unsigned int f, cudaStream_t s), (p, n, l, f, own(s)))
SAME(cudaEventElapsedTime_v2, cudaEventElapsedTime, (float *ms, cudaEvent_t a, cudaEvent_t b), (ms, a, b))
SAME(cudaThreadExit, cudaDeviceReset, (void), ())
SAME(cudaThreadSynchronize, cudaDeviceSynchronize, (void), ())
SAME(cudaThreadGetLimit, cudaDeviceGetLimit, (size_t *v, enum cudaLimit l), (v, l))
SAME(cudaThreadSetLimit, cudaDeviceSetLimit, (enum cudaLimit l, size_t v), (l, v))
SAME(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig, (enum cudaFuncCache *c), (c))
SAME(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig, (enum cudaFuncCache c), (c))
/* clang-format on */

/* ---- Edges of graphs: CUDA 12 has them without data, and with data under names of their own ----- */

typedef cudaGraphNode_t N;
typedef CUgraphEdgeData E;
/* clang-format off */
#define EDGES(NAME, CALL, PARAMETERS, WITH_DATA, WITHOUT, WITH)                                                        \
    OTHER(NAME, PARAMETERS) { return wg_note(wg_start() ?: CALL WITHOUT); }                                            \
    WG_EXPORT cudaError_t NAME##_v2 WITH_DATA;                                                                         \
    cudaError_t NAME##_v2 WITH_DATA { return wg_note(wg_start() ?: CALL WITH); }
EDGES(cudaGraphAddDependencies, cuGraphAddDependencies, (cudaGraph_t g, const N *from, const N *to, size_t n),
      (cudaGraph_t g, const N *from, const N *to, const E *e, size_t n), (g, from, to, NULL, n), (g, from, to, e, n))
EDGES(cudaGraphRemoveDependencies, cuGraphRemoveDependencies, (cudaGraph_t g, const N *from, const N *to, size_t n),
      (cudaGraph_t g, const N *from, const N *to, const E *e, size_t n), (g, from, to, NULL, n), (g, from, to, e, n))
EDGES(cudaGraphGetEdges, cuGraphGetEdges, (cudaGraph_t g, N *from, N *to, size_t *n),
      (cudaGraph_t g, N *from, N *to, E *e, size_t *n), (g, from, to, NULL, n), (g, from, to, e, n))
EDGES(cudaGraphNodeGetDependencies, cuGraphNodeGetDependencies, (N node, N *v, size_t *n),
      (N node, N *v, E *e, size_t *n), (node, v, NULL, n), (node, v, e, n))
EDGES(cudaGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes, (N node, N *v, size_t *n),
      (N node, N *v, E *e, size_t *n), (node, v, NULL, n), (node, v, e, n))

typedef CUstreamCaptureStatus S;
static cudaError_t capture_info(cudaStream_t s, S *status, cuuint64_t *id, cudaGraph_t *g, const N **v, const E **e, size_t *n) {
    return wg_note(wg_start() ?: cuStreamGetCaptureInfo(s, status, id, g, v, e, n));
}
OTHER(cudaStreamGetCaptureInfo, (cudaStream_t s, S *status, cuuint64_t *id)) { return capture_info(s, status, id, NULL, NULL, NULL, NULL); }
OTHER(cudaStreamGetCaptureInfo_ptsz, (cudaStream_t s, S *status, cuuint64_t *id)) { return capture_info(own(s), status, id, NULL, NULL, NULL, NULL); }
SAME(cudaStreamGetCaptureInfo_v2, capture_info, (cudaStream_t s, S *status, cuuint64_t *id, cudaGraph_t *g, const N **v, size_t *n), (s, status, id, g, v, NULL, n))
SAME(cudaStreamGetCaptureInfo_v2_ptsz, capture_info, (cudaStream_t s, S *status, cuuint64_t *id, cudaGraph_t *g, const N **v, size_t *n), (own(s), status, id, g, v, NULL, n))
SAME(cudaStreamGetCaptureInfo_v3, capture_info, (cudaStream_t s, S *status, cuuint64_t *id, cudaGraph_t *g, const N **v, const E **e, size_t *n), (s, status, id, g, v, e, n))
SAME(cudaStreamGetCaptureInfo_v3_ptsz, capture_info, (cudaStream_t s, S *status, cuuint64_t *id, cudaGraph_t *g, const N **v, const E **e, size_t *n), (own(s), status, id, g, v, e, n))
/* clang-format on */

/* ---- Copies in batches, which say where one failed ------------------------------------------------ */

OTHER(cudaMemcpyBatchAsync,
      (void **to, void **from, size_t *bytes, size_t n, struct cudaMemcpyAttributes *attributes,
       size_t *firsts, size_t nattributes, size_t *failed, cudaStream_t stream)) {
    CUresult r =
        wg_start()
            ?: cuMemcpyBatchAsync((CUdeviceptr *)(void *)to, (CUdeviceptr *)(void *)from, bytes, n,
                                  (CUmemcpyAttributes *)(void *)attributes, firsts, nattributes, stream);
    if (r && failed) *failed = SIZE_MAX; /* not one of them alone */
    return wg_note(r);
}
OTHER(cudaMemcpy3DBatchAsync, (size_t n, struct cudaMemcpy3DBatchOp *operations, size_t *failed,
                               unsigned long long flags, cudaStream_t stream)) {
    CUresult r =
        wg_start() ?: cuMemcpy3DBatchAsync(n, (CUDA_MEMCPY3D_BATCH_OP *)(void *)operations, flags, stream);
    if (r && failed) *failed = SIZE_MAX;
    return wg_note(r);
}
/* In which order CUDA 12 takes the two nodes is not known. */
OTHER(cudaGraphKernelNodeCopyAttributes, (cudaGraphNode_t a, cudaGraphNode_t b)) {
    return wg_note(wg_start() ?: wg_not_supported("cudaGraphKernelNodeCopyAttributes of CUDA 12"));
}
