/* cublas_functions.h: the one list of cuBLAS' functions that compute. Included with WG_BLAS_ROW defined; undefines it.
 *
 *     WG_BLAS_ROW(V2, NAME, OP, LIST, E, T, R)
 *
 * V2: WG_BLAS_V2(x) of functions whose symbols end in _v2, else WG_BLAS_V1(x). OP: what is computed, in what types: E names the
 * combination of them (S, D, C, Z, H for half; HSS: half in, single computed, single out; X: arguments tell), T is the
 * element's type in C, R the real type that goes with it. LIST: the parameters behind the handle, LIST(P, I, T, R) with P(type,
 * name) for each and I for counts: each function is there twice, for int and (with _64 behind its name) for int64_t.
 *
 * Consumers: cublas_api.h and cublas_v2.h (declarations), blas/entry.c (definitions), blas/stub.c (names for a linker).
 */
/* clang-format off */
#ifndef WARPGLASS_CUBLAS_FUNCTIONS_H
#define WARPGLASS_CUBLAS_FUNCTIONS_H

/* ---- Parameters ---- */

#define WG_BLAS_VECTOR(P, I, T)  P(const T *, x) P(I, incx)
#define WG_BLAS_VECTOR2(P, I, T) P(const T *, x) P(I, incx) P(const T *, y) P(I, incy)
#define WG_BLAS_UPLO(P)          P(cublasFillMode_t, uplo)
#define WG_BLAS_SQUARE(P, I)     P(cublasFillMode_t, uplo) P(I, n)
#define WG_BLAS_TRIANGLE(P)      P(cublasFillMode_t, uplo) P(cublasOperation_t, trans) P(cublasDiagType_t, diag)
#define WG_BLAS_OPS(P)           P(cublasOperation_t, transa) P(cublasOperation_t, transb)
#define WG_BLAS_MNK(P, I)        P(I, m) P(I, n) P(I, k)

#define WG_BLAS_AMAX(P, I, T, R)   P(I, n) WG_BLAS_VECTOR(P, I, T) P(I *, result)
#define WG_BLAS_NORM(P, I, T, R)   P(I, n) WG_BLAS_VECTOR(P, I, T) P(R *, result)
#define WG_BLAS_DOT(P, I, T, R)    P(I, n) WG_BLAS_VECTOR2(P, I, T) P(T *, result)
#define WG_BLAS_AXPY(P, I, T, R)   P(I, n) P(const T *, alpha) WG_BLAS_VECTOR(P, I, T) P(T *, y) P(I, incy)
#define WG_BLAS_COPY(P, I, T, R)   P(I, n) WG_BLAS_VECTOR(P, I, T) P(T *, y) P(I, incy)
#define WG_BLAS_SWAP(P, I, T, R)   P(I, n) P(T *, x) P(I, incx) P(T *, y) P(I, incy)
#define WG_BLAS_SCAL(P, I, T, R)   P(I, n) P(const T *, alpha) P(T *, x) P(I, incx)
#define WG_BLAS_RSCAL(P, I, T, R)  P(I, n) P(const R *, alpha) P(T *, x) P(I, incx)
#define WG_BLAS_ROT(P, I, T, R)    WG_BLAS_SWAP(P, I, T, R) P(const R *, c) P(const T *, s)
#define WG_BLAS_RROT(P, I, T, R)   WG_BLAS_SWAP(P, I, T, R) P(const R *, c) P(const R *, s)
#define WG_BLAS_ROTM(P, I, T, R)   WG_BLAS_SWAP(P, I, T, R) P(const T *, param)

#define WG_BLAS_GEMV(P, I, T, R)                                                                             \
    P(cublasOperation_t, trans) P(I, m) P(I, n) P(const T *, alpha) P(const T *, A) P(I, lda)                \
    WG_BLAS_VECTOR(P, I, T) P(const T *, beta) P(T *, y) P(I, incy)
