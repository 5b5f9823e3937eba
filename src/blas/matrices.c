/* Operations on matrices, and on a matrix and vectors: by a library of the host's (library.h), and what BLAS does not have. */
#include "blas/by_type.h"
#include "blas/call.h"
#include "blas/library.h"
#include <stdlib.h>
#include <string.h>

static const char *op_word(int op) { return op == CUBLAS_OP_N ? "N" : op == CUBLAS_OP_T ? "T" : "C"; }
static const char *uplo_word(int uplo) { return uplo == CUBLAS_FILL_MODE_LOWER ? "L" : "U"; }
static const char *diag_word(int diag) { return diag == CUBLAS_DIAG_UNIT ? "U" : "N"; }
static const char *side_word(int side) { return side == CUBLAS_SIDE_LEFT ? "L" : "R"; }

/* The counts as Fortran wants them, and the distances of the operands as they are now. Where alpha is 0, A and B need
 * not be there: no rows of theirs, then, for OpenBLAS's small products on AVX-512 read them all the same. */
struct numbers {
    int m, n, k, kl, ku, lda, ldb, ldc, incx, incy;
};
static struct numbers numbers_of(const struct wg_blas_call *c) {
    const struct wg_blas_operand *o = c->operand;
    return (struct numbers){(int)c->m,
                            (int)c->n,
                            o[WG_OPERAND_A].access ? (int)c->k : 0,
                            (int)c->kl,
                            (int)c->ku,
                            (int)o[WG_OPERAND_A].ld,
                            (int)o[WG_OPERAND_B].ld,
                            (int)o[WG_OPERAND_C].ld,
                            (int)o[WG_OPERAND_X].ld,
                            (int)o[WG_OPERAND_Y].ld};
}

/* ---- a matrix and vectors ---- */

/* Two complex vectors into a symmetric triangle, which BLAS has for real ones alone. */
static void complex_syr2(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    const struct wg_blas_operand *o = c->operand;
    int64_t n = c->n, dx = o[WG_OPERAND_X].ld, dy = o[WG_OPERAND_Y].ld;
    BY_TYPE(
        c->type, T alpha; memcpy(&alpha, &c->a, sizeof alpha);
        const T *x = (const T *)p[WG_OPERAND_X] - (dx < 0 ? (n - 1) * dx : 0),
        *y = (const T *)p[WG_OPERAND_Y] - (dy < 0 ? (n - 1) * dy : 0);
        for (int64_t j = 0; j < n; j++) {
            int64_t first, rows = wg_blas_column(&o[WG_OPERAND_A], j, &first);
            T *a = (T *)p[WG_OPERAND_A] + j * o[WG_OPERAND_A].ld;
            for (int64_t i = first; i < first + rows; i++)
                a[i] += alpha * (x[i * dx] * y[j * dy] + y[i * dy] * x[j * dx]);
        })
}

void wg_blas_matrix_vector(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    const struct wg_blas_library *l = wg_blas_library();
    unsigned t = wg_blas_index(c->type);
    struct numbers z = numbers_of(c);
    const char *op = op_word(c->trans), *uplo = uplo_word(c->uplo), *diag = diag_word(c->diag);
    void *A = p[WG_OPERAND_A], *x = p[WG_OPERAND_X], *y = p[WG_OPERAND_Y];
    const void *alpha = &c->a, *beta = &c->b;
    if (c->operand[WG_OPERAND_Y].access == WG_BLAS_WRITE)
        wg_blas_clear(&c->operand[WG_OPERAND_Y], y, c->type);
    switch (c->op) {
#define CASE(NAME, ...)                                                                                      \
    case WG_BLAS_##NAME: WG_FORTRAN(l->NAME[t], __VA_ARGS__); break;
        CASE(gemv, op, &z.m, &z.n, alpha, A, &z.lda, x, &z.incx, beta, y, &z.incy)
        CASE(gbmv, op, &z.m, &z.n, &z.kl, &z.ku, alpha, A, &z.lda, x, &z.incx, beta, y, &z.incy)
        CASE(symv, uplo, &z.n, alpha, A, &z.lda, x, &z.incx, beta, y, &z.incy)
        CASE(hemv, uplo, &z.n, alpha, A, &z.lda, x, &z.incx, beta, y, &z.incy)
        CASE(sbmv, uplo, &z.n, &z.k, alpha, A, &z.lda, x, &z.incx, beta, y, &z.incy)
        CASE(hbmv, uplo, &z.n, &z.k, alpha, A, &z.lda, x, &z.incx, beta, y, &z.incy)
        CASE(spmv, uplo, &z.n, alpha, A, x, &z.incx, beta, y, &z.incy)
        CASE(hpmv, uplo, &z.n, alpha, A, x, &z.incx, beta, y, &z.incy)
        CASE(trmv, uplo, op, diag, &z.n, A, &z.lda, x, &z.incx)
        CASE(trsv, uplo, op, diag, &z.n, A, &z.lda, x, &z.incx)
        CASE(tbmv, uplo, op, diag, &z.n, &z.k, A, &z.lda, x, &z.incx)
        CASE(tbsv, uplo, op, diag, &z.n, &z.k, A, &z.lda, x, &z.incx)
        CASE(tpmv, uplo, op, diag, &z.n, A, x, &z.incx)
        CASE(tpsv, uplo, op, diag, &z.n, A, x, &z.incx)
        CASE(geru, &z.m, &z.n, alpha, x, &z.incx, y, &z.incy, A, &z.lda)
        CASE(gerc, &z.m, &z.n, alpha, x, &z.incx, y, &z.incy, A, &z.lda)
        CASE(syr, uplo, &z.n, alpha, x, &z.incx, A, &z.lda)
        CASE(her, uplo, &z.n, alpha, x, &z.incx, A, &z.lda)
        CASE(spr, uplo, &z.n, alpha, x, &z.incx, A)
        CASE(hpr, uplo, &z.n, alpha, x, &z.incx, A)
        CASE(her2, uplo, &z.n, alpha, x, &z.incx, y, &z.incy, A, &z.lda)
        CASE(spr2, uplo, &z.n, alpha, x, &z.incx, y, &z.incy, A)
        CASE(hpr2, uplo, &z.n, alpha, x, &z.incx, y, &z.incy, A)
    case WG_BLAS_syr2:
        if (t < 2)
            WG_FORTRAN(l->syr2[t], uplo, &z.n, alpha, x, &z.incx, y, &z.incy, A, &z.lda);
        else
            complex_syr2(c, p);
        break;
#undef CASE
    default: break;
    }
}

