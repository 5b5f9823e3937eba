/* cublasLtMatmul, compared with its definition: rows or columns that lie together, transpositions, types, C apart from D, each epilogue and
 * what it keeps, batches; and descriptors.
 */
#include "tests/blas/call.h"
#include <cublasLt.h>
#include <math.h>

enum { M = 9, N = 7, K = 12 };

struct product {
    cudaDataType in, out, scale;
    cublasComputeType_t how;
    bool rows[3]; /* A, B, C and D: rows lie together */
    cublasOperation_t ta, tb;
    cublasLtEpilogue_t epilogue;
    bool apart; /* C is not D */
};

/* What is stored by rows is the transpose of what is stored by columns. */
static struct stored kept(cudaDataType t, bool by_rows, int64_t rows, int64_t columns) {
    int64_t r = by_rows ? columns : rows, c = by_rows ? rows : columns;
    return stored_new(FULL, t, r, c, r + 1 + turn % 2, 0, 0);
}
static struct dense meant(const struct stored *s, bool by_rows) {
    struct dense d = dense_of(s);
    return dense_op(&d, by_rows ? CUBLAS_OP_T : CUBLAS_OP_N);
}
static cublasLtMatrixLayout_t layout(const struct stored *s, bool by_rows) {
    cublasLtMatrixLayout_t l;
    int32_t order = CUBLASLT_ORDER_ROW;
    uint64_t rows = (uint64_t)(by_rows ? s->columns : s->rows),
             columns = (uint64_t)(by_rows ? s->rows : s->columns);
    assert_int_equal(cublasLtMatrixLayoutCreate(&l, s->type, rows, columns, s->ld), 0);
    if (by_rows)
        assert_int_equal(
            cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order), 0);
    return l;
}
static double gelu(double x) { return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }

static void set(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t which, const void *value,
                size_t bytes) {
    assert_int_equal(cublasLtMatmulDescSetAttribute(d, which, value, bytes), 0);
}

/* What becomes of the product. */
static void finish(const struct product *p, struct dense *d, const struct dense *a, const struct dense *b,
                   struct stored *bias, const struct stored *aux, const uint8_t *bits, int64_t bits_ld,
                   const char *what) {
    int e = (int)p->epilogue;
    struct dense v = dense_of(bias), sums = {.rows = bias->rows, .columns = 1}, x = dense_of(aux);
    bool by_rows = p->rows[2];
    if (by_rows) x = dense_op(&x, CUBLAS_OP_T);
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j < N; j++) {
            number *y = &d->at[i][j];
            int64_t at = by_rows ? j + i * bits_ld : i + j * bits_ld;
            if (e & CUBLASLT_EPILOGUE_BIAS) *y += v.at[i][0];
            if ((e & CUBLASLT_EPILOGUE_RELU_AUX) == CUBLASLT_EPILOGUE_RELU_AUX && fabs(creal(*y)) > 1e-3 &&
                (bits[at / 8] >> at % 8 & 1) != (creal(*y) > 0))
                fail_msg("%s: a wrong bit", what);
            if (e & CUBLASLT_EPILOGUE_RELU && creal(*y) < 0) *y = 0;
            if (e & CUBLASLT_EPILOGUE_GELU) *y = gelu(creal(*y));
            if ((e & 8) && !(bits[at / 8] >> at % 8 & 1)) *y = 0;
            if (e & 64) { /* the slope, by a difference */
                double z = creal(x.at[i][j]), h = 1e-5;
                *y *= (gelu(z + h) - gelu(z - h)) / (2 * h);
            }
            if (e & 16) sums.at[i][0] += *y;
        }
    for (int64_t k = 0; k < K; k++) {
        for (int64_t i = 0; i < M && e & CUBLASLT_EPILOGUE_BGRADA; i++) sums.at[i][0] += a->at[i][k];
        for (int64_t j = 0; j < N && e & CUBLASLT_EPILOGUE_BGRADB; j++) sums.at[j][0] += b->at[k][j];
    }
    if (e & (16 | CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB))
        dense_compare(bias, &sums, "the bias' gradient");
    else
        stored_unchanged(bias, what);
}

