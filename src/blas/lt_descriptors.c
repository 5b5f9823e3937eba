/* cublasLt's descriptors: made, and their members set and asked for by number. They lie in memory that the program may own, in
 * structs that are opaque to it.
 */
#include "blas/lt.h"
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct wg_lt_layout) <= sizeof(cublasLtMatrixLayoutOpaque_t), "a layout fits");
_Static_assert(sizeof(struct wg_lt_product) <= sizeof(cublasLtMatmulDescOpaque_t), "a product fits");
_Static_assert(sizeof(struct wg_lt_transform) <= sizeof(cublasLtMatrixTransformDescOpaque_t),
               "a transform fits");
_Static_assert(sizeof(struct wg_lt_preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t),
               "a preference fits");

struct member {
    int which;
    uint32_t offset, bytes;
};
#define MEMBER(STRUCT, WHICH, NAME) {WHICH, offsetof(struct STRUCT, NAME), sizeof(((struct STRUCT *)0)->NAME)}

static const struct member layout_members[] = {
#define LAYOUT(WHICH, NAME) MEMBER(wg_lt_layout, CUBLASLT_MATRIX_LAYOUT_##WHICH, NAME)
    LAYOUT(TYPE, type),
    LAYOUT(ORDER, order),
    LAYOUT(ROWS, rows),
    LAYOUT(COLS, columns),
    LAYOUT(LD, ld),
    LAYOUT(BATCH_COUNT, batch),
    LAYOUT(STRIDED_BATCH_OFFSET, stride),
    LAYOUT(PLANE_OFFSET, plane),
    LAYOUT(BATCH_MODE, batch_mode)};
static const struct member product_members[] = {
#define PRODUCT(WHICH, NAME) MEMBER(wg_lt_product, CUBLASLT_MATMUL_DESC_##WHICH, NAME)
    PRODUCT(COMPUTE_TYPE, compute),
    PRODUCT(SCALE_TYPE, scale),
    PRODUCT(POINTER_MODE, pointers),
    PRODUCT(TRANSA, transa),
    PRODUCT(TRANSB, transb),
    PRODUCT(TRANSC, transc),
    PRODUCT(FILL_MODE, fill),
    PRODUCT(EPILOGUE, epilogue),
    PRODUCT(BIAS_POINTER, bias),
    PRODUCT(BIAS_BATCH_STRIDE, bias_stride),
    PRODUCT(BIAS_DATA_TYPE, bias_type),
    PRODUCT(EPILOGUE_AUX_POINTER, aux),
    PRODUCT(EPILOGUE_AUX_LD, aux_ld),
    PRODUCT(EPILOGUE_AUX_BATCH_STRIDE, aux_stride),
    PRODUCT(EPILOGUE_AUX_DATA_TYPE, aux_type),
    PRODUCT(ALPHA_VECTOR_BATCH_STRIDE, alpha_stride),
    PRODUCT(SM_COUNT_TARGET, sms),
    PRODUCT(FAST_ACCUM, fast),
    PRODUCT(A_SCALE_POINTER, scales[0]),
    PRODUCT(B_SCALE_POINTER, scales[1]),
    PRODUCT(C_SCALE_POINTER, scales[2]),
    PRODUCT(D_SCALE_POINTER, scales[3]),
    PRODUCT(AMAX_D_POINTER, scales[4]),
    PRODUCT(EPILOGUE_AUX_SCALE_POINTER, scales[5]),
    PRODUCT(EPILOGUE_AUX_AMAX_POINTER, scales[6])};
static const struct member transform_members[] = {
#define TRANSFORM(WHICH, NAME) MEMBER(wg_lt_transform, CUBLASLT_MATRIX_TRANSFORM_DESC_##WHICH, NAME)
    TRANSFORM(SCALE_TYPE, scale), TRANSFORM(POINTER_MODE, pointers), TRANSFORM(TRANSA, transa),
    TRANSFORM(TRANSB, transb)};
