/* Launches, attributes of kernels, occupancy.
 *
 *     kernel<<<grid, block, shared, stream>>>(a, b)
 * compiles to  __cudaPushCallConfiguration(grid, block, shared, stream), then the kernel's host stub, which
 * pops it and calls cudaLaunchKernel (clang, older nvcc) or __cudaLaunchKernel (nvcc 13).
 *
 * A <<<>>> has no result that a program could look at, and many never ask for the last error: a launch that
 * fails is therefore told on stderr too, once for each kernel and code.
 */
#include "runtime/runtime.h"
#include "base/mangled.h"
#include <stdlib.h>
#include <string.h>

/* ---- The configuration between <<<>>> and the stub ---------------------------------------------- */

struct configuration {
    dim3 grid, block;
    size_t shared_bytes;
    struct CUstream_st *stream;
    const void *from; /* where the <<<>>> stands */
};
/* A kernel's arguments may contain calls that launch kernels themselves, so it is a stack. */
static _Thread_local struct {
    struct configuration v[32];
    unsigned n;
    bool popped; /* by a stub, whose launch comes next */
    const void *from;
} pushed;

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                         struct CUstream_st *stream) {
    if (pushed.n == sizeof pushed.v / sizeof *pushed.v) {
        wg_note((CUresult)cudaErrorMissingConfiguration);
        return 1;
    }
    pushed.v[pushed.n++] =
        (struct configuration){grid, block, shared_bytes, stream, __builtin_return_address(0)};
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
    if (!pushed.n) return wg_note((CUresult)cudaErrorMissingConfiguration);
    const struct configuration *c = &pushed.v[--pushed.n];
    pushed.popped = true;
    pushed.from = c->from;
    if (grid) *grid = c->grid;
    if (block) *block = c->block;
    if (shared_bytes) *shared_bytes = c->shared_bytes;
    if (stream) *(struct CUstream_st **)stream = c->stream;
    return cudaSuccess;
}

/* ---- Launches ----------------------------------------------------------------------------------- */

/* Says why a launch failed, once for each kernel and code. */
static void tell_failure(const void *kernel, CUresult r) {
    if (wg_is_handed_on(r)) return;
    const char *name = wg_kernel_name(kernel), *detail = wg_launch_detail();
    if (wg_told_before(name, r)) return;
    char *pretty = wg_function_name(name);
    wg_say("kernel %s was not launched: %s (%s)", pretty,
           detail[0] ? detail : cudaGetErrorString((cudaError_t)r), cudaGetErrorName((cudaError_t)r));
    free(pretty);
}

/* As with CUDA 13, a kernel runs on its stream's device, whichever is current. `entered`: its context was made the
 * current one. A stream that is none is for the launch to refuse. */
static CUresult enter_context_of(CUstream stream, bool *entered) {
    CUcontext there, now;
    if ((uintptr_t)stream <= (uintptr_t)CU_STREAM_PER_THREAD || cuStreamGetCtx(stream, &there) ||
        cuCtxGetCurrent(&now) || there == now)
        return CUDA_SUCCESS;
    CUresult r = cuCtxPushCurrent(there);
    *entered = !r;
    return r;
}

