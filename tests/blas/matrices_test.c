/* cuBLAS' operations on matrices, compared with their definitions: all types, transpositions, halves, sides, factors of 0 with what is
 * not a number behind them, distances between columns, batches, and what must not be touched.
 */
#include "tests/blas/call.h"

static const int64_t sizes[][3] = {{1, 1, 1}, {3, 2, 5}, {7, 9, 4}, {16, 17, 8},
                                   {5, 5, 0}, {0, 3, 2}, {2, 0, 2}};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

static struct stored general(cudaDataType type, cublasOperation_t op, int64_t rows, int64_t columns) {
    int64_t r = op == CUBLAS_OP_N ? rows : columns, c = op == CUBLAS_OP_N ? columns : rows;
    return stored_new(FULL, type, r, c, r + 1 + turn % 3, 0, 0);
}

/* alpha op(A) op(B) + beta C, of what is stored. */
static struct dense expected(number alpha, const struct dense *a, const struct dense *b, number beta,
                             const struct stored *c) {
    struct dense product = dense_product(a, b), old = dense_of(c);
    return dense_sum(alpha, &product, beta, &old);
}

static void one_gemm(cudaDataType t, const int64_t *n, cublasOperation_t ta, cublasOperation_t tb,
                     number alpha, number beta) {
    char what[128];
    snprintf(what, sizeof what, "%sgemm %d %d, %lld %lld %lld, alpha %g beta %g", type_name(t), ta, tb,
             (long long)n[0], (long long)n[1], (long long)n[2], creal(alpha), creal(beta));
    struct stored A = general(t, ta, n[0], n[2]), B = general(t, tb, n[2], n[1]),
                  C = stored_new(FULL, t, n[0], n[1], n[0] + 2, 0, 0);
    if (alpha == 0) stored_spoil(&A);
    if (beta == 0) stored_spoil(&C);
    struct dense a = dense_of(&A), b = dense_of(&B);
    a = dense_op(&a, ta);
    b = dense_op(&b, tb);
    struct dense want = expected(alpha, &a, &b, beta, &C);
    void *al = scalar(0, t, alpha), *be = scalar(1, t, beta);
    if (turn % 4 < 2)
        GOOD(CALL4(t, gemm, handle, ta, tb, (int)n[0], (int)n[1], (int)n[2], al, (void *)A.at, (int)A.ld,
                   (void *)B.at, (int)B.ld, be, (void *)C.at, (int)C.ld));
    else
        GOOD(CALL4(t, gemm_64, handle, ta, tb, n[0], n[1], n[2], al, (void *)A.at, A.ld, (void *)B.at, B.ld,
                   be, (void *)C.at, C.ld));
    dense_compare(&C, &want, what);
    stored_unchanged(&A, what);
    stored_unchanged(&B, what);
    stored_free(&A);
    stored_free(&B);
    stored_free(&C);
}

static void test_gemm(void **state) {
    EACH_TYPE(t) {
        for (unsigned s = 0; s < SIZES; s++)
            for (unsigned o = 0; o < 9; o++, turn++) {
                one_gemm(t, sizes[s], ops[o / 3], ops[o % 3], factor(turn, t), factor(turn / 4 + o, t));
                one_gemm(t, sizes[s], ops[o / 3], ops[o % 3], factor(2, t), factor(o % 2, t));
            }
    }
}

