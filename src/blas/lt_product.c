/* cublasLtMatmul: D = f(alpha op(A) op(B) + beta C), where f adds a bias, cuts off what is negative, and the like; and
 * cublasLtMatrixTransform. A matrix whose rows lie together is the transpose of one whose columns do, and is taken as that.
 *
 * Operands: C is the result D here, X is the C that is added, Y what the function keeps or is given beside it (aux), Z the bias.
 */
#include "blas/lt.h"
#include <string.h>

/* ---- what is to be done ---- */

static struct wg_blas_operand operand(const char *name, const struct wg_lt_layout *l) {
    bool by_rows = l->order == CUBLASLT_ORDER_ROW,
         pointers = l->batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY;
    return (struct wg_blas_operand){.shape = WG_SHAPE_FULL,
                                    .name = name,
                                    .type = (cudaDataType)l->type,
                                    .rows = (int64_t)(by_rows ? l->columns : l->rows),
                                    .columns = (int64_t)(by_rows ? l->rows : l->columns),
                                    .ld = l->ld,
                                    .stride = l->stride,
                                    .array = pointers ? name : NULL}; /* the array itself comes later */
}

static int transposed(int op) { return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N; }

static bool is_refused(const struct wg_lt_product *p, const struct wg_lt_layout *const l[4]) {
    const char *what = NULL;
    for (int i = 0; i < 4; i++)
        if (l[i]->order > CUBLASLT_ORDER_ROW) what = "a matrix in tiles (CUBLASLT_ORDER_COL32 and the like)";
    for (int i = 0; i < 8; i++)
        if (p->scales[i]) what = "cublasLtMatmul with factors of operands (A_SCALE_POINTER and the like)";
    if (p->pointers > CUBLASLT_POINTER_MODE_DEVICE) what = "cublasLtMatmul with a vector of factors alpha";
    if (p->fill != CUBLAS_FILL_MODE_FULL) what = "cublasLtMatmul of a triangle";
    if (p->transc) what = "cublasLtMatmul with C transposed";
    if (l[2]->type != l[3]->type || l[2]->order != l[3]->order)
        what = "cublasLtMatmul with C of another type or order than D";
    if (what) wg_blas_missing(what);
    return what;
}

/* The bias is a column's, or what becomes of one. */
static struct wg_blas_operand bias_operand(const struct wg_lt_product *p, const struct wg_blas_call *c,
                                           cudaDataType type) {
    int64_t n = c->epilogue & EPILOGUE_BGRADB ? (c->flipped ? c->m : c->n) : (c->flipped ? c->n : c->m);
    bool used = p->epilogue & (EPILOGUE_BIAS | EPILOGUE_BGRAD | EPILOGUE_BGRADA | EPILOGUE_BGRADB);
    return (struct wg_blas_operand){.shape = used ? WG_SHAPE_VECTOR : WG_SHAPE_NONE,
                                    .access = !used                         ? 0
                                              : p->epilogue & EPILOGUE_BIAS ? WG_BLAS_READ
                                                                            : WG_BLAS_WRITE,
                                    .name = "the bias",
                                    .type = p->bias_type == -1 ? type : (cudaDataType)p->bias_type,
                                    .rows = n,
                                    .columns = 1,
                                    .ld = 1,
                                    .stride = p->bias_stride,
                                    .at = p->bias};
}

static struct wg_blas_operand aux_operand(const struct wg_lt_product *p, const struct wg_blas_call *c,
                                          cudaDataType type) {
    bool bits = p->epilogue & (EPILOGUE_RELU | EPILOGUE_DRELU), used = p->epilogue & EPILOGUE_AUX;
    return (struct wg_blas_operand){.shape = used ? WG_SHAPE_FULL : WG_SHAPE_NONE,
                                    .access = !used ? 0
                                              : p->epilogue & (EPILOGUE_DRELU | EPILOGUE_DGELU)
                                                  ? WG_BLAS_READ
                                                  : WG_BLAS_WRITE,
                                    .raw = bits,
                                    .name = "the auxiliary buffer",
                                    .type = bits                ? CUDA_R_8I
                                            : p->aux_type == -1 ? type
                                                                : (cudaDataType)p->aux_type,
                                    .rows = bits ? (c->m + 7) / 8 : c->m,
                                    .columns = c->n,
                                    .ld = bits ? p->aux_ld / 8 : p->aux_ld,
                                    .stride = bits ? p->aux_stride / 8 : p->aux_stride,
                                    .at = p->aux};
}

