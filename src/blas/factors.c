/* Factors and inverses of many small matrices at once, packed triangles, and rotations made of two numbers.
 *
 * Their other arguments take the places of operands that they do not have: x is the pivots, y what became of each matrix.
 */
#include "blas/by_type.h"
#include "blas/call.h"
#include "blas/library.h"
#include <stdlib.h>
#include <string.h>

static struct wg_blas_operand numbers(const char *name, cudaDataType type, const void *at, int64_t n,
                                      enum wg_blas_access access) {
    return (struct wg_blas_operand){.shape = at ? WG_SHAPE_VECTOR : WG_SHAPE_NONE,
                                    .access = at ? access : 0,
                                    .raw = true,
                                    .name = name,
                                    .type = type,
                                    .rows = n,
                                    .columns = 1,
                                    .ld = 1,
                                    .stride = n,
                                    .at = at};
}

static struct wg_blas_operand matrix(const char *name, const struct wg_blas_call *c, const void *array,
                                     int64_t rows, int64_t columns, int64_t ld, enum wg_blas_access access) {
    return (struct wg_blas_operand){.shape = WG_SHAPE_FULL,
                                    .access = access,
                                    .name = name,
                                    .type = c->type,
                                    .rows = rows,
                                    .columns = columns,
                                    .ld = ld,
                                    .array = array};
}

static void describe_triangles(struct wg_blas_call *c) {
    struct wg_blas_operand *o = c->operand;
    bool unpacks = c->op == WG_BLAS_tpttr;
    o[WG_OPERAND_A] = matrix("A", c, NULL, c->n, c->n, c->lda, unpacks ? WG_BLAS_WRITE : WG_BLAS_READ);
    o[WG_OPERAND_A].at = c->A;
    o[WG_OPERAND_A].shape = c->uplo == CUBLAS_FILL_MODE_LOWER ? WG_SHAPE_LOWER : WG_SHAPE_UPPER;
    o[WG_OPERAND_X] =
        numbers("AP", c->type, c->AP, c->n * (c->n + 1) / 2, unpacks ? WG_BLAS_READ : WG_BLAS_WRITE);
}

static void describe_rotation(struct wg_blas_call *c) {
    struct wg_blas_operand *o = c->operand;
    cudaDataType real = c->type == CUDA_C_32F ? CUDA_R_32F : c->type == CUDA_C_64F ? CUDA_R_64F : c->type;
    if (c->op == WG_BLAS_rotg) {
        o[WG_OPERAND_X] = numbers("a", c->type, c->x, 1, WG_BLAS_UPDATE);
        o[WG_OPERAND_Y] = numbers("b", c->type, c->y, 1, WG_BLAS_UPDATE);
        o[WG_OPERAND_A] = numbers("c", real, c->c, 1, WG_BLAS_WRITE);
        o[WG_OPERAND_B] = numbers("s", c->type, c->s, 1, WG_BLAS_WRITE);
    } else {
        o[WG_OPERAND_X] = numbers("d1", c->type, c->d1, 1, WG_BLAS_UPDATE);
        o[WG_OPERAND_Y] = numbers("d2", c->type, c->d2, 1, WG_BLAS_UPDATE);
        o[WG_OPERAND_A] = numbers("x1", c->type, c->x1, 1, WG_BLAS_UPDATE);
        o[WG_OPERAND_B] = numbers("y1", c->type, c->y1, 1, WG_BLAS_READ);
        o[WG_OPERAND_C] = numbers("param", c->type, c->param, 5, WG_BLAS_WRITE);
    }
}