/* symm, hemm, and products and solutions with triangles. */
static void one_sided(cudaDataType t, const int64_t *n, unsigned way, number alpha, number beta) {
    char what[128];
    cublasSideMode_t side = way & 1 ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
    cublasFillMode_t uplo = way & 2 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    bool hermitian = way & 4;
    if (hermitian && !type_is_complex(t)) return;
    snprintf(what, sizeof what, "%s%s side %d uplo %d, %lld %lld", type_name(t), hermitian ? "hemm" : "symm",
             side, uplo, (long long)n[0], (long long)n[1]);
    int64_t order = side == CUBLAS_SIDE_LEFT ? n[0] : n[1];
    struct stored A = stored_new(uplo == CUBLAS_FILL_MODE_UPPER ? UPPER : LOWER, t, order, order, order + 1,
                                 0, 0),
                  B = stored_new(FULL, t, n[0], n[1], n[0] + 2, 0, 0),
                  C = stored_new(FULL, t, n[0], n[1], n[0] + 1, 0, 0);
    if (beta == 0) stored_spoil(&C);
    struct dense a = dense_symmetric(&A, hermitian), b = dense_of(&B);
    struct dense want =
        side == CUBLAS_SIDE_LEFT ? expected(alpha, &a, &b, beta, &C) : expected(alpha, &b, &a, beta, &C);
    void *al = scalar(0, t, alpha), *be = scalar(1, t, beta);
    if (hermitian && t == CUDA_C_32F)
        GOOD(cublasChemm(handle, side, uplo, (int)n[0], (int)n[1], al, (void *)A.at, (int)A.ld, (void *)B.at,
                         (int)B.ld, be, (void *)C.at, (int)C.ld));
    else if (hermitian)
        GOOD(cublasZhemm(handle, side, uplo, (int)n[0], (int)n[1], al, (void *)A.at, (int)A.ld, (void *)B.at,
                         (int)B.ld, be, (void *)C.at, (int)C.ld));
    else
        GOOD(CALL4(t, symm, handle, side, uplo, (int)n[0], (int)n[1], al, (void *)A.at, (int)A.ld,
                   (void *)B.at, (int)B.ld, be, (void *)C.at, (int)C.ld));
    dense_compare(&C, &want, what);
    stored_unchanged(&A, what);
    stored_free(&A);
    stored_free(&B);
    stored_free(&C);
}

static void test_sided(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < SIZES; s++)
        for (unsigned way = 0; way < 8; way++, turn++)
            one_sided(t, sizes[s], way, factor(turn, t), factor(turn / 2, t));
}

static void one_triangular(cudaDataType t, const int64_t *n, unsigned way, number alpha, bool solve) {
    char what[128];
    cublasSideMode_t side = way & 1 ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
    cublasFillMode_t uplo = way & 2 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    cublasDiagType_t diag = way & 4 ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    cublasOperation_t op = ops[way / 8];
    snprintf(what, sizeof what, "%s%s side %d uplo %d diag %d op %d, %lld %lld, alpha %g", type_name(t),
             solve ? "trsm" : "trmm", side, uplo, diag, op, (long long)n[0], (long long)n[1], creal(alpha));
    int64_t order = side == CUBLAS_SIDE_LEFT ? n[0] : n[1];
    struct stored A = stored_new(uplo == CUBLAS_FILL_MODE_UPPER ? UPPER : LOWER, t, order, order, order + 1,
                                 0, 0),
                  B = stored_new(FULL, t, n[0], n[1], n[0] + 2, 0, 0),
                  C = stored_new(FULL, t, n[0], n[1], n[0] + 1, 0, 0);
    for (int64_t j = 0; j < order; j++) { /* far from singular */
        size_t size = element_bytes(t);
        char *d = A.at + (size_t)(j + j * A.ld) * size;
        element_put(d, t, element_get(d, t) * 0.3 + 8);
        for (int64_t i = 0; i < order; i++)
            if (i != j)
                element_put(A.at + (size_t)(i + j * A.ld) * size, t,
                            element_get(A.at + (size_t)(i + j * A.ld) * size, t) * 0.2);
        if (diag == CUBLAS_DIAG_UNIT) memset(d, 0xff, size);
    }
    memcpy(A.before, A.at, A.bytes);
    A.unit = diag == CUBLAS_DIAG_UNIT;
    struct dense a = dense_of(&A), b = dense_of(&B), zero = {.rows = n[0], .columns = n[1]};
    a = dense_op(&a, op);
    void *al = scalar(0, t, alpha);
    if (solve) {
        GOOD(CALL4(t, trsm, handle, side, uplo, op, diag, (int)n[0], (int)n[1], al, (void *)A.at, (int)A.ld,
                   (void *)B.at, (int)B.ld));
        /* What came out, multiplied with A, is what went in. */
        struct stored X = B;
        X.before = X.at;
        struct dense x = dense_of(&X),
                     back = side == CUBLAS_SIDE_LEFT ? dense_product(&a, &x) : dense_product(&x, &a);
        struct dense wanted = dense_sum(alpha, &b, 0, &zero);
        for (int64_t i = 0; i < n[0]; i++)
            for (int64_t j = 0; j < n[1]; j++)
                if (!(cabs(back.at[i][j] - wanted.at[i][j]) <= type_precision(t) * 10))
                    fail_msg("%s: not a solution", what);
        dense_compare(&B, &x, what);
    } else {
        struct dense product = side == CUBLAS_SIDE_LEFT ? dense_product(&a, &b) : dense_product(&b, &a);
        struct dense wanted = dense_sum(alpha, &product, 0, &zero);
        stored_spoil(&C);
        bool in_place = turn % 3 == 0;
        struct stored *out = in_place ? &B : &C;
        GOOD(CALL4(t, trmm, handle, side, uplo, op, diag, (int)n[0], (int)n[1], al, (void *)A.at, (int)A.ld,
                   (void *)B.at, (int)B.ld, (void *)out->at, (int)out->ld));
        dense_compare(out, &wanted, what);
    }
    stored_unchanged(&A, what);
    stored_free(&A);
    stored_free(&B);
    stored_free(&C);
}

