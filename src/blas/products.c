/* The work of cublasLtMatmul: a product, and what its epilogue does to the columns of D. See lt_product.c. */
#include "blas/by_type.h"
#include "blas/library.h"
#include "blas/lt.h"
#include <math.h>
#include <string.h>

void wg_blas_describe_matmul(struct wg_blas_call *c) {
    bool adds = !wg_blas_is_zero(&c->b, c->scalar);
    memcpy(c->operand, c->plan, sizeof c->operand);
    c->operand[WG_OPERAND_A].access = c->operand[WG_OPERAND_B].access = WG_BLAS_READ;
    c->operand[WG_OPERAND_C].access = WG_BLAS_WRITE;
    c->operand[WG_OPERAND_X].access = adds ? WG_BLAS_READ : 0;
}

static double gelu(double x) { return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }
static double gelu_slope(double x) {
    double t = tanh(0.7978845608028654 * (x + 0.044715 * x * x * x));
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}

/* One column's elements of D. */
static void finish_column(const struct wg_blas_call *c, void *const p[WG_OPERANDS], int64_t j) {
    int e = c->epilogue;
    int64_t beside = j * c->operand[WG_OPERAND_Y].ld; /* where there is something beside D */
    uint8_t *bits = p[WG_OPERAND_Y];
    if (bits) bits += beside;
    BY_TYPE(
        c->type, T *d = (T *)p[WG_OPERAND_C] + j * c->operand[WG_OPERAND_C].ld; T *aux = p[WG_OPERAND_Y];
        T *bias = p[WG_OPERAND_Z]; if (aux) aux += beside; for (int64_t i = 0; i < c->m; i++) {
            double x;
            if (e & EPILOGUE_BIAS) d[i] += bias[c->flipped ? j : i];
            x = (double)__real__ d[i];
            if (e & EPILOGUE_RELU && e & EPILOGUE_AUX)
                bits[i / 8] = (uint8_t)((bits[i / 8] & ~(1 << i % 8)) | (x > 0) << i % 8);
            if (e & EPILOGUE_RELU && !(x > 0)) d[i] = 0;
            if (e & EPILOGUE_GELU && e & EPILOGUE_AUX) aux[i] = d[i];
            if (e & EPILOGUE_GELU) d[i] = (R)gelu(x);
            if (e & EPILOGUE_DRELU && !(bits[i / 8] >> i % 8 & 1)) d[i] = 0;
            if (e & EPILOGUE_DGELU) d[i] = (R)(x * gelu_slope((double)__real__ aux[i]));
        })
}

/* Sums of D's rows, of op(A)'s rows, or of op(B)'s columns, as D would have it were its columns together. */
static void bias_sums(const struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    int e = c->epilogue;
    enum wg_blas_name which = e & EPILOGUE_BGRAD                           ? WG_OPERAND_C
                              : ((e & EPILOGUE_BGRADA) != 0) != c->flipped ? WG_OPERAND_A
                                                                           : WG_OPERAND_B;
    int op = which == WG_OPERAND_C ? CUBLAS_OP_N : which == WG_OPERAND_A ? c->transa : c->transb;
    bool by_rows =
        which == WG_OPERAND_C ? !c->flipped : which == WG_OPERAND_A; /* a sum for each row of op(it) */
    const struct wg_blas_operand *o = &c->operand[which];
    bool along = by_rows == (op == CUBLAS_OP_N); /* a sum for each row as it lies */
    BY_TYPE(c->type, const T *m = p[which]; T *bias = p[WG_OPERAND_Z];
            for (int64_t i = 0; i < c->operand[WG_OPERAND_Z].rows; i++) bias[i] = 0;
            for (int64_t j = 0; j < o->columns; j++) for (int64_t i = 0; i < o->rows; i++)
                bias[along ? i : j] += m[i + j * o->ld];)
}

void wg_blas_products(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    const struct wg_blas_operand *o = c->operand;
    size_t size = wg_blas_bytes(c->type);
    int m = (int)c->m, n = (int)c->n, k = (int)c->k, lda = (int)o[WG_OPERAND_A].ld,
        ldb = (int)o[WG_OPERAND_B].ld, ldd = (int)o[WG_OPERAND_C].ld;
    char *D = p[WG_OPERAND_C];
    const char *C = p[WG_OPERAND_X];
    if (!o[WG_OPERAND_X].access) wg_blas_clear(&o[WG_OPERAND_C], D, c->type);
    for (int64_t j = 0; o[WG_OPERAND_X].access && C != D && j < c->n; j++)
        memcpy(D + (size_t)(j * o[WG_OPERAND_C].ld) * size, C + (size_t)(j * o[WG_OPERAND_X].ld) * size,
               (size_t)c->m * size);
    static const char *const words[] = {"N", "T", "C"};
    WG_FORTRAN(wg_blas_library()->gemm[wg_blas_index(c->type)], words[c->transa], words[c->transb], &m, &n,
               &k, &c->a, p[WG_OPERAND_A], &lda, p[WG_OPERAND_B], &ldb, &c->b, D, &ldd);
    for (int64_t j = 0; c->epilogue != CUBLASLT_EPILOGUE_DEFAULT && j < c->n; j++) finish_column(c, p, j);
    if (c->epilogue & (EPILOGUE_BGRAD | EPILOGUE_BGRADA | EPILOGUE_BGRADB)) bias_sums(c, p);
}
