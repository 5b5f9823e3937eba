/* cuComplex.h: complex numbers as float2 and double2, for C and C++, host and device. */
#if !defined(WARPGLASS_CU_COMPLEX_H) && !defined(CU_COMPLEX_H_) /* NVIDIA's may come first */
#define WARPGLASS_CU_COMPLEX_H
#define CU_COMPLEX_H_ /* as in host_defines.h */

#include <math.h>

#include "vector_functions.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

static __host__ __device__ __inline__ cuFloatComplex make_cuFloatComplex(float __re, float __im) {
    return make_float2(__re, __im);
}
static __host__ __device__ __inline__ cuFloatComplex make_cuComplex(float __re, float __im) {
    return make_float2(__re, __im);
}
static __host__ __device__ __inline__ cuDoubleComplex make_cuDoubleComplex(double __re, double __im) {
    return make_double2(__re, __im);
}

/* The quotient and the absolute value scale by the larger
 * component, so that neither overflows where the result does not. */
#define WG_COMPLEX_FUNCTIONS(T, F, ADD, SUB, MUL, DIV, ABS, REAL, IMAG, CONJ, FMA, FABS, SQRT, MAKE)         \
    static __host__ __device__ __inline__ F REAL(T __x) { return __x.x; }                                    \
    static __host__ __device__ __inline__ F IMAG(T __x) { return __x.y; }                                    \
    static __host__ __device__ __inline__ T CONJ(T __x) { return MAKE(__x.x, -__x.y); }                      \
    static __host__ __device__ __inline__ T ADD(T __x, T __y) { return MAKE(__x.x + __y.x, __x.y + __y.y); } \
    static __host__ __device__ __inline__ T SUB(T __x, T __y) { return MAKE(__x.x - __y.x, __x.y - __y.y); } \
    static __host__ __device__ __inline__ T MUL(T __x, T __y) {                                              \
        return MAKE(__x.x * __y.x - __x.y * __y.y, __x.x * __y.y + __x.y * __y.x);                           \
    }                                                                                                        \
    static __host__ __device__ __inline__ T DIV(T __x, T __y) {                                              \
        F __scale = 1 / (FABS(__y.x) + FABS(__y.y));                                                         \
        F __a = __x.x * __scale, __b = __x.y * __scale, __c = __y.x * __scale, __d = __y.y * __scale,        \
          __norm = 1 / (__c * __c + __d * __d);                                                              \
        return MAKE((__a * __c + __b * __d) * __norm, (__b * __c - __a * __d) * __norm);                     \
    }                                                                                                        \
    static __host__ __device__ __inline__ F ABS(T __x) {                                                     \
        F __a = FABS(__x.x), __b = FABS(__x.y), __most = __a > __b ? __a : __b,                              \
          __least = __a > __b ? __b : __a, __ratio;                                                          \
        if (__least == 0 || __most + __most == __most) return __a + __b; /* also infinity */                 \
        __ratio = __least / __most;                                                                          \
        return __most * SQRT(1 + __ratio * __ratio);                                                         \
    }                                                                                                        \
    static __host__ __device__ __inline__ T FMA(T __x, T __y, T __z) { return ADD(MUL(__x, __y), __z); }

WG_COMPLEX_FUNCTIONS(cuFloatComplex, float, cuCaddf, cuCsubf, cuCmulf, cuCdivf, cuCabsf, cuCrealf, cuCimagf,
                     cuConjf, cuCfmaf, fabsf, sqrtf, make_float2)
WG_COMPLEX_FUNCTIONS(cuDoubleComplex, double, cuCadd, cuCsub, cuCmul, cuCdiv, cuCabs, cuCreal, cuCimag,
                     cuConj, cuCfma, fabs, sqrt, make_double2)
#undef WG_COMPLEX_FUNCTIONS

static __host__ __device__ __inline__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex __x) {
    return make_double2((double)__x.x, (double)__x.y);
}
static __host__ __device__ __inline__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex __x) {
    return make_float2((float)__x.x, (float)__x.y);
}

#endif
