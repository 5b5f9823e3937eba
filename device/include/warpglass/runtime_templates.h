/* runtime_templates.h: the C++ side of the runtime API: typed pointers, kernels and symbols where C has void
 * *.
 *
 * Host code only, C++11. Each is the C function with casts, or a small search made of C calls. Example:
 *     float *p;
 *     cudaMalloc(&p, n);
 *     cudaFuncSetAttribute(kernel, ...);
 *     cudaLaunchKernelEx(&config, kernel, p, n);
 */
#ifndef WARPGLASS_RUNTIME_TEMPLATES_H
#define WARPGLASS_RUNTIME_TEMPLATES_H

#include "../cuda_runtime_api.h"

/* Memory. */
template <class T> static inline cudaError_t cudaMalloc(T **pointer, size_t bytes) {
    return ::cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **pointer, size_t bytes,
                                         unsigned int flags = cudaHostAllocDefault) {
    return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
static inline cudaError_t cudaMallocHost(void **pointer, size_t bytes, unsigned int flags) {
    return ::cudaHostAlloc(pointer, bytes, flags);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) {
    return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                            unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
    return ::cudaMallocAsync((void **)(void *)pointer, bytes, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                          cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
static inline cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                          cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
    return ::cudaMallocFromPoolAsync((void **)(void *)pointer, bytes, pool, stream);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device_pointer, void *host_pointer,
                                                   unsigned int flags) {
    return ::cudaHostGetDevicePointer((void **)(void *)device_pointer, host_pointer, flags);
}

/* As CUDA 12 and older have them, which name a place by a device's number or cudaCpuDeviceId. */
static inline struct cudaMemLocation wg_memory_of(int device) {
    struct cudaMemLocation location;
    bool host = device == cudaCpuDeviceId;
    location.type = host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = host ? 0 : device;
    return location;
}
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                               cudaStream_t stream = 0) {
    return ::cudaMemPrefetchAsync(pointer, bytes, wg_memory_of(device), 0, stream);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                                        int device) {
    return ::cudaMemAdvise(pointer, bytes, advice, wg_memory_of(device));
}

/* Symbols: __device__ and __constant__ variables by name. The host knows them by the address of their shadow.
 */
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                        enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                          enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    return ::cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(T **pointer, const T &symbol) {
    return ::cudaGetSymbolAddress((void **)(void *)pointer, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
    return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* Events and streams. */
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

/* Kernels. */
template <class T>
static inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                           size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                                      size_t shared_bytes = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class T>
static inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, T *kernel, void **arguments) {
    return ::cudaLaunchKernelExC(config, (const void *)kernel, arguments);
}
#if __cplusplus >= 201103L
/* The kernel's parameter types are deduced from the kernel alone, so that an int argument converts where the
 * kernel takes a size_t; the arguments are then parameters of exactly the types that the launch copies. */
template <class T> struct wg_as_is {
    typedef T type;
};
template <class... Parameters>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                             typename wg_as_is<Parameters>::type... arguments) {
    void *addresses[sizeof...(Parameters) + 1] = {(void *)&arguments..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, addresses);
}
#endif
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, T *kernel) {
    return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value) {
    return ::cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T> static inline cudaError_t cudaFuncGetName(const char **name, T *kernel) {
    return ::cudaFuncGetName(name, (const void *)kernel);
}
template <class T> static inline cudaError_t cudaGetKernel(cudaKernel_t *handle, T *kernel) {
    return ::cudaGetKernel(handle, (const void *)kernel);
}

/* Occupancy. */
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block_size,
                                                                        size_t dynamic_shared_bytes) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, block_size,
                                                           dynamic_shared_bytes);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T kernel, int block_size,
                                                       size_t dynamic_shared_bytes, unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel, block_size,
                                                                    dynamic_shared_bytes, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel, int blocks,
                                                                    int block_size) {
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, block_size);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *cluster_size, T *kernel,
                                                               const cudaLaunchConfig_t *config) {
    return ::cudaOccupancyMaxPotentialClusterSize(cluster_size, (const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *kernel,
                                                         const cudaLaunchConfig_t *config) {
    return ::cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel, config);
}

/* The block size, a multiple of the warp, that keeps most threads of a multiprocessor busy; of equals the
 * largest. `shared_bytes_of` says how much dynamic shared memory a block of a given size asks for. */
template <class SharedBytes, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *min_grid_size, int *block_size, T kernel,
                                                        SharedBytes shared_bytes_of, int block_size_limit = 0,
                                                        unsigned int flags = 0) {
    int device, multiprocessors, threads, warp;
    struct cudaFuncAttributes attributes;
    cudaError_t error = ::cudaGetDevice(&device);
    if (!min_grid_size || !block_size || !kernel) error = cudaErrorInvalidValue;
    if (!error) error = ::cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    if (!error) error = ::cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    if (!error) error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    if (!error) error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (error) return error;

    int limit = attributes.maxThreadsPerBlock, best_size = 0, best_blocks = 0;
    if (block_size_limit > 0 && block_size_limit < limit) limit = block_size_limit;
    for (int tried = (limit + warp - 1) / warp * warp; tried > 0; tried -= warp) {
        int size = tried < limit ? tried : limit, blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)kernel, size,
                                                                         shared_bytes_of(size), flags);
        if (error) return error;
        if (blocks * size > best_blocks * best_size) best_blocks = blocks, best_size = size;
        if (best_blocks * best_size == threads) break;
    }
    *min_grid_size = best_blocks * multiprocessors;
    *block_size = best_size;
    return cudaSuccess;
}
template <class SharedBytes, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid_size, int *block_size, T kernel,
                                               SharedBytes shared_bytes_of, int block_size_limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size, kernel,
                                                                   shared_bytes_of, block_size_limit);
}
struct wg_same_shared_bytes {
    size_t bytes;
    size_t operator()(int) const { return bytes; }
};
template <class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid_size, int *block_size, T kernel,
                                            size_t dynamic_shared_bytes = 0, int block_size_limit = 0,
                                            unsigned int flags = 0) {
    wg_same_shared_bytes same = {dynamic_shared_bytes};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size, kernel, same,
                                                                   block_size_limit, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size, T kernel,
                                                             size_t dynamic_shared_bytes = 0,
                                                             int block_size_limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, kernel,
                                                       dynamic_shared_bytes, block_size_limit);
}

#endif
