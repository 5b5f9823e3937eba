/* The twins whose stream 0 is the calling thread's own default stream.
 *
 * A program compiled with `nvcc --default-stream per-thread` calls cuMemcpyAsync_ptsz where another calls
 * cuMemcpyAsync; the functions without a stream end in _ptds. Each switches the meaning of stream 0 for the
 * time of the call.
 */
#include "driver/driver.h"

#define TWIN(NAME, FORM, PARAMETERS, ARGUMENTS)                                                              \
    WG_EXPORT CUresult NAME##FORM PARAMETERS;                                                                \
    CUresult NAME##FORM PARAMETERS {                                                                         \
        bool was = wg_default_stream_per_thread(true);                                                       \
        CUresult r = NAME ARGUMENTS;                                                                         \
        wg_default_stream_per_thread(was);                                                                   \
        return r;                                                                                            \
    }
#define PTDS(NAME, PARAMETERS, ARGUMENTS) TWIN(NAME, _ptds, PARAMETERS, ARGUMENTS)
#define PTSZ(NAME, PARAMETERS, ARGUMENTS) TWIN(NAME, _ptsz, PARAMETERS, ARGUMENTS)

/* clang-format off */
PTDS(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t n), (to, from, n))
PTDS(cuMemcpyPeer, (CUdeviceptr to, CUcontext tc, CUdeviceptr from, CUcontext fc, size_t n), (to, tc, from, fc, n))
PTDS(cuMemcpyHtoD_v2, (CUdeviceptr to, const void *from, size_t n), (to, from, n))
PTDS(cuMemcpyDtoH_v2, (void *to, CUdeviceptr from, size_t n), (to, from, n))
PTDS(cuMemcpyDtoD_v2, (CUdeviceptr to, CUdeviceptr from, size_t n), (to, from, n))
PTDS(cuMemcpy2D_v2, (const CUDA_MEMCPY2D *c), (c))
PTDS(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D *c), (c))
PTDS(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *c), (c))
PTDS(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *c), (c))
PTDS(cuMemsetD8_v2, (CUdeviceptr p, unsigned char v, size_t n), (p, v, n))
PTDS(cuMemsetD16_v2, (CUdeviceptr p, unsigned short v, size_t n), (p, v, n))
PTDS(cuMemsetD32_v2, (CUdeviceptr p, unsigned int v, size_t n), (p, v, n))
PTDS(cuMemsetD2D8_v2, (CUdeviceptr p, size_t pitch, unsigned char v, size_t w, size_t h), (p, pitch, v, w, h))
PTDS(cuMemsetD2D16_v2, (CUdeviceptr p, size_t pitch, unsigned short v, size_t w, size_t h), (p, pitch, v, w, h))
PTDS(cuMemsetD2D32_v2, (CUdeviceptr p, size_t pitch, unsigned int v, size_t w, size_t h), (p, pitch, v, w, h))
PTSZ(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s), (to, from, n, s))
PTSZ(cuMemcpyPeerAsync, (CUdeviceptr to, CUcontext tc, CUdeviceptr from, CUcontext fc, size_t n, CUstream s), (to, tc, from, fc, n, s))
PTSZ(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t n, CUstream s), (to, from, n, s))
PTSZ(cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t n, CUstream s), (to, from, n, s))
PTSZ(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s), (to, from, n, s))
PTSZ(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *c, CUstream s), (c, s))
PTSZ(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *c, CUstream s), (c, s))
PTSZ(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *c, CUstream s), (c, s))
PTSZ(cuMemsetD8Async, (CUdeviceptr p, unsigned char v, size_t n, CUstream s), (p, v, n, s))
PTSZ(cuMemsetD16Async, (CUdeviceptr p, unsigned short v, size_t n, CUstream s), (p, v, n, s))
PTSZ(cuMemsetD32Async, (CUdeviceptr p, unsigned int v, size_t n, CUstream s), (p, v, n, s))
PTSZ(cuMemsetD2D8Async, (CUdeviceptr p, size_t pitch, unsigned char v, size_t w, size_t h, CUstream s), (p, pitch, v, w, h, s))
PTSZ(cuMemsetD2D16Async, (CUdeviceptr p, size_t pitch, unsigned short v, size_t w, size_t h, CUstream s), (p, pitch, v, w, h, s))
PTSZ(cuMemsetD2D32Async, (CUdeviceptr p, size_t pitch, unsigned int v, size_t w, size_t h, CUstream s), (p, pitch, v, w, h, s))
PTSZ(cuMemPrefetchAsync_v2, (CUdeviceptr p, size_t n, CUmemLocation l, unsigned int f, CUstream s), (p, n, l, f, s))
PTSZ(cuMemAllocAsync, (CUdeviceptr *p, size_t n, CUstream s), (p, n, s))
PTSZ(cuMemAllocFromPoolAsync, (CUdeviceptr *p, size_t n, CUmemoryPool pool, CUstream s), (p, n, pool, s))
PTSZ(cuMemFreeAsync, (CUdeviceptr p, CUstream s), (p, s))
PTSZ(cuStreamGetPriority, (CUstream s, int *p), (s, p))
PTSZ(cuStreamGetDevice, (CUstream s, CUdevice *d), (s, d))
PTSZ(cuStreamGetFlags, (CUstream s, unsigned int *f), (s, f))
PTSZ(cuStreamGetId, (CUstream s, unsigned long long *id), (s, id))
PTSZ(cuStreamGetCtx, (CUstream s, CUcontext *c), (s, c))
PTSZ(cuStreamWaitEvent, (CUstream s, CUevent e, unsigned int f), (s, e, f))
PTSZ(cuStreamWaitValue32_v2, (CUstream s, CUdeviceptr p, cuuint32_t v, unsigned int f), (s, p, v, f))
PTSZ(cuStreamWriteValue32_v2, (CUstream s, CUdeviceptr p, cuuint32_t v, unsigned int f), (s, p, v, f))
PTSZ(cuStreamWaitValue64_v2, (CUstream s, CUdeviceptr p, cuuint64_t v, unsigned int f), (s, p, v, f))
PTSZ(cuStreamWriteValue64_v2, (CUstream s, CUdeviceptr p, cuuint64_t v, unsigned int f), (s, p, v, f))
PTSZ(cuStreamBatchMemOp_v2, (CUstream s, unsigned int n, CUstreamBatchMemOpParams *o, unsigned int f), (s, n, o, f))
PTSZ(cuStreamAddCallback, (CUstream s, CUstreamCallback c, void *u, unsigned int f), (s, c, u, f))
PTSZ(cuStreamAttachMemAsync, (CUstream s, CUdeviceptr p, size_t n, unsigned int f), (s, p, n, f))
PTSZ(cuStreamCopyAttributes, (CUstream d, CUstream s), (d, s))
PTSZ(cuStreamGetAttribute, (CUstream s, CUlaunchAttributeID id, CUlaunchAttributeValue *v), (s, id, v))
PTSZ(cuStreamSetAttribute, (CUstream s, CUlaunchAttributeID id, const CUlaunchAttributeValue *v), (s, id, v))
PTSZ(cuStreamBeginCapture_v2, (CUstream s, CUstreamCaptureMode m), (s, m))
PTSZ(cuStreamBeginCaptureToGraph, (CUstream s, CUgraph g, const CUgraphNode *d, const CUgraphEdgeData *e, size_t n, CUstreamCaptureMode m), (s, g, d, e, n, m))
PTSZ(cuStreamUpdateCaptureDependencies_v2, (CUstream s, CUgraphNode *d, const CUgraphEdgeData *e, size_t n, unsigned int f), (s, d, e, n, f))
PTSZ(cuStreamEndCapture, (CUstream s, CUgraph *g), (s, g))
PTSZ(cuStreamGetCaptureInfo_v3,
     (CUstream s, CUstreamCaptureStatus *c, cuuint64_t *id, CUgraph *g, const CUgraphNode **d, const CUgraphEdgeData **e, size_t *n),
     (s, c, id, g, d, e, n))
