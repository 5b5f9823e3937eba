/* narrow_float.h: everything about one 16-bit floating-point type. Included once by cuda_fp16.h and once by
 * cuda_bf16.h, which first say what the names are:
 *
 *     WG_T, WG_T2, WG_RAW, WG_RAW2   the type, the pair, and their raw forms       __half, __half2, ...
 *     WG_NATIVE                      clang's type with this format                 _Float16
 *     WG_TANH_SINCE                  the first architecture with tanh.approx of it 750
 *     WG_WIDEN(bits), WG_NARROW(f)   host conversions: bits to float, float to bits, to nearest even
 *
 * On the device arithmetic is clang's on WG_NATIVE: add.f16, fma.rn.f16, ... On the host it goes through
 * float, which is wide enough for every single operation to round as if done directly.
 */

struct WG_RAW {
    unsigned short x;
};
struct __align__(4) WG_RAW2 {
    unsigned short x, y;
};

struct WG_T {
    unsigned short __x;

    WG_T() = default;
    WG_HD constexpr WG_T(const WG_RAW &__raw) : __x(__raw.x) {}
    WG_HD operator WG_RAW() const { return WG_RAW{__x}; }
    WG_HD WG_T &operator=(const WG_RAW &__raw) { return __x = __raw.x, *this; }
#if defined(__CUDA_ARCH__)
    WG_HD WG_NATIVE wg_native() const { return __builtin_bit_cast(WG_NATIVE, __x); }
    WG_HD void wg_set(float __f) { __x = __builtin_bit_cast(unsigned short, (WG_NATIVE)__f); }
    WG_HD operator float() const { return (float)wg_native(); }
#else
    WG_HD void wg_set(float __f) { __x = WG_NARROW(__f); }
    WG_HD operator float() const { return WG_WIDEN(__x); }
#endif
    WG_HD WG_T(float __f) { wg_set(__f); }
    WG_HD WG_T(double __d) { wg_set(wg_float_for_rounding(__d)); }
    WG_HD WG_T(int __v) { wg_set(wg_float_for_rounding(__v)); }
    WG_HD WG_T(unsigned int __v) { wg_set(wg_float_for_rounding(__v)); }
    WG_HD WG_T(short __v) { wg_set(__v); }
    WG_HD WG_T(unsigned short __v) { wg_set(__v); }
    WG_HD WG_T(long __v) { wg_set(wg_float_for_rounding((double)__v)); }
    WG_HD WG_T(unsigned long __v) { wg_set(wg_float_for_rounding((double)__v)); }
    WG_HD WG_T(long long __v) { wg_set(wg_float_for_rounding((double)__v)); }
    WG_HD WG_T(unsigned long long __v) { wg_set(wg_float_for_rounding((double)__v)); }
    WG_HD explicit operator bool() const { return (__x & 0x7fff) != 0; }
};

struct __align__(4) WG_T2 {
    WG_T x, y;
    WG_T2() = default;
    WG_HD constexpr WG_T2(const WG_T &__a, const WG_T &__b) : x(__a), y(__b) {}
    WG_HD WG_T2(const WG_RAW2 &__raw) : x(WG_RAW{__raw.x}), y(WG_RAW{__raw.y}) {}
    WG_HD operator WG_RAW2() const { return WG_RAW2{x.__x, y.__x}; }
};

/* Arithmetic. */
#if defined(__CUDA_ARCH__)
#define WG_BINARY(NAME, OP)                                                                                  \
    WG_FN WG_T NAME(WG_T __a, WG_T __b) {                                                                    \
        return WG_RAW {                                                                                      \
            __builtin_bit_cast(unsigned short, (WG_NATIVE)(__a.wg_native() OP __b.wg_native()))              \
        };                                                                                                   \
    }
WG_FN WG_T __hfma(WG_T __a, WG_T __b, WG_T __c) {
    return WG_RAW{
        __builtin_bit_cast(unsigned short, WG_FMA(__a.wg_native(), __b.wg_native(), __c.wg_native()))};
}
#else
#define WG_BINARY(NAME, OP)                                                                                  \
    WG_FN WG_T NAME(WG_T __a, WG_T __b) { return WG_T((float)__a OP(float) __b); }
