/* Which operands a call has, how large they are, and whether that can be. */
#include "blas/lt.h"
#include <string.h>

static void matrix(struct wg_blas_call *c, enum wg_blas_name which, int64_t rows, int64_t columns,
                   enum wg_blas_access access) {
    static const char *const names[] = {"A", "B", "C"};
    struct wg_blas_operand *o = &c->operand[which];
    *o = (struct wg_blas_operand){.shape = WG_SHAPE_FULL,
                                  .access = access,
                                  .name = names[which],
                                  .rows = rows,
                                  .columns = columns,
                                  .type = which == WG_OPERAND_A   ? c->Atype
                                          : which == WG_OPERAND_B ? c->Btype
                                                                  : c->Ctype,
                                  .ld = which == WG_OPERAND_A   ? c->lda
                                        : which == WG_OPERAND_B ? c->ldb
                                                                : c->ldc,
                                  .stride = which == WG_OPERAND_A   ? c->strideA
                                            : which == WG_OPERAND_B ? c->strideB
                                                                    : c->strideC,
                                  .at = which == WG_OPERAND_A   ? c->A
                                        : which == WG_OPERAND_B ? c->B
                                                                : c->C,
                                  .array = which == WG_OPERAND_A   ? c->Aarray
                                           : which == WG_OPERAND_B ? c->Barray
                                                                   : c->Carray};
}

static void triangle(struct wg_blas_call *c, enum wg_blas_name which, int64_t n, enum wg_blas_access access) {
    matrix(c, which, n, n, access);
    c->operand[which].shape = c->uplo == CUBLAS_FILL_MODE_LOWER ? WG_SHAPE_LOWER : WG_SHAPE_UPPER;
    c->operand[which].unit = c->diag == CUBLAS_DIAG_UNIT;
}

/* `above` and `below` the diagonal, of a matrix of so many rows and columns. */
static void band(struct wg_blas_call *c, int64_t rows, int64_t columns, int64_t above, int64_t below) {
    matrix(c, WG_OPERAND_A, above + below + 1, columns, WG_BLAS_READ);
    struct wg_blas_operand *o = &c->operand[WG_OPERAND_A];
    o->shape = WG_SHAPE_BAND;
    o->above = above;
    o->below = below;
    o->order = rows;
}

static void half_band(struct wg_blas_call *c) {
    bool lower = c->uplo == CUBLAS_FILL_MODE_LOWER;
    band(c, c->n, c->n, lower ? 0 : c->k, lower ? c->k : 0);
}

static void vector(struct wg_blas_call *c, enum wg_blas_name which, int64_t n, enum wg_blas_access access) {
    bool x = which == WG_OPERAND_X;
    c->operand[which] = (struct wg_blas_operand){.shape = WG_SHAPE_VECTOR,
                                                 .access = access,
                                                 .name = x ? "x" : "y",
                                                 .rows = n,
                                                 .columns = 1,
                                                 .type = x ? c->xtype : c->ytype,
                                                 .ld = x ? c->incx : c->incy,
                                                 .stride = x ? c->stridex : c->stridey,
                                                 .at = x ? c->x : c->y,
                                                 .array = x ? c->xarray : c->yarray};
}

static void packed(struct wg_blas_call *c, enum wg_blas_access access) {
    c->operand[WG_OPERAND_A] = (struct wg_blas_operand){.shape = WG_SHAPE_VECTOR,
                                                        .access = access,
                                                        .name = "AP",
                                                        .rows = c->n * (c->n + 1) / 2,
                                                        .columns = 1,
                                                        .ld = 1,
                                                        .type = c->Atype,
                                                        .at = c->AP};
}

/* What beta is multiplied with is not read where beta is 0. */
static enum wg_blas_access output(const struct wg_blas_call *c) {
    return wg_blas_is_zero(&c->b, c->scalar) ? WG_BLAS_WRITE : WG_BLAS_UPDATE;
}

static void describe_vectors(struct wg_blas_call *c) {
    switch (c->op) {
    case WG_BLAS_axpy:
        vector(c, WG_OPERAND_X, c->n, WG_BLAS_READ);
        vector(c, WG_OPERAND_Y, c->n, WG_BLAS_UPDATE);
        break;
    case WG_BLAS_copy:
        vector(c, WG_OPERAND_X, c->n, WG_BLAS_READ);
        vector(c, WG_OPERAND_Y, c->n, WG_BLAS_WRITE);
        break;
    case WG_BLAS_scal:
    case WG_BLAS_rscal: vector(c, WG_OPERAND_X, c->n, WG_BLAS_UPDATE); break;
    case WG_BLAS_dotu:
    case WG_BLAS_dotc:
        vector(c, WG_OPERAND_X, c->n, WG_BLAS_READ);
        vector(c, WG_OPERAND_Y, c->n, WG_BLAS_READ);
        break;
    case WG_BLAS_swap:
    case WG_BLAS_rot:
    case WG_BLAS_rrot:
    case WG_BLAS_rotm:
        vector(c, WG_OPERAND_X, c->n, WG_BLAS_UPDATE);
        vector(c, WG_OPERAND_Y, c->n, WG_BLAS_UPDATE);
        break;
    default: vector(c, WG_OPERAND_X, c->n, WG_BLAS_READ); break;
    }
}

