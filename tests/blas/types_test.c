/* Products of matrices in the types that arguments tell: half, bfloat16, int8, in what they may be computed, and what may not be; factors
 * and inverses of small matrices.
 */
#include "tests/blas/call.h"

struct way {
    cublasComputeType_t how;
    cudaDataType scalar, in, out;
};
static const struct way ways[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
    {CUBLAS_COMPUTE_16F_PEDANTIC, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F},
    {CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F_FAST_16BF, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {CUBLAS_COMPUTE_64F_PEDANTIC, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
};

static void test_gemm_ex(void **state) {
    static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T};
    for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++)
        for (unsigned o = 0; o < 16; o++, turn++) {
            struct way y = ways[w];
            int m = 9, n = 7, k = 20;
            char what[64];
            snprintf(what, sizeof what, "cublasGemmEx %d, case %u", y.how, o);
            number alpha = y.scalar == CUDA_R_32I ? o % 3 : factor(o, y.scalar),
                   beta = y.scalar == CUDA_R_32I ? o % 2 : factor(o / 4, y.scalar);
            cublasOperation_t ta = ops[o % 2], tb = ops[o / 2 % 2];
            struct stored A = stored_new(FULL, y.in, ta ? k : m, ta ? m : k, ta ? k : m + 1, 0, 0),
                          B = stored_new(FULL, y.in, tb ? n : k, tb ? k : n, (tb ? n : k) + 3, 0, 0),
                          C = stored_new(FULL, y.out, m, n, m + 2, 0, 0);
            if (beta == 0) stored_spoil(&C);
            struct dense a = dense_of(&A), b = dense_of(&B), c = dense_of(&C);
            a = dense_op(&a, ta);
            b = dense_op(&b, tb);
            struct dense product = dense_product(&a, &b), want = dense_sum(alpha, &product, beta, &c);
            void *al = scalar(0, y.scalar, alpha), *be = scalar(1, y.scalar, beta);
            GOOD(cublasGemmEx(handle, ta, tb, m, n, k, al, A.at, y.in, (int)A.ld, B.at, y.in, (int)B.ld, be,
                              C.at, y.out, (int)C.ld, y.how, CUBLAS_GEMM_DEFAULT));
            dense_compare(&C, &want, what);
            stored_unchanged(&A, what);
            memcpy(C.at, C.before, C.bytes);
            GOOD(cublasGemmStridedBatchedEx_64(handle, ta, tb, m, n, k, al, A.at, y.in, A.ld, 0, B.at, y.in,
                                               B.ld, 0, be, C.at, y.out, C.ld, 0, 1, y.how,
                                               CUBLAS_GEMM_DEFAULT_TENSOR_OP));
            dense_compare(&C, &want, what);
            stored_free(&A);
            stored_free(&B);
            stored_free(&C);
        }
}

/* A sum that half precision could not carry, and one that it can only round. */
static void test_accumulation(void **state) {
    const char *what = "accumulation";
    enum { K = 4096 };
    _Float16 *a, *out;
    int8_t *i;
    int32_t *sum;
    assert_int_equal(cudaMallocManaged((void **)&a, K * 2, cudaMemAttachGlobal), 0);
    assert_int_equal(cudaMallocManaged((void **)&out, 8, cudaMemAttachGlobal), 0);
    assert_int_equal(cudaMallocManaged((void **)&i, K, cudaMemAttachGlobal), 0);
    sum = (int32_t *)out;
    for (int k = 0; k < K; k++) a[k] = k % 2 ? (_Float16)1.0f : (_Float16)0.5f, i[k] = -127;
    turn = 0;
    GOOD(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, K, scalar(0, CUDA_R_32F, 1), a, CUDA_R_16F, K,
                      a, CUDA_R_16F, K, scalar(1, CUDA_R_32F, 0), out, CUDA_R_16F, 1, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT));
    assert_true((float)out[0] == 2560.0f);
    GOOD(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, K, scalar(0, CUDA_R_32I, 1), i, CUDA_R_8I, K, i,
                      CUDA_R_8I, K, scalar(1, CUDA_R_32I, 0), sum, CUDA_R_32I, 1, CUBLAS_COMPUTE_32I,
                      CUBLAS_GEMM_DEFAULT));
    assert_int_equal(*sum, 127 * 127 * K);
    cudaFree(a);
    cudaFree(out);
    cudaFree(i);
}

