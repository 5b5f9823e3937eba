/* cuBLAS' operations on a matrix and vectors, compared with their definitions: general, banded, symmetric, triangular and packed
 * matrices, all types, transpositions, distances, factors of 0 with what is not a number behind them, batches.
 */
#include "tests/blas/call.h"

static const int64_t sizes[][2] = {{1, 1}, {5, 3}, {4, 9}, {17, 17}, {0, 2}, {3, 0}};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static const int64_t steps[] = {1, 2, -1, -3};

static struct stored vector(cudaDataType t, int64_t n, unsigned which) {
    return stored_new(VECTOR, t, n, 1, steps[which % 4], 0, 0);
}

/* y = alpha a x + beta y, after the call `CALL`, which is given al, be, x and y. */
#define PRODUCT(A, T, ALPHA, BETA, NAME, CALL)                                                               \
    do {                                                                                                     \
        const char *what = NAME;                                                                             \
        struct dense a_ = (A);                                                                               \
        struct stored x = vector(T, a_.columns, turn), y = vector(T, a_.rows, turn / 4);                     \
        if ((BETA) == 0) stored_spoil(&y);                                                                   \
        struct dense v_ = dense_of(&x), old_ = dense_of(&y), p_ = dense_product(&a_, &v_);                   \
        struct dense want_ = dense_sum(ALPHA, &p_, BETA, &old_);                                             \
        void *al = scalar(0, T, ALPHA), *be = scalar(1, T, BETA);                                            \
        GOOD(CALL);                                                                                          \
        dense_compare(&y, &want_, what);                                                                     \
        stored_unchanged(&x, what);                                                                          \
        stored_free(&x);                                                                                     \
        stored_free(&y);                                                                                     \
    } while (0)
#define XY (void *)x.at, (int)x.ld, be, (void *)y.at, (int)y.ld

static void test_general(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < SIZES; s++)
        for (unsigned o = 0; o < 12; o++, turn++) {
            int64_t m = sizes[s][0], n = sizes[s][1];
            if (!m || !n) continue; /* nothing is done: below */
            number alpha = factor(o / 3, t), beta = factor(turn, t);
            struct stored A = stored_new(FULL, t, m, n, m + 2, 0, 0), B = stored_new(BAND, t, m, n, 5, 1, 2);
            if (alpha == 0) stored_spoil(&A);
            struct dense a = dense_of(&A), b = dense_of(&B);
            PRODUCT(dense_op(&a, ops[o % 3]), t, alpha, beta, "gemv",
                    CALL4(t, gemv, handle, ops[o % 3], (int)m, (int)n, al, (void *)A.at, (int)A.ld, XY));
            PRODUCT(
                dense_op(&b, ops[o % 3]), t, alpha, beta, "gbmv",
                CALL4(t, gbmv, handle, ops[o % 3], (int)m, (int)n, 1, 2, al, (void *)B.at, (int)B.ld, XY));
            stored_unchanged(&A, "gemv");
            stored_free(&A);
            stored_free(&B);
        }
}

/* Of no rows or no columns: y stays as it is. */
static void test_nothing(void **state) {
    const char *what = "gemv of nothing";
    struct stored y = vector(CUDA_R_32F, 3, 0);
    GOOD(cublasSgemv(handle, CUBLAS_OP_N, 3, 0, scalar(0, CUDA_R_32F, 1), NULL, 3, NULL, 1,
                     scalar(1, CUDA_R_32F, 0), (void *)y.at, 1));
    stored_unchanged(&y, what);
    stored_free(&y);
}