PTSZ(cuGraphInstantiateWithParams, (CUgraphExec *x, CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS *p), (x, g, p))
PTSZ(cuGraphLaunch, (CUgraphExec x, CUstream s), (x, s))
PTSZ(cuGraphUpload, (CUgraphExec x, CUstream s), (x, s))
PTSZ(cuStreamIsCapturing, (CUstream s, CUstreamCaptureStatus *c), (s, c))
PTSZ(cuStreamQuery, (CUstream s), (s))
PTSZ(cuStreamSynchronize, (CUstream s), (s))
PTSZ(cuEventRecord, (CUevent e, CUstream s), (e, s))
PTSZ(cuEventRecordWithFlags, (CUevent e, CUstream s, unsigned int f), (e, s, f))
PTSZ(cuLaunchHostFunc, (CUstream s, CUhostFn f, void *u), (s, f, u))
PTSZ(cuLaunchKernel,
     (CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz,
      unsigned int shared, CUstream s, void **args, void **extra),
     (f, gx, gy, gz, bx, by, bz, shared, s, args, extra))
PTSZ(cuLaunchKernelEx, (const CUlaunchConfig *c, CUfunction f, void **args, void **extra), (c, f, args, extra))
PTSZ(cuLaunchCooperativeKernel,
     (CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by, unsigned int bz,
      unsigned int shared, CUstream s, void **args),
     (f, gx, gy, gz, bx, by, bz, shared, s, args))

