/* cuComplex.h: complex numbers as float2 and double2, for C and C++, host and device. */
#ifndef WARPGLASS_CU_COMPLEX_H
#define WARPGLASS_CU_COMPLEX_H
#define CU_COMPLEX_H_ /* as in host_defines.h */

#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

static __host__ __device__ __inline__ cuFloatComplex make_cuFloatComplex(float re, float im) {
    return make_float2(re, im);
}
static __host__ __device__ __inline__ cuFloatComplex make_cuComplex(float re, float im) {
    return make_float2(re, im);
}
static __host__ __device__ __inline__ cuDoubleComplex make_cuDoubleComplex(double re, double im) {
    return make_double2(re, im);
}

/* The quotient and the absolute value scale by the larger
 * component, so that neither overflows where the result does not. */
#define WG_COMPLEX_FUNCTIONS(T, F, ADD, SUB, MUL, DIV, ABS, REAL, IMAG, CONJ, FMA, FABS, SQRT, MAKE)         \
    static __host__ __device__ __inline__ F REAL(T x) { return x.x; }                                        \
    static __host__ __device__ __inline__ F IMAG(T x) { return x.y; }                                        \
    static __host__ __device__ __inline__ T CONJ(T x) { return MAKE(x.x, -x.y); }                            \
    static __host__ __device__ __inline__ T ADD(T x, T y) { return MAKE(x.x + y.x, x.y + y.y); }             \
    static __host__ __device__ __inline__ T SUB(T x, T y) { return MAKE(x.x - y.x, x.y - y.y); }             \
    static __host__ __device__ __inline__ T MUL(T x, T y) {                                                  \
        return MAKE(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                           \
    }                                                                                                        \
    static __host__ __device__ __inline__ T DIV(T x, T y) {                                                  \
        F scale = 1 / (FABS(y.x) + FABS(y.y));                                                               \
        F a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale, norm = 1 / (c * c + d * d);    \
        return MAKE((a * c + b * d) * norm, (b * c - a * d) * norm);                                         \
    }                                                                                                        \
    static __host__ __device__ __inline__ F ABS(T x) {                                                       \
        F a = FABS(x.x), b = FABS(x.y), most = a > b ? a : b, least = a > b ? b : a, ratio;                  \
        if (least == 0 || most + most == most) return a + b; /* also infinity */                             \
        ratio = least / most;                                                                                \
        return most * SQRT(1 + ratio * ratio);                                                               \
    }                                                                                                        \
    static __host__ __device__ __inline__ T FMA(T x, T y, T z) { return ADD(MUL(x, y), z); }

WG_COMPLEX_FUNCTIONS(cuFloatComplex, float, cuCaddf, cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCrealf, cuCimagf,
                     cuConjf, cuCfmaf, fabsf, sqrtf, make_float2)
WG_COMPLEX_FUNCTIONS(cuDoubleComplex, double, cuCadd, cuCsub, cuCmul, cuCdiv, cuCabs, cuCreal, cuCimag,
                     cuConj, cuCfma, fabs, sqrt, make_double2)
#undef WG_COMPLEX_FUNCTIONS

static __host__ __device__ __inline__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
    return make_double2((double)x.x, (double)x.y);
}
static __host__ __device__ __inline__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return make_float2((float)x.x, (float)x.y);
}

#endif