static void test_symmetric(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < 4; s++)
        for (unsigned way = 0; way < 8; way++, turn++) {
            int64_t n = sizes[s][0], k = n > 2 ? 2 : n - 1;
            bool upper = way & 1;
            cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
            number alpha = factor(way / 2, t), beta = factor(turn / 2, t);
            struct stored A = stored_new(upper ? UPPER : LOWER, t, n, n, n + 1, 0, 0),
                          B = stored_new(upper ? UPPER_BAND : LOWER_BAND, t, n, n, k + 2, upper ? 0 : k,
                                         upper ? k : 0),
                          P = stored_new(upper ? UPPER_PACKED : LOWER_PACKED, t, n, n, n, 0, 0);
            bool hermitian = type_is_complex(t);
            PRODUCT(dense_symmetric(&A, false), t, alpha, beta, "symv",
                    CALL4(t, symv, handle, uplo, (int)n, al, (void *)A.at, (int)A.ld, XY));
            PRODUCT(dense_symmetric(&A, hermitian), t, alpha, beta, "hemv",
                    CALL2(t, symv, hemv, handle, uplo, (int)n, al, (void *)A.at, (int)A.ld, XY));
            PRODUCT(dense_symmetric(&B, hermitian), t, alpha, beta, "sbmv",
                    CALL2(t, sbmv, hbmv, handle, uplo, (int)n, (int)k, al, (void *)B.at, (int)B.ld, XY));
            PRODUCT(dense_symmetric(&P, hermitian), t, alpha, beta, "spmv",
                    CALL2(t, spmv, hpmv, handle, uplo, (int)n, al, (void *)P.at, XY));
            stored_free(&A);
            stored_free(&B);
            stored_free(&P);
        }
}

/* A triangle far from singular, with its diagonal not there if it is of ones. */
static void condition(struct stored *s) {
    for (int64_t j = 0; j < s->columns; j++) {
        int64_t n = s->rows, at;
        for (int64_t i = 0; i < n; i++) {
            bool inside = s->kept == LOWER || s->kept == LOWER_PACKED ? i >= j
                          : s->kept == UPPER || s->kept == UPPER_PACKED
                              ? i <= j
                              : i - j <= s->below && j - i <= s->above;
            if (!inside) continue;
            at = s->kept == LOWER || s->kept == UPPER ? i + j * s->ld
                 : s->kept == LOWER_PACKED            ? i + (2 * n - j - 1) * j / 2
                 : s->kept == UPPER_PACKED            ? i + j * (j + 1) / 2
                                                      : s->above + i - j + j * s->ld;
            char *p = s->at + (size_t)at * element_bytes(s->type);
            element_put(p, s->type, i == j ? 8 + element_get(p, s->type) : 0.2 * element_get(p, s->type));
            if (i == j && s->unit) memset(p, 0xff, element_bytes(s->type));
        }
    }
    memcpy(s->before, s->at, s->bytes);
}

/* The solution first, and then the product, which gives x back. */
#define TRIANGLE(A, T, N, NAME, SOLVE, MULTIPLY)                                                             \
    do {                                                                                                     \
        const char *what = NAME;                                                                             \
        struct dense a_ = dense_of(&(A));                                                                    \
        a_ = dense_op(&a_, op);                                                                              \
        struct stored x = vector(T, N, turn);                                                                \
        struct dense old_ = dense_of(&x);                                                                    \
        GOOD(SOLVE);                                                                                         \
        struct stored now_ = x;                                                                              \
        now_.before = now_.at;                                                                               \
        struct dense v_ = dense_of(&now_), back_ = dense_product(&a_, &v_);                                  \
        for (int64_t i = 0; i < (N); i++)                                                                    \
            if (!(cabs(back_.at[i][0] - old_.at[i][0]) <= 10 * type_precision(T)))                           \
                fail_msg("%s: not a solution", what);                                                        \
        GOOD(MULTIPLY);                                                                                      \
        dense_compare(&x, &old_, what);                                                                      \
        stored_unchanged(&(A), what);                                                                        \
        stored_free(&x);                                                                                     \
    } while (0)

