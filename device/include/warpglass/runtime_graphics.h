/* runtime_graphics.h: what graphics interfaces share in the runtime API, for C17 and C++. Part of cuda_runtime_api.h.
 *
 * Each of these functions returns cudaErrorNotSupported, and a note on standard error names it: there is no GPU whose
 * buffers OpenGL and a kernel could share. Programs that also run without a window compile and run.
 */
#ifndef WARPGLASS_RUNTIME_GRAPHICS_H
#define WARPGLASS_RUNTIME_GRAPHICS_H

enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone = 0,
    cudaGraphicsMapFlagsReadOnly = 1,
    cudaGraphicsMapFlagsWriteDiscard = 2
};
enum cudaGraphicsCubeFace {
    cudaGraphicsCubeFacePositiveX,
    cudaGraphicsCubeFaceNegativeX,
    cudaGraphicsCubeFacePositiveY,
    cudaGraphicsCubeFaceNegativeY,
    cudaGraphicsCubeFacePositiveZ,
    cudaGraphicsCubeFaceNegativeZ
};
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;

#if defined(__cplusplus)
extern "C" {
#define WG_OR(default) = default
#else
#define WG_OR(default)
#endif
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t __resource);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t __resource, unsigned int __flags);
cudaError_t cudaGraphicsMapResources(int __count, cudaGraphicsResource_t *__resources,
                                     cudaStream_t __stream WG_OR(0));
cudaError_t cudaGraphicsUnmapResources(int __count, cudaGraphicsResource_t *__resources,
                                       cudaStream_t __stream WG_OR(0));
cudaError_t cudaGraphicsResourceGetMappedPointer(void **__pointer, size_t *__bytes,
                                                 cudaGraphicsResource_t __resource);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *__array, cudaGraphicsResource_t __resource,
                                                  unsigned int __index, unsigned int __level);
#if defined(__cplusplus)
}
#endif
#undef WG_OR
#endif