WG_FN WG_T __hfma(WG_T __a, WG_T __b, WG_T __c) { return WG_T((double)(float)__a * (float)__b + (float)__c); }
#endif
WG_BINARY(__hadd, +)
WG_BINARY(__hsub, -)
WG_BINARY(__hmul, *)
WG_BINARY(__hdiv, /)
#undef WG_BINARY
WG_FN WG_T __hadd_rn(WG_T __a, WG_T __b) { return __hadd(__a, __b); }
WG_FN WG_T __hsub_rn(WG_T __a, WG_T __b) { return __hsub(__a, __b); }
WG_FN WG_T __hmul_rn(WG_T __a, WG_T __b) { return __hmul(__a, __b); }
WG_FN WG_T __hneg(WG_T __a) { return WG_RAW{(unsigned short)(__a.__x ^ 0x8000)}; }
WG_FN WG_T __habs(WG_T __a) { return WG_RAW{(unsigned short)(__a.__x & 0x7fff)}; }
WG_FN bool __hisnan(WG_T __a) { return __builtin_isnan((float)__a); }
WG_FN int __hisinf(WG_T __a) { return __builtin_isinf((float)__a) ? (__a.__x >> 15 ? -1 : 1) : 0; }
/* A NaN loses against a number, -0 against +0. */
WG_FN WG_T __hmin(WG_T __a, WG_T __b) { return WG_T(__builtin_fminf(__a, __b)); }
WG_FN WG_T __hmax(WG_T __a, WG_T __b) { return WG_T(__builtin_fmaxf(__a, __b)); }
WG_FN WG_T __hmin_nan(WG_T __a, WG_T __b) {
    return __hisnan(__a) ? __a : __hisnan(__b) ? __b : __hmin(__a, __b);
}
WG_FN WG_T __hmax_nan(WG_T __a, WG_T __b) {
    return __hisnan(__a) ? __a : __hisnan(__b) ? __b : __hmax(__a, __b);
}
/* To [0, 1]; NaN to 0. */
WG_FN WG_T wg_saturated(WG_T __a) { return WG_T(__builtin_fminf(__builtin_fmaxf(__a, 0.0f), 1.0f)); }
WG_FN WG_T __hadd_sat(WG_T __a, WG_T __b) { return wg_saturated(__hadd(__a, __b)); }
WG_FN WG_T __hsub_sat(WG_T __a, WG_T __b) { return wg_saturated(__hsub(__a, __b)); }
WG_FN WG_T __hmul_sat(WG_T __a, WG_T __b) { return wg_saturated(__hmul(__a, __b)); }
WG_FN WG_T __hfma_sat(WG_T __a, WG_T __b, WG_T __c) { return wg_saturated(__hfma(__a, __b, __c)); }
WG_FN WG_T __hfma_relu(WG_T __a, WG_T __b, WG_T __c) { return __hmax_nan(__hfma(__a, __b, __c), WG_T(0.0f)); }

/* Comparisons: plain ones are false with a NaN, the u forms true. Of pairs there are a pair of ones and
 * zeros, a mask of their bits, and whether both are true. */