/* The form of CUDA 8 to 12, with a device number. */
#undef cuMemPrefetchAsync
/* And those whose second version takes the same. */
#undef cuStreamBatchMemOp
#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64
CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t n, CUdevice d, CUstream s);
CUresult cuStreamWaitValue32(CUstream s, CUdeviceptr p, cuuint32_t v, unsigned int f);
CUresult cuStreamWriteValue32(CUstream s, CUdeviceptr p, cuuint32_t v, unsigned int f);
CUresult cuStreamWaitValue64(CUstream s, CUdeviceptr p, cuuint64_t v, unsigned int f);
CUresult cuStreamWriteValue64(CUstream s, CUdeviceptr p, cuuint64_t v, unsigned int f);
CUresult cuStreamBatchMemOp(CUstream s, unsigned int n, CUstreamBatchMemOpParams *o, unsigned int f);
PTSZ(cuMemPrefetchAsync, (CUdeviceptr p, size_t n, CUdevice d, CUstream s), (p, n, d, s))
PTSZ(cuStreamWaitValue32, (CUstream s, CUdeviceptr p, cuuint32_t v, unsigned int f), (s, p, v, f))
PTSZ(cuStreamWriteValue32, (CUstream s, CUdeviceptr p, cuuint32_t v, unsigned int f), (s, p, v, f))
PTSZ(cuStreamWaitValue64, (CUstream s, CUdeviceptr p, cuuint64_t v, unsigned int f), (s, p, v, f))
PTSZ(cuStreamWriteValue64, (CUstream s, CUdeviceptr p, cuuint64_t v, unsigned int f), (s, p, v, f))
PTSZ(cuStreamBatchMemOp, (CUstream s, unsigned int n, CUstreamBatchMemOpParams *o, unsigned int f), (s, n, o, f))
/* The form of CUDA 11 and 12, without data of edges. */
#undef cuStreamUpdateCaptureDependencies
CUresult cuStreamUpdateCaptureDependencies(CUstream s, CUgraphNode *d, size_t n, unsigned int f);
PTSZ(cuStreamUpdateCaptureDependencies, (CUstream s, CUgraphNode *d, size_t n, unsigned int f), (s, d, n, f))
/* clang-format on */
