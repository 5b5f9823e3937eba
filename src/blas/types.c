/* Types of elements: which go together, what is computed in, and how one becomes another. */
#include "blas/call.h"
#include <string.h>

size_t wg_blas_bytes(cudaDataType t) {
    switch (t) {
    case CUDA_R_8I: return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_64F:
    case CUDA_C_32F: return 8;
    case CUDA_C_64F: return 16;
    case CUDA_C_8I: return 2;
    default: return 0;
    }
}

bool wg_blas_is_complex(cudaDataType t) { return t == CUDA_C_32F || t == CUDA_C_64F || t == CUDA_C_8I; }

unsigned wg_blas_index(cudaDataType type) {
    return type == CUDA_R_32F ? 0 : type == CUDA_R_64F ? 1 : type == CUDA_C_32F ? 2 : 3;
}

/* ---- conversion ---- */

static float from_half(uint16_t h) {
    _Float16 f;
    memcpy(&f, &h, sizeof f);
    return (float)f;
}
static uint16_t to_half(float x) {
    _Float16 f = (_Float16)x;
    uint16_t h;
    memcpy(&h, &f, sizeof h);
    return h;
}
static float from_bfloat(uint16_t b) {
    uint32_t bits = (uint32_t)b << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
/* To the nearest, ties to even; what is not a number stays so. */
static uint16_t to_bfloat(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7fffffff) > 0x7f800000) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
static int32_t to_int(double x) { return (int32_t)(uint32_t)(int64_t)x; }