void wg_blas_describe_factors(struct wg_blas_call *c) {
    struct wg_blas_operand *o = c->operand;
    bool finds = c->op == WG_BLAS_getrf;
    int64_t least = c->m < c->n ? c->m : c->n, most = c->m > c->n ? c->m : c->n;
    if (c->op == WG_BLAS_tpttr || c->op == WG_BLAS_trttp) {
        describe_triangles(c);
        return;
    }
    if (c->op == WG_BLAS_rotg || c->op == WG_BLAS_rotmg) {
        describe_rotation(c);
        return;
    }
    if (c->op == WG_BLAS_geqrf || c->op == WG_BLAS_gels) {
        o[WG_OPERAND_A] = matrix("A", c, c->Aarray, c->m, c->n, c->lda, WG_BLAS_UPDATE);
        if (c->op == WG_BLAS_gels)
            o[WG_OPERAND_C] = matrix("C", c, c->Carray, most, c->nrhs, c->ldc, WG_BLAS_UPDATE);
        if (c->op == WG_BLAS_geqrf)
            o[WG_OPERAND_C] = matrix("tau", c, c->tau, least, 1, least > 0 ? least : 1, WG_BLAS_WRITE);
        o[WG_OPERAND_Y] = numbers("devInfoArray", CUDA_R_32I, c->each_info, 1, WG_BLAS_WRITE);
        return;
    }
    o[WG_OPERAND_A] = matrix("A", c, c->Aarray, c->n, c->n, c->lda, finds ? WG_BLAS_UPDATE : WG_BLAS_READ);
    o[WG_OPERAND_X] =
        numbers("the array of pivots", CUDA_R_32I, c->pivots, c->n, finds ? WG_BLAS_WRITE : WG_BLAS_READ);
    o[WG_OPERAND_Y] = numbers("the array of infos", CUDA_R_32I, c->each_info, 1, WG_BLAS_WRITE);
    if (c->op == WG_BLAS_getrs)
        o[WG_OPERAND_B] = matrix("B", c, c->Barray, c->n, c->nrhs, c->ldb, WG_BLAS_UPDATE);
    if (c->op == WG_BLAS_getri || c->op == WG_BLAS_matinv)
        o[WG_OPERAND_C] = matrix("C", c, c->Carray, c->n, c->n, c->ldc, WG_BLAS_WRITE);
}

/* ---- triangles ---- */

static void repack(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    const struct wg_blas_operand *o = &c->operand[WG_OPERAND_A];
    size_t size = wg_blas_bytes(c->type);
    char *packed = p[WG_OPERAND_X];
    for (int64_t j = 0; j < c->n; j++) {
        int64_t first, rows = wg_blas_column(o, j, &first);
        char *column = (char *)p[WG_OPERAND_A] + (size_t)(j * o->ld + first) * size;
        if (c->op == WG_BLAS_tpttr)
            memcpy(column, packed, (size_t)rows * size);
        else
            memcpy(packed, column, (size_t)rows * size);
        packed += (size_t)rows * size;
    }
}

/* ---- factors ---- */

/* Where the program wants no pivots, none are looked for: what such a matrix is not good for, it is told by `info`. */
static int plain_factors(const struct wg_blas_call *c, void *A, int64_t ld) {
    int info = 0;
    BY_TYPE(
        c->type, T *a = A; for (int64_t k = 0; k < c->n; k++) {
            T pivot = a[k + k * ld];
            if (pivot == 0) {
                if (!info) info = (int)k + 1;
                continue;
            }
            for (int64_t i = k + 1; i < c->n; i++) a[i + k * ld] /= pivot;
            for (int64_t j = k + 1; j < c->n; j++)
                for (int64_t i = k + 1; i < c->n; i++) a[i + j * ld] -= a[i + k * ld] * a[k + j * ld];
        })
    return info;
}

static int factors(const struct wg_blas_call *c, void *A, int64_t ld, int *pivots) {
    int n = (int)c->n, distance = (int)ld, info = 0;
    if (!pivots) return plain_factors(c, A, ld);
    WG_FORTRAN(wg_blas_library()->getrf[wg_blas_index(c->type)], &n, &n, A, &distance, pivots, &info);
    return info;
}

/* What solves with the factors; without pivots rows stay where they are. */
static void solve(const struct wg_blas_call *c, int op, const void *A, int64_t lda, const int *pivots,
                  void *B, int64_t ldb, int64_t columns) {
    int n = (int)c->n, nrhs = (int)columns, a = (int)lda, b = (int)ldb, info = 0;
    int *own = pivots ? NULL : malloc((size_t)n * sizeof *own);
    for (int i = 0; own && i < n; i++) own[i] = i + 1;
    WG_FORTRAN(wg_blas_library()->getrs[wg_blas_index(c->type)],
               op == CUBLAS_OP_N   ? "N"
               : op == CUBLAS_OP_T ? "T"
                                   : "C",
               &n, &nrhs, A, &a, own ? own : pivots, B, &b, &info);
    free(own);
}