/* All that one product has. */
struct parts {
    struct stored A, B, C, D, bias, aux;
    uint8_t *bits; /* what ReLU keeps */
    int64_t bits_ld;
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t la, lb, lc, ld;
};

static struct parts make(const struct product *p) {
    int e = (int)p->epilogue;
    struct parts x = {.A = kept(p->in, p->rows[0], p->ta ? K : M, p->ta ? M : K),
                      .B = kept(p->in, p->rows[1], p->tb ? N : K, p->tb ? K : N),
                      .C = kept(p->out, p->rows[2], M, N),
                      .D = kept(p->out, p->rows[2], M, N),
                      .bias = stored_new(VECTOR, p->out, e & CUBLASLT_EPILOGUE_BGRADB ? N : M, 1, 1, 0, 0),
                      .aux = kept(p->out, p->rows[2], M, N),
                      .bits_ld = 128};
    assert_int_equal(cudaMallocManaged((void **)&x.bits, 16 * 16, cudaMemAttachGlobal), 0);
    for (int i = 0; i < 256; i++) x.bits[i] = (uint8_t)(i * 37 + 11);
    x.la = layout(&x.A, p->rows[0]);
    x.lb = layout(&x.B, p->rows[1]);
    x.lc = layout(&x.C, p->rows[2]);
    x.ld = layout(&x.D, p->rows[2]);
    bool has_bits = (e & 128) && (e & (2 | 8));
    int64_t aux_ld = has_bits ? x.bits_ld : x.aux.ld;
    int32_t ta = (int32_t)p->ta, tb = (int32_t)p->tb,
            mode = turn % 2 ? CUBLASLT_POINTER_MODE_DEVICE : CUBLASLT_POINTER_MODE_HOST;
    void *bias_at = x.bias.at, *aux_at = has_bits ? (void *)x.bits : x.aux.at;
    assert_int_equal(cublasLtMatmulDescCreate(&x.desc, p->how, p->scale), 0);
    set(x.desc, CUBLASLT_MATMUL_DESC_TRANSA, &ta, sizeof ta);
    set(x.desc, CUBLASLT_MATMUL_DESC_TRANSB, &tb, sizeof tb);
    set(x.desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, sizeof mode);
    set(x.desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &p->epilogue, sizeof p->epilogue);
    set(x.desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias_at, sizeof(void *));
    set(x.desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux_at, sizeof(void *));
    set(x.desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux_ld, sizeof aux_ld);
    return x;
}

static void unmake(struct parts *x) {
    struct stored *all[] = {&x->A, &x->B, &x->C, &x->D, &x->bias, &x->aux};
    cublasLtMatrixLayout_t layouts[] = {x->la, x->lb, x->lc, x->ld};
    for (int i = 0; i < 6; i++) stored_free(all[i]);
    for (int i = 0; i < 4; i++) cublasLtMatrixLayoutDestroy(layouts[i]);
    cublasLtMatmulDescDestroy(x->desc);
    cudaFree(x->bits);
}

/* What GELU keeps is what went into it. */
static void compare_kept(const struct product *p, const struct parts *x, const struct dense *product,
                         const char *what) {
    struct dense before = *product, v = dense_of(&x->bias);
    if (((int)p->epilogue & (128 | 32)) != (128 | 32)) {
        stored_unchanged(&x->aux, what);
        return;
    }
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j < N; j++)
            if (p->epilogue & CUBLASLT_EPILOGUE_BIAS) before.at[i][j] += v.at[i][0];
    if (p->rows[2]) before = dense_op(&before, CUBLAS_OP_T);
    dense_compare(&x->aux, &before, "what went into GELU");
}

