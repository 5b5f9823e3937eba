/* runtime_textures.h: arrays, textures and surfaces in the runtime API, for C17 and C++. Part of
 * cuda_runtime_api.h. */
#ifndef WARPGLASS_RUNTIME_TEXTURES_H
#define WARPGLASS_RUNTIME_TEXTURES_H

#if defined(__cplusplus)
extern "C" {
#define WG_OR(default) = default
#else
#define WG_OR(default)
#endif

struct cudaChannelFormatDesc cudaCreateChannelDesc(int __x, int __y, int __z, int __w,
                                                   enum cudaChannelFormatKind __kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *__channels, cudaArray_const_t __array);

/* Extents of arrays count texels; a height or depth of zero means that there is no such dimension. */
cudaError_t cudaMallocArray(cudaArray_t *__array, const struct cudaChannelFormatDesc *__channels,
                            size_t __width, size_t __height WG_OR(0), unsigned int __flags WG_OR(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *__array, const struct cudaChannelFormatDesc *__channels,
                              struct cudaExtent __extent, unsigned int __flags WG_OR(0));
cudaError_t cudaFreeArray(cudaArray_t __array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *__channels, struct cudaExtent *__extent,
                             unsigned int *__flags, cudaArray_t __array);

/* Here x is a number of bytes, and y of rows. */
cudaError_t cudaMemcpyToArray(cudaArray_t __to, size_t __x, size_t __y, const void *__from, size_t __bytes,
                              enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyFromArray(void *__to, cudaArray_const_t __from, size_t __x, size_t __y, size_t __bytes,
                                enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t __to, size_t __x, size_t __y, const void *__from,
                                   size_t __bytes, enum cudaMemcpyKind __kind,
                                   cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpyFromArrayAsync(void *__to, cudaArray_const_t __from, size_t __x, size_t __y,
                                     size_t __bytes, enum cudaMemcpyKind __kind,
                                     cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpy2DToArray(cudaArray_t __to, size_t __x, size_t __y, const void *__from, size_t __pitch,
                                size_t __width, size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DFromArray(void *__to, size_t __pitch, cudaArray_const_t __from, size_t __x,
                                  size_t __y, size_t __width, size_t __height, enum cudaMemcpyKind __kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t __to, size_t __x, size_t __y, const void *__from,
                                     size_t __pitch, size_t __width, size_t __height,
                                     enum cudaMemcpyKind __kind, cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void *__to, size_t __pitch, cudaArray_const_t __from, size_t __x,
                                       size_t __y, size_t __width, size_t __height,
                                       enum cudaMemcpyKind __kind, cudaStream_t __stream WG_OR(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t __to, size_t __to_x, size_t __to_y, cudaArray_const_t __from,
                                     size_t __from_x, size_t __from_y, size_t __width, size_t __height,
                                     enum cudaMemcpyKind __kind WG_OR(cudaMemcpyDeviceToDevice));

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *__texture, const struct cudaResourceDesc *__resource,
                                    const struct cudaTextureDesc *__description,
                                    const struct cudaResourceViewDesc *__view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t __texture);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *__resource,
                                             cudaTextureObject_t __texture);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *__description,
                                            cudaTextureObject_t __texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *__surface,
                                    const struct cudaResourceDesc *__resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t __surface);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *__resource,
                                             cudaSurfaceObject_t __surface);

#undef WG_OR
#if defined(__cplusplus)
}
#endif
#endif