static void test_triangular(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < SIZES; s++)
        for (unsigned way = 0; way < 24; way++, turn++) {
            one_triangular(t, sizes[s], way, factor(way, t), false);
            one_triangular(t, sizes[s], way, factor(way + 1, t), true);
        }
}

enum rank { SYRK, HERK, SYR2K, HER2K, SYRKX, HERKX, RANKS };

static cublasStatus_t call_rank(enum rank rank, cudaDataType t, cublasFillMode_t uplo, cublasOperation_t op,
                                int n, int k, void *al, const struct stored *A, const struct stored *B,
                                void *be, const struct stored *C) {
    void *a = A->at, *b = B->at, *c = C->at;
    int lda = (int)A->ld, ldb = (int)B->ld, ldc = (int)C->ld;
    switch (rank) {
    case SYRK: return CALL4(t, syrk, handle, uplo, op, n, k, al, a, lda, be, c, ldc);
    case HERK: return CALL2(t, syrk, herk, handle, uplo, op, n, k, al, a, lda, be, c, ldc);
    case SYR2K: return CALL4(t, syr2k, handle, uplo, op, n, k, al, a, lda, b, ldb, be, c, ldc);
    case HER2K: return CALL2(t, syr2k, her2k, handle, uplo, op, n, k, al, a, lda, b, ldb, be, c, ldc);
    case SYRKX: return CALL4(t, syrkx, handle, uplo, op, n, k, al, a, lda, b, ldb, be, c, ldc);
    default: return CALL2(t, syrkx, herkx, handle, uplo, op, n, k, al, a, lda, b, ldb, be, c, ldc);
    }
}