#define WG_BLAS_GBMV(P, I, T, R)                                                                             \
    P(cublasOperation_t, trans) P(I, m) P(I, n) P(I, kl) P(I, ku) P(const T *, alpha) P(const T *, A) P(I, lda) \
    WG_BLAS_VECTOR(P, I, T) P(const T *, beta) P(T *, y) P(I, incy)
#define WG_BLAS_SYMV(P, I, T, R)                                                                             \
    WG_BLAS_SQUARE(P, I) P(const T *, alpha) P(const T *, A) P(I, lda) WG_BLAS_VECTOR(P, I, T)               \
    P(const T *, beta) P(T *, y) P(I, incy)
#define WG_BLAS_SBMV(P, I, T, R)                                                                             \
    WG_BLAS_SQUARE(P, I) P(I, k) P(const T *, alpha) P(const T *, A) P(I, lda) WG_BLAS_VECTOR(P, I, T)       \
    P(const T *, beta) P(T *, y) P(I, incy)
#define WG_BLAS_SPMV(P, I, T, R)                                                                             \
    WG_BLAS_SQUARE(P, I) P(const T *, alpha) P(const T *, AP) WG_BLAS_VECTOR(P, I, T)                        \
    P(const T *, beta) P(T *, y) P(I, incy)
#define WG_BLAS_TRMV(P, I, T, R)  WG_BLAS_TRIANGLE(P) P(I, n) P(const T *, A) P(I, lda) P(T *, x) P(I, incx)
#define WG_BLAS_TBMV(P, I, T, R)  WG_BLAS_TRIANGLE(P) P(I, n) P(I, k) P(const T *, A) P(I, lda) P(T *, x) P(I, incx)
#define WG_BLAS_TPMV(P, I, T, R)  WG_BLAS_TRIANGLE(P) P(I, n) P(const T *, AP) P(T *, x) P(I, incx)
#define WG_BLAS_GER(P, I, T, R)   P(I, m) P(I, n) P(const T *, alpha) WG_BLAS_VECTOR2(P, I, T) P(T *, A) P(I, lda)
#define WG_BLAS_SYR(P, I, T, R)   WG_BLAS_SQUARE(P, I) P(const T *, alpha) WG_BLAS_VECTOR(P, I, T) P(T *, A) P(I, lda)
#define WG_BLAS_HER(P, I, T, R)   WG_BLAS_SQUARE(P, I) P(const R *, alpha) WG_BLAS_VECTOR(P, I, T) P(T *, A) P(I, lda)
#define WG_BLAS_SPR(P, I, T, R)   WG_BLAS_SQUARE(P, I) P(const T *, alpha) WG_BLAS_VECTOR(P, I, T) P(T *, AP)
#define WG_BLAS_HPR(P, I, T, R)   WG_BLAS_SQUARE(P, I) P(const R *, alpha) WG_BLAS_VECTOR(P, I, T) P(T *, AP)
#define WG_BLAS_SYR2(P, I, T, R)  WG_BLAS_SQUARE(P, I) P(const T *, alpha) WG_BLAS_VECTOR2(P, I, T) P(T *, A) P(I, lda)
#define WG_BLAS_SPR2(P, I, T, R)  WG_BLAS_SQUARE(P, I) P(const T *, alpha) WG_BLAS_VECTOR2(P, I, T) P(T *, AP)

#define WG_BLAS_AB(P, I, T, S)                                                                               \
    P(const S *, alpha) P(const T *, A) P(I, lda) P(const T *, B) P(I, ldb)
#define WG_BLAS_C(P, I, T, S)       P(const S *, beta) P(T *, C) P(I, ldc)
#define WG_BLAS_GEMM(P, I, T, R)    WG_BLAS_OPS(P) WG_BLAS_MNK(P, I) WG_BLAS_AB(P, I, T, T) WG_BLAS_C(P, I, T, T)
#define WG_BLAS_SYMM(P, I, T, R)                                                                             \
    P(cublasSideMode_t, side) WG_BLAS_UPLO(P) P(I, m) P(I, n) WG_BLAS_AB(P, I, T, T) WG_BLAS_C(P, I, T, T)
