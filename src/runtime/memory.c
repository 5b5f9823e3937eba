/* Memory: allocation, pools, registration, what a pointer points to. */
#include "runtime/runtime.h"

static CUdeviceptr device_address(const void *p) { return (CUdeviceptr)(uintptr_t)p; }

/* Where the driver refuses zero bytes, the runtime gives NULL and success. */
cudaError_t cudaMalloc(void **pointer, size_t bytes) {
    CUresult r = wg_start();
    if (!r && !pointer) r = CUDA_ERROR_INVALID_VALUE;
    if (r) return wg_note(r);
    *pointer = NULL;
    return wg_note(bytes ? cuMemAlloc((CUdeviceptr *)pointer, bytes) : CUDA_SUCCESS);
}
cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
    CUresult r = wg_start();
    if (!r && (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r) return wg_note(r);
    *pointer = NULL;
    return wg_note(bytes ? cuMemAllocManaged((CUdeviceptr *)pointer, bytes, flags) : CUDA_SUCCESS);
}
cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
    return wg_note(wg_start() ?: cuMemAllocHost(pointer, bytes));
}
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
    return wg_note(wg_start() ?: cuMemHostAlloc(pointer, bytes, flags));
}
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    CUresult r = wg_start();
    if (!r && (!pointer || !pitch)) r = CUDA_ERROR_INVALID_VALUE;
    if (r) return wg_note(r);
    *pointer = NULL;
    *pitch = 0;
    return wg_note(width && height ? cuMemAllocPitch((CUdeviceptr *)pointer, pitch, width, height, 16)
                                   : CUDA_SUCCESS);
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent) {
    size_t rows;
    if (!pointer) return wg_note(CUDA_ERROR_INVALID_VALUE);
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return wg_note(CUDA_ERROR_OUT_OF_MEMORY);
    struct cudaPitchedPtr p = {.xsize = extent.width, .ysize = extent.height};
    cudaError_t e = cudaMallocPitch(&p.ptr, &p.pitch, extent.width, rows);
    if (e == cudaSuccess) *pointer = p;
    return e;
}
cudaError_t cudaFree(void *pointer) { return wg_note(wg_start() ?: cuMemFree(device_address(pointer))); }
cudaError_t cudaFreeHost(void *pointer) { return wg_note(wg_start() ?: cuMemFreeHost(pointer)); }
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
    return wg_note(wg_start() ?: cuMemHostRegister(pointer, bytes, flags));
}
cudaError_t cudaHostUnregister(void *pointer) { return wg_note(wg_start() ?: cuMemHostUnregister(pointer)); }
cudaError_t cudaHostGetDevicePointer(void **device_pointer, void *host_pointer, unsigned int flags) {
    return wg_note(wg_start()
                       ?: cuMemHostGetDevicePointer((CUdeviceptr *)device_pointer, host_pointer, flags));
}
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host_pointer) {
    return wg_note(wg_start() ?: cuMemHostGetFlags(flags, host_pointer));
}
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    return wg_note(wg_start() ?: cuMemGetInfo(free_bytes, total_bytes));
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *pointer) {
    CUresult r = wg_start();
    if (!r && !a) r = CUDA_ERROR_INVALID_VALUE;
    if (r) return wg_note(r);
    unsigned type = 0, managed = 0;
    CUdeviceptr p = device_address(pointer);
    /* Only these four: the reserved part behind them is not there in a program built for CUDA 12. */
    a->device = 0;
    a->devicePointer = a->hostPointer = NULL;
    if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p) != CUDA_SUCCESS) {
        a->type = cudaMemoryTypeUnregistered;
        a->device = cudaInvalidDeviceId;
        a->hostPointer = (void *)(uintptr_t)pointer;
        return cudaSuccess;
    }
    cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p);
    cuPointerGetAttribute(&a->device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p);
    a->type = managed                      ? cudaMemoryTypeManaged
              : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
                                           : cudaMemoryTypeDevice;
    a->devicePointer = (void *)(uintptr_t)pointer;
    if (a->type != cudaMemoryTypeDevice) a->hostPointer = (void *)(uintptr_t)pointer;
    return cudaSuccess;
}