#define WG_COMPARE_PAIRS(NAME)                                                                               \
    WG_FN WG_T2 __h##NAME##2(WG_T2 __a, WG_T2 __b) {                                                         \
        return WG_T2(WG_T(__h##NAME(__a.x, __b.x) ? 1.0f : 0.0f),                                            \
                     WG_T(__h##NAME(__a.y, __b.y) ? 1.0f : 0.0f));                                           \
    }                                                                                                        \
    WG_FN unsigned int __h##NAME##2_mask(WG_T2 __a, WG_T2 __b) {                                             \
        return (__h##NAME(__a.x, __b.x) ? 0xffffu : 0) | (__h##NAME(__a.y, __b.y) ? 0xffff0000u : 0);        \
    }                                                                                                        \
    WG_FN bool __hb##NAME##2(WG_T2 __a, WG_T2 __b) {                                                         \
        return __h##NAME(__a.x, __b.x) && __h##NAME(__a.y, __b.y);                                           \
    }
#define WG_COMPARE(NAME, OP)                                                                                 \
    WG_FN bool __h##NAME(WG_T __a, WG_T __b) {                                                               \
        return (float)__a OP(float)                                                                          \
        __b;                                                                                                 \
    }                                                                                                        \
    WG_FN bool __h##NAME##u(WG_T __a, WG_T __b) {                                                            \
        return __hisnan(__a) || __hisnan(__b) || (float)__a OP(float)                                        \
        __b;                                                                                                 \
    }                                                                                                        \
    WG_COMPARE_PAIRS(NAME)                                                                                   \
    WG_COMPARE_PAIRS(NAME##u)
WG_COMPARE(eq, ==)
WG_COMPARE(lt, <)
WG_COMPARE(le, <=)
WG_COMPARE(gt, >)
WG_COMPARE(ge, >=)
#undef WG_COMPARE
WG_FN bool __hne(WG_T __a, WG_T __b) { return (float)__a < (float)__b || (float)__a > (float)__b; }
WG_FN bool __hneu(WG_T __a, WG_T __b) { return (float)__a != (float)__b; }
WG_COMPARE_PAIRS(ne)
WG_COMPARE_PAIRS(neu)
#undef WG_COMPARE_PAIRS

/* Operators. */
#define WG_OPERATOR(OP, FUNCTION)                                                                            \
    WG_FN WG_T operator OP(const WG_T &__a, const WG_T &__b)                                                 \
    {                                                                                                        \
        return FUNCTION(__a, __b);                                                                           \
    }                                                                                                        \
    WG_FN WG_T &operator OP                                                                                  \
    ## = (WG_T & __a, const WG_T &__b) { return __a = FUNCTION(__a, __b); }                                  \
    WG_FN WG_T2 operator OP(const WG_T2 &__a, const WG_T2 &__b)                                              \
    {                                                                                                        \
        return WG_T2(FUNCTION(__a.x, __b.x), FUNCTION(__a.y, __b.y));                                        \
    }                                                                                                        \
    WG_FN WG_T2 &operator OP                                                                                 \
    ## = (WG_T2 & __a, const WG_T2 &__b) {                                                                   \
        return __a = __a OP                                                                                  \
        __b;                                                                                                 \
    }
WG_OPERATOR(+, __hadd)
WG_OPERATOR(-, __hsub)
WG_OPERATOR(*, __hmul)
WG_OPERATOR(/, __hdiv)
#undef WG_OPERATOR
WG_FN WG_T operator-(const WG_T &__a) { return __hneg(__a); }
WG_FN WG_T operator+(const WG_T &__a) { return __a; }
WG_FN WG_T &operator++(WG_T &__a) { return __a += WG_T(1.0f); }
WG_FN WG_T &operator--(WG_T &__a) { return __a -= WG_T(1.0f); }
#define WG_OPERATOR(OP)                                                                                      \
    WG_FN bool operator OP(const WG_T &__a, const WG_T &__b)                                                 \
    {                                                                                                        \
        return (float)__a OP(float)                                                                          \
        __b;                                                                                                 \
    }
WG_OPERATOR(==)
WG_OPERATOR(!=)
WG_OPERATOR(<)
WG_OPERATOR(<=)
WG_OPERATOR(>)
WG_OPERATOR(>=)
#undef WG_OPERATOR

/* Pairs, component by component. */
#define WG_PAIR(NAME, ONE)                                                                                   \
    WG_FN WG_T2 NAME(WG_T2 __a, WG_T2 __b) { return WG_T2(ONE(__a.x, __b.x), ONE(__a.y, __b.y)); }
