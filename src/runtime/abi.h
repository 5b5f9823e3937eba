/* Entry points that programs built by nvcc call, or that programs look for at run time, and that our own
 * cuda_runtime_api.h does not offer.
 */
#ifndef WG_RUNTIME_ABI_H
#define WG_RUNTIME_ABI_H
#include <cuda_runtime_api.h>
#include <cuda.h>

/* nvcc 13's kernel stubs: the handle once, then launches by handle. */
cudaError_t __cudaGetKernel(cudaKernel_t *handle, const void *stub);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared_bytes, cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes, cudaStream_t stream);
/* Programs that clang built with the headers of device/. */
void __warpglass_managed_range(void *begin, void *end);
void __warpglass_files(const char *begin, const char *end);
void __warpglass_register_file(void (*register_all)(void **), void *wrapper, const char *name,
                               void (*done)(void **));
void __cudaRegisterTexture(void **module, const void *reference, const void **address,
                           const char *device_name, int dimensions, int normalized, int external);
void __cudaRegisterSurface(void **module, const void *reference, const void **address,
                           const char *device_name, int dimensions, int external);
void __cudaRegisterHostVar(void **module, const char *name, char *shadow, size_t bytes);
#endif
