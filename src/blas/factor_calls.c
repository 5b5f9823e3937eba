/* libcublas' functions that factors.c carries out. */
#include "blas/call.h"

#define CALL(L, OP, ...)                                                                                     \
    struct wg_blas_call call = {                                                                             \
        .function = "cublas" #L#OP, .from = (uint64_t)__builtin_return_address(0), __VA_ARGS__}

/* A batch whose `info` is the host's: of the arguments, which wg_blas_do has looked at. */
static cublasStatus_t with_info(cublasHandle_t handle, struct wg_blas_call *c, int *info) {
    if (!info) return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t s = wg_blas_do(handle, c);
    *info = s == CUBLAS_STATUS_INVALID_VALUE ? -1 : 0;
    return s;
}

#define FACTORS(L, T, TYPE)                                                                                  \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##getrfBatched(cublasHandle_t h, int n, T *const *A, int lda,     \
                                                          int *pivots, int *info, int batch) {               \
        CALL(L, getrfBatched, .op = WG_BLAS_getrf, .type = TYPE, .n = n, .Aarray = A, .lda = lda,            \
             .pivots = pivots, .each_info = info, .batchCount = batch);                                      \
        return wg_blas_do(h, &call);                                                                         \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##getrsBatched(                                                   \
        cublasHandle_t h, cublasOperation_t trans, int n, int nrhs, const T *const *A, int lda,              \
        const int *pivots, T *const *B, int ldb, int *info, int batch) {                                     \
        CALL(L, getrsBatched, .op = WG_BLAS_getrs, .type = TYPE, .trans = (int)trans, .n = n, .nrhs = nrhs,  \
             .Aarray = A, .lda = lda, .pivots = pivots, .Barray = B, .ldb = ldb, .batchCount = batch);       \
        return with_info(h, &call, info);                                                                    \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##getriBatched(cublasHandle_t h, int n, const T *const *A,        \
                                                          int lda, const int *pivots, T *const *C, int ldc,  \
                                                          int *info, int batch) {                            \
        CALL(L, getriBatched, .op = WG_BLAS_getri, .type = TYPE, .n = n, .Aarray = A, .lda = lda,            \
             .pivots = pivots, .Carray = C, .ldc = ldc, .each_info = info, .batchCount = batch);             \
        return wg_blas_do(h, &call);                                                                         \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##matinvBatched(                                                  \
        cublasHandle_t h, int n, const T *const *A, int lda, T *const *C, int ldc, int *info, int batch) {   \
        CALL(L, matinvBatched, .op = WG_BLAS_matinv, .type = TYPE, .n = n, .Aarray = A, .lda = lda,          \
             .Carray = C, .ldc = ldc, .each_info = info, .batchCount = batch);                               \
        if (n > 32) return wg_blas_refuse(&call, "n is %d, and 32 at most", n);                              \
        return wg_blas_do(h, &call);                                                                         \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##geqrfBatched(cublasHandle_t h, int m, int n, T *const *A,       \
                                                          int lda, T *const *tau, int *info, int batch) {    \
        CALL(L, geqrfBatched, .op = WG_BLAS_geqrf, .type = TYPE, .m = m, .n = n, .Aarray = A, .lda = lda,    \
             .tau = tau, .batchCount = batch);                                                               \
        return with_info(h, &call, info);                                                                    \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##gelsBatched(cublasHandle_t h, cublasOperation_t trans, int m,   \
                                                         int n, int nrhs, T *const *A, int lda, T *const *C, \
                                                         int ldc, int *info, int *each, int batch) {         \
        CALL(L, gelsBatched, .op = WG_BLAS_gels, .type = TYPE, .m = m, .n = n, .nrhs = nrhs, .Aarray = A,    \
             .lda = lda, .Carray = C, .ldc = ldc, .each_info = each, .batchCount = batch);                   \
        if (trans != CUBLAS_OP_N || m < n)                                                                   \
            return wg_blas_missing("gelsBatched of less rows than columns, or transposed,");                 \
        return with_info(h, &call, info);                                                                    \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##tpttr(cublasHandle_t h, cublasFillMode_t uplo, int n,           \
                                                   const T *AP, T *A, int lda) {                             \
        CALL(L, tpttr, .op = WG_BLAS_tpttr, .type = TYPE, .uplo = (int)uplo, .n = n, .AP = AP, .A = A,       \
             .lda = lda, .batchCount = 1);                                                                   \
        return wg_blas_do(h, &call);                                                                         \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##trttp(cublasHandle_t h, cublasFillMode_t uplo, int n,           \
                                                   const T *A, int lda, T *AP) {                             \
        CALL(L, trttp, .op = WG_BLAS_trttp, .type = TYPE, .uplo = (int)uplo, .n = n, .AP = AP, .A = A,       \
             .lda = lda, .batchCount = 1);                                                                   \
        return wg_blas_do(h, &call);                                                                         \
    }
FACTORS(S, float, CUDA_R_32F)
FACTORS(D, double, CUDA_R_64F)
FACTORS(C, cuComplex, CUDA_C_32F)
FACTORS(Z, cuDoubleComplex, CUDA_C_64F)

/* Of numbers of the host's the host makes them. */
static cublasStatus_t rotation(cublasHandle_t handle, struct wg_blas_call *c) {
    const struct wg_blas_handle *h = wg_blas_handle_of(handle);
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    wg_blas_describe_factors(c);
    for (unsigned i = 0; i < (c->op == WG_BLAS_rotg ? 4u : 5u); i++) {
        unsigned at = c->op == WG_BLAS_rotg && i > 1 ? i + 1 : i;
        if (!c->operand[at].at) return wg_blas_refuse(c, "an argument is a null pointer");
    }
    if (h->pointers == CUBLAS_POINTER_MODE_DEVICE) return wg_blas_do(handle, c);
    void *p[WG_OPERANDS];
    for (unsigned i = 0; i < WG_OPERANDS; i++) p[i] = (void *)(uintptr_t)c->operand[i].at;
    wg_blas_factors(c, p);
    return CUBLAS_STATUS_SUCCESS;
}

#define ROTATION(L, T, R, TYPE)                                                                              \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##rotg_v2(cublasHandle_t h, T *a, T *b, R *c, T *s) {             \
        CALL(L, rotg, .op = WG_BLAS_rotg, .type = TYPE, .n = 1, .x = a, .y = b, .c = c, .s = s,              \
             .batchCount = 1);                                                                               \
        return rotation(h, &call);                                                                           \
    }
ROTATION(S, float, float, CUDA_R_32F)
ROTATION(D, double, double, CUDA_R_64F)
ROTATION(C, cuComplex, float, CUDA_C_32F)
ROTATION(Z, cuDoubleComplex, double, CUDA_C_64F)

#define MODIFIED(L, T, TYPE)                                                                                 \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##rotmg_v2(cublasHandle_t h, T *d1, T *d2, T *x1, const T *y1,    \
                                                      T *param) {                                            \
        CALL(L, rotmg, .op = WG_BLAS_rotmg, .type = TYPE, .n = 1, .d1 = d1, .d2 = d2, .x1 = x1, .y1 = y1,    \
             .param = param, .batchCount = 1);                                                               \
        return rotation(h, &call);                                                                           \
    }
MODIFIED(S, float, CUDA_R_32F)
MODIFIED(D, double, CUDA_R_64F)
