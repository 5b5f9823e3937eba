/* Operations on vectors. They are bound by memory, so nothing is gained by a library of the host's; and they are the same
 * whatever threads there are. Sums are carried in double precision, sixteen at a time.
 */
#include "blas/by_type.h"
#include "blas/call.h"
#include <math.h>
#include <string.h>

/* A vector's first element: with steps backwards it is its last in memory. */
static void *first_of(const struct wg_blas_operand *o, void *p) {
    return p && o->ld < 0 ? (char *)p - (o->rows - 1) * o->ld * (int64_t)wg_blas_bytes(o->type) : p;
}

/* Element by element; what lies side by side is left to the compiler's vectors. */
#define EACH(...)                                                                                            \
    if (dx == 1 && dy == 1)                                                                                  \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            T *x = x0 + i, *y = y0 + i;                                                                      \
            (void)y;                                                                                         \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    else                                                                                                     \
        for (int64_t i = 0; i < n; i++) {                                                                    \
            T *x = x0 + i * dx, *y = y0 + i * dy;                                                            \
            (void)y;                                                                                         \
            __VA_ARGS__                                                                                      \
        }

#define XY                                                                                                   \
    T *x0 = x_, *y0 = y_ ? y_ : x_;                                                                          \
    int64_t n = c->n, dx = c->operand[WG_OPERAND_X].ld, dy = y_ ? c->operand[WG_OPERAND_Y].ld : dx;

static void modified_rotation(const struct wg_blas_call *c, void *x_, void *y_) {
    BY_TYPE(c->type, XY R p[5]; for (int i = 0; i < 5; i++) p[i] = (R)wg_blas_real(&c->params[i], c->type);
            int flag = (int)p[0]; R h11 = flag == -1 || flag == 1 ? p[1] : 1; R h21 = flag == 1 ? -1 : p[2];
            R h12 = flag == 1 ? 1 : p[3]; R h22 = flag == -1 || flag == 1 ? p[4] : 1; if (flag == -2) return;
            EACH(T a = *x, b = *y; *x = h11 * a + h12 * b; *y = h21 * a + h22 * b;))
}

void wg_blas_vectors(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    void *x_ = first_of(&c->operand[WG_OPERAND_X], p[WG_OPERAND_X]);
    void *y_ = c->operand[WG_OPERAND_Y].shape ? first_of(&c->operand[WG_OPERAND_Y], p[WG_OPERAND_Y]) : NULL;
    bool one = c->operand[WG_OPERAND_X].ld <= 0 && (c->op == WG_BLAS_scal || c->op == WG_BLAS_rscal);
    if (one) return; /* as BLAS has it */
    switch (c->op) {
    case WG_BLAS_axpy:
        if (wg_blas_is_zero(&c->a, c->type)) return;
        BY_TYPE(c->type, XY T a; memcpy(&a, &c->a, sizeof a); EACH(*y += a * *x;))
        break;
    case WG_BLAS_copy: BY_TYPE(c->type, XY EACH(*y = *x;)) break;
    case WG_BLAS_swap: BY_TYPE(c->type, XY EACH(T t = *x; *x = *y; *y = t;)) break;
    case WG_BLAS_scal: BY_TYPE(c->type, XY T a; memcpy(&a, &c->a, sizeof a); EACH(*x *= a;)) break;
    case WG_BLAS_rscal: BY_TYPE(c->type, XY R a; memcpy(&a, &c->a, sizeof a); EACH(*x *= a;)) break;
    case WG_BLAS_rot: /* the conjugate of s; of what is real, itself */
        BY_TYPE(c->type, XY R k; memcpy(&k, &c->a, sizeof k); T s; memcpy(&s, &c->b, sizeof s); T r = s;
                if (IMAGINARY)((R *)&r)[IMAGINARY] *= -1;
                EACH(T a = *x, b = *y; *x = k * a + s * b; *y = k * b - r * a;))
        break;
    case WG_BLAS_rrot:
        BY_TYPE(c->type, XY R k; memcpy(&k, &c->a, sizeof k); R s; memcpy(&s, &c->b, sizeof s);
                EACH(T a = *x, b = *y; *x = k * a + s * b; *y = k * b - s * a;))
        break;
    default: modified_rotation(c, x_, y_); break;
    }
}

/* ---- what gives a number ---- */

enum { SUMS = 16 };

/* The sum of a term of elements x and y. */
#define SUM(TERM)                                                                                            \
    if (dx == 1 && dy == 1)                                                                                  \
        SUM_BY(1, 1, TERM)                                                                                   \
    else                                                                                                     \
        SUM_BY(dx, dy, TERM)
#define SUM_BY(DX, DY, TERM)                                                                                 \
    for (int64_t i = 0; i < n; i += SUMS) {                                                                  \
        if (n - i >= SUMS)                                                                                   \
            SUM_SOME(SUMS, DX, DY, TERM)                                                                     \
        else                                                                                                 \
            SUM_SOME(n - i, DX, DY, TERM)                                                                    \
    }
