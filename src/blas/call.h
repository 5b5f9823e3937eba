/* One call of cuBLAS, whatever its function: what the files of blas/ hand to each other.
 *
 *     cublasSgemm(...)             entry.c: the table of functions makes a struct wg_blas_call of the arguments
 *       wg_blas_do                 call.c:  they are checked; the call goes into the handle's stream
 *         ...the stream is there   run.c:   scalars are read, the machine is told what is about to be touched (wg_library_touches)
 *           wg_blas_run_one        vectors.c, matrices.c: a library of the host's for BLAS (library.h) computes, batch after batch
 *
 * Where it stands: the user's program -> this (libcublas.so.13) -> the driver API (libcuda.so.1). Device memory is memory of the
 * process, so operands need no copying; those of half precision and the like are widened, and the result is rounded once.
 */
#ifndef WG_BLAS_CALL_H
#define WG_BLAS_CALL_H
#pragma GCC visibility push(default)
#include <cublas_api.h>
#pragma GCC visibility pop
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What follows is in libcublasLt, and libcublas calls it. */
#pragma GCC visibility push(default)
enum wg_blas_op {
#define OP(NAME, ...) WG_BLAS_##NAME,
#include "blas/ops.def"
    WG_BLAS_OPS_N
};

/* What an operand is: which of its elements are touched. */
enum wg_blas_shape {
    WG_SHAPE_NONE, /* there is no such operand */
    WG_SHAPE_FULL,
    WG_SHAPE_LOWER,
    WG_SHAPE_UPPER,
    WG_SHAPE_BAND, /* a column's elements near the diagonal, which lie in row `above` */
    WG_SHAPE_VECTOR
};
enum wg_blas_access { WG_BLAS_READ = 1, WG_BLAS_WRITE = 2, WG_BLAS_UPDATE = 3 };
enum wg_blas_name {
    WG_OPERAND_A,
    WG_OPERAND_B,
    WG_OPERAND_C,
    WG_OPERAND_X,
    WG_OPERAND_Y,
    WG_OPERAND_Z,
    WG_OPERANDS
};
struct wg_blas_operand {
    uint8_t shape, access;
    bool unit; /* a triangle: its diagonal is not there */
    bool raw;  /* is not to be widened */
    cudaDataType type;
    const char *name;
    int64_t above, below, order; /* a band: diagonals, and rows of the matrix that it is of */
    int64_t rows, columns, ld;   /* a vector: rows elements, ld apart (ld may be negative) */
    int64_t stride;              /* from one of a batch to the next, in elements */
    const void *at;              /* of the first of a batch; NULL where it is */
    const void *array;           /* an array of pointers, of which each is one of the batch's */
};

#define WG_TYPE_TOLD   ((cudaDataType) - 1) /* the other arguments tell */
#define WG_BLAS_EXPORT __attribute__((visibility("default")))

/* A number that a kernel would be given. */
union wg_blas_number {
    float s[2];
    double d[2];
    int32_t i;
    uint16_t h[2];
};

struct wg_blas_handle {
    uint32_t magic;
    cudaStream_t stream;
    cublasPointerMode_t pointers;
    cublasAtomicsMode_t atomics;
    cublasMath_t math;
    int sms;
    void *workspace;
    size_t workspace_bytes;
};

struct wg_blas_call {
    const char *function; /* as the program has it */
    uint64_t from;        /* where it called */
    enum wg_blas_op op;
    cudaDataType type;   /* that is computed in: R_32F, R_64F, C_32F, C_64F; R_32I: whole numbers */
    cudaDataType scalar; /* of alpha and beta, c and s */
    cudaStream_t stream;
    bool wide;                    /* counts are 64-bit numbers */
    bool scalars_on_device, kept; /* kept: by a graph */
    bool counted;                 /* a row of the profile */

    /* Arguments, under the names that cublas_functions.h has. */
    int uplo, trans, transa, transb, side, diag, algo, compute;
    int64_t m, n, k, kl, ku, lda, ldb, ldc, incx, incy, batchCount;
    int64_t strideA, strideB, strideC, stridex, stridey;
    cudaDataType Atype, Btype, Ctype, xtype, ytype, resulttype, computetype, alphatype;
    const void *alpha, *beta, *A, *B, *C, *AP, *x, *y, *result, *c, *s, *param;
    /* Of factors.c's, that are not in that list; `info` is the host's. */
    const void *pivots, *each_info, *tau, *d1, *d2, *x1, *y1;
    int64_t nrhs;
    const void *Aarray, *Barray, *Carray, *xarray, *yarray;