static void test_what_does_not_go_together(void **state) {
    float one = 1;
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
#define EX(IN, OUT, HOW)                                                                                     \
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, numbers_on_device, IN, 1,                  \
                 numbers_on_device, IN, 1, &one, numbers_on_device, OUT, 1, HOW, CUBLAS_GEMM_DEFAULT)
    assert_int_equal(EX(CUDA_R_16F, CUDA_R_16BF, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_NOT_SUPPORTED);
    assert_int_equal(EX(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_16F), CUBLAS_STATUS_NOT_SUPPORTED);
    assert_int_equal(EX(CUDA_R_8F_E4M3, CUDA_R_32F, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_NOT_SUPPORTED);
    assert_int_equal(EX(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_NOT_SUPPORTED);
    assert_int_equal(cublasSgemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, numbers_on_device,
                                   CUDA_C_32F, 1, numbers_on_device, CUDA_C_32F, 1, &one, numbers_on_device,
                                   CUDA_C_32F, 1),
                     CUBLAS_STATUS_NOT_SUPPORTED);
}

static void test_half(void **state) {
    const char *what = "Hgemm";
    for (turn = 0; turn < 4; turn++) {
        struct stored A = stored_new(FULL, CUDA_R_16F, 5, 6, 8, 0, 0),
                      B = stored_new(FULL, CUDA_R_16F, 6, 7, 6, 0, 0),
                      C = stored_new(FULL, CUDA_R_16F, 5, 7, 5, 0, 0);
        struct dense a = dense_of(&A), b = dense_of(&B), c = dense_of(&C), product = dense_product(&a, &b);
        struct dense want = dense_sum(2, &product, turn > 1, &c);
        void *al = scalar(0, CUDA_R_16F, 2), *be = scalar(1, CUDA_R_16F, turn > 1);
        GOOD(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 7, 6, al, (void *)A.at, 8, (void *)B.at, 6, be,
                         (void *)C.at, 5));
        dense_compare(&C, &want, what);
        stored_free(&A);
        stored_free(&B);
        stored_free(&C);
    }
}

/* ---- factors ---- */

enum { N = 6, BATCH = 3 };

static struct dense inverse_product(const struct stored *A, const struct stored *C) {
    struct stored now = *C;
    now.before = now.at;
    struct dense a = dense_of(A), c = dense_of(&now);
    return dense_product(&a, &c);
}

static void is_identity(const struct dense *d, cudaDataType t, const char *what) {
    for (int64_t i = 0; i < d->rows; i++)
        for (int64_t j = 0; j < d->columns; j++)
            if (!(cabs(d->at[i][j] - (i == j)) <= 100 * type_precision(t)))
                fail_msg("%s: not the inverse", what);
}

static void test_inverses(void **state) {
    const char *what = "inverses";
    EACH_TYPE(t)
    for (unsigned pivoting = 0; pivoting < 2; pivoting++) {
        struct stored A[BATCH], C[BATCH], D[BATCH], LU[BATCH];
        void **arrays;
        int *ints, info = -7;
        assert_int_equal(cudaMallocManaged((void **)&arrays, 4 * BATCH * sizeof *arrays, cudaMemAttachGlobal),
                         0);
        assert_int_equal(
            cudaMallocManaged((void **)&ints, (N + 1) * BATCH * sizeof *ints, cudaMemAttachGlobal), 0);
        for (int b = 0; b < BATCH; b++) {
            A[b] = stored_new(FULL, t, N, N, N + 1, 0, 0);
            for (int i = 0; i < N && !pivoting; i++)
                element_put(A[b].at + (size_t)(i * (N + 2)) * element_bytes(t), t, 5);
            memcpy(A[b].before, A[b].at, A[b].bytes);
            LU[b] = stored_new(FULL, t, N, N, N + 1, 0, 0);
            memcpy(LU[b].at, A[b].at, A[b].bytes);
            C[b] = stored_new(FULL, t, N, N, N + 2, 0, 0);
            D[b] = stored_new(FULL, t, N, N, N, 0, 0);
            arrays[b] = A[b].at;
            arrays[BATCH + b] = LU[b].at;
            arrays[2 * BATCH + b] = C[b].at;
            arrays[3 * BATCH + b] = D[b].at;
        }
        int *pivots = pivoting ? ints : NULL, *infos = ints + N * BATCH;
        GOOD(CALL4(t, getrfBatched, handle, N, (void *)(arrays + BATCH), N + 1, pivots, infos, BATCH));
        GOOD(CALL4(t, getriBatched, handle, N, (void *)(arrays + BATCH), N + 1, pivots,
                   (void *)(arrays + 2 * BATCH), N + 2, infos, BATCH));
        for (int b = 0; b < BATCH; b++) {
            struct dense unit = inverse_product(&A[b], &C[b]);
            is_identity(&unit, t, "getri");
            assert_int_equal(infos[b], 0);
        }
        GOOD(CALL4(t, matinvBatched, handle, N, (void *)arrays, N + 1, (void *)(arrays + 3 * BATCH), N, infos,
                   BATCH));
        for (int b = 0; b < BATCH; b++) {
            struct dense unit = inverse_product(&A[b], &D[b]);
            is_identity(&unit, t, "matinv");
            stored_unchanged(&A[b], what);
        }
        /* A x = C, whose solution is the inverse squared. */
        GOOD(CALL4(t, getrsBatched, handle, CUBLAS_OP_N, N, N, (void *)(arrays + BATCH), N + 1, pivots,
                   (void *)(arrays + 2 * BATCH), N + 2, &info, BATCH));
        assert_int_equal(info, 0);
        for (int b = 0; b < BATCH; b++) {
            struct stored now = D[b];
            now.before = now.at;
            struct dense d = dense_of(&now), squared = dense_product(&d, &d), got;
            now = C[b];
            now.before = now.at;
            got = dense_of(&now);
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    assert_true(cabs(got.at[i][j] - squared.at[i][j]) <=
                                1e4 * type_precision(t) * (1 + cabs(squared.at[i][j])));
        }
        memset(LU[1].at, 0, LU[1].bytes); /* singular */
        GOOD(CALL4(t, getrfBatched, handle, N, (void *)(arrays + BATCH), N + 1, pivots, infos, BATCH));
        assert_int_equal(infos[1], 1);
        for (int b = 0; b < BATCH; b++)
            stored_free(&A[b]), stored_free(&C[b]), stored_free(&D[b]), stored_free(&LU[b]);
        cudaFree(arrays);
        cudaFree(ints);
    }
}

