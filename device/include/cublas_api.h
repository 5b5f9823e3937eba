/* cublas_api.h: cuBLAS' types and functions, under the names that their symbols have. Programs include cublas_v2.h, which has them
 * under the names that people use.
 */
#if !defined(WARPGLASS_CUBLAS_API_H) &&                                                                      \
    !defined(CUBLAS_API_H_) /* NVIDIA's, which may come first, is the same interface */
#define WARPGLASS_CUBLAS_API_H
#define CUBLAS_API_H_ /* as in host_defines.h */

#include <stdint.h>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "driver_types.h"
#include "library_types.h"

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 0
#define CUBLAS_VERSION   (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)
#define CUBLASWINAPI
#ifndef CUBLASAPI
#define CUBLASAPI
#endif

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1,
    CUBLAS_GEMM_ALGO2,
    CUBLAS_GEMM_ALGO3,
    CUBLAS_GEMM_ALGO4,
    CUBLAS_GEMM_ALGO5,
    CUBLAS_GEMM_ALGO6,
    CUBLAS_GEMM_ALGO7,
    CUBLAS_GEMM_ALGO8,
    CUBLAS_GEMM_ALGO9,
    CUBLAS_GEMM_ALGO10,
    CUBLAS_GEMM_ALGO11,
    CUBLAS_GEMM_ALGO12,
    CUBLAS_GEMM_ALGO13,
    CUBLAS_GEMM_ALGO14,
    CUBLAS_GEMM_ALGO15,
    CUBLAS_GEMM_ALGO16,
    CUBLAS_GEMM_ALGO17,
    CUBLAS_GEMM_ALGO18,
    CUBLAS_GEMM_ALGO19,
    CUBLAS_GEMM_ALGO20,
    CUBLAS_GEMM_ALGO21,
    CUBLAS_GEMM_ALGO22,
    CUBLAS_GEMM_ALGO23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP,
    CUBLAS_GEMM_ALGO2_TENSOR_OP,
    CUBLAS_GEMM_ALGO3_TENSOR_OP,
    CUBLAS_GEMM_ALGO4_TENSOR_OP,
    CUBLAS_GEMM_ALGO5_TENSOR_OP,
    CUBLAS_GEMM_ALGO6_TENSOR_OP,
    CUBLAS_GEMM_ALGO7_TENSOR_OP,
    CUBLAS_GEMM_ALGO8_TENSOR_OP,
    CUBLAS_GEMM_ALGO9_TENSOR_OP,
    CUBLAS_GEMM_ALGO10_TENSOR_OP,
    CUBLAS_GEMM_ALGO11_TENSOR_OP,
    CUBLAS_GEMM_ALGO12_TENSOR_OP,
    CUBLAS_GEMM_ALGO13_TENSOR_OP,
    CUBLAS_GEMM_ALGO14_TENSOR_OP,
    CUBLAS_GEMM_ALGO15_TENSOR_OP,
    CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *__message);

#if defined(__cplusplus)
extern "C" {
#endif

#define WG_BLAS_PARAMETER(TYPE, NAME) , TYPE __##NAME
#define WG_BLAS_ROW(V, NAME, OP, LIST, E, T, R)                                                              \
    cublasStatus_t V(cublas##NAME)(cublasHandle_t __handle LIST(WG_BLAS_PARAMETER, int, T, R));              \
    cublasStatus_t WG_BLAS_64(V(cublas##NAME))(                                                              \
        cublasHandle_t __handle LIST(WG_BLAS_PARAMETER, int64_t, T, R));
#define WG_BLAS_64(NAME)  WG_BLAS_64_(NAME)
#define WG_BLAS_64_(NAME) NAME##_64
#include "warpglass/cublas_functions.h"
#undef WG_BLAS_64
#undef WG_BLAS_64_

/* ---- What handles are and do ---- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *__handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t __handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t __handle, int *__version);
cublasStatus_t cublasGetProperty(libraryPropertyType __type, int *__value);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t __handle, void *__workspace, size_t __bytes);
cublasStatus_t cublasSetStream_v2(cublasHandle_t __handle, cudaStream_t __stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t __handle, cudaStream_t *__stream);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t __handle, cublasPointerMode_t *__mode);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t __handle, cublasPointerMode_t __mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t __handle, cublasAtomicsMode_t *__mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t __handle, cublasAtomicsMode_t __mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t __handle, cublasMath_t *__mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t __handle, cublasMath_t __mode);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t __handle, int *__sms);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t __handle, int __sms);
const char *cublasGetStatusName(cublasStatus_t __status);
const char *cublasGetStatusString(cublasStatus_t __status);
cublasStatus_t cublasLoggerConfigure(int __on, int __to_stdout, int __to_stderr, const char *__file);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback __callback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *__callback);
void cublasXerbla(const char *__name, int __info);

/* ---- Vectors and matrices of the host's to the device and back ---- */

#define WG_BLAS_COPIES(END, I)                                                                               \
    cublasStatus_t cublasSetVector##END(I __n, I __bytes, const void *__x, I __incx, void *__y, I __incy);   \
    cublasStatus_t cublasGetVector##END(I __n, I __bytes, const void *__x, I __incx, void *__y, I __incy);   \
    cublasStatus_t cublasSetMatrix##END(I __rows, I __columns, I __bytes, const void *__A, I __lda,          \
                                        void *__B, I __ldb);                                                 \
    cublasStatus_t cublasGetMatrix##END(I __rows, I __columns, I __bytes, const void *__A, I __lda,          \
                                        void *__B, I __ldb);                                                 \
    cublasStatus_t cublasSetVectorAsync##END(I __n, I __bytes, const void *__x, I __incx, void *__y,         \
                                             I __incy, cudaStream_t __stream);                               \
    cublasStatus_t cublasGetVectorAsync##END(I __n, I __bytes, const void *__x, I __incx, void *__y,         \
                                             I __incy, cudaStream_t __stream);                               \
    cublasStatus_t cublasSetMatrixAsync##END(I __rows, I __columns, I __bytes, const void *__A, I __lda,     \
                                             void *__B, I __ldb, cudaStream_t __stream);                     \
    cublasStatus_t cublasGetMatrixAsync##END(I __rows, I __columns, I __bytes, const void *__A, I __lda,     \
                                             void *__B, I __ldb, cudaStream_t __stream);
