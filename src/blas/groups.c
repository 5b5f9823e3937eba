/* Batches of several groups, each with sizes of its own: cublasSgemmGroupedBatched and the like. A group is a batch of gemm's. */
#include "blas/call.h"

/* The arguments as the program has them: what is one number of a batch is an array here, with one for each group. */
struct groups {
    const char *function;
    uint64_t from;
    const void *transa, *transb, *m, *n, *k, *lda, *ldb, *ldc, *sizes;
    const void *alpha, *beta;
    const void *const *A, *const *B, *const *C;
    cudaDataType type, Atype, Btype, Ctype; /* type: WG_TYPE_TOLD when the others tell */
    int compute;
    size_t scalar_bytes;
    int64_t count;
    bool wide;
};

static int64_t number(const struct groups *g, const void *array, int64_t i) {
    return g->wide ? ((const int64_t *)array)[i] : ((const int *)array)[i];
}

static struct wg_blas_call group(const struct groups *g, int64_t i, int64_t before) {
    return (struct wg_blas_call){.function = g->function,
                                 .from = g->from,
                                 .op = WG_BLAS_gemm,
                                 .type = g->type,
                                 .scalar = g->type,
                                 .wide = g->wide,
                                 .compute = g->compute,
                                 .Atype = g->Atype,
                                 .Btype = g->Btype,
                                 .Ctype = g->Ctype,
                                 .transa = (int)((const cublasOperation_t *)g->transa)[i],
                                 .transb = (int)((const cublasOperation_t *)g->transb)[i],
                                 .m = number(g, g->m, i),
                                 .n = number(g, g->n, i),
                                 .k = number(g, g->k, i),
                                 .lda = number(g, g->lda, i),
                                 .ldb = number(g, g->ldb, i),
                                 .ldc = number(g, g->ldc, i),
                                 .alpha = (const char *)g->alpha + (size_t)i * g->scalar_bytes,
                                 .beta = (const char *)g->beta + (size_t)i * g->scalar_bytes,
                                 .Aarray = g->A + before,
                                 .Barray = g->B + before,
                                 .Carray = g->C + before,
                                 .batchCount = number(g, g->sizes, i)};
}

