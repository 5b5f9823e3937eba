/* See dense.h. */
#include "tests/blas/dense.h"
#include <cuda_runtime_api.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t state = 1;
void dense_seed(uint64_t seed) { state = seed * 2 + 1; }
static double uniform(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 33) / (double)(1 << 30) - 1;
}

bool type_is_complex(cudaDataType t) { return t == CUDA_C_32F || t == CUDA_C_64F; }
size_t element_bytes(cudaDataType t) {
    return t == CUDA_C_64F                      ? 16
           : t == CUDA_R_64F || t == CUDA_C_32F ? 8
           : t == CUDA_R_32F || t == CUDA_R_32I ? 4
           : t == CUDA_R_8I                     ? 1
                                                : 2;
}
double type_precision(cudaDataType t) {
    switch (t) {
    case CUDA_R_64F:
    case CUDA_C_64F: return 1e-12;
    case CUDA_R_16F: return 2e-3;
    case CUDA_R_16BF: return 1.6e-2;
    case CUDA_R_32I: return 0;
    default: return 1e-4;
    }
}
number dense_random(cudaDataType t) {
    if (t == CUDA_R_8I) return floor(uniform() * 100);
    if (t == CUDA_R_32I) return floor(uniform() * 1000);
    number x = uniform();
    if (type_is_complex(t)) __imag__ x = uniform();
    char room[16];
    element_put(room, t, x); /* as precise as its type */
    return element_get(room, t);
}

number element_get(const void *p, cudaDataType t) {
    float f[2] = {0};
    double d[2] = {0};
    uint16_t h;
    int32_t i;
    number x;
    switch (t) {
    case CUDA_R_8I: return *(const int8_t *)p;
    case CUDA_R_32I: memcpy(&i, p, 4); return i;
    case CUDA_R_16F: {
        _Float16 half;
        memcpy(&half, p, 2);
        return (double)half;
    }
    case CUDA_R_16BF:
        memcpy(&h, p, 2);
        i = (int32_t)((uint32_t)h << 16);
        memcpy(f, &i, 4);
        return f[0];
    case CUDA_R_32F:
    case CUDA_C_32F:
        memcpy(f, p, element_bytes(t));
        x = f[0];
        __imag__ x = f[1];
        return x;
    default:
        memcpy(d, p, element_bytes(t));
        x = d[0];
        __imag__ x = d[1];
        return x;
    }
}
void element_put(void *p, cudaDataType t, number x) {
    float f[2] = {(float)creal(x), (float)cimag(x)};
    double d[2] = {creal(x), cimag(x)};
    int32_t i = isnan(creal(x)) ? 0 : (int32_t)creal(x);
    _Float16 half = (_Float16)(float)creal(x);
    uint16_t h;
    uint32_t bits;
    switch (t) {
    case CUDA_R_8I: *(int8_t *)p = (int8_t)i; break;
    case CUDA_R_32I: memcpy(p, &i, 4); break;
    case CUDA_R_16F: memcpy(p, &half, 2); break;
    case CUDA_R_16BF:
        memcpy(&bits, f, 4);
        h = (uint16_t)((bits + (isnan(f[0]) ? 0 : 0x7fff + (bits >> 16 & 1))) >> 16);
        memcpy(p, &h, 2);
        break;
    case CUDA_R_32F:
    case CUDA_C_32F: memcpy(p, f, element_bytes(t)); break;
    default: memcpy(p, d, element_bytes(t)); break;
    }
}

/* ---- memory ---- */

/* Where an element lies; -1: nowhere. */
static int64_t place(const struct stored *s, int64_t i, int64_t j) {
    int64_t n = s->rows;
    switch (s->kept) {
    case FULL: return i + j * s->ld;
    case LOWER: return i > j || (i == j && !s->unit) ? i + j * s->ld : -1;
    case UPPER: return i < j || (i == j && !s->unit) ? i + j * s->ld : -1;
    case BAND:
    case LOWER_BAND:
    case UPPER_BAND:
        if (i - j > s->below || j - i > s->above || (i == j && s->unit)) return -1;
        return s->above + i - j + j * s->ld;
    case LOWER_PACKED: return i > j || (i == j && !s->unit) ? i + (2 * n - j - 1) * j / 2 : -1;
    case UPPER_PACKED: return i < j || (i == j && !s->unit) ? i + j * (j + 1) / 2 : -1;
    default: return s->ld < 0 ? (i - (n - 1)) * s->ld : i * s->ld;
    }
}

static int64_t elements(const struct stored *s) {
    if (s->kept == VECTOR) return s->rows ? (s->rows - 1) * llabs(s->ld) + 1 : 0;
    if (s->kept == LOWER_PACKED || s->kept == UPPER_PACKED) return s->rows * (s->rows + 1) / 2;
    return s->ld * s->columns;
}