/* The CPU's own instructions for half precision, where it has them. */
#ifdef __x86_64__
#include <immintrin.h>
__attribute__((target("avx,f16c"))) static int64_t halves_to_floats(float *to, const uint16_t *from,
                                                                    int64_t n) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
    return i;
}
__attribute__((target("avx,f16c"))) static int64_t floats_to_halves(uint16_t *to, const float *from,
                                                                    int64_t n) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128((__m128i *)(to + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
    return i;
}
static bool has_f16c(void) { return __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c"); }
#else
static int64_t halves_to_floats(float *to, const uint16_t *from, int64_t n) { return 0; }
static int64_t floats_to_halves(uint16_t *to, const float *from, int64_t n) { return 0; }
static bool has_f16c(void) { return false; }
#endif

/* How many of the first elements are done by now. */
static int64_t quickly(void *to, cudaDataType to_type, int64_t to_step, const void *from,
                       cudaDataType from_type, int64_t from_step, int64_t n) {
    if (to_step != 1 || from_step != 1 || !has_f16c()) return 0;
    if (to_type == CUDA_R_32F && from_type == CUDA_R_16F) return halves_to_floats(to, from, n);
    if (to_type == CUDA_R_16F && from_type == CUDA_R_32F) return floats_to_halves(to, from, n);
    return 0;
}

#define ALL(TO, FROM, EXPRESSION)                                                                            \
    {                                                                                                        \
        TO *t = to;                                                                                          \
        const FROM *f = from;                                                                                \
        for (int64_t i = done; i < n; i++) {                                                                 \
            FROM x = f[i * from_step];                                                                       \
            t[i * to_step] = EXPRESSION;                                                                     \
        }                                                                                                    \
        return;                                                                                              \
    }
#define PAIR(TO, FROM) ((unsigned)(TO) << 8 | (unsigned)(FROM))

void wg_blas_convert(void *to, cudaDataType to_type, int64_t to_step, const void *from,
                     cudaDataType from_type, int64_t from_step, int64_t n) {
    int64_t done = quickly(to, to_type, to_step, from, from_type, from_step, n);
    switch (PAIR(to_type, from_type)) {
    case PAIR(CUDA_R_32F, CUDA_R_16F): ALL(float, uint16_t, from_half(x))
    case PAIR(CUDA_R_32F, CUDA_R_16BF): ALL(float, uint16_t, from_bfloat(x))
    case PAIR(CUDA_R_32F, CUDA_R_8I): ALL(float, int8_t, x)
    case PAIR(CUDA_R_64F, CUDA_R_8I): ALL(double, int8_t, x)
    case PAIR(CUDA_R_64F, CUDA_R_32I): ALL(double, int32_t, x)
    case PAIR(CUDA_R_16F, CUDA_R_32F): ALL(uint16_t, float, to_half(x))
    case PAIR(CUDA_R_16BF, CUDA_R_32F): ALL(uint16_t, float, to_bfloat(x))
    case PAIR(CUDA_R_32I, CUDA_R_64F): ALL(int32_t, double, to_int(x))
    case PAIR(CUDA_R_8I, CUDA_R_32F):
        ALL(int8_t, float, x >= 127 ? 127 : x <= -128 ? -128 : (int8_t)__builtin_rintf(x))
    case PAIR(CUDA_R_64F, CUDA_R_32F): ALL(double, float, x)
    case PAIR(CUDA_R_32F, CUDA_R_64F): ALL(float, double, (float)x)
    case PAIR(CUDA_C_32F, CUDA_R_32F): ALL(_Complex float, float, x)
    case PAIR(CUDA_C_64F, CUDA_R_64F): ALL(_Complex double, double, x)
    case PAIR(CUDA_C_32F, CUDA_C_8I): ALL(_Complex float, uint16_t, (int8_t)x + 1.0if * (int8_t)(x >> 8))
    default: break;
    }
    size_t size = wg_blas_bytes(from_type); /* the same type */
    for (int64_t i = 0; i < n; i++)
        memcpy((char *)to + i * to_step * (int64_t)size, (const char *)from + i * from_step * (int64_t)size,
               size);
}

double wg_blas_real(const void *p, cudaDataType t) {
    float f;
    double d;
    switch (t) {
    case CUDA_R_64F:
    case CUDA_C_64F: memcpy(&d, p, sizeof d); return d;
    case CUDA_R_32F:
    case CUDA_C_32F: memcpy(&f, p, sizeof f); return f;
    default: wg_blas_convert(&f, CUDA_R_32F, 1, p, t, 1, 1); return f;
    }
}

bool wg_blas_is_zero(const union wg_blas_number *x, cudaDataType t) {
    switch (t) {
    case CUDA_R_32I: return x->i == 0;
    case CUDA_R_16F:
    case CUDA_R_16BF: return !(x->h[0] & 0x7fff);
    case CUDA_R_32F: return x->s[0] == 0;
    case CUDA_R_64F: return x->d[0] == 0;
    case CUDA_C_32F: return x->s[0] == 0 && x->s[1] == 0;
    default: return x->d[0] == 0 && x->d[1] == 0;
    }
}

/* ---- which go together ---- */

/* What of products of matrices cuBLAS has: how, alpha's type, A's and B's, C's; and what is computed in here. */
static const struct {
    cublasComputeType_t how;
    cudaDataType scalar, in, out, computed;
} products[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I, CUDA_R_64F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_8I, CUDA_C_32F, CUDA_C_32F},
    {CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F},
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F},
    {CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F},
};

/* Ways that differ in what a GPU may round, which is not done here. */
static int plain_way(int how) {
    switch (how) {
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32F_PEDANTIC: return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT: return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUBLAS_COMPUTE_32I;
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9: return CUBLAS_COMPUTE_32F_FAST_TF32;
    default: return how;
    }
}

static cublasStatus_t product_types(struct wg_blas_call *c) {
    bool rank = c->op == WG_BLAS_syrk || c->op == WG_BLAS_herk; /* A alone */
    for (unsigned i = 0; i < sizeof products / sizeof *products; i++) {
        if ((int)products[i].how != plain_way(c->compute) || products[i].in != c->Atype ||
            products[i].out != c->Ctype)
            continue;
        if (!rank && c->Btype != c->Atype) continue;
        if (c->scalar != WG_TYPE_TOLD && c->scalar != products[i].scalar) continue;
        c->scalar = c->op == WG_BLAS_herk ? CUDA_R_32F : products[i].scalar;
        c->type = products[i].computed;
        return CUBLAS_STATUS_SUCCESS;
    }
    return wg_blas_missing_types(c, true);
}