/* A least-squares solution makes what remains orthogonal to A's columns. */
static void test_least_squares(void **state) {
    const char *what = "gels";
    EACH_TYPE(t) {
        int m = 8, n = 3, nrhs = 2, info = -7, *each;
        struct stored A = stored_new(FULL, t, m, n, m + 1, 0, 0), C = stored_new(FULL, t, m, nrhs, m, 0, 0);
        struct dense a = dense_of(&A), c = dense_of(&C), h = dense_op(&a, CUBLAS_OP_C);
        void **arrays;
        assert_int_equal(cudaMallocManaged((void **)&arrays, 3 * sizeof *arrays, cudaMemAttachGlobal), 0);
        each = (int *)(arrays + 2);
        arrays[0] = A.at;
        arrays[1] = C.at;
        *each = 5;
        GOOD(CALL4(t, gelsBatched, handle, CUBLAS_OP_N, m, n, nrhs, (void *)arrays, m + 1,
                   (void *)(arrays + 1), m, &info, each, 1));
        assert_int_equal(info, 0);
        assert_int_equal(*each, 0);
        struct stored now = C;
        now.before = now.at;
        struct dense x = dense_of(&now);
        x.rows = n;
        struct dense ax = dense_product(&a, &x), rest = dense_sum(1, &ax, -1, &c),
                     zero = dense_product(&h, &rest);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < nrhs; j++) assert_true(cabs(zero.at[i][j]) <= 100 * type_precision(t));
        stored_free(&A);
        stored_free(&C);
        cudaFree(arrays);
    }
}

static void test_packing(void **state) {
    const char *what = "tpttr";
    EACH_TYPE(t)
    for (unsigned upper = 0; upper < 2; upper++) {
        cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
        struct stored P = stored_new(upper ? UPPER_PACKED : LOWER_PACKED, t, N, N, N, 0, 0),
                      A = stored_new(upper ? UPPER : LOWER, t, N, N, N + 2, 0, 0);
        struct dense p = dense_of(&P), a = dense_of(&A);
        GOOD(CALL4(t, trttp, handle, uplo, N, (void *)A.at, N + 2, (void *)P.at));
        dense_compare(&P, &a, "trttp");
        memcpy(P.at, P.before, P.bytes);
        GOOD(CALL4(t, tpttr, handle, uplo, N, (void *)P.at, (void *)A.at, N + 2));
        dense_compare(&A, &p, what);
        stored_free(&P);
        stored_free(&A);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gemm_ex),
        cmocka_unit_test(test_accumulation),
        cmocka_unit_test(test_what_does_not_go_together),
        cmocka_unit_test(test_half),
        cmocka_unit_test(test_inverses),
        cmocka_unit_test(test_least_squares),
        cmocka_unit_test(test_packing),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
