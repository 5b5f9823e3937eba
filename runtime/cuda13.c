/* What is in libcudart.so.13 alone: the functions whose parameters differ from those of CUDA 12 (cuda12.c).
 */
#include "runtime/runtime.h"
#include "runtime/properties.h"
#include <string.h>

const int wg_runtime_version = CUDART_VERSION;

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
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
    WG_PROPERTIES_13(X)
#undef X
    return wg_note(r);
}

/* Where managed memory should be: as a kind of place and a number. */
_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "same layout");
static CUmemLocation driver_location(struct cudaMemLocation l) {
    return (CUmemLocation){(CUmemLocationType)l.type, l.id};
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, struct cudaMemLocation location, unsigned int flags,
                                 cudaStream_t stream) {
    return wg_note(
        wg_start()
            ?: cuMemPrefetchAsync((CUdeviceptr)(uintptr_t)p, n, driver_location(location), flags, stream));
}
cudaError_t cudaMemAdvise(const void *p, size_t n, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
    return wg_note(
        wg_start()
            ?: cuMemAdvise((CUdeviceptr)(uintptr_t)p, n, (CUmem_advise)advice, driver_location(location)));
}
WG_EXPORT cudaError_t cudaMemPrefetchAsync_ptsz(const void *p, size_t n, struct cudaMemLocation l,
                                                unsigned int flags, cudaStream_t s);
cudaError_t cudaMemPrefetchAsync_ptsz(const void *p, size_t n, struct cudaMemLocation l, unsigned int flags,
                                      cudaStream_t s) {
    return cudaMemPrefetchAsync(p, n, l, flags, s ? s : cudaStreamPerThread);
}