/* ---- matrices ---- */

/* One element of op(A). */
#define AT(T, P, LD, OP, I, J)                                                                               \
    ({                                                                                                       \
        T at_ = (OP) == CUBLAS_OP_N ? (P)[(I) + (J) * (LD)] : (P)[(J) + (I) * (LD)];                         \
        if ((OP) == CUBLAS_OP_C && IMAGINARY) ((R *)&at_)[IMAGINARY] *= -1;                                  \
        at_;                                                                                                 \
    })

/* C may be A or B, where they are not transposed. */
static void sum_of_matrices(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    const struct wg_blas_operand *o = c->operand;
    bool has_a = o[WG_OPERAND_A].access, has_b = o[WG_OPERAND_B].access;
    BY_TYPE(
        c->type, T alpha; T beta; memcpy(&alpha, &c->a, sizeof alpha); memcpy(&beta, &c->b, sizeof beta);
        const T *A = p[WG_OPERAND_A], *B = p[WG_OPERAND_B]; T *C = p[WG_OPERAND_C];
        for (int64_t j = 0; j < c->n; j++) for (int64_t i = 0; i < c->m; i++) {
            T sum = 0;
            if (has_a) sum += alpha * AT(T, A, o[WG_OPERAND_A].ld, c->transa, i, j);
            if (has_b) sum += beta * AT(T, B, o[WG_OPERAND_B].ld, c->transb, i, j);
            C[i + j * o[WG_OPERAND_C].ld] = sum;
        })
}

static void diagonal_product(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    const struct wg_blas_operand *o = c->operand;
    bool left = c->side == CUBLAS_SIDE_LEFT;
    int64_t step = o[WG_OPERAND_X].ld;
    BY_TYPE(c->type, const T *A = p[WG_OPERAND_A],
            *x = (const T *)p[WG_OPERAND_X] - (step < 0 ? (o[WG_OPERAND_X].rows - 1) * step : 0);
            T *C = p[WG_OPERAND_C];
            for (int64_t j = 0; j < c->n; j++) for (int64_t i = 0; i < c->m; i++)
                C[i + j * o[WG_OPERAND_C].ld] = A[i + j * o[WG_OPERAND_A].ld] * x[(left ? i : j) * step];)
}