#define WG_BLAS_RANK(P, I)          WG_BLAS_UPLO(P) P(cublasOperation_t, trans) P(I, n) P(I, k)
#define WG_BLAS_SYRK(P, I, T, R)    WG_BLAS_RANK(P, I) P(const T *, alpha) P(const T *, A) P(I, lda) WG_BLAS_C(P, I, T, T)
#define WG_BLAS_HERK(P, I, T, R)    WG_BLAS_RANK(P, I) P(const R *, alpha) P(const T *, A) P(I, lda) WG_BLAS_C(P, I, T, R)
#define WG_BLAS_SYR2K(P, I, T, R)   WG_BLAS_RANK(P, I) WG_BLAS_AB(P, I, T, T) WG_BLAS_C(P, I, T, T)
#define WG_BLAS_HER2K(P, I, T, R)   WG_BLAS_RANK(P, I) WG_BLAS_AB(P, I, T, T) WG_BLAS_C(P, I, T, R)
#define WG_BLAS_TRSM(P, I, T, R)                                                                             \
    P(cublasSideMode_t, side) WG_BLAS_TRIANGLE(P) P(I, m) P(I, n) P(const T *, alpha) P(const T *, A) P(I, lda) \
    P(T *, B) P(I, ldb)
#define WG_BLAS_TRMM(P, I, T, R)                                                                             \
    P(cublasSideMode_t, side) WG_BLAS_TRIANGLE(P) P(I, m) P(I, n) WG_BLAS_AB(P, I, T, T) P(T *, C) P(I, ldc)
#define WG_BLAS_GEAM(P, I, T, R)                                                                             \
    WG_BLAS_OPS(P) P(I, m) P(I, n) P(const T *, alpha) P(const T *, A) P(I, lda) P(const T *, beta)          \
    P(const T *, B) P(I, ldb) P(T *, C) P(I, ldc)
#define WG_BLAS_DGMM(P, I, T, R)                                                                             \
    P(cublasSideMode_t, side) P(I, m) P(I, n) P(const T *, A) P(I, lda) WG_BLAS_VECTOR(P, I, T)              \
    P(T *, C) P(I, ldc)

/* Batches: arrays of pointers, or one distance from each to the next. */
#define WG_BLAS_GEMM_ARRAYS(P, I, T, R)                                                                      \
    WG_BLAS_OPS(P) WG_BLAS_MNK(P, I) P(const T *, alpha) P(const T *const *, Aarray) P(I, lda)               \
    P(const T *const *, Barray) P(I, ldb) P(const T *, beta) P(T *const *, Carray) P(I, ldc) P(I, batchCount)
#define WG_BLAS_GEMM_STRIDES(P, I, T, R)                                                                     \
    WG_BLAS_OPS(P) WG_BLAS_MNK(P, I) P(const T *, alpha) P(const T *, A) P(I, lda) P(long long int, strideA) \
    P(const T *, B) P(I, ldb) P(long long int, strideB) P(const T *, beta) P(T *, C) P(I, ldc)               \
    P(long long int, strideC) P(I, batchCount)
#define WG_BLAS_TRSM_ARRAYS(P, I, T, R)                                                                      \
    P(cublasSideMode_t, side) WG_BLAS_TRIANGLE(P) P(I, m) P(I, n) P(const T *, alpha)                        \
    P(const T *const *, Aarray) P(I, lda) P(T *const *, Barray) P(I, ldb) P(I, batchCount)
/* Here T is the inputs' type, R the outputs', and S what is computed in. */
#define WG_BLAS_GEMV_ARRAYS_OF(P, I, T, R, S)                                                                \
    P(cublasOperation_t, trans) P(I, m) P(I, n) P(const S *, alpha) P(const T *const *, Aarray) P(I, lda)    \
    P(const T *const *, xarray) P(I, incx) P(const S *, beta) P(R *const *, yarray) P(I, incy) P(I, batchCount)
