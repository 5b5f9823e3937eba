/* How much arithmetic a call is, by the formulas that LAPACK's users count with (LAPACK Working Note 41): additions and
 * multiplications of real numbers, where a product of complex numbers is six of them and a sum two. What alpha and beta
 * cost beside a product, comparisons and epilogues are left out. */
#include "blas/call.h"
#include <stdio.h>

/* Of elements; a complex number times a real one is as dear as a sum. */
struct work {
    double products, sums;
};

static double elements(const struct wg_blas_operand *o) {
    double all = 0;
    if (o->shape == WG_SHAPE_VECTOR) return (double)o->rows;
    if (o->shape == WG_SHAPE_FULL) return (double)o->rows * (double)o->columns;
    for (int64_t j = 0, first; o->shape != WG_SHAPE_NONE && j < o->columns; j++)
        all += (double)wg_blas_column(o, j, &first);
    return all;
}

static struct work of_vectors(const struct wg_blas_call *c) {
    double n = c->n > 0 ? (double)c->n : 0;
    switch (c->op) {
    case WG_BLAS_asum: return (struct work){0, n};
    case WG_BLAS_nrm2:
    case WG_BLAS_dotu:
    case WG_BLAS_dotc:
    case WG_BLAS_axpy: return (struct work){n, n};
    case WG_BLAS_scal: return (struct work){n, 0};
    case WG_BLAS_rscal: return (struct work){0, n};
    case WG_BLAS_rot: return (struct work){2 * n, 4 * n};
    case WG_BLAS_rrot: return (struct work){0, 6 * n};
    case WG_BLAS_rotm: return (struct work){4 * n, 2 * n};
    default: return (struct work){0, 0};
    }
}

static struct work of_vectors_with_matrix(const struct wg_blas_call *c) {
    double a = elements(&c->operand[WG_OPERAND_A]), n = (double)c->n;
    bool symmetric = c->op >= WG_BLAS_symv && c->op <= WG_BLAS_hpmv;
    bool triangular = c->op >= WG_BLAS_trmv && c->op <= WG_BLAS_tpsv;
    if (symmetric) a = 2 * a - n; /* what is beside the diagonal counts twice */
    if (triangular) return (struct work){a, c->diag == CUBLAS_DIAG_UNIT ? a : a - n};
    if (c->op >= WG_BLAS_syr2 && c->op <= WG_BLAS_hpr2) a *= 2;
    return (struct work){a, a};
}

static struct work of_matrices(const struct wg_blas_call *c) {
    double m = (double)c->m, n = (double)c->n, k = (double)c->k, both;
    double order = c->side == CUBLAS_SIDE_LEFT ? m : n, triangle = elements(&c->operand[WG_OPERAND_C]);
    switch (c->op) {
    case WG_BLAS_symm:
    case WG_BLAS_hemm: both = m * n * order; break;
    case WG_BLAS_syrk:
    case WG_BLAS_herk:
    case WG_BLAS_syrkx:
    case WG_BLAS_herkx: both = triangle * k; break;
    case WG_BLAS_syr2k:
    case WG_BLAS_her2k: both = 2 * triangle * k; break;
    case WG_BLAS_trsm:
    case WG_BLAS_trmm: return (struct work){m * n * (order + 1) / 2, m * n * (order - 1) / 2};
    case WG_BLAS_geam:
        if (!c->operand[WG_OPERAND_A].access || !c->operand[WG_OPERAND_B].access)
            return (struct work){m * n, 0};
        return (struct work){2 * m * n, m * n};
    case WG_BLAS_dgmm: return (struct work){m * n, 0};
    default: both = m * n * k;
    }
    return c->operand[WG_OPERAND_A].access ? (struct work){both, both} : (struct work){0, 0};
}

static struct work of_factors(const struct wg_blas_call *c) {
    double m = (double)c->m, n = (double)c->n, nrhs = (double)c->nrhs, cube = n * n * n;
    double least = m < n ? m : n, most = m < n ? n : m, reflections = least * least * (most - least / 3);
    switch (c->op) {
    case WG_BLAS_getrf: return (struct work){(cube - n) / 3, cube / 3 - n * n / 2 + n / 6};
    case WG_BLAS_getrs: return (struct work){nrhs * n * n, nrhs * n * (n - 1)};
    case WG_BLAS_getri: return (struct work){2 * cube / 3, 2 * cube / 3};
    case WG_BLAS_matinv: return (struct work){cube, cube};
    case WG_BLAS_geqrf: return (struct work){reflections, reflections};
    case WG_BLAS_gels: {
        double solved = reflections + nrhs * (2 * most * least - least * least / 2);
        return (struct work){solved, solved};
    }
    default: return (struct work){0, 0};
    }
}

uint64_t wg_blas_operations(const struct wg_blas_call *c) {
    struct work w = c->op < WG_BLAS_gemv    ? of_vectors(c)
                    : c->op < WG_BLAS_gemm  ? of_vectors_with_matrix(c)
                    : c->op < WG_BLAS_tpttr ? of_matrices(c)
                                            : of_factors(c);
    bool complex = wg_blas_is_complex(c->type);
    double each = complex ? 6 * w.products + 2 * w.sums : w.products + w.sums;
    return (uint64_t)(each * (double)c->batchCount + 0.5);
}

void wg_blas_sizes(const struct wg_blas_call *c, char *text, size_t room) {
    const struct {
        const char *name;
        int64_t value;
    } sizes[] = {{"m", c->m}, {"n", c->n}, {"k", c->k}, {"nrhs", c->nrhs}, {"batch", c->batchCount}};
    size_t n = 0;
    *text = 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (!sizes[i].value || (i == 4 && sizes[i].value == 1)) continue;
        n += (size_t)snprintf(text + n, room - n, "%s%s %lld", n ? ", " : "", sizes[i].name,
                              (long long)sizes[i].value);
    }
}