static cudaError_t launch(const CUlaunchConfig *c, const void *kernel, void **arguments, size_t shared_bytes,
                          const void *from) {
    CUfunction f;
    CUcontext left;
    bool entered = false;
    struct wg_call call = wg_call_begin("cudaLaunchKernel", pushed.popped ? pushed.from : from);
    if (pushed.popped) wg_call_has_no_result();
    pushed.popped = false;
    wg_launch_detail_clear();
    CUresult r = wg_start() ?: enter_context_of(c->hStream, &entered) ?: wg_kernel_of(kernel, &f);
    if (!r && shared_bytes > UINT32_MAX) r = CUDA_ERROR_INVALID_VALUE;
    if (!r) r = cuLaunchKernelEx(c, f, arguments, NULL);
    if (entered) cuCtxPopCurrent(&left);
    if (r) tell_failure(kernel, r);
    wg_call_end(&call, "cudaLaunchKernel", r);
    return (wg_note)(r);
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared_bytes,
                             cudaStream_t stream) {
    CUlaunchConfig c = {grid.x, grid.y, grid.z, block.x, block.y, block.z, (unsigned)shared_bytes,
                        stream, NULL,   0};
    return launch(&c, kernel, arguments, shared_bytes, __builtin_return_address(0));
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared_bytes, cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
    CUlaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    CUlaunchConfig c = {grid.x, grid.y,       grid.z, block.x, block.y, block.z, (unsigned)shared_bytes,
                        stream, &cooperative, 1};
    return launch(&c, kernel, arguments, shared_bytes, __builtin_return_address(0));
}

/* The two APIs' attributes are one thing under two names. */
_Static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute), "same layout");
_Static_assert(offsetof(cudaLaunchAttribute, val) == offsetof(CUlaunchAttribute, value), "same layout");

static CUlaunchConfig driver_config(const cudaLaunchConfig_t *c) {
    return (CUlaunchConfig){c->gridDim.x,
                            c->gridDim.y,
                            c->gridDim.z,
                            c->blockDim.x,
                            c->blockDim.y,
                            c->blockDim.z,
                            (unsigned)c->dynamicSmemBytes,
                            c->stream,
                            (CUlaunchAttribute *)c->attrs,
                            c->numAttrs};
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **arguments) {
    if (!config) return wg_note(CUDA_ERROR_INVALID_VALUE);
    CUlaunchConfig c = driver_config(config);
    return launch(&c, kernel, arguments, config->dynamicSmemBytes, __builtin_return_address(0));
}

/* ---- Attributes --------------------------------------------------------------------------------- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *kernel) {
    CUfunction f;
    int v[16] = {0};
    CUresult r = wg_start() ?: a ? wg_kernel_of(kernel, &f) : CUDA_ERROR_INVALID_VALUE;
    for (int i = 0; i < 16 && !r; i++) r = cuFuncGetAttribute(&v[i], (CUfunction_attribute)i, f);
    if (r) return wg_note(r);
    memset(a, 0, sizeof *a);
    a->maxThreadsPerBlock = v[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK];
    a->sharedSizeBytes = (size_t)v[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES];
    a->constSizeBytes = (size_t)v[CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES];
    a->localSizeBytes = (size_t)v[CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES];
    a->numRegs = v[CU_FUNC_ATTRIBUTE_NUM_REGS];
    a->ptxVersion = v[CU_FUNC_ATTRIBUTE_PTX_VERSION];
    a->binaryVersion = v[CU_FUNC_ATTRIBUTE_BINARY_VERSION];
    a->cacheModeCA = v[CU_FUNC_ATTRIBUTE_CACHE_MODE_CA];
    a->maxDynamicSharedSizeBytes = v[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES];
    a->preferredShmemCarveout = v[CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT];
    a->clusterDimMustBeSet = v[CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET];
    a->requiredClusterWidth = v[CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH];
    a->requiredClusterHeight = v[CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT];
    a->requiredClusterDepth = v[CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH];
    a->clusterSchedulingPolicyPreference = v[CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE];
    a->nonPortableClusterSizeAllowed = v[CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED];
    return cudaSuccess;
}

/* The settable attributes have the driver's numbers. */
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value) {
    CUfunction f;
    return wg_note(wg_start() ?: wg_kernel_of(kernel, &f) ?: cuFuncSetAttribute(f, (CUfunction_attribute)attribute, value));
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
                                            int device) {
    return wg_note(wg_start()
                       ?: cuKernelSetAttribute((CUfunction_attribute)attribute, value, kernel, device));
}
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config) {
    CUfunction f;
    return wg_note(wg_start() ?: wg_kernel_of(kernel, &f) ?: cuFuncSetCacheConfig(f, (CUfunc_cache)config));
}
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config) {
    CUfunction f;
    return wg_note(wg_start() ?: wg_kernel_of(kernel, &f) ?: cuFuncSetSharedMemConfig(f, (CUsharedconfig)config));
}
cudaError_t cudaFuncGetName(const char **name, const void *kernel) {
    CUfunction f;
    return wg_note(wg_start() ?: wg_kernel_of(kernel, &f) ?: cuFuncGetName(name, f));
}
cudaError_t cudaFuncGetParamInfo(const void *kernel, size_t index, size_t *offset, size_t *size) {
    CUfunction f;
    return wg_note(wg_start() ?: wg_kernel_of(kernel, &f) ?: cuFuncGetParamInfo(f, index, offset, size));
}