/* A A', A B' + B A', or A B' that is known to be symmetric. */
static void one_rank(enum rank rank, cudaDataType t, const int64_t *n, unsigned way, number alpha,
                     number beta) {
    static const char *const names[] = {"syrk", "herk", "syr2k", "her2k", "syrkx", "herkx"};
    char what[128];
    bool hermitian = type_is_complex(t) && rank % 2, two = rank == SYR2K || rank == HER2K,
         known = rank >= SYRKX;
    cublasFillMode_t uplo = way & 1 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    cublasOperation_t op = !(way & 2)  ? CUBLAS_OP_N
                           : hermitian ? CUBLAS_OP_C
                                       : CUBLAS_OP_T,
                      other = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
    if (hermitian && (rank == HERK || known)) alpha = creal(alpha);
    if (hermitian) beta = creal(beta);
    snprintf(what, sizeof what, "%s%s uplo %d op %d, %lld %lld, alpha %g beta %g", type_name(t), names[rank],
             uplo, op, (long long)n[1], (long long)n[2], creal(alpha), creal(beta));
    struct stored A = general(t, op, n[1], n[2]), B = general(t, op, n[1], n[2]),
                  C = stored_new(uplo == CUBLAS_FILL_MODE_UPPER ? UPPER : LOWER, t, n[1], n[1], n[1] + 1, 0,
                                 0);
    if (known) memcpy(B.at, A.at, A.bytes), memcpy(B.before, A.at, A.bytes);
    if (beta == 0) stored_spoil(&C);
    struct dense a = dense_of(&A), b = dense_of(&B);
    if (op != CUBLAS_OP_N) a = dense_op(&a, other), b = dense_op(&b, other);
    struct dense at = dense_op(&a, other), bt = dense_op(&b, other);
    struct dense product = dense_product(&a, two     ? &bt
                                             : known ? &bt
                                                     : &at),
                 old = dense_symmetric(&C, hermitian);
    struct dense want = dense_sum(alpha, &product, beta, &old);
    if (two) {
        struct dense second = dense_product(&b, &at);
        want = dense_sum(1, &want, hermitian ? conj(alpha) : alpha, &second);
    }
    for (int64_t i = 0; i < n[1]; i++)
        if (hermitian) want.at[i][i] = creal(want.at[i][i]);
    cudaDataType real = hermitian ? real_of(t) : t;
    void *al = scalar(0, rank == HERK ? real : t, alpha), *be = scalar(1, real, beta);
    GOOD(call_rank(rank, t, uplo, op, (int)n[1], (int)n[2], al, &A, &B, be, &C));
    dense_compare(&C, &want, what);
    stored_unchanged(&A, what);
    stored_free(&A);
    stored_free(&B);
    stored_free(&C);
}

static void test_rank(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < SIZES; s++)
        for (unsigned way = 0; way < 4; way++)
            for (unsigned rank = 0; rank < RANKS; rank++, turn++)
                one_rank((enum rank)rank, t, sizes[s], way, factor(turn, t), factor(turn / 3, t));
}

static void test_sums_and_diagonals(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < SIZES; s++)
        for (unsigned o = 0; o < 9; o++, turn++) {
            const int64_t *n = sizes[s];
            const char *what = "geam";
            number alpha = factor(turn, t), beta = factor(turn / 2, t);
            struct stored A = general(t, ops[o / 3], n[0], n[1]), B = general(t, ops[o % 3], n[0], n[1]),
                          C = stored_new(FULL, t, n[0], n[1], n[0] + 1, 0, 0);
            if (alpha == 0) stored_spoil(&A);
            if (beta == 0) stored_spoil(&B);
            stored_spoil(&C);
            struct dense a = dense_of(&A), b = dense_of(&B);
            a = dense_op(&a, ops[o / 3]);
            b = dense_op(&b, ops[o % 3]);
            struct dense want = dense_sum(alpha, &a, beta, &b);
            void *al = scalar(0, t, alpha), *be = scalar(1, t, beta);
            GOOD(CALL4(t, geam, handle, ops[o / 3], ops[o % 3], (int)n[0], (int)n[1], al, (void *)A.at,
                       (int)A.ld, be, (void *)B.at, (int)B.ld, (void *)C.at, (int)C.ld));
            dense_compare(&C, &want, what);
            cublasSideMode_t side = o & 1 ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT;
            struct stored x = stored_new(VECTOR, t, side == CUBLAS_SIDE_LEFT ? n[0] : n[1], 1,
                                         o % 3 == 2 ? -2 : 1 + (int)(o % 3), 0, 0),
                          D = stored_new(FULL, t, n[0], n[1], n[0] + 1, 0, 0);
            struct dense d = dense_of(&D), v = dense_of(&x);
            memcpy(C.before, C.at, C.bytes);
            for (int64_t i = 0; i < n[0]; i++)
                for (int64_t j = 0; j < n[1]; j++) d.at[i][j] *= v.at[side == CUBLAS_SIDE_LEFT ? i : j][0];
            what = "dgmm";
            GOOD(CALL4(t, dgmm, handle, side, (int)n[0], (int)n[1], (void *)D.at, (int)D.ld, (void *)x.at,
                       (int)x.ld, (void *)C.at, (int)C.ld));
            dense_compare(&C, &d, what);
            stored_free(&A);
            stored_free(&B);
            stored_free(&C);
            stored_free(&D);
            stored_free(&x);
        }
}