WG_BLAS_COPIES(, int)
WG_BLAS_COPIES(_64, int64_t)
#undef WG_BLAS_COPIES

/* ---- Rotations that are made of two numbers ---- */

#define WG_BLAS_ROTATIONS(L, T, R)                                                                           \
    cublasStatus_t cublas##L##rotg_v2(cublasHandle_t __handle, T *__a, T *__b, R *__c, T *__s);
WG_BLAS_ROTATIONS(S, float, float)
WG_BLAS_ROTATIONS(D, double, double)
WG_BLAS_ROTATIONS(C, cuComplex, float)
WG_BLAS_ROTATIONS(Z, cuDoubleComplex, double)
#undef WG_BLAS_ROTATIONS
cublasStatus_t cublasSrotmg_v2(cublasHandle_t __handle, float *__d1, float *__d2, float *__x1,
                               const float *__y1, float *__param);
cublasStatus_t cublasDrotmg_v2(cublasHandle_t __handle, double *__d1, double *__d2, double *__x1,
                               const double *__y1, double *__param);

/* ---- Many small matrices at once; and packed triangles ---- */

#define WG_BLAS_FACTORS(L, T)                                                                                \
    cublasStatus_t cublas##L##getrfBatched(cublasHandle_t __handle, int __n, T *const *__A, int __lda,       \
                                           int *__pivots, int *__info, int __batch);                         \
    cublasStatus_t cublas##L##getrsBatched(cublasHandle_t __handle, cublasOperation_t __trans, int __n,      \
                                           int __nrhs, const T *const *__A, int __lda, const int *__pivots,  \
                                           T *const *__B, int __ldb, int *__info, int __batch);              \
    cublasStatus_t cublas##L##getriBatched(cublasHandle_t __handle, int __n, const T *const *__A, int __lda, \
                                           const int *__pivots, T *const *__C, int __ldc, int *__info,       \
                                           int __batch);                                                     \
    cublasStatus_t cublas##L##matinvBatched(cublasHandle_t __handle, int __n, const T *const *__A,           \
                                            int __lda, T *const *__C, int __ldc, int *__info, int __batch);  \
    cublasStatus_t cublas##L##geqrfBatched(cublasHandle_t __handle, int __m, int __n, T *const *__A,         \
                                           int __lda, T *const *__tau, int *__info, int __batch);            \
    cublasStatus_t cublas##L##gelsBatched(cublasHandle_t __handle, cublasOperation_t __trans, int __m,       \
                                          int __n, int __nrhs, T *const *__A, int __lda, T *const *__C,      \
                                          int __ldc, int *__info, int *__each, int __batch);                 \
    cublasStatus_t cublas##L##tpttr(cublasHandle_t __handle, cublasFillMode_t __uplo, int __n,               \
                                    const T *__AP, T *__A, int __lda);                                       \
    cublasStatus_t cublas##L##trttp(cublasHandle_t __handle, cublasFillMode_t __uplo, int __n, const T *__A, \
                                    int __lda, T *__AP);
WG_BLAS_FACTORS(S, float)
WG_BLAS_FACTORS(D, double)
WG_BLAS_FACTORS(C, cuComplex)
WG_BLAS_FACTORS(Z, cuDoubleComplex)
#undef WG_BLAS_FACTORS