/* A product that is known to be symmetric, of which one triangle is wanted. */
static void symmetric_product(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    const struct wg_blas_library *l = wg_blas_library();
    const struct wg_blas_operand *o = &c->operand[WG_OPERAND_C];
    struct numbers z = numbers_of(c);
    bool hermitian = c->op == WG_BLAS_herkx, across = c->trans != CUBLAS_OP_N;
    const char *other = hermitian ? "C" : "T";
    char *whole = calloc((size_t)(c->n * c->n) + 1, wg_blas_bytes(c->type));
    union wg_blas_number zero = {0};
    if (!whole) return;
    WG_FORTRAN(l->gemm[wg_blas_index(c->type)], across ? other : "N", across ? "N" : other, &z.n, &z.n, &z.k,
               &c->a, p[WG_OPERAND_A], &z.lda, p[WG_OPERAND_B], &z.ldb, &zero, whole, &z.n);
    bool fresh = o->access == WG_BLAS_WRITE;
    BY_TYPE(
        c->type, T beta = 0; if (hermitian) {
            R real;
            memcpy(&real, &c->b, sizeof real);
            beta = real;
        } else memcpy(&beta, &c->b, sizeof beta);
        for (int64_t j = 0; j < c->n; j++) {
            int64_t first, rows = wg_blas_column(o, j, &first);
            T *out = (T *)p[WG_OPERAND_C] + j * o->ld;
            const T *in = (const T *)whole + j * c->n;
            for (int64_t i = first; i < first + rows; i++) out[i] = fresh ? in[i] : in[i] + beta * out[i];
            if (hermitian && IMAGINARY) ((R *)&out[j])[IMAGINARY] = 0;
        })
    free(whole);
}

/* What BLAS does in place. */
static void triangular_product(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    const struct wg_blas_operand *b = &c->operand[WG_OPERAND_B], *out = &c->operand[WG_OPERAND_C];
    size_t size = wg_blas_bytes(c->type);
    struct numbers z = numbers_of(c);
    char *B = p[WG_OPERAND_B], *C = p[WG_OPERAND_C];
    if (!b->access) { /* alpha is 0 */
        wg_blas_clear(out, C, c->type);
        return;
    }
    for (int64_t j = 0; j < c->n && B != C; j++)
        memmove(C + (size_t)(j * out->ld) * size, B + (size_t)(j * b->ld) * size, (size_t)c->m * size);
    WG_FORTRAN(wg_blas_library()->trmm[wg_blas_index(c->type)], side_word(c->side), uplo_word(c->uplo),
               op_word(c->trans), diag_word(c->diag), &z.m, &z.n, &c->a, p[WG_OPERAND_A], &z.lda, C, &z.ldc);
}

static void triangular_solution(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    struct numbers z = numbers_of(c);
    if (!c->operand[WG_OPERAND_A].access) { /* alpha is 0 */
        wg_blas_clear(&c->operand[WG_OPERAND_B], p[WG_OPERAND_B], c->type);
        return;
    }
    WG_FORTRAN(wg_blas_library()->trsm[wg_blas_index(c->type)], side_word(c->side), uplo_word(c->uplo),
               op_word(c->trans), diag_word(c->diag), &z.m, &z.n, &c->a, p[WG_OPERAND_A], &z.lda,
               p[WG_OPERAND_B], &z.ldb);
}

void wg_blas_matrices(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    const struct wg_blas_library *l = wg_blas_library();
    unsigned t = wg_blas_index(c->type);
    struct numbers z = numbers_of(c);
    const char *op = op_word(c->trans), *uplo = uplo_word(c->uplo), *side = side_word(c->side);
    void *A = p[WG_OPERAND_A], *B = p[WG_OPERAND_B], *C = p[WG_OPERAND_C];
    const void *alpha = &c->a, *beta = &c->b;
    if (c->op < WG_BLAS_syrkx && c->operand[WG_OPERAND_C].access == WG_BLAS_WRITE)
        wg_blas_clear(&c->operand[WG_OPERAND_C], C, c->type);
    switch (c->op) {
#define CASE(NAME, ...)                                                                                      \
    case WG_BLAS_##NAME: WG_FORTRAN(l->NAME[t], __VA_ARGS__); break;
        CASE(gemm, op_word(c->transa), op_word(c->transb), &z.m, &z.n, &z.k, alpha, A, &z.lda, B, &z.ldb,
             beta, C, &z.ldc)
        CASE(symm, side, uplo, &z.m, &z.n, alpha, A, &z.lda, B, &z.ldb, beta, C, &z.ldc)
        CASE(hemm, side, uplo, &z.m, &z.n, alpha, A, &z.lda, B, &z.ldb, beta, C, &z.ldc)
        CASE(syrk, uplo, op, &z.n, &z.k, alpha, A, &z.lda, beta, C, &z.ldc)
        CASE(herk, uplo, op, &z.n, &z.k, alpha, A, &z.lda, beta, C, &z.ldc)
        CASE(syr2k, uplo, op, &z.n, &z.k, alpha, A, &z.lda, B, &z.ldb, beta, C, &z.ldc)
        CASE(her2k, uplo, op, &z.n, &z.k, alpha, A, &z.lda, B, &z.ldb, beta, C, &z.ldc)
#undef CASE
    case WG_BLAS_syrkx:
    case WG_BLAS_herkx: symmetric_product(c, p); break;
    case WG_BLAS_trsm: triangular_solution(c, p); break;
    case WG_BLAS_trmm: triangular_product(c, p); break;
    case WG_BLAS_geam: sum_of_matrices(c, p); break;
    default: diagonal_product(c, p); break;
    }
}
