/* Vectors and matrices of the host's to the device and back: copies as the driver has them. */
#include "blas/call.h"
#include "driver/entry.h"

struct side {
    const void *at;
    int64_t ld; /* in elements */
};

/* `rows` of `width` bytes each. */
static cublasStatus_t move(struct side from, struct side to, int64_t bytes, int64_t width, int64_t rows,
                           const CUstream *stream) {
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                       .srcDevice = (CUdeviceptr)from.at,
                       .srcPitch = (size_t)(from.ld * bytes),
                       .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                       .dstDevice = (CUdeviceptr)to.at,
                       .dstPitch = (size_t)(to.ld * bytes),
                       .WidthInBytes = (size_t)(width * bytes),
                       .Height = (size_t)rows};
    if (!width || !rows) return CUBLAS_STATUS_SUCCESS;
    CUresult r = wg_use_primary();
    if (!r) r = stream ? cuMemcpy2DAsync(&c, *stream) : cuMemcpy2D(&c);
    return r ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t move_matrix(int64_t rows, int64_t columns, int64_t bytes, struct side from,
                                  struct side to, const CUstream *stream) {
    if (rows < 0 || columns < 0 || bytes <= 0 || from.ld < rows || to.ld < rows || from.ld <= 0 || to.ld <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    return move(from, to, bytes, rows, columns, stream);
}

static cublasStatus_t move_vector(int64_t n, int64_t bytes, struct side from, struct side to,
                                  const CUstream *stream) {
    if (n < 0 || bytes <= 0 || from.ld <= 0 || to.ld <= 0) return CUBLAS_STATUS_INVALID_VALUE;
    if (from.ld == 1 && to.ld == 1)
        return move((struct side){from.at, n}, (struct side){to.at, n}, bytes, n, 1, stream);
    return move(from, to, bytes, 1, n, stream);
}

#define COPIES(WAY, END, I)                                                                                  \
    WG_BLAS_EXPORT cublasStatus_t cublas##WAY##Vector##END(I n, I bytes, const void *x, I incx, void *y,     \
                                                           I incy) {                                         \
        return move_vector(n, bytes, (struct side){x, incx}, (struct side){y, incy}, NULL);                  \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##WAY##VectorAsync##END(I n, I bytes, const void *x, I incx,         \
                                                                void *y, I incy, cudaStream_t stream) {      \
        CUstream s = (CUstream)stream;                                                                       \
        return move_vector(n, bytes, (struct side){x, incx}, (struct side){y, incy}, &s);                    \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##WAY##Matrix##END(I rows, I columns, I bytes, const void *A, I lda, \
                                                           void *B, I ldb) {                                 \
        return move_matrix(rows, columns, bytes, (struct side){A, lda}, (struct side){B, ldb}, NULL);        \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublas##WAY##MatrixAsync##END(                                             \
        I rows, I columns, I bytes, const void *A, I lda, void *B, I ldb, cudaStream_t stream) {             \
        CUstream s = (CUstream)stream;                                                                       \
        return move_matrix(rows, columns, bytes, (struct side){A, lda}, (struct side){B, ldb}, &s);          \
    }
COPIES(Set, , int)
COPIES(Get, , int)
COPIES(Set, _64, int64_t)
COPIES(Get, _64, int64_t)