#define WG_BLAS_GEMV_STRIDES_OF(P, I, T, R, S)                                                               \
    P(cublasOperation_t, trans) P(I, m) P(I, n) P(const S *, alpha) P(const T *, A) P(I, lda)                \
    P(long long int, strideA) P(const T *, x) P(I, incx) P(long long int, stridex) P(const S *, beta)        \
    P(R *, y) P(I, incy) P(long long int, stridey) P(I, batchCount)
#define WG_BLAS_GEMV_ARRAYS(P, I, T, R)  WG_BLAS_GEMV_ARRAYS_OF(P, I, T, T, T)
#define WG_BLAS_GEMV_STRIDES(P, I, T, R) WG_BLAS_GEMV_STRIDES_OF(P, I, T, T, T)
#define WG_BLAS_MIXED_ARRAYS(P, I, T, R)  WG_BLAS_GEMV_ARRAYS_OF(P, I, T, R, float)
#define WG_BLAS_MIXED_STRIDES(P, I, T, R) WG_BLAS_GEMV_STRIDES_OF(P, I, T, R, float)

/* Types that arguments tell. No list hands a name on to another: it would be expanded, if it is a macro of the program's. */
#define WG_BLAS_X_OF(P, I)              P(const void *, x) P(cudaDataType, xtype) P(I, incx)
#define WG_BLAS_Y_OF(P, I)              P(const void *, y) P(cudaDataType, ytype) P(I, incy)
#define WG_BLAS_XY_OUT(P, I)            P(void *, x) P(cudaDataType, xtype) P(I, incx) P(void *, y) P(cudaDataType, ytype) P(I, incy)
#define WG_BLAS_RESULT_OF(P)            P(void *, result) P(cudaDataType, resulttype) P(cudaDataType, computetype)
#define WG_BLAS_NORM_EX(P, I, T, R)     P(I, n) WG_BLAS_X_OF(P, I) WG_BLAS_RESULT_OF(P)
#define WG_BLAS_AMAX_EX(P, I, T, R)     P(I, n) WG_BLAS_X_OF(P, I) P(I *, result)
#define WG_BLAS_DOT_EX(P, I, T, R)      P(I, n) WG_BLAS_X_OF(P, I) WG_BLAS_Y_OF(P, I) WG_BLAS_RESULT_OF(P)
#define WG_BLAS_AXPY_EX(P, I, T, R)                                                                          \
    P(I, n) P(const void *, alpha) P(cudaDataType, alphatype) WG_BLAS_X_OF(P, I) P(void *, y) P(cudaDataType, ytype)        \
    P(I, incy) P(cudaDataType, computetype)
#define WG_BLAS_SCAL_EX(P, I, T, R)                                                                          \
    P(I, n) P(const void *, alpha) P(cudaDataType, alphatype) P(void *, x) P(cudaDataType, xtype) P(I, incx)                \
    P(cudaDataType, computetype)
#define WG_BLAS_COPY_EX(P, I, T, R)     P(I, n) WG_BLAS_X_OF(P, I) P(void *, y) P(cudaDataType, ytype) P(I, incy)
#define WG_BLAS_SWAP_EX(P, I, T, R)     P(I, n) WG_BLAS_XY_OUT(P, I)
#define WG_BLAS_ROT_EX(P, I, T, R)                                                                           \
    P(I, n) WG_BLAS_XY_OUT(P, I) P(const void *, c) P(const void *, s) P(cudaDataType, alphatype) P(cudaDataType, computetype)
#define WG_BLAS_ROTM_EX(P, I, T, R)                                                                          \
    P(I, n) WG_BLAS_XY_OUT(P, I) P(const void *, param) P(cudaDataType, alphatype) P(cudaDataType, computetype)
#define WG_BLAS_SGEMM_EX(P, I, T, R)                                                                         \
    WG_BLAS_OPS(P) WG_BLAS_MNK(P, I) P(const T *, alpha) P(const void *, A) P(cudaDataType, Atype) P(I, lda)                \
    P(const void *, B) P(cudaDataType, Btype) P(I, ldb) P(const T *, beta) P(void *, C) P(cudaDataType, Ctype) P(I, ldc)
