/* Older forms of functions whose names cuda.h turns into newer ones.
 *
 * CUDA keeps every form that a program of the last years may call: cuCtxDestroy is the symbol of CUDA 2,
 * cuCtxDestroy_v2 that of today. Where only the number changed, one calls the other. The forms with 32-bit
 * device pointers are not here: no 64-bit program uses them.
 */
#include "driver/driver.h"

#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuDeviceGetUuid
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuEventElapsedTime
#undef cuIpcOpenMemHandle
#undef cuMemHostRegister
#undef cuMemPrefetchAsync
#undef cuMemAdvise
#undef cuLinkCreate
#undef cuLinkAddData
#undef cuLinkAddFile
#undef cuGetProcAddress
#undef cuStreamBatchMemOp
#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64

/* The same function under its first name. */
#define SAME(OLD, NEW, PARAMETERS, ARGUMENTS)                                                                \
    WG_EXPORT CUresult OLD PARAMETERS;                                                                       \
    CUresult OLD PARAMETERS { return NEW ARGUMENTS; }

SAME(cuCtxCreate, cuCtxCreate_v2, (CUcontext * c, unsigned int flags, CUdevice d), (c, flags, d))
SAME(cuCtxDestroy, cuCtxDestroy_v2, (CUcontext c), (c))
SAME(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext c), (c))
SAME(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext * c), (c))
SAME(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice d), (d))
SAME(cuDevicePrimaryCtxReset, cuDevicePrimaryCtxReset_v2, (CUdevice d), (d))
SAME(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, (CUdevice d, unsigned int flags), (d, flags))
SAME(cuDeviceGetUuid, cuDeviceGetUuid_v2, (CUuuid * u, CUdevice d), (u, d))
SAME(cuStreamDestroy, cuStreamDestroy_v2, (CUstream s), (s))
SAME(cuEventDestroy, cuEventDestroy_v2, (CUevent e), (e))
SAME(cuEventElapsedTime, cuEventElapsedTime_v2, (float *ms, CUevent a, CUevent b), (ms, a, b))
SAME(cuMemHostRegister, cuMemHostRegister_v2, (void *p, size_t n, unsigned int flags), (p, n, flags))
SAME(cuIpcOpenMemHandle, cuIpcOpenMemHandle_v2, (CUdeviceptr * p, CUipcMemHandle h, unsigned int flags),
     (p, h, flags))
SAME(cuLinkCreate, cuLinkCreate_v2, (unsigned int n, CUjit_option *o, void **v, CUlinkState *s), (n, o, v, s))
SAME(cuLinkAddData, cuLinkAddData_v2,
     (CUlinkState s, CUjitInputType t, void *data, size_t bytes, const char *name, unsigned int n,
      CUjit_option *o, void **v),
     (s, t, data, bytes, name, n, o, v))
SAME(cuLinkAddFile, cuLinkAddFile_v2,
     (CUlinkState s, CUjitInputType t, const char *file, unsigned int n, CUjit_option *o, void **v),
     (s, t, file, n, o, v))

SAME(cuStreamBatchMemOp, cuStreamBatchMemOp_v2,
     (CUstream s, unsigned int n, CUstreamBatchMemOpParams *o, unsigned int flags), (s, n, o, flags))
SAME(cuStreamWaitValue32, cuStreamWaitValue32_v2,
     (CUstream s, CUdeviceptr p, cuuint32_t v, unsigned int flags), (s, p, v, flags))
SAME(cuStreamWaitValue64, cuStreamWaitValue64_v2,
     (CUstream s, CUdeviceptr p, cuuint64_t v, unsigned int flags), (s, p, v, flags))
SAME(cuStreamWriteValue32, cuStreamWriteValue32_v2,
     (CUstream s, CUdeviceptr p, cuuint32_t v, unsigned int flags), (s, p, v, flags))
SAME(cuStreamWriteValue64, cuStreamWriteValue64_v2,
     (CUstream s, CUdeviceptr p, cuuint64_t v, unsigned int flags), (s, p, v, flags))

/* CUDA 8 to 12 named a place by a device number, -1 being the host. */
static CUmemLocation location_of(CUdevice device) {
    return device == CU_DEVICE_CPU ? (CUmemLocation){CU_MEM_LOCATION_TYPE_HOST, 0}
                                   : (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device};
}
SAME(cuMemPrefetchAsync, cuMemPrefetchAsync_v2, (CUdeviceptr p, size_t n, CUdevice d, CUstream s),
     (p, n, location_of(d), 0, s))
SAME(cuMemAdvise, cuMemAdvise_v2, (CUdeviceptr p, size_t n, CUmem_advise a, CUdevice d),
     (p, n, a, location_of(d)))

/* The first form had no result parameter and failed instead. */
WG_EXPORT CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags);
CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags) {
    CUdriverProcAddressQueryResult result;
    CUresult r = cuGetProcAddress_v2(name, function, version, flags, &result);
    return r ? r : result == CU_GET_PROC_ADDRESS_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
