/* cuBLAS' operations on vectors, compared with their definitions: all types, distances forwards, backwards and 0, no elements, results
 * in memory of the host's and the device's.
 */
#include "tests/blas/call.h"
#include <math.h>
#include <stdlib.h>

static const int64_t lengths[] = {0, 1, 2, 17, 24};
static const int64_t steps[] = {1, 2, -1, -3};
#define EACH_CASE(T, N, DX, DY)                                                                              \
    EACH_TYPE(T)                                                                                             \
    for (unsigned n_ = 0; n_ < 5; n_++)                                                                      \
        for (unsigned x_ = 0; x_ < 4; x_++)                                                                  \
            for (unsigned y_ = 0; y_ < 4; y_++, turn++)                                                      \
                for (int64_t N = lengths[n_], DX = steps[x_], DY = steps[y_], once2_ = 1; once2_; once2_ = 0)

static struct stored vector(cudaDataType t, int64_t n, int64_t step) {
    return stored_new(VECTOR, t, n, 1, step, 0, 0);
}

static void done(struct stored *x, struct stored *y) {
    stored_free(x);
    stored_free(y);
}

static void test_linear(void **state) {
    EACH_CASE(t, n, dx, dy) {
        const char *what = "axpy";
        number alpha = factor(turn, t);
        struct stored x = vector(t, n, dx), y = vector(t, n, dy);
        struct dense a = dense_of(&x), b = dense_of(&y), want = dense_sum(alpha, &a, 1, &b);
        GOOD(CALL4(t, axpy, handle, (int)n, scalar(0, t, alpha), (void *)x.at, (int)dx, (void *)y.at,
                   (int)dy));
        dense_compare(&y, &want, what);
        what = "copy";
        stored_spoil(&y);
        GOOD(CALL4(t, copy_64, handle, n, (void *)x.at, dx, (void *)y.at, dy));
        dense_compare(&y, &a, what);
        stored_unchanged(&x, what);
        done(&x, &y);
        x = vector(t, n, dx), y = vector(t, n, dy);
        a = dense_of(&x), b = dense_of(&y);
        what = "swap";
        GOOD(CALL4(t, swap, handle, (int)n, (void *)x.at, (int)dx, (void *)y.at, (int)dy));
        dense_compare(&x, &b, what);
        dense_compare(&y, &a, what);
        done(&x, &y);
        x = vector(t, n, dx), y = vector(t, n, dy);
        what = "scal";
        struct dense zero = {.rows = n, .columns = 1};
        a = dense_of(&x);
        want = dx > 0 ? dense_sum(alpha, &a, 0, &zero) : a;
        GOOD(CALL4(t, scal, handle, (int)n, scalar(0, t, alpha), (void *)x.at, (int)dx));
        dense_compare(&x, &want, what);
        b = dense_of(&y);
        want = dy > 0 ? dense_sum(-3, &b, 0, &zero) : b;
        if (t == CUDA_C_32F)
            GOOD(cublasCsscal(handle, (int)n, scalar(0, CUDA_R_32F, -3), (void *)y.at, (int)dy));
        if (t == CUDA_C_64F)
            GOOD(cublasZdscal(handle, (int)n, scalar(0, CUDA_R_64F, -3), (void *)y.at, (int)dy));
        if (type_is_complex(t)) dense_compare(&y, &want, "rscal");
        done(&x, &y);
    }
}

static void test_rotations(void **state) {
    EACH_CASE(t, n, dx, dy) {
        const char *what = "rot";
        struct stored x = vector(t, n, dx), y = vector(t, n, dy);
        struct dense a = dense_of(&x), b = dense_of(&y), wx = a, wy = b;
        number s = type_is_complex(t) ? 0.48 + 0.64 * I : 0.8;
        double c = 0.6;
        bool real_s = type_is_complex(t) && turn % 2;
        if (real_s) s = 0.8;
        for (int64_t i = 0; i < n; i++)
            wx.at[i][0] = c * a.at[i][0] + s * b.at[i][0],
            wy.at[i][0] = c * b.at[i][0] - conj(s) * a.at[i][0];
        void *pc = scalar(0, real_of(t), c), *ps = scalar(1, real_s ? real_of(t) : t, s);
        if (real_s && t == CUDA_C_32F)
            GOOD(cublasCsrot(handle, (int)n, (void *)x.at, (int)dx, (void *)y.at, (int)dy, pc, ps));
        else if (real_s)
            GOOD(cublasZdrot(handle, (int)n, (void *)x.at, (int)dx, (void *)y.at, (int)dy, pc, ps));
        else
            GOOD(CALL4(t, rot, handle, (int)n, (void *)x.at, (int)dx, (void *)y.at, (int)dy, pc, ps));
        dense_compare(&x, &wx, what);
        dense_compare(&y, &wy, what);
        done(&x, &y);
        if (type_is_complex(t)) continue;
        static const double h[4][5] = {{-1, 2, 3, 4, 5}, {0, 9, 3, 4, 9}, {1, 2, 9, 9, 5}, {-2, 9, 9, 9, 9}};
        const double *p = h[turn % 4], m[4] = {p[0] == 0 ? 1 : p[1], p[0] == 1 ? -1 : p[2],
                                               p[0] == 1 ? 1 : p[3], p[0] == 0 ? 1 : p[4]};
        what = "rotm";
        x = vector(t, n, dx), y = vector(t, n, dy);
        a = dense_of(&x), b = dense_of(&y), wx = a, wy = b;
        for (int64_t i = 0; i < n && p[0] != -2; i++)
            wx.at[i][0] = m[0] * a.at[i][0] + m[2] * b.at[i][0],
            wy.at[i][0] = m[1] * a.at[i][0] + m[3] * b.at[i][0];
        char *param = scalar(0, t, p[0]);
        for (int i = 1; i < 5; i++) element_put(param + (size_t)i * element_bytes(t), t, p[i]);
        if (t == CUDA_R_32F)
            GOOD(cublasSrotm(handle, (int)n, (void *)x.at, (int)dx, (void *)y.at, (int)dy, (void *)param));
        else
            GOOD(cublasDrotm(handle, (int)n, (void *)x.at, (int)dx, (void *)y.at, (int)dy, (void *)param));
        dense_compare(&x, &wx, what);
        dense_compare(&y, &wy, what);
        done(&x, &y);
    }
}