/* ---- batches ---- */

enum { BATCH = 3 };

static void one_batch(cudaDataType t, const int64_t *n, bool strided, number alpha, number beta) {
    const char *what = strided ? "gemmStridedBatched" : "gemmBatched";
    struct stored A[BATCH], B[BATCH], C[BATCH];
    struct dense want[BATCH];
    void **arrays;
    assert_int_equal(cudaMallocManaged((void **)&arrays, 3 * BATCH * sizeof *arrays, cudaMemAttachGlobal),
                     cudaSuccess);
    for (int i = 0; i < BATCH; i++) {
        A[i] = stored_new(FULL, t, n[0], n[2], n[0] + 1, 0, 0);
        B[i] = stored_new(FULL, t, n[2], n[1], n[2] + 1, 0, 0);
        C[i] = stored_new(FULL, t, n[0], n[1], n[0] + 2, 0, 0);
        if (beta == 0) stored_spoil(&C[i]);
        struct dense a = dense_of(&A[i]), b = dense_of(&B[i]);
        want[i] = expected(alpha, &a, &b, beta, &C[i]);
        arrays[i] = A[i].at;
        arrays[BATCH + i] = B[i].at;
        arrays[2 * BATCH + i] = C[i].at;
    }
    void *al = scalar(0, t, alpha), *be = scalar(1, t, beta);
    if (!strided) {
        GOOD(CALL4(t, gemmBatched, handle, CUBLAS_OP_N, CUBLAS_OP_N, (int)n[0], (int)n[1], (int)n[2], al,
                   (void *)arrays, (int)A->ld, (void *)(arrays + BATCH), (int)B->ld, be,
                   (void *)(arrays + 2 * BATCH), (int)C->ld, BATCH));
        for (int i = 0; i < BATCH; i++) dense_compare(&C[i], &want[i], what);
    } else { /* side by side in one allocation, and one B for all of them */
        size_t size = element_bytes(t);
        int64_t stride[] = {A->ld * n[2] + 5, 0, C->ld * n[1] + 2};
        char *all;
        assert_int_equal(cudaMallocManaged((void **)&all, (size_t)(BATCH * (stride[0] + stride[2])) * size,
                                           cudaMemAttachGlobal),
                         0);
        char *c = all + (size_t)(BATCH * stride[0]) * size;
        for (int i = 0; i < BATCH; i++) {
            memcpy(all + (size_t)(i * stride[0]) * size, A[i].at, A[i].bytes);
            memcpy(c + (size_t)(i * stride[2]) * size, C[i].at, C[i].bytes);
            struct dense a = dense_of(&A[i]), b = dense_of(&B[0]);
            want[i] = expected(alpha, &a, &b, beta, &C[i]);
        }
        GOOD(CALL4(t, gemmStridedBatched, handle, CUBLAS_OP_N, CUBLAS_OP_N, (int)n[0], (int)n[1], (int)n[2],
                   al, (void *)all, (int)A->ld, stride[0], (void *)B->at, (int)B->ld, stride[1], be,
                   (void *)c, (int)C->ld, stride[2], BATCH));
        for (int i = 0; i < BATCH; i++) {
            memcpy(C[i].at, c + (size_t)(i * stride[2]) * size, C[i].bytes);
            dense_compare(&C[i], &want[i], what);
        }
        cudaFree(all);
    }
    for (int i = 0; i < BATCH; i++) stored_free(&A[i]), stored_free(&B[i]), stored_free(&C[i]);
    cudaFree(arrays);
}

static void test_batches(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < 4; s++)
        for (unsigned i = 0; i < 4; i++, turn++) {
            one_batch(t, sizes[s], false, factor(2, t), factor(i, t));
            one_batch(t, sizes[s], true, factor(i + 2, t), factor(i, t));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gemm),       cmocka_unit_test(test_sided),
        cmocka_unit_test(test_triangular), cmocka_unit_test(test_rank),
        cmocka_unit_test(test_batches),    cmocka_unit_test(test_sums_and_diagonals),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