/* All groups are looked at before the first is multiplied. */
static cublasStatus_t check(const struct groups *g) {
    const void *arrays[] = {g->transa, g->transb, g->m,     g->n,    g->k, g->lda, g->ldb,
                            g->ldc,    g->sizes,  g->alpha, g->beta, g->A, g->B,   g->C};
    struct wg_blas_call none = {.function = g->function, .from = g->from};
    if (g->count < 0) return wg_blas_refuse(&none, "group_count is %lld", (long long)g->count);
    for (size_t i = 0; g->count && i < sizeof arrays / sizeof *arrays; i++)
        if (!arrays[i]) return wg_blas_refuse(&none, "an array is null");
    for (int64_t i = 0; i < g->count; i++) {
        struct wg_blas_call c = group(g, i, 0);
        const struct {
            const char *name;
            int64_t value, least, most;
        } numbers[] = {{"transa", c.transa, 0, CUBLAS_OP_CONJG},
                       {"transb", c.transb, 0, CUBLAS_OP_CONJG},
                       {"m", c.m, 0, INT64_MAX},
                       {"n", c.n, 0, INT64_MAX},
                       {"k", c.k, 0, INT64_MAX},
                       {"group_size", c.batchCount, 0, INT64_MAX},
                       {"lda", c.lda, c.transa ? c.k : c.m, INT64_MAX},
                       {"ldb", c.ldb, c.transb ? c.n : c.k, INT64_MAX},
                       {"ldc", c.ldc, c.m, INT64_MAX}};
        for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
            if (numbers[j].value < numbers[j].least || numbers[j].value > numbers[j].most)
                return wg_blas_refuse(&c, "%s of group %lld is %lld", numbers[j].name, (long long)i,
                                      (long long)numbers[j].value);
    }
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t multiply(cublasHandle_t handle, const struct groups *g) {
    const struct wg_blas_handle *h = wg_blas_handle_of(handle);
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (h->pointers == CUBLAS_POINTER_MODE_DEVICE)
        return wg_blas_missing("a grouped batch whose scalars are in device memory");
    if (!g->scalar_bytes)
        return wg_blas_missing("a grouped batch that computes neither in float nor in double");
    cublasStatus_t s = check(g);
    int64_t before = 0;
    for (int64_t i = 0; !s && i < g->count; i++) {
        struct wg_blas_call c = group(g, i, before);
        if (c.batchCount) s = wg_blas_do(handle, &c);
        before += c.batchCount;
    }
    return s;
}

#define GROUPS(NAME, ...)                                                                                    \
    struct groups groups = {.function = NAME,                                                                \
                            .from = (uint64_t)__builtin_return_address(0),                                   \
                            .transa = transa,                                                                \
                            .transb = transb,                                                                \
                            .m = m,                                                                          \
                            .n = n,                                                                          \
                            .k = k,                                                                          \
                            .lda = lda,                                                                      \
                            .ldb = ldb,                                                                      \
                            .ldc = ldc,                                                                      \
                            .alpha = alpha,                                                                  \
                            .beta = beta,                                                                    \
                            .A = (const void *const *)A,                                                     \
                            .B = (const void *const *)B,                                                     \
                            .C = (const void *const *)C,                                                     \
                            .sizes = sizes,                                                                  \
                            .count = count,                                                                  \
                            .wide = sizeof *m > sizeof(int),                                                 \
                            __VA_ARGS__}

#define TYPED(L, T, TYPE, END, I)                                                                            \
    WG_BLAS_EXPORT cublasStatus_t cublas##L##gemmGroupedBatched##END(                                        \
        cublasHandle_t h, const cublasOperation_t transa[], const cublasOperation_t transb[], const I m[],   \
        const I n[], const I k[], const T alpha[], const T *const A[], const I lda[], const T *const B[],    \
        const I ldb[], const T beta[], T *const C[], const I ldc[], I count, const I sizes[]) {              \
        GROUPS("cublas" #L "gemmGroupedBatched" #END, .type = TYPE, .scalar_bytes = sizeof(T));              \
        return multiply(h, &groups);                                                                         \
    }
TYPED(S, float, CUDA_R_32F, , int)
TYPED(D, double, CUDA_R_64F, , int)
TYPED(S, float, CUDA_R_32F, _64, int64_t)
TYPED(D, double, CUDA_R_64F, _64, int64_t)

/* Of alpha and beta, which are of the type that is computed in; 0: in none that grouped batches have. */
static size_t scalar_bytes(cublasComputeType_t compute) {
    switch (compute) {
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return sizeof(double);
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: return sizeof(float);
    default: return 0;
    }
}

#define TOLD(END, I)                                                                                         \
    WG_BLAS_EXPORT cublasStatus_t cublasGemmGroupedBatchedEx##END(                                           \
        cublasHandle_t h, const cublasOperation_t transa[], const cublasOperation_t transb[], const I m[],   \
        const I n[], const I k[], const void *alpha, const void *const A[], cudaDataType Atype,              \
        const I lda[], const void *const B[], cudaDataType Btype, const I ldb[], const void *beta,           \
        void *const C[], cudaDataType Ctype, const I ldc[], I count, const I sizes[],                        \
        cublasComputeType_t compute) {                                                                       \
        GROUPS("cublasGemmGroupedBatchedEx" #END, .type = WG_TYPE_TOLD, .Atype = Atype, .Btype = Btype,      \
               .Ctype = Ctype, .compute = (int)compute, .scalar_bytes = scalar_bytes(compute));              \
        return multiply(h, &groups);                                                                         \
    }
TOLD(, int)
TOLD(_64, int64_t)
