/* cublas_v2.h: cuBLAS, under the names that people use: cublasSgemm is the symbol cublasSgemm_v2. */
#if !defined(WARPGLASS_CUBLAS_V2_H) &&                                                                       \
    !defined(CUBLAS_V2_H_) /* NVIDIA's, which may come first, is the same interface */
#define WARPGLASS_CUBLAS_V2_H
#if defined(WARPGLASS_CUBLAS_H)
#error "cublas.h and cublas_v2.h in one file: include one of them"
#endif
#define CUBLAS_V2_H_ /* as in host_defines.h */

#include "cublas_api.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define WG_BLAS_ROW(V, NAME, OP, LIST, E, T, R) V##_ALIAS(NAME, LIST, T, R)
#define WG_BLAS_V1_ALIAS(NAME, LIST, T, R)      /* it has one name */
#define WG_BLAS_V2_ALIAS(NAME, LIST, T, R)                                                                   \
    cublasStatus_t cublas##NAME(cublasHandle_t __handle LIST(WG_BLAS_PARAMETER, int, T, R)) __asm__(         \
        "cublas" #NAME "_v2");                                                                               \
    cublasStatus_t cublas##NAME##_64(                                                                        \
        cublasHandle_t __handle LIST(WG_BLAS_PARAMETER, int64_t, T, R)) __asm__("cublas" #NAME "_v2_64");
#include "warpglass/cublas_functions.h"

#define WG_BLAS_ALIAS(NAME, ...) cublasStatus_t cublas##NAME(__VA_ARGS__) __asm__("cublas" #NAME "_v2");
WG_BLAS_ALIAS(Create, cublasHandle_t *__handle)
WG_BLAS_ALIAS(Destroy, cublasHandle_t __handle)
WG_BLAS_ALIAS(GetVersion, cublasHandle_t __handle, int *__version)
WG_BLAS_ALIAS(SetWorkspace, cublasHandle_t __handle, void *__workspace, size_t __bytes)
WG_BLAS_ALIAS(SetStream, cublasHandle_t __handle, cudaStream_t __stream)
WG_BLAS_ALIAS(GetStream, cublasHandle_t __handle, cudaStream_t *__stream)
WG_BLAS_ALIAS(GetPointerMode, cublasHandle_t __handle, cublasPointerMode_t *__mode)
WG_BLAS_ALIAS(SetPointerMode, cublasHandle_t __handle, cublasPointerMode_t __mode)
WG_BLAS_ALIAS(Srotg, cublasHandle_t __handle, float *__a, float *__b, float *__c, float *__s)
WG_BLAS_ALIAS(Drotg, cublasHandle_t __handle, double *__a, double *__b, double *__c, double *__s)
WG_BLAS_ALIAS(Crotg, cublasHandle_t __handle, cuComplex *__a, cuComplex *__b, float *__c, cuComplex *__s)
WG_BLAS_ALIAS(Zrotg, cublasHandle_t __handle, cuDoubleComplex *__a, cuDoubleComplex *__b, double *__c,
              cuDoubleComplex *__s)
WG_BLAS_ALIAS(Srotmg, cublasHandle_t __handle, float *__d1, float *__d2, float *__x1, const float *__y1,
              float *__param)
WG_BLAS_ALIAS(Drotmg, cublasHandle_t __handle, double *__d1, double *__d2, double *__x1, const double *__y1,
              double *__param)
#undef WG_BLAS_ALIAS
#undef WG_BLAS_V1_ALIAS
#undef WG_BLAS_V2_ALIAS

#if defined(__cplusplus)
}
#endif
#endif