static const struct member preference_members[] = {
#define PREFERENCE(WHICH, NAME) MEMBER(wg_lt_preference, CUBLASLT_MATMUL_PREF_##WHICH, NAME)
    PREFERENCE(SEARCH_MODE, search),
    PREFERENCE(MAX_WORKSPACE_BYTES, workspace),
    PREFERENCE(REDUCTION_SCHEME_MASK, reductions),
    PREFERENCE(MIN_ALIGNMENT_A_BYTES, alignments[0]),
    PREFERENCE(MIN_ALIGNMENT_B_BYTES, alignments[1]),
    PREFERENCE(MIN_ALIGNMENT_C_BYTES, alignments[2]),
    PREFERENCE(MIN_ALIGNMENT_D_BYTES, alignments[3]),
    PREFERENCE(MAX_WAVES_COUNT, waves),
    PREFERENCE(IMPL_MASK, ways)};

static const struct member *find(const struct member *m, size_t n, int which) {
    for (size_t i = 0; i < n; i++)
        if (m[i].which == which) return &m[i];
    return NULL;
}

static cublasStatus_t set(void *x, const struct member *m, const void *value, size_t bytes) {
    if (!x || !m || !value || bytes != m->bytes) return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)x + m->offset, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
/* Of no bytes: how many there are. */
static cublasStatus_t get(const void *x, const struct member *m, void *value, size_t bytes, size_t *written) {
    if (!x || !m || (!bytes && !written) || (bytes && (!value || bytes < m->bytes)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (written) *written = m->bytes;
    if (bytes) memcpy(value, (const char *)x + m->offset, m->bytes);
    return CUBLAS_STATUS_SUCCESS;
}

#define ATTRIBUTES(NAME, TYPE, ENUM, MEMBERS)                                                                \
    WG_BLAS_EXPORT cublasStatus_t cublasLt##NAME##SetAttribute(TYPE x, ENUM which, const void *value,        \
                                                               size_t bytes) {                               \
        return set(x, find(MEMBERS, sizeof MEMBERS / sizeof *MEMBERS, (int)which), value, bytes);            \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublasLt##NAME##GetAttribute(TYPE x, ENUM which, void *value,              \
                                                               size_t bytes, size_t *written) {              \
        return get(x, find(MEMBERS, sizeof MEMBERS / sizeof *MEMBERS, (int)which), value, bytes, written);   \
    }                                                                                                        \
    WG_BLAS_EXPORT cublasStatus_t cublasLt##NAME##Destroy(TYPE x) {                                          \
        free(x);                                                                                             \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    }
ATTRIBUTES(MatrixLayout, cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t, layout_members)
ATTRIBUTES(MatmulDesc, cublasLtMatmulDesc_t, cublasLtMatmulDescAttributes_t, product_members)
ATTRIBUTES(MatrixTransformDesc, cublasLtMatrixTransformDesc_t, cublasLtMatrixTransformDescAttributes_t,
           transform_members)
ATTRIBUTES(MatmulPreference, cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
           preference_members)

/* In memory of the program's, or in memory of its own. */
#define INITIAL(X, BYTES, STRUCT, ...)                                                                       \
    do {                                                                                                     \
        if (!(X) || (BYTES) < sizeof *(X)) return CUBLAS_STATUS_INVALID_VALUE;                               \
        memset((X), 0, sizeof *(X));                                                                         \
        *(struct STRUCT *)(void *)(X) = (struct STRUCT){__VA_ARGS__};                                        \
        return CUBLAS_STATUS_SUCCESS;                                                                        \
    } while (0)
#define CREATE(OUT, INIT)                                                                                    \
    do {                                                                                                     \
        if (!(OUT)) return CUBLAS_STATUS_INVALID_VALUE;                                                      \
        if (!(*(OUT) = malloc(sizeof **(OUT)))) return CUBLAS_STATUS_ALLOC_FAILED;                           \
        return INIT;                                                                                         \
    } while (0)