static void one(const struct product *p, number alpha, number beta) {
    char what[160];
    snprintf(what, sizeof what, "cublasLtMatmul types %d %d, by rows %d%d%d, ops %d%d, epilogue %d, beta %g",
             p->in, p->out, p->rows[0], p->rows[1], p->rows[2], p->ta, p->tb, (int)p->epilogue, creal(beta));
    struct parts x = make(p);
    struct stored *out = p->apart ? &x.D : &x.C;
    if (beta == 0) stored_spoil(&x.C);
    if (p->apart) stored_spoil(&x.D);
    struct dense a = meant(&x.A, p->rows[0]), b = meant(&x.B, p->rows[1]), c = meant(&x.C, p->rows[2]);
    a = dense_op(&a, p->ta);
    b = dense_op(&b, p->tb);
    struct dense product = dense_product(&a, &b), want = dense_sum(alpha, &product, beta, &c);
    void *al = scalar(0, p->scale, alpha), *be = scalar(1, p->scale, beta);
    cublasLtMatrixLayout_t ld = p->apart ? x.ld : x.lc;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t way;
    int ways = 0;
    assert_int_equal(cublasLtMatmulPreferenceCreate(&preference), 0);
    GOOD(cublasLtMatmulAlgoGetHeuristic((cublasLtHandle_t)handle, x.desc, x.la, x.lb, x.lc, ld, preference, 1,
                                        &way, &ways));
    assert_int_equal(ways, 1);
    GOOD(cublasLtMatmul((cublasLtHandle_t)handle, x.desc, al, x.A.at, x.la, x.B.at, x.lb, be, x.C.at, x.lc,
                        out->at, ld, &way.algo, NULL, 0, NULL));
    compare_kept(p, &x, &want, what);
    finish(p, &want, &a, &b, &x.bias, &x.aux, x.bits, x.bits_ld, what);
    if (p->rows[2]) want = dense_op(&want, CUBLAS_OP_T);
    dense_compare(out, &want, what);
    stored_unchanged(&x.A, what);
    if (p->apart) stored_unchanged(&x.C, what);
    unmake(&x);
    cublasLtMatmulPreferenceDestroy(preference);
}

static void test_layouts(void **state) {
    static const struct product kinds[] = {
        {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, {0}, 0, 0, CUBLASLT_EPILOGUE_DEFAULT, false},
        {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, {0}, 0, 0, CUBLASLT_EPILOGUE_DEFAULT, false},
        {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, {0}, 0, 0, CUBLASLT_EPILOGUE_DEFAULT, false},
        {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, {0}, 0, 0, CUBLASLT_EPILOGUE_BIAS, false},
        {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, {0}, 0, 0, CUBLASLT_EPILOGUE_DEFAULT, false},
        {CUDA_C_32F,
         CUDA_C_32F,
         CUDA_C_32F,
         CUBLAS_COMPUTE_32F,
         {0},
         0,
         0,
         CUBLASLT_EPILOGUE_DEFAULT,
         false}};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (unsigned way = 0; way < 32; way++, turn++) {
            struct product p = kinds[i];
            for (int k = 0; k < 3; k++) p.rows[k] = way >> k & 1;
            p.ta = way & 8 ? CUBLAS_OP_T : CUBLAS_OP_N;
            p.tb = way & 16 ? CUBLAS_OP_T : CUBLAS_OP_N;
            p.apart = turn % 3 == 0;
            one(&p, p.scale == CUDA_R_32I ? 2 : factor(2, p.scale),
                p.scale == CUDA_R_32I ? turn % 2 : factor(turn, p.scale));
        }
}

static void test_epilogues(void **state) {
    static const cublasLtEpilogue_t all[] = {
        CUBLASLT_EPILOGUE_DEFAULT,       CUBLASLT_EPILOGUE_RELU,          CUBLASLT_EPILOGUE_RELU_AUX,
        CUBLASLT_EPILOGUE_BIAS,          CUBLASLT_EPILOGUE_RELU_BIAS,     CUBLASLT_EPILOGUE_GELU,
        CUBLASLT_EPILOGUE_RELU_AUX_BIAS, CUBLASLT_EPILOGUE_DRELU,         CUBLASLT_EPILOGUE_GELU_AUX,
        CUBLASLT_EPILOGUE_GELU_BIAS,     CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DRELU_BGRAD,
        CUBLASLT_EPILOGUE_DGELU,         CUBLASLT_EPILOGUE_BGRADA,        CUBLASLT_EPILOGUE_DGELU_BGRAD,
        CUBLASLT_EPILOGUE_BGRADB};
    for (unsigned i = 0; i < 16; i++)
        for (unsigned way = 0; way < 8; way++, turn++) {
            struct product p = {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, {0}, 0,
                                0,          all[i],     way & 1};
            p.rows[2] = way & 2;
            p.rows[way % 2] = way & 4;
            p.ta = way & 4 ? CUBLAS_OP_T : CUBLAS_OP_N;
            one(&p, 1, factor(turn, CUDA_R_32F));
        }
}