WG_PAIR(__hadd2, __hadd)
WG_PAIR(__hsub2, __hsub)
WG_PAIR(__hmul2, __hmul)
WG_PAIR(__hadd2_rn, __hadd)
WG_PAIR(__hsub2_rn, __hsub)
WG_PAIR(__hmul2_rn, __hmul)
WG_PAIR(__h2div, __hdiv)
WG_PAIR(__hmin2, __hmin)
WG_PAIR(__hmax2, __hmax)
WG_PAIR(__hmin2_nan, __hmin_nan)
WG_PAIR(__hmax2_nan, __hmax_nan)
WG_PAIR(__hadd2_sat, __hadd_sat)
WG_PAIR(__hsub2_sat, __hsub_sat)
WG_PAIR(__hmul2_sat, __hmul_sat)
#undef WG_PAIR
WG_FN WG_T2 __hneg2(WG_T2 __a) { return WG_T2(__hneg(__a.x), __hneg(__a.y)); }
WG_FN WG_T2 __habs2(WG_T2 __a) { return WG_T2(__habs(__a.x), __habs(__a.y)); }
WG_FN WG_T2 operator-(const WG_T2 &__a) { return __hneg2(__a); }
WG_FN WG_T2 __hfma2(WG_T2 __a, WG_T2 __b, WG_T2 __c) {
    return WG_T2(__hfma(__a.x, __b.x, __c.x), __hfma(__a.y, __b.y, __c.y));
}
WG_FN WG_T2 __hfma2_sat(WG_T2 __a, WG_T2 __b, WG_T2 __c) {
    return WG_T2(__hfma_sat(__a.x, __b.x, __c.x), __hfma_sat(__a.y, __b.y, __c.y));
}
WG_FN WG_T2 __hfma2_relu(WG_T2 __a, WG_T2 __b, WG_T2 __c) {
    return WG_T2(__hfma_relu(__a.x, __b.x, __c.x), __hfma_relu(__a.y, __b.y, __c.y));
}
/* a * b + c of complex numbers. */
WG_FN WG_T2 __hcmadd(WG_T2 __a, WG_T2 __b, WG_T2 __c) {
    return WG_T2(__hfma(__hneg(__a.y), __b.y, __hfma(__a.x, __b.x, __c.x)),
                 __hfma(__a.y, __b.x, __hfma(__a.x, __b.y, __c.y)));
}
WG_FN WG_T2 __hisnan2(WG_T2 __a) {
    return WG_T2(WG_T(__hisnan(__a.x) ? 1.0f : 0.0f), WG_T(__hisnan(__a.y) ? 1.0f : 0.0f));
}

/* A number rounded another way: from the nearest, one step where that lies on the wrong side. */
WG_FN WG_T wg_toward_zero(WG_T __near, double __exact) {
    return __builtin_fabs((float)__near) > __builtin_fabs(__exact)
               ? WG_T(WG_RAW{(unsigned short)(__near.__x - 1)})
               : __near;
}
WG_FN WG_T wg_downward(WG_T __near, double __exact) {
    if (!((float)__near > __exact)) return __near;
    unsigned short __b = __near.__x;
    return WG_RAW{(unsigned short)(__b == 0 ? 0x8001 : __b >> 15 ? __b + 1 : __b - 1)};
}
WG_FN WG_T wg_upward(WG_T __near, double __exact) {
    if (!((float)__near < __exact)) return __near;
    unsigned short __b = __near.__x;
    return WG_RAW{(unsigned short)(__b == 0x8000 ? 1 : __b >> 15 ? __b - 1 : __b + 1)};
}

/* Integers by way of float: out of range is the nearest end, NaN is 0, as cvt does. */
#define WG_TO_INTEGER(I, LOW, HIGH, ROUND)                                                                   \
    float __f = ROUND((float)__a);                                                                           \
    return __f != __f ? 0 : __f <= (float)(LOW) ? (LOW) : __f >= (float)(HIGH) ? (HIGH) : (I)__f;

/* Device only: shuffles, cached loads, atomics. */
#if defined(__CUDA__)
#define WG_SHUFFLE(NAME, LANE)                                                                               \
    static __device__ __forceinline__ WG_T NAME(unsigned int __mask, WG_T __v, LANE __lane,                  \
                                                int __width = warpSize) {                                    \
        return WG_RAW{(unsigned short)NAME(__mask, (unsigned int)__v.__x, __lane, __width)};                 \
    }                                                                                                        \
    static __device__ __forceinline__ WG_T2 NAME(unsigned int __mask, WG_T2 __v, LANE __lane,                \
                                                 int __width = warpSize) {                                   \
        return __builtin_bit_cast(WG_RAW2,                                                                   \
                                  NAME(__mask, __builtin_bit_cast(unsigned int, __v), __lane, __width));     \
    }
WG_SHUFFLE(__shfl_sync, int)
WG_SHUFFLE(__shfl_up_sync, unsigned int)
WG_SHUFFLE(__shfl_down_sync, unsigned int)
WG_SHUFFLE(__shfl_xor_sync, int)
#undef WG_SHUFFLE

#define WG_LOAD(NAME)                                                                                        \
    static __device__ __forceinline__ WG_T NAME(const WG_T *__p) {                                           \
        return WG_RAW{NAME((const unsigned short *)__p)};                                                    \
    }                                                                                                        \
    static __device__ __forceinline__ WG_T2 NAME(const WG_T2 *__p) {                                         \
        return __builtin_bit_cast(WG_RAW2, NAME((const unsigned int *)__p));                                 \
    }