WG_BLAS_EXPORT cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t x, size_t bytes,
                                                                cudaDataType type, uint64_t rows,
                                                                uint64_t columns, int64_t ld) {
    INITIAL(x, bytes, wg_lt_layout, .type = (int)type, .rows = rows, .columns = columns, .ld = ld,
            .batch = 1);
}
WG_BLAS_EXPORT cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *x, cudaDataType type,
                                                         uint64_t rows, uint64_t columns, int64_t ld) {
    CREATE(x, cublasLtMatrixLayoutInit_internal(*x, sizeof **x, type, rows, columns, ld));
}
WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t x, size_t bytes,
                                                              cublasComputeType_t compute,
                                                              cudaDataType_t scale) {
    INITIAL(x, bytes, wg_lt_product, .compute = (int)compute, .scale = (int)scale,
            .fill = CUBLAS_FILL_MODE_FULL, .epilogue = CUBLASLT_EPILOGUE_DEFAULT, .bias_type = -1,
            .aux_type = -1);
}
WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *x, cublasComputeType_t compute,
                                                       cudaDataType_t scale) {
    CREATE(x, cublasLtMatmulDescInit_internal(*x, sizeof **x, compute, scale));
}
WG_BLAS_EXPORT cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t x,
                                                                       size_t bytes, cudaDataType scale) {
    INITIAL(x, bytes, wg_lt_transform, .scale = (int)scale);
}
WG_BLAS_EXPORT cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *x,
                                                                cudaDataType scale) {
    CREATE(x, cublasLtMatrixTransformDescInit_internal(*x, sizeof **x, scale));
}
WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t x,
                                                                    size_t bytes) {
    INITIAL(x, bytes, wg_lt_preference, .reductions = CUBLASLT_REDUCTION_SCHEME_MASK,
            .alignments = {256, 256, 256, 256});
}
WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *x) {
    CREATE(x, cublasLtMatmulPreferenceInit_internal(*x, sizeof **x));
}

/* ---- the one way ---- */

/* What a program sets of it is kept, four bytes each. */
static uint32_t *config(const cublasLtMatmulAlgo_t *algo, int which) {
    bool there = algo && which >= 0 && which <= CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID;
    return there ? (uint32_t *)(uintptr_t)algo->data + which : NULL;
}
static size_t config_bytes(int which) { return which >= CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID ? 2 : 4; }

WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                                                   cublasLtMatmulAlgoConfigAttributes_t which,
                                                                   const void *value, size_t bytes) {
    uint32_t *at = config(algo, (int)which);
    if (!at || !value || bytes != config_bytes((int)which)) return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(at, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                                   cublasLtMatmulAlgoConfigAttributes_t which,
                                                                   void *value, size_t bytes,
                                                                   size_t *written) {
    const uint32_t *at = config(algo, (int)which);
    size_t size = config_bytes((int)which);
    if (!at || (!bytes && !written) || (bytes && (!value || bytes < size)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (written) *written = size;
    if (bytes) memcpy(value, at, size);
    return CUBLAS_STATUS_SUCCESS;
}
/* It splits nothing, swizzles nothing and has no tiles: nearly all is 0. */
WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                                cublasLtMatmulAlgoCapAttributes_t which,
                                                                void *value, size_t bytes, size_t *written) {
    bool list = which == CUBLASLT_ALGO_CAP_TILE_IDS || which == CUBLASLT_ALGO_CAP_STAGES_IDS;
    bool wide = which == CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS;
    uint64_t is = which == CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT ||
                  which == CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT ||
                  which == CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT;
    size_t size = list ? 0 : wide ? 8 : 4;
    if (which == CUBLASLT_ALGO_CAP_EPILOGUE_MASK) is = 0x3ff;
    if (which == CUBLASLT_ALGO_CAP_POINTER_MODE_MASK)
        is = CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE;
    if (!algo || (!bytes && !written) || (bytes && (!value || bytes < size)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (written) *written = size;
    if (bytes) memcpy(value, &is, size);
    return CUBLAS_STATUS_SUCCESS;
}