    /* cublasLtMatmul's, as it is planned: what of, and what is done to the result; D lies by rows. */
    struct wg_blas_operand plan[WG_OPERANDS];
    int epilogue;
    bool flipped;

    /* What is made of them. */
    struct wg_blas_operand operand[WG_OPERANDS];
    union wg_blas_number a, b; /* alpha and beta; or c and s */
    union wg_blas_number params[5];
    union wg_blas_number answered; /* the number that the call gives */
};

/* What every row of the table becomes. */
cublasStatus_t wg_blas_do(cublasHandle_t handle, struct wg_blas_call *c);
/* messages.c: NULL: it is no handle. */
struct wg_blas_handle *wg_blas_handle_of(cublasHandle_t handle);
cublasStatus_t wg_blas_handle_new(struct wg_blas_handle **out);
cublasStatus_t wg_blas_handle_free(struct wg_blas_handle *h);
const char *wg_blas_status_name(cublasStatus_t status);
const char *wg_blas_status_text(cublasStatus_t status);
/* "is not supported", once for each name. */
cublasStatus_t wg_blas_missing(const char *what);
/* The same of a call whose types do not go together, or are not there; they are named. */
cublasStatus_t wg_blas_missing_types(const struct wg_blas_call *c, bool matrices);
/* A line on standard error for each thing that is wrong with arguments; gives INVALID_VALUE. */
cublasStatus_t wg_blas_refuse(const struct wg_blas_call *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void wg_blas_log(const struct wg_blas_call *c);
/* Where calls are told of besides: the file that $CUBLAS_LOGDEST_DBG names, and what the program sets. */
struct wg_blas_log {
    void *file; /* a FILE; NULL: none */
    cublasLogCallback callback;
};
struct wg_blas_log *wg_blas_logging(void);

/* operands.c: which operands the op has, of what size; checks sizes and distances. */
cublasStatus_t wg_blas_describe(struct wg_blas_call *c);
/* factors.c, products.c: the same of their own. */
void wg_blas_describe_factors(struct wg_blas_call *c);
void wg_blas_describe_matmul(struct wg_blas_call *c);
/* types.c: which types go together, and what is computed in. */
cublasStatus_t wg_blas_types(struct wg_blas_call *c);
size_t wg_blas_bytes(cudaDataType t); /* of an element; 0: not one that is known */
bool wg_blas_is_complex(cudaDataType t);
/* Elements of one type as those of another, `n` of them, `from_step` and `to_step` elements apart. */
void wg_blas_convert(void *to, cudaDataType to_type, int64_t to_step, const void *from,
                     cudaDataType from_type, int64_t from_step, int64_t n);
double wg_blas_real(const void *p, cudaDataType t); /* the first part of one element */

/* work.c: how many operations of arithmetic the call takes, and its sizes in words. */
uint64_t wg_blas_operations(const struct wg_blas_call *c);
void wg_blas_sizes(const struct wg_blas_call *c, char *text, size_t room);

/* run.c: has the call's work done once a stream comes to it; `call` is the run's. */
void wg_blas_run(void *call);
/* Whether alpha and the like are there; reads them. */
cublasStatus_t wg_blas_check_scalars(const struct wg_blas_call *c);
void wg_blas_read_scalars(struct wg_blas_call *c);
bool wg_blas_gives_number(const struct wg_blas_call *c);
/* What the run does with operands that are of the type that is computed in. `p`: where they are, for this one of a batch. */
typedef void wg_blas_compute(struct wg_blas_call *c, void *const p[WG_OPERANDS]);
wg_blas_compute wg_blas_vectors, wg_blas_matrix_vector, wg_blas_matrices, wg_blas_sums, wg_blas_factors,
    wg_blas_products;
/* 0 for float, 1 double, 2 and 3 complex. */
unsigned wg_blas_index(cudaDataType type);
bool wg_blas_is_zero(const union wg_blas_number *x, cudaDataType t);

/* shapes.c: how many elements of a matrix' column count, and which is the first. */
int64_t wg_blas_column(const struct wg_blas_operand *o, int64_t j, int64_t *first);
/* The output's elements become zeros: what they were does not matter, were it not a number. */
void wg_blas_clear(const struct wg_blas_operand *o, void *at, cudaDataType type);
#pragma GCC visibility pop
#endif
