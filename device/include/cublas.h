/* cublas.h: cuBLAS' interface of before CUDA 4, without handles: characters in place of enumerations, scalars by value, results
 * returned, and an error that cublasGetError() tells of. A file has this one or cublas_v2.h. */
#ifndef WARPGLASS_CUBLAS_H
#define WARPGLASS_CUBLAS_H
#if defined(WARPGLASS_CUBLAS_V2_H)
#error "cublas.h and cublas_v2.h in one file: include one of them"
#endif
#define CUBLAS_H_ /* as in host_defines.h */

#include "cublas_api.h"
#include "warpglass/cublas_legacy.h"

typedef cublasStatus_t cublasStatus;

#if defined(__cplusplus)
extern "C" {
#endif

cublasStatus_t cublasInit(void);
cublasStatus_t cublasShutdown(void);
cublasStatus_t cublasGetError(void); /* of the calls since it was asked for last */
cublasStatus_t cublasGetVersion(int *__version);
cublasStatus_t cublasAlloc(int __n, int __size, void **__pointer);
cublasStatus_t cublasFree(void *__pointer);
cublasStatus_t cublasSetKernelStream(cudaStream_t __stream);

#define WG_LEGACY_ROW(RESULT, NAME, LIST, T, R)                                                              \
    RESULT cublas##NAME(WG_LEGACY_PARAMETERS(LIST(WG_LEGACY_PARAMETER, int, T, R)));
#define WG_BLAS_ROW WG_LEGACY_OF
#include "warpglass/cublas_functions.h"
#undef WG_LEGACY_ROW

void cublasSrotg(float *__a, float *__b, float *__c, float *__s);
void cublasDrotg(double *__a, double *__b, double *__c, double *__s);
void cublasCrotg(cuComplex *__a, cuComplex __b, float *__c, cuComplex *__s);
void cublasZrotg(cuDoubleComplex *__a, cuDoubleComplex __b, double *__c, cuDoubleComplex *__s);
void cublasSrotmg(float *__d1, float *__d2, float *__x1, const float *__y1, float *__param);
void cublasDrotmg(double *__d1, double *__d2, double *__x1, const double *__y1, double *__param);

#if defined(__cplusplus)
}
#endif
#endif