static void is_near(number got, number want, cudaDataType t, const char *what) {
    if (!(cabs(got - want) <= type_precision(t) * (1 + cabs(want))))
        fail_msg("%s: %g%+gi", what, creal(got), cimag(got));
}

/* cublasIsamax and the like begin otherwise. */
static cublasStatus_t extreme(cudaDataType t, bool least, bool wide, int64_t n, void *x, int64_t step,
                              void *out) {
#define ONE(A, B)                                                                                            \
    if (wide)                                                                                                \
        return least ? cublasI##A##amin_64(handle, n, x, step, out)                                          \
                     : cublasI##A##amax_64(handle, n, x, step, out);                                         \
    return least ? cublasI##A##amin(handle, (int)n, x, (int)step, out)                                       \
                 : cublasI##A##amax(handle, (int)n, x, (int)step, out);
    switch (t) {
    case CUDA_R_32F: ONE(s, S)
    case CUDA_R_64F: ONE(d, D)
    case CUDA_C_32F: ONE(c, C)
    default: ONE(z, Z)
    }
#undef ONE
}

static void test_results(void **state) {
    EACH_CASE(t, n, dx, dy) {
        struct stored x = vector(t, n, dx), y = vector(t, n, dy);
        struct dense a = dense_of(&x), b = dense_of(&y);
        number dotu = 0, dotc = 0;
        double asum = 0, squares = 0, least = INFINITY, most = -1;
        int64_t at_least = 0, at_most = 0;
        cudaDataType real = real_of(t);
        for (int64_t i = 0; i < n; i++) {
            double size = fabs(creal(a.at[i][0])) + fabs(cimag(a.at[i][0]));
            dotu += a.at[i][0] * b.at[i][0];
            dotc += conj(a.at[i][0]) * b.at[i][0];
            if (dx <= 0) continue;
            asum += size;
            squares += creal(a.at[i][0] * conj(a.at[i][0]));
            if (size < least) least = size, at_least = i + 1;
            if (size > most) most = size, at_most = i + 1;
        }
        const char *what = "dot";
        char *out = scalar(0, t, 77);
        GOOD(CALL2(t, dot, dotu, handle, (int)n, (void *)x.at, (int)dx, (void *)y.at, (int)dy, (void *)out));
        is_near(element_get(out, t), dotu, t, what);
        GOOD(CALL2(t, dot, dotc, handle, (int)n, (void *)x.at, (int)dx, (void *)y.at, (int)dy, (void *)out));
        is_near(element_get(out, t), dotc, t, "dotc");
        what = "asum";
        GOOD(t == CUDA_R_32F   ? cublasSasum(handle, (int)n, (void *)x.at, (int)dx, (void *)out)
             : t == CUDA_R_64F ? cublasDasum(handle, (int)n, (void *)x.at, (int)dx, (void *)out)
             : t == CUDA_C_32F ? cublasScasum(handle, (int)n, (void *)x.at, (int)dx, (void *)out)
                               : cublasDzasum(handle, (int)n, (void *)x.at, (int)dx, (void *)out));
        is_near(element_get(out, real), asum, t, what);
        what = "nrm2";
        GOOD(t == CUDA_R_32F   ? cublasSnrm2(handle, (int)n, (void *)x.at, (int)dx, (void *)out)
             : t == CUDA_R_64F ? cublasDnrm2(handle, (int)n, (void *)x.at, (int)dx, (void *)out)
             : t == CUDA_C_32F ? cublasScnrm2(handle, (int)n, (void *)x.at, (int)dx, (void *)out)
                               : cublasDznrm2(handle, (int)n, (void *)x.at, (int)dx, (void *)out));
        is_near(element_get(out, real), sqrt(squares), t, what);
        what = "amax";
        bool wide = turn % 3 == 0;
        int64_t index = -1;
        GOOD(extreme(t, false, wide, n, x.at, dx, out));
        memcpy(&index, out, wide ? 8 : 4);
        assert_int_equal(wide ? index : (int32_t)index, at_most);
        GOOD(extreme(t, true, wide, n, x.at, dx, out));
        memcpy(&index, out, wide ? 8 : 4);
        assert_int_equal(wide ? index : (int32_t)index, at_least);
        done(&x, &y);
    }
}