static void test_descriptors(void **state) {
    cublasLtMatmulDesc_t d;
    cublasLtMatrixLayout_t l;
    cublasLtMatrixLayoutOpaque_t own;
    uint64_t rows = 0;
    size_t written = 0;
    int32_t value = 0;
    char any[4];
    assert_int_equal(cublasLtMatmulDescCreate(&d, CUBLAS_COMPUTE_32F, CUDA_R_32F), 0);
    assert_int_equal(
        cublasLtMatmulDescGetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, &value, sizeof value, &written), 0);
    assert_int_equal(value, CUBLASLT_EPILOGUE_DEFAULT);
    assert_int_equal(cublasLtMatmulDescSetAttribute(d, CUBLASLT_MATMUL_DESC_EPILOGUE, any, 3),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasLtMatmulDescGetAttribute(d, (cublasLtMatmulDescAttributes_t)999, any, 4, NULL),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasLtMatrixLayoutInit(&own, CUDA_R_16F, 5, 6, 8), 0);
    assert_int_equal(
        cublasLtMatrixLayoutGetAttribute(&own, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof rows, NULL), 0);
    assert_int_equal(rows, 5);
    assert_int_equal(cublasLtMatrixLayoutGetAttribute(&own, CUBLASLT_MATRIX_LAYOUT_COLS, NULL, 0, &written),
                     0);
    assert_int_equal(written, 8);
    assert_int_equal(cublasLtMatrixLayoutCreate(&l, CUDA_R_32F, 4, 4, 4), 0);
    /* The sizes do not go together. */
    assert_int_equal(cublasLtMatmul((cublasLtHandle_t)handle, d, any, any, &own, any, l, any, any, l, any, l,
                                    NULL, NULL, 0, NULL),
                     CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasLtMatmul(NULL, d, any, any, l, any, l, any, any, l, any, l, NULL, NULL, 0, NULL),
                     CUBLAS_STATUS_NOT_INITIALIZED);
    cublasLtMatmulDescDestroy(d);
    cublasLtMatrixLayoutDestroy(l);
}

static void test_transform(void **state) {
    const char *what = "cublasLtMatrixTransform";
    for (turn = 0; turn < 16; turn++) {
        bool ra = turn & 1, rc = turn & 2;
        int32_t across = turn & 4 ? CUBLAS_OP_T : CUBLAS_OP_N, mode = CUBLASLT_POINTER_MODE_HOST;
        struct stored A = kept(CUDA_R_32F, ra, across ? N : M, across ? M : N),
                      C = kept(CUDA_R_32F, rc, M, N);
        struct dense a = meant(&A, ra), none = {.rows = M, .columns = N};
        float alpha = 2;
        stored_spoil(&C);
        a = dense_op(&a, (cublasOperation_t)across);
        struct dense want = dense_sum(2, &a, 0, &none);
        if (rc) want = dense_op(&want, CUBLAS_OP_T);
        cublasLtMatrixTransformDesc_t t;
        cublasLtMatrixLayout_t la = layout(&A, ra), lc = layout(&C, rc);
        assert_int_equal(cublasLtMatrixTransformDescCreate(&t, CUDA_R_32F), 0);
        assert_int_equal(cublasLtMatrixTransformDescSetAttribute(t, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA,
                                                                 &across, sizeof across),
                         0);
        assert_int_equal(cublasLtMatrixTransformDescSetAttribute(
                             t, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, &mode, sizeof mode),
                         0);
        GOOD(cublasLtMatrixTransform((cublasLtHandle_t)handle, t, &alpha, A.at, la, NULL, NULL, NULL, C.at,
                                     lc, NULL));
        dense_compare(&C, &want, what);
        stored_free(&A);
        stored_free(&C);
        cublasLtMatrixTransformDescDestroy(t);
        cublasLtMatrixLayoutDestroy(la);
        cublasLtMatrixLayoutDestroy(lc);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_epilogues),
        cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_transform),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