/* y becomes alpha A x + beta y; or x becomes A x or what A makes x of. */
static void describe_product_with_vector(struct wg_blas_call *c) {
    bool across = c->trans != CUBLAS_OP_N, general = c->op == WG_BLAS_gemv || c->op == WG_BLAS_gbmv;
    bool own = c->op >= WG_BLAS_trmv && c->op <= WG_BLAS_tpsv;
    int64_t rows = general ? c->m : c->n;
    switch (c->op) {
    case WG_BLAS_gemv: matrix(c, WG_OPERAND_A, c->m, c->n, WG_BLAS_READ); break;
    case WG_BLAS_gbmv: band(c, c->m, c->n, c->ku, c->kl); break;
    case WG_BLAS_sbmv:
    case WG_BLAS_hbmv:
    case WG_BLAS_tbmv:
    case WG_BLAS_tbsv: half_band(c); break;
    case WG_BLAS_spmv:
    case WG_BLAS_hpmv:
    case WG_BLAS_tpmv:
    case WG_BLAS_tpsv: packed(c, WG_BLAS_READ); break;
    default: triangle(c, WG_OPERAND_A, c->n, WG_BLAS_READ); break;
    }
    vector(c, WG_OPERAND_X, across && general ? rows : c->n, own ? WG_BLAS_UPDATE : WG_BLAS_READ);
    if (!own) vector(c, WG_OPERAND_Y, across && general ? c->n : rows, output(c));
}

static void describe_rank_update(struct wg_blas_call *c) {
    bool general = c->op == WG_BLAS_geru || c->op == WG_BLAS_gerc, two = general || c->op >= WG_BLAS_syr2;
    if (general)
        matrix(c, WG_OPERAND_A, c->m, c->n, WG_BLAS_UPDATE);
    else if (c->op == WG_BLAS_spr || c->op == WG_BLAS_hpr || c->op == WG_BLAS_spr2 || c->op == WG_BLAS_hpr2)
        packed(c, WG_BLAS_UPDATE);
    else
        triangle(c, WG_OPERAND_A, c->n, WG_BLAS_UPDATE);
    vector(c, WG_OPERAND_X, general ? c->m : c->n, WG_BLAS_READ);
    if (two) vector(c, WG_OPERAND_Y, c->n, WG_BLAS_READ);
}

static void general(struct wg_blas_call *c, enum wg_blas_name which, int op, int64_t rows, int64_t columns) {
    matrix(c, which, op == CUBLAS_OP_N ? rows : columns, op == CUBLAS_OP_N ? columns : rows, WG_BLAS_READ);
}

static void describe_matrices(struct wg_blas_call *c) {
    bool left = c->side == CUBLAS_SIDE_LEFT;
    switch (c->op) {
    case WG_BLAS_gemm:
        general(c, WG_OPERAND_A, c->transa, c->m, c->k);
        general(c, WG_OPERAND_B, c->transb, c->k, c->n);
        matrix(c, WG_OPERAND_C, c->m, c->n, output(c));
        break;
    case WG_BLAS_symm:
    case WG_BLAS_hemm:
        triangle(c, WG_OPERAND_A, left ? c->m : c->n, WG_BLAS_READ);
        matrix(c, WG_OPERAND_B, c->m, c->n, WG_BLAS_READ);
        matrix(c, WG_OPERAND_C, c->m, c->n, output(c));
        break;
    case WG_BLAS_syr2k:
    case WG_BLAS_her2k:
    case WG_BLAS_syrkx:
    case WG_BLAS_herkx: general(c, WG_OPERAND_B, c->trans, c->n, c->k); /* fallthrough */
    case WG_BLAS_syrk:
    case WG_BLAS_herk:
        general(c, WG_OPERAND_A, c->trans, c->n, c->k);
        triangle(c, WG_OPERAND_C, c->n, output(c));
        break;
    case WG_BLAS_trsm:
        triangle(c, WG_OPERAND_A, left ? c->m : c->n, WG_BLAS_READ);
        matrix(c, WG_OPERAND_B, c->m, c->n, WG_BLAS_UPDATE);
        break;
    case WG_BLAS_trmm:
        triangle(c, WG_OPERAND_A, left ? c->m : c->n, WG_BLAS_READ);
        matrix(c, WG_OPERAND_B, c->m, c->n, WG_BLAS_READ);
        matrix(c, WG_OPERAND_C, c->m, c->n, WG_BLAS_WRITE);
        break;
    case WG_BLAS_geam:
        general(c, WG_OPERAND_A, c->transa, c->m, c->n);
        general(c, WG_OPERAND_B, c->transb, c->m, c->n);
        matrix(c, WG_OPERAND_C, c->m, c->n, WG_BLAS_WRITE);
        if (wg_blas_is_zero(&c->b, c->scalar)) c->operand[WG_OPERAND_B].access = 0;
        break;
    default: /* dgmm */
        matrix(c, WG_OPERAND_A, c->m, c->n, WG_BLAS_READ);
        vector(c, WG_OPERAND_X, left ? c->m : c->n, WG_BLAS_READ);
        matrix(c, WG_OPERAND_C, c->m, c->n, WG_BLAS_WRITE);
        break;
    }
}