/* Neither too large nor too small for its square. */
static void test_norm_of_extremes(void **state) {
    static const double scales[] = {1e200, 1e-200, 1, 0};
    const char *what = "nrm2";
    double *x, out, *on_host = &out;
    assert_int_equal(cudaMallocManaged((void **)&x, 8 * sizeof *x, cudaMemAttachGlobal), 0);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    for (unsigned i = 0; i < 4; i++) {
        x[0] = 3 * scales[i];
        x[1] = -4 * scales[i];
        GOOD(cublasDnrm2(handle, 2, x, 1, on_host));
        assert_true(fabs(out - 5 * scales[i]) <= 1e-14 * out);
    }
    x[1] = INFINITY;
    GOOD(cublasDnrm2(handle, 2, x, 1, on_host));
    assert_true(isinf(out));
    x[0] = NAN;
    GOOD(cublasDnrm2(handle, 2, x, 1, on_host));
    assert_true(isnan(out) || isinf(out));
    cudaFree(x);
}

static void test_making_rotations(void **state) {
    const char *what = "rotg";
    for (turn = 0; turn < 2; turn++) {
        EACH_TYPE(t) {
            number a = type_is_complex(t) ? 3 + 1 * I : 3, b = type_is_complex(t) ? 4 - 2 * I : 4;
            char *pa = scalar(0, t, a), *pb = scalar(1, t, b), *pc = scalar(2, real_of(t), 0),
                 *ps = scalar(3, t, 0);
            GOOD(CALL4(t, rotg, handle, (void *)pa, (void *)pb, (void *)pc, (void *)ps));
            number c = element_get(pc, real_of(t)), s = element_get(ps, t);
            is_near(c * a + s * b, element_get(pa, t), t, what);
            is_near(-conj(s) * a + c * b, 0, t, what);
        }
        what = "rotmg";
        char *d1 = scalar(0, CUDA_R_64F, 2), *d2 = scalar(1, CUDA_R_64F, 3), *x1 = scalar(2, CUDA_R_64F, 1),
             *y1 = scalar(3, CUDA_R_64F, 5), *param = scalar(4, CUDA_R_64F, 9);
        GOOD(cublasDrotmg(handle, (void *)d1, (void *)d2, (void *)x1, (void *)y1, (void *)param));
        double h[5];
        memcpy(h, param, sizeof h);
        assert_true(h[0] == 1);
        is_near(-1 * 1 + h[4] * 5, 0, CUDA_R_64F, what);
    }
}

static void test_typed(void **state) {
    const char *what = "Ex";
    static const cudaDataType halves[] = {CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F};
    for (unsigned i = 0; i < 4; i++, turn++) {
        cudaDataType t = halves[i], how = t == CUDA_R_64F ? t : CUDA_R_32F;
        struct stored x = vector(t, 20, 2), y = vector(t, 20, -1);
        struct dense a = dense_of(&x), b = dense_of(&y), want = dense_sum(2.5, &a, 1, &b);
        double dot = 0, squares = 0;
        for (int j = 0; j < 20; j++)
            dot += creal(a.at[j][0] * b.at[j][0]), squares += creal(a.at[j][0] * a.at[j][0]);
        char *out = scalar(1, t, 0);
        GOOD(cublasDotEx(handle, 20, x.at, t, 2, y.at, t, -1, out, t, how));
        is_near(element_get(out, t), dot, t, what);
        GOOD(cublasNrm2Ex(handle, 20, x.at, t, 2, out, t, how));
        is_near(element_get(out, t), sqrt(squares), t, what);
        GOOD(cublasAxpyEx(handle, 20, scalar(0, how, 2.5), how, x.at, t, 2, y.at, t, -1, how));
        dense_compare(&y, &want, what);
        struct dense zero = {.rows = 20, .columns = 1}, half = dense_sum(0.5, &a, 0, &zero);
        GOOD(cublasScalEx(handle, 20, scalar(0, how, 0.5), how, x.at, t, 2, how));
        dense_compare(&x, &half, what);
        done(&x, &y);
    }
    assert_int_equal(cublasScalEx(handle, 1, scalar(0, CUDA_R_16F, 0.5), CUDA_R_16F, numbers_on_device,
                                  CUDA_R_16F, 1, CUDA_R_16F),
                     CUBLAS_STATUS_NOT_SUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),           cmocka_unit_test(test_rotations),
        cmocka_unit_test(test_results),          cmocka_unit_test(test_typed),
        cmocka_unit_test(test_norm_of_extremes), cmocka_unit_test(test_making_rotations),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