#define WG_BLAS_SYRK_EX(P, I, T, R)                                                                          \
    WG_BLAS_RANK(P, I) P(const T *, alpha) P(const void *, A) P(cudaDataType, Atype) P(I, lda) P(const T *, beta)           \
    P(void *, C) P(cudaDataType, Ctype) P(I, ldc)
#define WG_BLAS_HERK_EX(P, I, T, R)     WG_BLAS_SYRK_EX(P, I, R, R)
#define WG_BLAS_HOW(P)                  P(cublasComputeType_t, compute) P(cublasGemmAlgo_t, algo)
#define WG_BLAS_GEMM_EX(P, I, T, R)                                                                          \
    WG_BLAS_OPS(P) WG_BLAS_MNK(P, I) P(const void *, alpha) P(const void *, A) P(cudaDataType, Atype) P(I, lda)             \
    P(const void *, B) P(cudaDataType, Btype) P(I, ldb) P(const void *, beta) P(void *, C) P(cudaDataType, Ctype) P(I, ldc) \
    WG_BLAS_HOW(P)
#define WG_BLAS_GEMM_ARRAYS_EX(P, I, T, R)                                                                   \
    WG_BLAS_OPS(P) WG_BLAS_MNK(P, I) P(const void *, alpha) P(const void *const *, Aarray) P(cudaDataType, Atype) \
    P(I, lda) P(const void *const *, Barray) P(cudaDataType, Btype) P(I, ldb) P(const void *, beta)          \
    P(void *const *, Carray) P(cudaDataType, Ctype) P(I, ldc) P(I, batchCount) WG_BLAS_HOW(P)
#define WG_BLAS_GEMM_STRIDES_EX(P, I, T, R)                                                                  \
    WG_BLAS_OPS(P) WG_BLAS_MNK(P, I) P(const void *, alpha) P(const void *, A) P(cudaDataType, Atype) P(I, lda)             \
    P(long long int, strideA) P(const void *, B) P(cudaDataType, Btype) P(I, ldb) P(long long int, strideB)                 \
    P(const void *, beta) P(void *, C) P(cudaDataType, Ctype) P(I, ldc) P(long long int, strideC)            \
    P(I, batchCount) WG_BLAS_HOW(P)

/* ---- Types ---- */

