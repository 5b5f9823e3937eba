/* runtime_libraries.h: code that a program loads itself (cudaLibraryLoadData), copies in batches, memory pools of places, and
 * what else is called by few.
 *
 * Part of cuda_runtime_api.h.
 */
#ifndef WARPGLASS_RUNTIME_LIBRARIES_H
#define WARPGLASS_RUNTIME_LIBRARIES_H

/* ---- Libraries and their kernels ---- */
enum cudaJitOption {
    cudaJitMaxRegisters = 0,
    cudaJitThreadsPerBlock = 1,
    cudaJitWallTime = 2,
    cudaJitInfoLogBuffer = 3,
    cudaJitInfoLogBufferSizeBytes = 4,
    cudaJitErrorLogBuffer = 5,
    cudaJitErrorLogBufferSizeBytes = 6,
    cudaJitOptimizationLevel = 7,
    cudaJitFallbackStrategy = 10,
    cudaJitGenerateDebugInfo = 11,
    cudaJitLogVerbose = 12,
    cudaJitGenerateLineInfo = 13,
    cudaJitCacheMode = 14,
    cudaJitPositionIndependentCode = 30,
    cudaJitMinCtaPerSm = 31,
    cudaJitMaxThreadsPerBlock = 32,
    cudaJitOverrideDirectiveValues = 33
};
enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1 };
enum cudaJit_CacheMode { cudaJitCacheOptionNone = 0, cudaJitCacheOptionCG = 1, cudaJitCacheOptionCA = 2 };
enum cudaJit_Fallback { cudaPreferPtx = 0, cudaPreferBinary = 1 };

#if defined(__cplusplus)
#define WG_OR(VALUE) = VALUE
extern "C" {
#else
#define WG_OR(VALUE)
#endif

cudaError_t cudaLibraryLoadData(cudaLibrary_t *__library, const void *__code,
                                enum cudaJitOption *__jit_option, void **__jit_values,
                                unsigned int __jit_options, enum cudaLibraryOption *__option, void **__values,
                                unsigned int __options);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *__library, const char *__file,
                                    enum cudaJitOption *__jit_option, void **__jit_values,
                                    unsigned int __jit_options, enum cudaLibraryOption *__option,
                                    void **__values, unsigned int __options);
cudaError_t cudaLibraryUnload(cudaLibrary_t __library);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *__kernel, cudaLibrary_t __library, const char *__name);
cudaError_t cudaLibraryGetGlobal(void **__pointer, size_t *__bytes, cudaLibrary_t __library,
                                 const char *__name);
cudaError_t cudaLibraryGetManaged(void **__pointer, size_t *__bytes, cudaLibrary_t __library,
                                  const char *__name);
cudaError_t cudaLibraryGetKernelCount(unsigned int *__count, cudaLibrary_t __library);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *__kernels, unsigned int __count,
                                        cudaLibrary_t __library);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t __kernel, enum cudaFuncAttribute __attr, int __value,
                                            int __device);

/* ---- Batches ---- */
enum cudaMemcpyFlags { cudaMemcpyFlagDefault = 0, cudaMemcpyFlagPreferOverlapWithCompute = 1 };
struct cudaMemcpyAttributes {
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    struct cudaMemLocation srcLocHint, dstLocHint;
    unsigned int flags;
};
enum cudaMemcpy3DOperandType {
    cudaMemcpyOperandTypePointer = 1,
    cudaMemcpyOperandTypeArray = 2,
    cudaMemcpyOperandTypeMax = 0x7fffffff
};
struct cudaOffset3D {
    size_t x, y, z; /* in elements */
};
struct cudaMemcpy3DOperand {
    enum cudaMemcpy3DOperandType type;
    union {
        struct {
            void *ptr;
            size_t rowLength, layerHeight; /* in elements, and in rows; 0: those of the extent */
            struct cudaMemLocation locHint;
        } ptr;
        struct {
            cudaArray_t array;
            struct cudaOffset3D offset;
        } array;
    } op;
};
#pragma push_macro("src") /* a member of a name that programs give macros */
#undef src
struct cudaMemcpy3DBatchOp {
    struct cudaMemcpy3DOperand src, dst;
    struct cudaExtent extent; /* in elements */
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    unsigned int flags;
};
#pragma pop_macro("src")
cudaError_t cudaMemcpyBatchAsync(void *const *__to, const void *const *__from, const size_t *__bytes,
                                 size_t __count, struct cudaMemcpyAttributes *__attributes, size_t *__firsts,
                                 size_t __nattributes, cudaStream_t __stream);
cudaError_t cudaMemcpy3DBatchAsync(size_t __count, struct cudaMemcpy3DBatchOp *__operations,
                                   unsigned long long __flags, cudaStream_t __stream);
cudaError_t cudaMemPrefetchBatchAsync(void **__pointers, size_t *__bytes, size_t __count,
                                      struct cudaMemLocation *__places, size_t *__firsts, size_t __nplaces,
                                      unsigned long long __flags, cudaStream_t __stream);
cudaError_t cudaMemDiscardBatchAsync(void **__pointers, size_t *__bytes, size_t __count,
                                     unsigned long long __flags, cudaStream_t __stream);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **__pointers, size_t *__bytes, size_t __count,
                                                struct cudaMemLocation *__places, size_t *__firsts,
                                                size_t __nplaces, unsigned long long __flags,
                                                cudaStream_t __stream);

/* ---- Memory ---- */
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *__pool, struct cudaMemLocation *__place,
                                     enum cudaMemAllocationType __type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t *__pool, struct cudaMemLocation *__place,
                              enum cudaMemAllocationType __type);
cudaError_t cudaMemSetMemPool(struct cudaMemLocation *__place, enum cudaMemAllocationType __type,
                              cudaMemPool_t __pool);
cudaError_t cudaMemRangeGetAttributes(void **__data, size_t *__sizes,
                                      enum cudaMemRangeAttribute *__attributes, size_t __count,
                                      const void *__pointer, size_t __bytes);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t __to, size_t __to_x, size_t __to_y, cudaArray_const_t __from,
                                   size_t __from_x, size_t __from_y, size_t __bytes,
                                   enum cudaMemcpyKind __kind WG_OR(cudaMemcpyDeviceToDevice));
enum cudaFlushGPUDirectRDMAWritesTarget { cudaFlushGPUDirectRDMAWritesTargetCurrentDevice = 0 };
enum cudaFlushGPUDirectRDMAWritesScope {
    cudaFlushGPUDirectRDMAWritesToOwner = 100,
    cudaFlushGPUDirectRDMAWritesToAllDevices = 200
};
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget __target,
                                               enum cudaFlushGPUDirectRDMAWritesScope __scope);

#if defined(__cplusplus)
}
#endif
#undef WG_OR

#endif