static int first_zero(const struct wg_blas_call *c, const void *A, int64_t ld) {
    BY_TYPE(c->type, const T *a = A;
            for (int64_t k = 0; k < c->n; k++) if (a[k + k * ld] == 0) return (int)k + 1;)
    return 0;
}

static void identity(const struct wg_blas_call *c, void *out, int64_t ld) {
    BY_TYPE(c->type, T *o = out;
            for (int64_t j = 0; j < c->n; j++) for (int64_t i = 0; i < c->n; i++) o[i + j * ld] = i == j;)
}

static int invert(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    size_t size = wg_blas_bytes(c->type), n = (size_t)c->n;
    int64_t lda = c->operand[WG_OPERAND_A].ld, ldc = c->operand[WG_OPERAND_C].ld;
    const void *A = p[WG_OPERAND_A];
    const int *pivots = p[WG_OPERAND_X];
    char *copy = NULL;
    int *own = NULL, info;
    if (c->op == WG_BLAS_matinv) {
        copy = malloc(n * n * size + 1);
        own = malloc(n * sizeof *own + 1);
        if (!copy || !own) abort();
        for (size_t j = 0; j < n; j++)
            memcpy(copy + j * n * size, (const char *)A + j * (size_t)lda * size, n * size);
        info = factors(c, copy, c->n, own);
        A = copy;
        pivots = own;
        lda = c->n;
    } else {
        info = first_zero(c, A, lda);
    }
    if (!info) {
        identity(c, p[WG_OPERAND_C], ldc);
        solve(c, CUBLAS_OP_N, A, lda, pivots, p[WG_OPERAND_C], ldc, c->n);
    }
    free(copy);
    free(own);
    return info;
}

static int orthogonal(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    unsigned t = wg_blas_index(c->type);
    int m = (int)c->m, n = (int)c->n, nrhs = (int)c->nrhs, lda = (int)c->operand[WG_OPERAND_A].ld,
        ldc = (int)c->operand[WG_OPERAND_C].ld, info = 0, room = 64 * (m + n + nrhs) + 1;
    void *work = malloc((size_t)room * wg_blas_bytes(c->type));
    if (!work) abort();
    if (c->op == WG_BLAS_geqrf)
        WG_FORTRAN(wg_blas_library()->geqr2[t], &m, &n, p[WG_OPERAND_A], &lda, p[WG_OPERAND_C], work, &info);
    else
        WG_FORTRAN(wg_blas_library()->gels[t], "N", &m, &n, &nrhs, p[WG_OPERAND_A], &lda, p[WG_OPERAND_C],
                   &ldc, work, &room, &info);
    free(work);
    return info;
}

void wg_blas_factors(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    unsigned t = wg_blas_index(c->type);
    int info = 0;
    switch (c->op) {
    case WG_BLAS_tpttr:
    case WG_BLAS_trttp: repack(c, p); return;
    case WG_BLAS_rotg:
        WG_FORTRAN(wg_blas_library()->rotg[t], p[WG_OPERAND_X], p[WG_OPERAND_Y], p[WG_OPERAND_A],
                   p[WG_OPERAND_B]);
        return;
    case WG_BLAS_rotmg:
        WG_FORTRAN(wg_blas_library()->rotmg[t], p[WG_OPERAND_X], p[WG_OPERAND_Y], p[WG_OPERAND_A],
                   p[WG_OPERAND_B], p[WG_OPERAND_C]);
        return;
    case WG_BLAS_getrf:
        info = factors(c, p[WG_OPERAND_A], c->operand[WG_OPERAND_A].ld, p[WG_OPERAND_X]);
        break;
    case WG_BLAS_getrs:
        solve(c, c->trans, p[WG_OPERAND_A], c->operand[WG_OPERAND_A].ld, p[WG_OPERAND_X], p[WG_OPERAND_B],
              c->operand[WG_OPERAND_B].ld, c->nrhs);
        break;
    case WG_BLAS_getri:
    case WG_BLAS_matinv: info = invert(c, p); break;
    default: info = orthogonal(c, p); break;
    }
    if (p[WG_OPERAND_Y]) memcpy(p[WG_OPERAND_Y], &info, sizeof info);
}