#define WG_BLAS_SD(V, B, OP, L)                                                                              \
    WG_BLAS_ROW(V, S##B, OP, L, S, float, float) WG_BLAS_ROW(V, D##B, OP, L, D, double, double)
#define WG_BLAS_CZ(V, B, OP, L)                                                                              \
    WG_BLAS_ROW(V, C##B, OP, L, C, cuComplex, float) WG_BLAS_ROW(V, Z##B, OP, L, Z, cuDoubleComplex, double)
#define WG_BLAS_SDCZ(V, B, OP, L) WG_BLAS_SD(V, B, OP, L) WG_BLAS_CZ(V, B, OP, L)
#define WG_BLAS_V2(X)             X##_v2
#define WG_BLAS_V1(X)             X
#endif

/* ---- Vectors ---- */
WG_BLAS_ROW(WG_BLAS_V2, Isamax, amax, WG_BLAS_AMAX, S, float, float)
WG_BLAS_ROW(WG_BLAS_V2, Idamax, amax, WG_BLAS_AMAX, D, double, double)
WG_BLAS_ROW(WG_BLAS_V2, Icamax, amax, WG_BLAS_AMAX, C, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V2, Izamax, amax, WG_BLAS_AMAX, Z, cuDoubleComplex, double)
WG_BLAS_ROW(WG_BLAS_V2, Isamin, amin, WG_BLAS_AMAX, S, float, float)
WG_BLAS_ROW(WG_BLAS_V2, Idamin, amin, WG_BLAS_AMAX, D, double, double)
WG_BLAS_ROW(WG_BLAS_V2, Icamin, amin, WG_BLAS_AMAX, C, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V2, Izamin, amin, WG_BLAS_AMAX, Z, cuDoubleComplex, double)
WG_BLAS_SD(WG_BLAS_V2, asum, asum, WG_BLAS_NORM)
WG_BLAS_ROW(WG_BLAS_V2, Scasum, asum, WG_BLAS_NORM, C, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V2, Dzasum, asum, WG_BLAS_NORM, Z, cuDoubleComplex, double)
WG_BLAS_SD(WG_BLAS_V2, nrm2, nrm2, WG_BLAS_NORM)
WG_BLAS_ROW(WG_BLAS_V2, Scnrm2, nrm2, WG_BLAS_NORM, C, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V2, Dznrm2, nrm2, WG_BLAS_NORM, Z, cuDoubleComplex, double)
WG_BLAS_SD(WG_BLAS_V2, dot, dotu, WG_BLAS_DOT)
WG_BLAS_CZ(WG_BLAS_V2, dotu, dotu, WG_BLAS_DOT)
WG_BLAS_CZ(WG_BLAS_V2, dotc, dotc, WG_BLAS_DOT)
WG_BLAS_SDCZ(WG_BLAS_V2, axpy, axpy, WG_BLAS_AXPY)
WG_BLAS_SDCZ(WG_BLAS_V2, copy, copy, WG_BLAS_COPY)
WG_BLAS_SDCZ(WG_BLAS_V2, swap, swap, WG_BLAS_SWAP)
WG_BLAS_SDCZ(WG_BLAS_V2, scal, scal, WG_BLAS_SCAL)
WG_BLAS_ROW(WG_BLAS_V2, Csscal, rscal, WG_BLAS_RSCAL, C, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V2, Zdscal, rscal, WG_BLAS_RSCAL, Z, cuDoubleComplex, double)
WG_BLAS_SDCZ(WG_BLAS_V2, rot, rot, WG_BLAS_ROT)
WG_BLAS_ROW(WG_BLAS_V2, Csrot, rrot, WG_BLAS_RROT, C, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V2, Zdrot, rrot, WG_BLAS_RROT, Z, cuDoubleComplex, double)
WG_BLAS_SD(WG_BLAS_V2, rotm, rotm, WG_BLAS_ROTM)
WG_BLAS_ROW(WG_BLAS_V1, Nrm2Ex, nrm2, WG_BLAS_NORM_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, AsumEx, asum, WG_BLAS_NORM_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, IamaxEx, amax, WG_BLAS_AMAX_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, IaminEx, amin, WG_BLAS_AMAX_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, DotEx, dotu, WG_BLAS_DOT_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, DotcEx, dotc, WG_BLAS_DOT_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, AxpyEx, axpy, WG_BLAS_AXPY_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, ScalEx, scal, WG_BLAS_SCAL_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, CopyEx, copy, WG_BLAS_COPY_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, SwapEx, swap, WG_BLAS_SWAP_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, RotEx, rot, WG_BLAS_ROT_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, RotmEx, rotm, WG_BLAS_ROTM_EX, X, void, void)

/* ---- A matrix and vectors ---- */
WG_BLAS_SDCZ(WG_BLAS_V2, gemv, gemv, WG_BLAS_GEMV)
WG_BLAS_SDCZ(WG_BLAS_V2, gbmv, gbmv, WG_BLAS_GBMV)
WG_BLAS_SDCZ(WG_BLAS_V2, symv, symv, WG_BLAS_SYMV)
WG_BLAS_CZ(WG_BLAS_V2, hemv, hemv, WG_BLAS_SYMV)
WG_BLAS_SD(WG_BLAS_V2, sbmv, sbmv, WG_BLAS_SBMV)
WG_BLAS_CZ(WG_BLAS_V2, hbmv, hbmv, WG_BLAS_SBMV)
WG_BLAS_SD(WG_BLAS_V2, spmv, spmv, WG_BLAS_SPMV)
WG_BLAS_CZ(WG_BLAS_V2, hpmv, hpmv, WG_BLAS_SPMV)
WG_BLAS_SDCZ(WG_BLAS_V2, trmv, trmv, WG_BLAS_TRMV)
WG_BLAS_SDCZ(WG_BLAS_V2, tbmv, tbmv, WG_BLAS_TBMV)
WG_BLAS_SDCZ(WG_BLAS_V2, tpmv, tpmv, WG_BLAS_TPMV)
WG_BLAS_SDCZ(WG_BLAS_V2, trsv, trsv, WG_BLAS_TRMV)
WG_BLAS_SDCZ(WG_BLAS_V2, tbsv, tbsv, WG_BLAS_TBMV)
WG_BLAS_SDCZ(WG_BLAS_V2, tpsv, tpsv, WG_BLAS_TPMV)
WG_BLAS_SD(WG_BLAS_V2, ger, geru, WG_BLAS_GER)
WG_BLAS_CZ(WG_BLAS_V2, geru, geru, WG_BLAS_GER)
WG_BLAS_CZ(WG_BLAS_V2, gerc, gerc, WG_BLAS_GER)
WG_BLAS_SDCZ(WG_BLAS_V2, syr, syr, WG_BLAS_SYR)
WG_BLAS_CZ(WG_BLAS_V2, her, her, WG_BLAS_HER)
WG_BLAS_SD(WG_BLAS_V2, spr, spr, WG_BLAS_SPR)
WG_BLAS_CZ(WG_BLAS_V2, hpr, hpr, WG_BLAS_HPR)
WG_BLAS_SDCZ(WG_BLAS_V2, syr2, syr2, WG_BLAS_SYR2)
WG_BLAS_CZ(WG_BLAS_V2, her2, her2, WG_BLAS_SYR2)
WG_BLAS_SD(WG_BLAS_V2, spr2, spr2, WG_BLAS_SPR2)
WG_BLAS_CZ(WG_BLAS_V2, hpr2, hpr2, WG_BLAS_SPR2)
WG_BLAS_SDCZ(WG_BLAS_V1, gemvBatched, gemv, WG_BLAS_GEMV_ARRAYS)
WG_BLAS_SDCZ(WG_BLAS_V1, gemvStridedBatched, gemv, WG_BLAS_GEMV_STRIDES)
WG_BLAS_ROW(WG_BLAS_V1, HSHgemvBatched, gemv, WG_BLAS_MIXED_ARRAYS, HSH, __half, __half)
WG_BLAS_ROW(WG_BLAS_V1, HSSgemvBatched, gemv, WG_BLAS_MIXED_ARRAYS, HSS, __half, float)
WG_BLAS_ROW(WG_BLAS_V1, TSTgemvBatched, gemv, WG_BLAS_MIXED_ARRAYS, TST, __nv_bfloat16, __nv_bfloat16)
WG_BLAS_ROW(WG_BLAS_V1, TSSgemvBatched, gemv, WG_BLAS_MIXED_ARRAYS, TSS, __nv_bfloat16, float)
WG_BLAS_ROW(WG_BLAS_V1, HSHgemvStridedBatched, gemv, WG_BLAS_MIXED_STRIDES, HSH, __half, __half)
WG_BLAS_ROW(WG_BLAS_V1, HSSgemvStridedBatched, gemv, WG_BLAS_MIXED_STRIDES, HSS, __half, float)
WG_BLAS_ROW(WG_BLAS_V1, TSTgemvStridedBatched, gemv, WG_BLAS_MIXED_STRIDES, TST, __nv_bfloat16, __nv_bfloat16)
WG_BLAS_ROW(WG_BLAS_V1, TSSgemvStridedBatched, gemv, WG_BLAS_MIXED_STRIDES, TSS, __nv_bfloat16, float)

/* ---- Matrices ---- */
WG_BLAS_SDCZ(WG_BLAS_V2, gemm, gemm, WG_BLAS_GEMM)
WG_BLAS_ROW(WG_BLAS_V1, Hgemm, gemm, WG_BLAS_GEMM, H, __half, __half)
WG_BLAS_CZ(WG_BLAS_V1, gemm3m, gemm, WG_BLAS_GEMM)
WG_BLAS_SDCZ(WG_BLAS_V2, symm, symm, WG_BLAS_SYMM)
WG_BLAS_CZ(WG_BLAS_V2, hemm, hemm, WG_BLAS_SYMM)
WG_BLAS_SDCZ(WG_BLAS_V2, syrk, syrk, WG_BLAS_SYRK)
WG_BLAS_CZ(WG_BLAS_V2, herk, herk, WG_BLAS_HERK)
WG_BLAS_SDCZ(WG_BLAS_V2, syr2k, syr2k, WG_BLAS_SYR2K)
WG_BLAS_CZ(WG_BLAS_V2, her2k, her2k, WG_BLAS_HER2K)
WG_BLAS_SDCZ(WG_BLAS_V1, syrkx, syrkx, WG_BLAS_SYR2K)
WG_BLAS_CZ(WG_BLAS_V1, herkx, herkx, WG_BLAS_HER2K)
WG_BLAS_SDCZ(WG_BLAS_V2, trsm, trsm, WG_BLAS_TRSM)
WG_BLAS_SDCZ(WG_BLAS_V2, trmm, trmm, WG_BLAS_TRMM)
WG_BLAS_SDCZ(WG_BLAS_V1, geam, geam, WG_BLAS_GEAM)
WG_BLAS_SDCZ(WG_BLAS_V1, dgmm, dgmm, WG_BLAS_DGMM)
WG_BLAS_SDCZ(WG_BLAS_V1, gemmBatched, gemm, WG_BLAS_GEMM_ARRAYS)
WG_BLAS_ROW(WG_BLAS_V1, HgemmBatched, gemm, WG_BLAS_GEMM_ARRAYS, H, __half, __half)
WG_BLAS_ROW(WG_BLAS_V1, Cgemm3mBatched, gemm, WG_BLAS_GEMM_ARRAYS, C, cuComplex, float)
WG_BLAS_SDCZ(WG_BLAS_V1, gemmStridedBatched, gemm, WG_BLAS_GEMM_STRIDES)
WG_BLAS_ROW(WG_BLAS_V1, HgemmStridedBatched, gemm, WG_BLAS_GEMM_STRIDES, H, __half, __half)
WG_BLAS_ROW(WG_BLAS_V1, Cgemm3mStridedBatched, gemm, WG_BLAS_GEMM_STRIDES, C, cuComplex, float)
WG_BLAS_SDCZ(WG_BLAS_V1, trsmBatched, trsm, WG_BLAS_TRSM_ARRAYS)
WG_BLAS_ROW(WG_BLAS_V1, SgemmEx, gemm, WG_BLAS_SGEMM_EX, SX, float, float)
WG_BLAS_ROW(WG_BLAS_V1, CgemmEx, gemm, WG_BLAS_SGEMM_EX, CX, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V1, Cgemm3mEx, gemm, WG_BLAS_SGEMM_EX, CX, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V1, CsyrkEx, syrk, WG_BLAS_SYRK_EX, CX, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V1, Csyrk3mEx, syrk, WG_BLAS_SYRK_EX, CX, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V1, CherkEx, herk, WG_BLAS_HERK_EX, CX, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V1, Cherk3mEx, herk, WG_BLAS_HERK_EX, CX, cuComplex, float)
WG_BLAS_ROW(WG_BLAS_V1, GemmEx, gemm, WG_BLAS_GEMM_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, GemmBatchedEx, gemm, WG_BLAS_GEMM_ARRAYS_EX, X, void, void)
WG_BLAS_ROW(WG_BLAS_V1, GemmStridedBatchedEx, gemm, WG_BLAS_GEMM_STRIDES_EX, X, void, void)
#undef WG_BLAS_ROW