WG_LOAD(__ldg)
WG_LOAD(__ldca)
WG_LOAD(__ldcg)
WG_LOAD(__ldcs)
WG_LOAD(__ldlu)
WG_LOAD(__ldcv)
#undef WG_LOAD

#define WG_STORE(NAME)                                                                                       \
    static __device__ __forceinline__ void NAME(WG_T *__p, WG_T __v) {                                       \
        NAME((unsigned short *)__p, __v.__x);                                                                \
    }                                                                                                        \
    static __device__ __forceinline__ void NAME(WG_T2 *__p, WG_T2 __v) {                                     \
        NAME((unsigned int *)__p, __builtin_bit_cast(unsigned int, __v));                                    \
    }
WG_STORE(__stwb)
WG_STORE(__stcg)
WG_STORE(__stcs)
WG_STORE(__stwt)
#undef WG_STORE

static __device__ __forceinline__ WG_T atomicAdd(WG_T *__p, WG_T __v) {
    unsigned short __old;
    asm volatile("atom.add.noftz." WG_PTX " %0, [%1], %2;" : "=h"(__old) : "l"(__p), "h"(__v.__x) : "memory");
    return WG_RAW{__old};
}
static __device__ __forceinline__ WG_T2 atomicAdd(WG_T2 *__p, WG_T2 __v) {
    unsigned int __old;
    asm volatile("atom.add.noftz." WG_PTX "x2 %0, [%1], %2;"
                 : "=r"(__old)
                 : "l"(__p), "r"(__builtin_bit_cast(unsigned int, __v))
                 : "memory");
    return __builtin_bit_cast(WG_RAW2, __old);
}

/* Functions of one number, through single precision: more exact than the 16 bits can show. */
#define WG_FUNCTION(NAME, EXPRESSION)                                                                        \
    static __device__ __forceinline__ WG_T h##NAME(WG_T __a) {                                               \
        float __x = (float)__a;                                                                              \
        return WG_T(EXPRESSION);                                                                             \
    }                                                                                                        \
    static __device__ __forceinline__ WG_T2 h2##NAME(WG_T2 __a) {                                            \
        return WG_T2(h##NAME(__a.x), h##NAME(__a.y));                                                        \
    }
WG_FUNCTION(sqrt, sqrtf(__x))
WG_FUNCTION(rsqrt, 1 / sqrtf(__x))
WG_FUNCTION(rcp, 1 / __x)
WG_FUNCTION(exp, expf(__x))
WG_FUNCTION(exp2, exp2f(__x))
WG_FUNCTION(exp10, exp10f(__x))
WG_FUNCTION(log, logf(__x))
WG_FUNCTION(log2, log2f(__x))
WG_FUNCTION(log10, log10f(__x))
WG_FUNCTION(sin, sinf(__x))
WG_FUNCTION(cos, cosf(__x))
WG_FUNCTION(tanh, tanhf(__x))
WG_FUNCTION(floor, floorf(__x))
WG_FUNCTION(ceil, ceilf(__x))
WG_FUNCTION(trunc, truncf(__x))
WG_FUNCTION(rint, rintf(__x))
#undef WG_FUNCTION

/* By the instruction, where the device has it. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= WG_TANH_SINCE
static __device__ __forceinline__ WG_T htanh_approx(WG_T __a) {
    unsigned short __d;
    asm("tanh.approx." WG_PTX " %0, %1;" : "=h"(__d) : "h"(__a.__x));
    return WG_RAW{__d};
}
static __device__ __forceinline__ WG_T2 h2tanh_approx(WG_T2 __a) {
    unsigned int __d;
    asm("tanh.approx." WG_PTX "x2 %0, %1;" : "=r"(__d) : "r"(__builtin_bit_cast(unsigned int, __a)));
    return __builtin_bit_cast(WG_RAW2, __d);
}
#else
static __device__ __forceinline__ WG_T htanh_approx(WG_T __a) { return htanh(__a); }
static __device__ __forceinline__ WG_T2 h2tanh_approx(WG_T2 __a) { return h2tanh(__a); }
#endif
#endif