cublasStatus_t wg_lt_plan(const struct wg_lt_product *p, const struct wg_lt_layout *a,
                          const struct wg_lt_layout *b, const struct wg_lt_layout *c,
                          const struct wg_lt_layout *d, struct wg_blas_call *out) {
    if (is_refused(p, (const struct wg_lt_layout *const[]){a, b, c, d})) return CUBLAS_STATUS_NOT_SUPPORTED;
    struct wg_blas_operand A = operand("A", a), B = operand("B", b);
    int ta = a->order == CUBLASLT_ORDER_ROW ? transposed(p->transa) : p->transa,
        tb = b->order == CUBLASLT_ORDER_ROW ? transposed(p->transb) : p->transb;
    *out = (struct wg_blas_call){.function = "cublasLtMatmul",
                                 .op = WG_BLAS_matmul,
                                 .type = WG_TYPE_TOLD,
                                 .scalar = (cudaDataType)p->scale,
                                 .compute = p->compute,
                                 .batchCount = d->batch,
                                 .Atype = A.type,
                                 .Btype = B.type,
                                 .Ctype = (cudaDataType)d->type,
                                 .epilogue = p->epilogue,
                                 .flipped = d->order == CUBLASLT_ORDER_ROW};
    out->plan[WG_OPERAND_A] = out->flipped ? B : A;
    out->plan[WG_OPERAND_B] = out->flipped ? A : B;
    out->transa = out->flipped ? transposed(tb) : ta;
    out->transb = out->flipped ? transposed(ta) : tb;
    out->plan[WG_OPERAND_C] = operand("D", d);
    out->plan[WG_OPERAND_X] = operand("C", c);
    const struct wg_blas_operand *pa = &out->plan[WG_OPERAND_A], *pb = &out->plan[WG_OPERAND_B];
    out->m = out->plan[WG_OPERAND_C].rows;
    out->n = out->plan[WG_OPERAND_C].columns;
    out->k = out->transa == CUBLAS_OP_N ? pa->columns : pa->rows;
    out->plan[WG_OPERAND_Y] = aux_operand(p, out, out->Ctype);
    out->plan[WG_OPERAND_Z] = bias_operand(p, out, out->Ctype);
    bool fits = (out->transa == CUBLAS_OP_N ? pa->rows : pa->columns) == out->m &&
                (out->transb == CUBLAS_OP_N ? pb->rows : pb->columns) == out->k &&
                (out->transb == CUBLAS_OP_N ? pb->columns : pb->rows) == out->n;
    if (!fits || c->rows != d->rows || c->columns != d->columns)
        return wg_blas_refuse(out, "the sizes of A, B, C and D do not match");
    if (a->batch != d->batch || b->batch != d->batch || c->batch != d->batch)
        return wg_blas_refuse(out, "the batch counts of A, B, C and D differ");
    if (out->plan[WG_OPERAND_Z].shape && !p->bias) return wg_blas_refuse(out, "the bias is a null pointer");
    if (out->plan[WG_OPERAND_Y].shape && !p->aux)
        return wg_blas_refuse(out, "the auxiliary buffer is a null pointer");
    struct wg_blas_call asked = *out;
    return wg_blas_types(&asked);
}

/* ---- the functions ---- */

#define LAYOUT(X) ((const struct wg_lt_layout *)(const void *)(X))

static void place(struct wg_blas_operand *o, const void *at) {
    if (o->array)
        o->array = at;
    else
        o->at = at;
}