#define SUM_SOME(M, DX, DY, TERM)                                                                            \
    for (int64_t j = 0; j < (M); j++) {                                                                      \
        T x = x0[(i + j) * (DX)], y = y0[(i + j) * (DY)];                                                    \
        (void)y;                                                                                             \
        sum[j] += TERM;                                                                                      \
    }

static double total(const double sum[SUMS]) {
    double all = 0;
    for (int i = 0; i < SUMS; i++) all += sum[i];
    return all;
}

static double absolute_sum(const struct wg_blas_call *c, void *x_) {
    void *y_ = NULL;
    double sum[SUMS] = {0};
    BY_TYPE(c->type, XY SUM(fabs((double)__real__ x) + fabs((double)__imag__ x)))
    return total(sum);
}

static double greatest_part(const struct wg_blas_call *c, void *x_) {
    void *y_ = NULL;
    double most = 0;
    BY_TYPE(c->type, XY EACH(double a = fabs((double)__real__ * x), b = fabs((double)__imag__ * x);
                             if (!(a <= most)) most = a; if (!(b <= most)) most = b;))
    return most;
}

/* Squares of doubles may be too large or too small for one. */
static double euclidean_norm(const struct wg_blas_call *c, void *x_) {
    void *y_ = NULL;
    double most = greatest_part(c, x_), sum[SUMS] = {0};
    if (most == 0 || isinf(most) || isnan(most)) return most;
    double scale = most > 1e140 || most < 1e-140 ? most : 1;
    BY_TYPE(c->type, XY SUM((double)__real__ x / scale * ((double)__real__ x / scale) +
                            (double)__imag__ x / scale * ((double)__imag__ x / scale)))
    return scale * sqrt(total(sum));
}

/* The first of the greatest or smallest, counted from 1. */
static int64_t extreme(const struct wg_blas_call *c, void *x_) {
    void *y_ = NULL;
    int64_t at = 0;
    double best = 0;
    bool least = c->op == WG_BLAS_amin;
    BY_TYPE(c->type, XY EACH(double a = fabs((double)__real__ * x) + fabs((double)__imag__ * x);
                             if (!i || (least ? a < best : a > best)) at = i, best = a;))
    return at + 1;
}

static _Complex double product(const struct wg_blas_call *c, void *x_, void *y_) {
    double sum[SUMS] = {0}, sign = c->op == WG_BLAS_dotc ? -1 : 1, real;
    BY_TYPE(c->type,
            XY SUM((double)__real__ x * (double)__real__ y - sign * (double)__imag__ x * (double)__imag__ y))
    real = total(sum);
    if (!wg_blas_is_complex(c->type)) return real;
    memset(sum, 0, sizeof sum);
    BY_TYPE(c->type,
            XY SUM((double)__real__ x * (double)__imag__ y + sign * (double)__imag__ x * (double)__real__ y))
    _Complex double all = real;
    __imag__ all = total(sum);
    return all;
}

static void answer(struct wg_blas_call *c, _Complex double value) {
    union wg_blas_number computed = {0};
    switch (wg_blas_index(c->type)) {
    case 0: computed.s[0] = (float)__real__ value; break;
    case 1: computed.d[0] = __real__ value; break;
    case 2: computed.s[0] = (float)__real__ value, computed.s[1] = (float)__imag__ value; break;
    default: computed.d[0] = __real__ value, computed.d[1] = __imag__ value; break;
    }
    bool real = !wg_blas_is_complex(c->resulttype);
    cudaDataType is = !real                   ? c->type
                      : c->type == CUDA_C_32F ? CUDA_R_32F
                      : c->type == CUDA_C_64F ? CUDA_R_64F
                                              : c->type;
    wg_blas_convert(&c->answered, c->resulttype, 1, &computed, is, 1, 1);
}

void wg_blas_sums(struct wg_blas_call *c, void *const p[WG_OPERANDS]) {
    void *x = p[WG_OPERAND_X], *y = p[WG_OPERAND_Y];
    bool product_of_two = c->op == WG_BLAS_dotu || c->op == WG_BLAS_dotc;
    bool none = c->n <= 0 || (!product_of_two && c->operand[WG_OPERAND_X].ld <= 0);
    if (c->op == WG_BLAS_amax || c->op == WG_BLAS_amin) {
        int64_t at = none ? 0 : extreme(c, x);
        int32_t narrow = (int32_t)at;
        memcpy(&c->answered, c->wide ? (void *)&at : (void *)&narrow, c->wide ? sizeof at : sizeof narrow);
    } else if (none) {
        answer(c, 0);
    } else if (c->op == WG_BLAS_asum) {
        answer(c, absolute_sum(c, x));
    } else if (c->op == WG_BLAS_nrm2) {
        answer(c, euclidean_norm(c, x));
    } else {
        answer(c, product(c, first_of(&c->operand[WG_OPERAND_X], x), first_of(&c->operand[WG_OPERAND_Y], y)));
    }
}