static cudaDataType real_of(cudaDataType t) {
    return t == CUDA_C_32F ? CUDA_R_32F : t == CUDA_C_64F ? CUDA_R_64F : t;
}
static cudaDataType widened(cudaDataType t) { return t == CUDA_R_16F || t == CUDA_R_16BF ? CUDA_R_32F : t; }

/* Vectors whose types arguments tell. */
static cublasStatus_t vector_types(struct wg_blas_call *c, bool has_y, bool computed) {
    bool good =
        wg_blas_bytes(c->xtype) && c->xtype != CUDA_R_8I && c->xtype != CUDA_R_32I && c->xtype != CUDA_C_8I;
    if (has_y) good = good && c->ytype == c->xtype;
    c->type = widened(c->xtype);
    if (computed) good = good && c->computetype == c->type;
    if (c->op == WG_BLAS_scal && wg_blas_is_complex(c->type) && !wg_blas_is_complex(c->alphatype))
        c->op = WG_BLAS_rscal;
    if (c->op == WG_BLAS_rot && wg_blas_is_complex(c->type) && !wg_blas_is_complex(c->alphatype))
        c->op = WG_BLAS_rrot;
    c->scalar = c->alphatype;
    if (c->op >= WG_BLAS_axpy && computed)
        good =
            good && (c->alphatype == c->type || (c->op != WG_BLAS_axpy && c->alphatype == real_of(c->type)));
    if (good) return CUBLAS_STATUS_SUCCESS;
    return wg_blas_missing_types(c, false);
}

static cublasStatus_t told_types(struct wg_blas_call *c) {
    switch (c->op) {
    case WG_BLAS_gemm:
    case WG_BLAS_matmul:
    case WG_BLAS_syrk:
    case WG_BLAS_herk: return product_types(c);
    case WG_BLAS_gemv: c->type = c->scalar = CUDA_R_32F; return CUBLAS_STATUS_SUCCESS;
    case WG_BLAS_copy:
    case WG_BLAS_swap: return vector_types(c, true, false);
    case WG_BLAS_amax:
    case WG_BLAS_amin: return vector_types(c, false, false);
    case WG_BLAS_dotu:
    case WG_BLAS_dotc:
        if (c->resulttype != c->xtype) break;
        return vector_types(c, true, true);
    case WG_BLAS_asum:
    case WG_BLAS_nrm2:
        if (c->resulttype != real_of(c->xtype)) break;
        return vector_types(c, false, true);
    case WG_BLAS_scal: return vector_types(c, false, true);
    default: return vector_types(c, true, true);
    }
    return wg_blas_refuse(c, "the type of the result does not match that of x"), CUBLAS_STATUS_NOT_SUPPORTED;
}

static bool real_scalars(enum wg_blas_op op) {
    return op == WG_BLAS_rscal || op == WG_BLAS_her || op == WG_BLAS_hpr || op == WG_BLAS_herk;
}

cublasStatus_t wg_blas_types(struct wg_blas_call *c) {
    if (c->type == WG_TYPE_TOLD) return told_types(c);
    c->Atype = c->Btype = c->Ctype = c->xtype = c->ytype = c->scalar = c->type;
    c->resulttype = c->op == WG_BLAS_asum || c->op == WG_BLAS_nrm2 ? real_of(c->type) : c->type;
    if (real_scalars(c->op)) c->scalar = real_of(c->type);
    c->type = widened(c->type);
    return CUBLAS_STATUS_SUCCESS;
}