WG_BLAS_EXPORT cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                             const void *alpha, const void *A, cublasLtMatrixLayout_t a,
                                             const void *B, cublasLtMatrixLayout_t b, const void *beta,
                                             const void *C, cublasLtMatrixLayout_t c, void *D,
                                             cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algo,
                                             void *workspace, size_t bytes, cudaStream_t stream) {
    struct wg_blas_call call;
    if (!wg_blas_handle_of((cublasHandle_t)handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!product || !a || !b || !c || !d) return CUBLAS_STATUS_INVALID_VALUE;
    const struct wg_lt_product *p = (const void *)product;
    cublasStatus_t s = wg_lt_plan(p, LAYOUT(a), LAYOUT(b), LAYOUT(c), LAYOUT(d), &call);
    if (s) return s;
    call.from = (uint64_t)__builtin_return_address(0);
    call.alpha = alpha;
    call.beta = beta;
    place(&call.plan[WG_OPERAND_A], call.flipped ? B : A);
    place(&call.plan[WG_OPERAND_B], call.flipped ? A : B);
    place(&call.plan[WG_OPERAND_C], D);
    place(&call.plan[WG_OPERAND_X], C);
    struct wg_blas_handle own = *wg_blas_handle_of((cublasHandle_t)handle);
    own.stream = stream;
    own.pointers = (cublasPointerMode_t)p->pointers;
    return wg_blas_do((cublasHandle_t)&own, &call);
}

WG_BLAS_EXPORT cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle,
                                                      cublasLtMatrixTransformDesc_t transform,
                                                      const void *alpha, const void *A,
                                                      cublasLtMatrixLayout_t a, const void *beta,
                                                      const void *B, cublasLtMatrixLayout_t b, void *C,
                                                      cublasLtMatrixLayout_t c, cudaStream_t stream) {
    const struct wg_blas_handle *h = wg_blas_handle_of((cublasHandle_t)handle);
    if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!transform || !a || !c) return CUBLAS_STATUS_INVALID_VALUE;
    const struct wg_lt_transform *t = (const void *)transform;
    const struct wg_lt_layout *la = LAYOUT(a), *lb = b ? LAYOUT(b) : LAYOUT(c), *lc = LAYOUT(c);
    bool other = la->type != lc->type || lb->type != lc->type || t->scale != lc->type;
    if (other || la->order > CUBLASLT_ORDER_ROW || lb->order > CUBLASLT_ORDER_ROW ||
        lc->order > CUBLASLT_ORDER_ROW)
        return wg_blas_missing("cublasLtMatrixTransform between types, or of tiles,");
    struct wg_blas_operand out = operand("C", lc);
    bool across = (la->order != lc->order) != (t->transa != CUBLAS_OP_N),
         b_across = (lb->order != lc->order) != (t->transb != CUBLAS_OP_N);
    static const union wg_blas_number zero;
    struct wg_blas_call call = {.function = "cublasLtMatrixTransform",
                                .from = (uint64_t)__builtin_return_address(0),
                                .op = WG_BLAS_geam,
                                .type = (cudaDataType)lc->type,
                                .transa = across ? CUBLAS_OP_T : CUBLAS_OP_N,
                                .transb = b_across ? CUBLAS_OP_T : CUBLAS_OP_N,
                                .m = out.rows,
                                .n = out.columns,
                                .alpha = alpha,
                                .A = A,
                                .lda = la->ld,
                                .strideA = la->stride,
                                .beta = B || t->pointers ? beta : &zero,
                                .B = B,
                                .ldb = lb->ld,
                                .strideB = lb->stride,
                                .C = C,
                                .ldc = lc->ld,
                                .strideC = lc->stride,
                                .batchCount = lc->batch};
    struct wg_blas_handle own = *h;
    own.stream = stream;
    own.pointers = (cublasPointerMode_t)t->pointers;
    return wg_blas_do((cublasHandle_t)&own, &call);
}

WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t product, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference, int most,
    cublasLtMatmulHeuristicResult_t results[], int *n) {
    struct wg_lt_product p;
    struct wg_blas_call call;
    static const char any[1]; /* pointers may come later */
    if (!wg_blas_handle_of((cublasHandle_t)handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!product || !a || !b || !c || !d || !results || !n || most < 1) return CUBLAS_STATUS_INVALID_VALUE;
    memcpy(&p, product, sizeof p);
    if (!p.bias) p.bias = any;
    if (!p.aux) p.aux = (void *)(uintptr_t)any;
    *n = 0;
    cublasStatus_t s = wg_lt_plan(&p, LAYOUT(a), LAYOUT(b), LAYOUT(c), LAYOUT(d), &call);
    if (s) return s;
    memset(results, 0, sizeof *results);
    results->wavesCount = 1;
    *n = 1;
    return CUBLAS_STATUS_SUCCESS;
}

WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                                      cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                      cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                      const cublasLtMatmulAlgo_t *algo,
                                                      cublasLtMatmulHeuristicResult_t *result) {
    int n;
    if (!algo || !result) return CUBLAS_STATUS_INVALID_VALUE;
    cublasStatus_t s = cublasLtMatmulAlgoGetHeuristic(handle, product, a, b, c, d, NULL, 1, result, &n);
    if (!s) result->algo = *algo;
    return s;
}

WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                                       cudaDataType_t scale, cudaDataType_t a,
                                                       cudaDataType_t b, cudaDataType_t c, cudaDataType_t d,
                                                       int most, int ids[], int *n) {
    if (!wg_blas_handle_of((cublasHandle_t)handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (most < 1 || !ids || !n) return CUBLAS_STATUS_INVALID_VALUE;
    ids[0] = 0;
    *n = 1;
    return CUBLAS_STATUS_SUCCESS;
}
WG_BLAS_EXPORT cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                                     cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                                                     cudaDataType_t c, cudaDataType_t d, int id,
                                                     cublasLtMatmulAlgo_t *algo) {
    if (!wg_blas_handle_of((cublasHandle_t)handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!algo || id != 0) return CUBLAS_STATUS_INVALID_VALUE;
    memset(algo, 0, sizeof *algo);
    return CUBLAS_STATUS_SUCCESS;
}