struct stored stored_new(enum kept kept, cudaDataType type, int64_t rows, int64_t columns, int64_t ld,
                         int64_t below, int64_t above) {
    struct stored s = {.kept = kept,
                       .type = type,
                       .rows = rows,
                       .columns = columns,
                       .ld = ld,
                       .below = below,
                       .above = above};
    size_t size = element_bytes(type);
    s.bytes = (size_t)elements(&s) * size;
    void *at;
    assert_int_equal(cudaMallocManaged(&at, s.bytes + 16, cudaMemAttachGlobal), cudaSuccess);
    s.at = at;
    s.before = malloc(s.bytes + 1);
    memset(s.at, 0xff, s.bytes); /* not a number, of whatever type */
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            if (place(&s, i, j) >= 0)
                element_put(s.at + (size_t)place(&s, i, j) * size, type, dense_random(type));
    memcpy(s.before, s.at, s.bytes);
    return s;
}
void stored_free(struct stored *s) {
    cudaFree(s->at);
    free(s->before);
}
void stored_spoil(struct stored *s) {
    memset(s->at, 0xff, s->bytes);
    memcpy(s->before, s->at, s->bytes);
}
void stored_unchanged(const struct stored *s, const char *what) {
    if (memcmp(s->at, s->before, s->bytes) != 0) fail_msg("%s: an input was changed", what);
}

/* ---- mathematics ---- */

struct dense dense_of(const struct stored *s) {
    struct dense d = {.rows = s->rows, .columns = s->columns};
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++)
            d.at[i][j] =
                place(s, i, j) >= 0
                    ? element_get(s->before + (size_t)place(s, i, j) * element_bytes(s->type), s->type)
                : s->unit && i == j ? 1
                                    : 0;
    return d;
}
struct dense dense_symmetric(const struct stored *s, bool hermitian) {
    struct dense d = dense_of(s);
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++) {
            if (i != j && place(s, i, j) < 0 && place(s, j, i) >= 0)
                d.at[i][j] = hermitian ? conj(d.at[j][i]) : d.at[j][i];
            if (i == j && hermitian) d.at[i][j] = creal(d.at[i][j]);
        }
    return d;
}
struct dense dense_op(const struct dense *a, cublasOperation_t op) {
    struct dense d = *a;
    if (op == CUBLAS_OP_N) return d;
    d.rows = a->columns;
    d.columns = a->rows;
    for (int64_t j = 0; j < d.columns; j++)
        for (int64_t i = 0; i < d.rows; i++) d.at[i][j] = op == CUBLAS_OP_C ? conj(a->at[j][i]) : a->at[j][i];
    return d;
}
struct dense dense_product(const struct dense *a, const struct dense *b) {
    struct dense d = {.rows = a->rows, .columns = b->columns};
    for (int64_t i = 0; i < d.rows; i++)
        for (int64_t j = 0; j < d.columns; j++)
            for (int64_t k = 0; k < a->columns; k++) d.at[i][j] += a->at[i][k] * b->at[k][j];
    return d;
}
struct dense dense_sum(number alpha, const struct dense *a, number beta, const struct dense *b) {
    struct dense d = {.rows = a->rows, .columns = a->columns};
    for (int64_t i = 0; i < d.rows; i++)
        for (int64_t j = 0; j < d.columns; j++)
            d.at[i][j] = (alpha == 0 ? 0 : alpha * a->at[i][j]) + (beta == 0 ? 0 : beta * b->at[i][j]);
    return d;
}

void dense_compare(const struct stored *s, const struct dense *wanted, const char *what) {
    size_t size = element_bytes(s->type);
    char *rest = malloc(s->bytes + 1);
    memcpy(rest, s->before, s->bytes);
    for (int64_t j = 0; j < s->columns; j++)
        for (int64_t i = 0; i < s->rows; i++) {
            int64_t at = place(s, i, j);
            if (at < 0) continue;
            memcpy(rest + (size_t)at * size, s->at + (size_t)at * size, size);
            number got = element_get(s->at + (size_t)at * size, s->type), want = wanted->at[i][j];
            double most = type_precision(s->type) * (1 + cabs(want));
            if (!(cabs(got - want) <= most))
                fail_msg("%s: element %lld,%lld is %g%+gi and not %g%+gi", what, (long long)i, (long long)j,
                         creal(got), cimag(got), creal(want), cimag(want));
        }
    if (memcmp(rest, s->at, s->bytes) != 0) fail_msg("%s: something else was written", what);
    free(rest);
}