static void test_triangular(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < 4; s++)
        for (unsigned way = 0; way < 12; way++, turn++) {
            int64_t n = sizes[s][0], k = n > 2 ? 2 : n - 1;
            bool upper = way & 1;
            cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
            cublasDiagType_t diag = way & 2 ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
            cublasOperation_t op = ops[way / 4];
            struct stored A = stored_new(upper ? UPPER : LOWER, t, n, n, n + 1, 0, 0),
                          B = stored_new(upper ? UPPER_BAND : LOWER_BAND, t, n, n, k + 2, upper ? 0 : k,
                                         upper ? k : 0),
                          P = stored_new(upper ? UPPER_PACKED : LOWER_PACKED, t, n, n, n, 0, 0);
            A.unit = B.unit = P.unit = diag == CUBLAS_DIAG_UNIT;
            condition(&A);
            condition(&B);
            condition(&P);
#define X (void *)x.at, (int)x.ld
            TRIANGLE(A, t, n, "tr",
                     CALL4(t, trsv, handle, uplo, op, diag, (int)n, (void *)A.at, (int)A.ld, X),
                     CALL4(t, trmv, handle, uplo, op, diag, (int)n, (void *)A.at, (int)A.ld, X));
            TRIANGLE(B, t, n, "tb",
                     CALL4(t, tbsv, handle, uplo, op, diag, (int)n, (int)k, (void *)B.at, (int)B.ld, X),
                     CALL4(t, tbmv, handle, uplo, op, diag, (int)n, (int)k, (void *)B.at, (int)B.ld, X));
            TRIANGLE(P, t, n, "tp", CALL4(t, tpsv, handle, uplo, op, diag, (int)n, (void *)P.at, X),
                     CALL4(t, tpmv, handle, uplo, op, diag, (int)n, (void *)P.at, X));
            stored_free(&A);
            stored_free(&B);
            stored_free(&P);
        }
}

/* a + alpha x y' (+ its mirror image). */
static struct dense updated(const struct dense *a, number alpha, const struct stored *x,
                            const struct stored *y, bool conjugated, bool twice) {
    struct dense v = dense_of(x), w = dense_of(y), sum = *a;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t j = 0; j < a->columns; j++) {
            sum.at[i][j] += alpha * v.at[i][0] * (conjugated ? conj(w.at[j][0]) : w.at[j][0]);
            if (twice)
                sum.at[i][j] += (conjugated ? conj(alpha) : alpha) * w.at[i][0] *
                                (conjugated ? conj(v.at[j][0]) : v.at[j][0]);
            if (i == j && conjugated && a->rows == a->columns && (twice || x == y))
                sum.at[i][j] = creal(sum.at[i][j]);
        }
    return sum;
}

static void test_general_updates(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < SIZES; s++)
        for (unsigned way = 0; way < 8; way++, turn++) {
            const char *what = way & 1 ? "gerc" : "geru";
            int64_t m = sizes[s][0], n = sizes[s][1];
            number alpha = factor(way / 2, t);
            struct stored A = stored_new(FULL, t, m, n, m + 1, 0, 0), x = vector(t, m, turn),
                          y = vector(t, n, turn / 3);
            struct dense a = dense_of(&A), want = updated(&a, alpha, &x, &y, way & 1, false);
            void *al = scalar(0, t, alpha);
            if (way & 1)
                GOOD(CALL2(t, ger, gerc, handle, (int)m, (int)n, al, (void *)x.at, (int)x.ld, (void *)y.at,
                           (int)y.ld, (void *)A.at, (int)A.ld));
            else
                GOOD(CALL2(t, ger, geru, handle, (int)m, (int)n, al, (void *)x.at, (int)x.ld, (void *)y.at,
                           (int)y.ld, (void *)A.at, (int)A.ld));
            dense_compare(&A, &want, what);
            stored_free(&A);
            stored_free(&x);
            stored_free(&y);
        }
}

#define UPDATE(A, NAME, AL, CONJUGATED, TWO, CALL)                                                           \
    do {                                                                                                     \
        const char *what = NAME;                                                                             \
        struct dense a_ = dense_symmetric(&(A), CONJUGATED),                                                 \
                     want_ = updated(&a_, AL, &x, (TWO) ? &y : &x, CONJUGATED, TWO);                         \
        GOOD(CALL);                                                                                          \
        dense_compare(&(A), &want_, what);                                                                   \
        memcpy((A).before, (A).at, (A).bytes);                                                               \
    } while (0)