/* ---- Occupancy ---------------------------------------------------------------------------------- */

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int flags) {
    CUfunction f;
    return wg_note(wg_start() ?: wg_kernel_of(kernel, &f)
                              ?: cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, block_size, dynamic_shared_bytes, flags));
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int block_size,
                                                          size_t dynamic_shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, block_size,
                                                                  dynamic_shared_bytes, 0);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
                                                      int block_size) {
    CUfunction f;
    return wg_note(wg_start() ?: wg_kernel_of(kernel, &f) ?: cuOccupancyAvailableDynamicSMemPerBlock(bytes, f, blocks, block_size));
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *cluster_size, const void *kernel,
                                                 const cudaLaunchConfig_t *config) {
    CUfunction f;
    if (!config) return wg_note(CUDA_ERROR_INVALID_VALUE);
    CUlaunchConfig c = driver_config(config);
    return wg_note(wg_start() ?: wg_kernel_of(kernel, &f) ?: cuOccupancyMaxPotentialClusterSize(cluster_size, f, &c));
}
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel,
                                           const cudaLaunchConfig_t *config) {
    CUfunction f;
    if (!config) return wg_note(CUDA_ERROR_INVALID_VALUE);
    CUlaunchConfig c = driver_config(config);
    return wg_note(wg_start() ?: wg_kernel_of(kernel, &f) ?: cuOccupancyMaxActiveClusters(clusters, f, &c));
}

/* ---- Libraries ---------------------------------------------------------------------------------- */

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_option,
                                void **jit_values, unsigned int jit_options, enum cudaLibraryOption *option,
                                void **values, unsigned int options) {
    return wg_note(wg_start()
                       ?: cuLibraryLoadData(library, code, (CUjit_option *)jit_option, jit_values,
                                            jit_options, (CUlibraryOption *)option, values, options));
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file, enum cudaJitOption *jit_option,
                                    void **jit_values, unsigned int jit_options,
                                    enum cudaLibraryOption *option, void **values, unsigned int options) {
    return wg_note(wg_start()
                       ?: cuLibraryLoadFromFile(library, file, (CUjit_option *)jit_option, jit_values,
                                                jit_options, (CUlibraryOption *)option, values, options));
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    return wg_note(wg_start() ?: cuLibraryUnload(library));
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
    return wg_note(wg_start() ?: cuLibraryGetKernel(kernel, library, name));
}
cudaError_t cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library) {
    return wg_note(wg_start() ?: cuLibraryGetKernelCount(count, library));
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned int count, cudaLibrary_t library) {
    return wg_note(wg_start() ?: cuLibraryEnumerateKernels(kernels, count, library));
}
cudaError_t cudaLibraryGetGlobal(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name) {
    return wg_note(wg_start() ?: cuLibraryGetGlobal((CUdeviceptr *)pointer, bytes, library, name));
}
cudaError_t cudaLibraryGetManaged(void **pointer, size_t *bytes, cudaLibrary_t library, const char *name) {
    return wg_note(wg_start() ?: cuLibraryGetManaged((CUdeviceptr *)pointer, bytes, library, name));
}