/* ---- Batches of several groups: arrays with one element for each group, but for those of pointers ---- */

#define WG_BLAS_SIZES(I)                                                                                     \
    cublasHandle_t __handle, const cublasOperation_t __transa[], const cublasOperation_t __transb[],         \
        const I __m[], const I __n[], const I __k[]
#define WG_BLAS_GROUPS(L, T, END, I)                                                                         \
    cublasStatus_t cublas##L##gemmGroupedBatched##END(                                                       \
        WG_BLAS_SIZES(I), const T __alpha[], const T *const __A[], const I __lda[], const T *const __B[],    \
        const I __ldb[], const T __beta[], T *const __C[], const I __ldc[], I __groups, const I __sizes[]);
WG_BLAS_GROUPS(S, float, , int)
WG_BLAS_GROUPS(D, double, , int)
WG_BLAS_GROUPS(S, float, _64, int64_t)
WG_BLAS_GROUPS(D, double, _64, int64_t)
#undef WG_BLAS_GROUPS
#define WG_BLAS_GROUPS_EX(END, I)                                                                            \
    cublasStatus_t cublasGemmGroupedBatchedEx##END(                                                          \
        WG_BLAS_SIZES(I), const void *__alpha, const void *const __A[], cudaDataType __Atype,                \
        const I __lda[], const void *const __B[], cudaDataType __Btype, const I __ldb[], const void *__beta, \
        void *const __C[], cudaDataType __Ctype, const I __ldc[], I __groups, const I __sizes[],             \
        cublasComputeType_t __compute);
WG_BLAS_GROUPS_EX(, int)
WG_BLAS_GROUPS_EX(_64, int64_t)
#undef WG_BLAS_GROUPS_EX
#undef WG_BLAS_SIZES

#if defined(__cplusplus)
}

/* As programs of CUDA 10 and before have it: a type in place of how it is to be computed. */
static inline bool __wg_cublas_compute(cudaDataType __type, cublasComputeType_t *__out) {
    switch (__type) {
    case CUDA_R_16F: *__out = CUBLAS_COMPUTE_16F; return true;
    case CUDA_R_32F:
    case CUDA_C_32F: *__out = CUBLAS_COMPUTE_32F; return true;
    case CUDA_R_64F:
    case CUDA_C_64F: *__out = CUBLAS_COMPUTE_64F; return true;
    case CUDA_R_32I: *__out = CUBLAS_COMPUTE_32I; return true;
    default: return false;
    }
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                          cublasOperation_t __transb, int __m, int __n, int __k,
                                          const void *__alpha, const void *__A, cudaDataType __Atype,
                                          int __lda, const void *__B, cudaDataType __Btype, int __ldb,
                                          const void *__beta, void *__C, cudaDataType __Ctype, int __ldc,
                                          cudaDataType __type, cublasGemmAlgo_t __algo) {
    cublasComputeType_t __compute;
    if (!__wg_cublas_compute(__type, &__compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
    return cublasGemmEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A, __Atype, __lda, __B,
                        __Btype, __ldb, __beta, __C, __Ctype, __ldc, __compute, __algo);
}
static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa,
                                                 cublasOperation_t __transb, int __m, int __n, int __k,
                                                 const void *__alpha, const void *const *__A,
                                                 cudaDataType __Atype, int __lda, const void *const *__B,
                                                 cudaDataType __Btype, int __ldb, const void *__beta,
                                                 void *const *__C, cudaDataType __Ctype, int __ldc,
                                                 int __batch, cudaDataType __type, cublasGemmAlgo_t __algo) {
    cublasComputeType_t __compute;
    if (!__wg_cublas_compute(__type, &__compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
    return cublasGemmBatchedEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A, __Atype, __lda, __B,
                               __Btype, __ldb, __beta, __C, __Ctype, __ldc, __batch, __compute, __algo);
}
static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t __handle, cublasOperation_t __transa, cublasOperation_t __transb,
                           int __m, int __n, int __k, const void *__alpha, const void *__A,
                           cudaDataType __Atype, int __lda, long long int __strideA, const void *__B,
                           cudaDataType __Btype, int __ldb, long long int __strideB, const void *__beta,
                           void *__C, cudaDataType __Ctype, int __ldc, long long int __strideC, int __batch,
                           cudaDataType __type, cublasGemmAlgo_t __algo) {
    cublasComputeType_t __compute;
    if (!__wg_cublas_compute(__type, &__compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
    return cublasGemmStridedBatchedEx(__handle, __transa, __transb, __m, __n, __k, __alpha, __A, __Atype,
                                      __lda, __strideA, __B, __Btype, __ldb, __strideB, __beta, __C, __Ctype,
                                      __ldc, __strideC, __batch, __compute, __algo);
}
#endif

#endif