static void test_symmetric_updates(void **state) {
    EACH_TYPE(t)
    for (unsigned s = 0; s < 4; s++)
        for (unsigned way = 0; way < 8; way++, turn++) {
            int64_t n = sizes[s][0];
            bool upper = way & 1, h = type_is_complex(t);
            cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
            number alpha = way / 2 == 1 ? 0.25 : factor(way / 2, t), real = creal(alpha);
            struct stored A = stored_new(upper ? UPPER : LOWER, t, n, n, n + 1, 0, 0),
                          P = stored_new(upper ? UPPER_PACKED : LOWER_PACKED, t, n, n, n, 0, 0),
                          x = vector(t, n, turn), y = vector(t, n, turn / 3);
            void *al = scalar(0, t, alpha), *re = scalar(1, real_of(t), real);
#define V (void *)x.at, (int)x.ld
#define W (void *)x.at, (int)x.ld, (void *)y.at, (int)y.ld
            UPDATE(A, "syr", alpha, false, false,
                   CALL4(t, syr, handle, uplo, (int)n, al, V, (void *)A.at, (int)A.ld));
            UPDATE(A, "her", real, h, false,
                   CALL2(t, syr, her, handle, uplo, (int)n, re, V, (void *)A.at, (int)A.ld));
            UPDATE(P, "spr", real, h, false, CALL2(t, spr, hpr, handle, uplo, (int)n, re, V, (void *)P.at));
            UPDATE(A, "syr2", alpha, false, true,
                   CALL4(t, syr2, handle, uplo, (int)n, al, W, (void *)A.at, (int)A.ld));
            UPDATE(A, "her2", alpha, h, true,
                   CALL2(t, syr2, her2, handle, uplo, (int)n, al, W, (void *)A.at, (int)A.ld));
            UPDATE(P, "spr2", alpha, h, true,
                   CALL2(t, spr2, hpr2, handle, uplo, (int)n, al, W, (void *)P.at));
            stored_free(&A);
            stored_free(&P);
            stored_free(&x);
            stored_free(&y);
        }
}

static void test_batches(void **state) {
    enum { BATCH = 3 };
    EACH_TYPE(t)
    for (unsigned o = 0; o < 3; o++, turn++) {
        const char *what = "gemvBatched";
        int64_t m = 5, n = 3, lx = o ? m : n, ly = o ? n : m;
        number alpha = factor(2, t), beta = factor(turn, t);
        size_t size = element_bytes(t);
        struct stored A = stored_new(FULL, t, m, n * BATCH, m, 0, 0),
                      x = stored_new(VECTOR, t, lx * BATCH, 1, 1, 0, 0),
                      y = stored_new(VECTOR, t, ly * BATCH, 1, 1, 0, 0);
        struct dense all = dense_of(&A), v = dense_of(&x), old = dense_of(&y), want = old;
        void **arrays;
        assert_int_equal(cudaMallocManaged((void **)&arrays, 3 * BATCH * sizeof *arrays, cudaMemAttachGlobal),
                         cudaSuccess);
        for (int b = 0; b < BATCH; b++) {
            arrays[b] = A.at + (size_t)(b * m * n) * size;
            arrays[BATCH + b] = x.at + (size_t)(b * lx) * size;
            arrays[2 * BATCH + b] = y.at + (size_t)(b * ly) * size;
            struct dense a = {.rows = m, .columns = n};
            for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++) a.at[i][j] = all.at[i][b * n + j];
            a = dense_op(&a, ops[o]);
            for (int64_t i = 0; i < ly; i++) {
                number sum = 0;
                for (int64_t k = 0; k < lx; k++) sum += a.at[i][k] * v.at[b * lx + k][0];
                want.at[b * ly + i][0] = alpha * sum + (beta == 0 ? 0 : beta * old.at[b * ly + i][0]);
            }
        }
        void *al = scalar(0, t, alpha), *be = scalar(1, t, beta);
        GOOD(CALL4(t, gemvBatched, handle, ops[o], (int)m, (int)n, al, (void *)arrays, (int)m,
                   (void *)(arrays + BATCH), 1, be, (void *)(arrays + 2 * BATCH), 1, BATCH));
        dense_compare(&y, &want, what);
        memcpy(y.at, y.before, y.bytes);
        GOOD(CALL4(t, gemvStridedBatched, handle, ops[o], (int)m, (int)n, al, (void *)A.at, (int)m, m * n,
                   (void *)x.at, 1, lx, be, (void *)y.at, 1, ly, BATCH));
        dense_compare(&y, &want, "gemvStridedBatched");
        stored_free(&A);
        stored_free(&x);
        stored_free(&y);
        cudaFree(arrays);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_general),         cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_symmetric),       cmocka_unit_test(test_triangular),
        cmocka_unit_test(test_general_updates), cmocka_unit_test(test_symmetric_updates),
        cmocka_unit_test(test_batches),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
