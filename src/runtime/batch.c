/* Prefetches and discards in batches, and the memory pools of places: the driver's. */
#include "runtime/runtime.h"

_Static_assert(sizeof(struct cudaMemLocation) == sizeof(CUmemLocation), "same layout");

cudaError_t cudaMemPrefetchBatchAsync(void **pointers, size_t *bytes, size_t n,
                                      struct cudaMemLocation *places, size_t *firsts, size_t nplaces,
                                      unsigned long long flags, cudaStream_t stream) {
    return wg_note(wg_start()
                       ?: cuMemPrefetchBatchAsync((CUdeviceptr *)(void *)pointers, bytes, n,
                                                  (CUmemLocation *)(void *)places, firsts, nplaces, flags,
                                                  stream));
}
cudaError_t cudaMemDiscardBatchAsync(void **pointers, size_t *bytes, size_t n, unsigned long long flags,
                                     cudaStream_t stream) {
    return wg_note(wg_start()
                       ?: cuMemDiscardBatchAsync((CUdeviceptr *)(void *)pointers, bytes, n, flags, stream));
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **pointers, size_t *bytes, size_t n,
                                                struct cudaMemLocation *places, size_t *firsts,
                                                size_t nplaces, unsigned long long flags,
                                                cudaStream_t stream) {
    return wg_note(wg_start()
                       ?: cuMemDiscardAndPrefetchBatchAsync((CUdeviceptr *)(void *)pointers, bytes, n,
                                                            (CUmemLocation *)(void *)places, firsts, nplaces,
                                                            flags, stream));
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *place,
                                     enum cudaMemAllocationType type) {
    return wg_note(
        wg_start()
            ?: cuMemGetDefaultMemPool(pool, (CUmemLocation *)(void *)place, (CUmemAllocationType)type));
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *place,
                              enum cudaMemAllocationType type) {
    return wg_note(wg_start()
                       ?: cuMemGetMemPool(pool, (CUmemLocation *)(void *)place, (CUmemAllocationType)type));
}
cudaError_t cudaMemSetMemPool(struct cudaMemLocation *place, enum cudaMemAllocationType type,
                              cudaMemPool_t pool) {
    return wg_note(wg_start()
                       ?: cuMemSetMemPool((CUmemLocation *)(void *)place, (CUmemAllocationType)type, pool));
}
cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes, enum cudaMemRangeAttribute *attributes,
                                      size_t n, const void *pointer, size_t bytes) {
    return wg_note(wg_start()
                       ?: cuMemRangeGetAttributes(data, sizes, (CUmem_range_attribute *)(void *)attributes, n,
                                                  (CUdeviceptr)(uintptr_t)pointer, bytes));
}
