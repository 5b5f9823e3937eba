/* cuda_gl_interop.h: memory that OpenGL and kernels share. Warpglass has none: each function returns
 * cudaErrorNotSupported and a note names it, so that programs which also run without a window compile and run. C17 and
 * C++.
 */
#ifndef WARPGLASS_CUDA_GL_INTEROP_H
#define WARPGLASS_CUDA_GL_INTEROP_H
#define __CUDA_GL_INTEROP_H__ /* as in host_defines.h */
#include "cuda_runtime_api.h"

#if defined(__has_include)
#if !__has_include(<GL/gl.h>)
#error "cuda_gl_interop.h needs OpenGL's <GL/gl.h>: on Debian, apt-get install libgl-dev"
#endif
#endif
#include <GL/gl.h>

enum cudaGLDeviceList {
    cudaGLDeviceListAll = 1,
    cudaGLDeviceListCurrentFrame = 2,
    cudaGLDeviceListNextFrame = 3
};
enum cudaGLMapFlags { cudaGLMapFlagsNone, cudaGLMapFlagsReadOnly, cudaGLMapFlagsWriteDiscard };

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t cudaGLGetDevices(unsigned int *__count, int *__devices, unsigned int __room,
                             enum cudaGLDeviceList __which);
cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **__resource, GLuint __image,
                                        GLenum __target, unsigned int __flags);
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **__resource, GLuint __buffer,
                                         unsigned int __flags);
cudaError_t cudaGLSetGLDevice(int __device);
cudaError_t cudaGLRegisterBufferObject(GLuint __buffer);
cudaError_t cudaGLMapBufferObject(void **__pointer, GLuint __buffer);
cudaError_t cudaGLUnmapBufferObject(GLuint __buffer);
cudaError_t cudaGLUnregisterBufferObject(GLuint __buffer);
cudaError_t cudaGLSetBufferObjectMapFlags(GLuint __buffer, unsigned int __flags);
cudaError_t cudaGLMapBufferObjectAsync(void **__pointer, GLuint __buffer, cudaStream_t __stream);
cudaError_t cudaGLUnmapBufferObjectAsync(GLuint __buffer, cudaStream_t __stream);
#if defined(__cplusplus)
}
#endif
#endif