/* A and what goes with it is not read where alpha is 0. */
static bool leaves_out(const struct wg_blas_call *c, enum wg_blas_name which) {
    static const bool with_alpha[WG_BLAS_OPS_N] = {
#define NONE                  0
#define A                     1
#define AB                    1
#define RA                    1
#define RAB                   1
#define ARB                   1
#define CS                    0
#define RCS                   0
#define PARAM                 0
#define OP(NAME, BY, SCALARS) SCALARS,
#include "blas/ops.def"
#undef NONE
#undef A
#undef AB
#undef RA
#undef RAB
#undef ARB
#undef CS
#undef RCS
#undef PARAM
    };
    if (!with_alpha[c->op] || !wg_blas_is_zero(&c->a, c->scalar)) return false;
    if (c->op == WG_BLAS_geam) return which == WG_OPERAND_A;
    if (c->op == WG_BLAS_matmul) return which <= WG_OPERAND_B && c->epilogue < CUBLASLT_EPILOGUE_BGRADA;
    return c->operand[which].access == WG_BLAS_READ;
}

static cublasStatus_t check_sizes(const struct wg_blas_call *c) {
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {{"m", c->m},      {"n", c->n},   {"k", c->k},
                  {"kl", c->kl},    {"ku", c->ku}, {"batchCount", c->batchCount},
                  {"nrhs", c->nrhs}};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (c->op < WG_BLAS_gemv && i == 1) continue; /* vectors of fewer elements than none are of none */
        if (counts[i].value < 0)
            return wg_blas_refuse(c, "%s is %lld", counts[i].name, (long long)counts[i].value);
        if (counts[i].value > INT32_MAX)
            return wg_blas_missing("a matrix or vector of more than 2147483647 rows or columns");
    }
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_distances(const struct wg_blas_call *c) {
    bool any = c->op < WG_BLAS_gemv || c->op == WG_BLAS_dgmm; /* 0 is as good as any */
    for (unsigned i = 0; i < WG_OPERANDS; i++) {
        const struct wg_blas_operand *o = &c->operand[i];
        bool is_vector = o->shape == WG_SHAPE_VECTOR;
        if (o->shape == WG_SHAPE_NONE) continue;
        if (is_vector && !o->ld && !any) return wg_blas_refuse(c, "inc%s is 0", o->name);
        if (!is_vector && (o->ld < o->rows || o->ld < 1))
            return wg_blas_refuse(c, "the columns of %s are %lld elements apart, and have %lld elements",
                                  o->name, (long long)o->ld, (long long)o->rows);
        if (o->ld > INT32_MAX || o->ld < -INT32_MAX)
            return wg_blas_missing("a distance of more than 2147483647 elements between columns or elements");
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t wg_blas_describe(struct wg_blas_call *c) {
    memset(c->operand, 0, sizeof c->operand);
    cublasStatus_t s = check_sizes(c);
    if (s) return s;
    if (c->op < WG_BLAS_gemv)
        describe_vectors(c);
    else if (c->op <= WG_BLAS_tpsv)
        describe_product_with_vector(c);
    else if (c->op < WG_BLAS_gemm)
        describe_rank_update(c);
    else if (c->op == WG_BLAS_matmul)
        wg_blas_describe_matmul(c);
    else if (c->op < WG_BLAS_tpttr)
        describe_matrices(c);
    else
        wg_blas_describe_factors(c);
    for (unsigned i = 0; i < WG_OPERANDS; i++)
        if (leaves_out(c, i)) c->operand[i].access = 0;
    return check_distances(c);
}