/* ---- Managed memory ----------------------------------------------------------------------------- */

cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_size, enum cudaMemRangeAttribute attribute,
                                     const void *pointer, size_t bytes) {
    return wg_note(wg_start()
                       ?: cuMemRangeGetAttribute(data, data_size, (CUmem_range_attribute)attribute,
                                                 device_address(pointer), bytes));
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t length, unsigned int flags) {
    return wg_note(wg_start() ?: cuStreamAttachMemAsync(stream, device_address(pointer), length, flags));
}

/* ---- Stream-ordered memory ---------------------------------------------------------------------- */

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream) {
    CUresult r = wg_start();
    if (!r && !pointer) r = CUDA_ERROR_INVALID_VALUE;
    if (r) return wg_note(r);
    *pointer = NULL;
    return wg_note(bytes ? cuMemAllocAsync((CUdeviceptr *)pointer, bytes, stream) : CUDA_SUCCESS);
}
cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
    CUresult r = wg_start();
    if (!r && !pointer) r = CUDA_ERROR_INVALID_VALUE;
    if (r) return wg_note(r);
    *pointer = NULL;
    return wg_note(bytes ? cuMemAllocFromPoolAsync((CUdeviceptr *)pointer, bytes, pool, stream)
                         : CUDA_SUCCESS);
}
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    return wg_note(wg_start() ?: pointer ? cuMemFreeAsync(device_address(pointer), stream) : CUDA_SUCCESS);
}

_Static_assert(sizeof(struct cudaMemPoolProps) == sizeof(CUmemPoolProps), "same layout");
_Static_assert(sizeof(struct cudaMemAccessDesc) == sizeof(CUmemAccessDesc), "same layout");

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
    return wg_note(wg_start() ?: cuMemPoolCreate(pool, (const CUmemPoolProps *)properties));
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) { return wg_note(wg_start() ?: cuMemPoolDestroy(pool)); }
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep) {
    return wg_note(wg_start() ?: cuMemPoolTrimTo(pool, bytes_to_keep));
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
    return wg_note(wg_start() ?: cuMemPoolSetAttribute(pool, (CUmemPool_attribute)attribute, value));
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
    return wg_note(wg_start() ?: cuMemPoolGetAttribute(pool, (CUmemPool_attribute)attribute, value));
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count) {
    return wg_note(wg_start() ?: cuMemPoolSetAccess(pool, (const CUmemAccessDesc *)list, count));
}
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location) {
    return wg_note(wg_start()
                       ?: cuMemPoolGetAccess((CUmemAccess_flags *)flags, pool, (CUmemLocation *)location));
}
_Static_assert(sizeof(struct cudaMemPoolPtrExportData) == sizeof(CUmemPoolPtrExportData), "same layout");

cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type, unsigned int flags) {
    return wg_note(
        wg_start() ?: cuMemPoolExportToShareableHandle(handle, pool, (CUmemAllocationHandleType)type, flags));
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 enum cudaMemAllocationHandleType type, unsigned int flags) {
    return wg_note(
        wg_start()
            ?: cuMemPoolImportFromShareableHandle(pool, handle, (CUmemAllocationHandleType)type, flags));
}
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *pointer) {
    return wg_note(wg_start()
                       ?: cuMemPoolExportPointer((CUmemPoolPtrExportData *)data, device_address(pointer)));
}
cudaError_t cudaMemPoolImportPointer(void **pointer, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData *data) {
    return wg_note(
        wg_start() ?: cuMemPoolImportPointer((CUdeviceptr *)pointer, pool, (CUmemPoolPtrExportData *)data));
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    return wg_note(wg_start() ?: cuDeviceGetDefaultMemPool(pool, device));
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    return wg_note(wg_start() ?: cuDeviceGetMemPool(pool, device));
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return wg_note(wg_start() ?: cuDeviceSetMemPool(device, pool));
}
