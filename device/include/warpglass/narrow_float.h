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
    WG_HD constexpr WG_T(const WG_RAW &raw) : __x(raw.x) {}
    WG_HD operator WG_RAW() const { return WG_RAW{__x}; }
    WG_HD WG_T &operator=(const WG_RAW &raw) { return __x = raw.x, *this; }
#if defined(__CUDA_ARCH__)
    WG_HD WG_NATIVE wg_native() const { return __builtin_bit_cast(WG_NATIVE, __x); }
    WG_HD void wg_set(float f) { __x = __builtin_bit_cast(unsigned short, (WG_NATIVE)f); }
    WG_HD operator float() const { return (float)wg_native(); }
#else
    WG_HD void wg_set(float f) { __x = WG_NARROW(f); }
    WG_HD operator float() const { return WG_WIDEN(__x); }
#endif
    WG_HD WG_T(float f) { wg_set(f); }
    WG_HD WG_T(double d) { wg_set(wg_float_for_rounding(d)); }
    WG_HD WG_T(int v) { wg_set(wg_float_for_rounding(v)); }
    WG_HD WG_T(unsigned int v) { wg_set(wg_float_for_rounding(v)); }
    WG_HD WG_T(short v) { wg_set(v); }
    WG_HD WG_T(unsigned short v) { wg_set(v); }
    WG_HD WG_T(long v) { wg_set(wg_float_for_rounding((double)v)); }
    WG_HD WG_T(unsigned long v) { wg_set(wg_float_for_rounding((double)v)); }
    WG_HD WG_T(long long v) { wg_set(wg_float_for_rounding((double)v)); }
    WG_HD WG_T(unsigned long long v) { wg_set(wg_float_for_rounding((double)v)); }
    WG_HD explicit operator bool() const { return (__x & 0x7fff) != 0; }
};

struct __align__(4) WG_T2 {
    WG_T x, y;
    WG_T2() = default;
    WG_HD constexpr WG_T2(const WG_T &a, const WG_T &b) : x(a), y(b) {}
    WG_HD WG_T2(const WG_RAW2 &raw) : x(WG_RAW{raw.x}), y(WG_RAW{raw.y}) {}
    WG_HD operator WG_RAW2() const { return WG_RAW2{x.__x, y.__x}; }
};

/* Arithmetic. */
#if defined(__CUDA_ARCH__)
#define WG_BINARY(NAME, OP)                                                                                  \
    WG_FN WG_T NAME(WG_T a, WG_T b) {                                                                        \
        return WG_RAW { __builtin_bit_cast(unsigned short, (WG_NATIVE)(a.wg_native() OP b.wg_native())) };   \
    }
WG_FN WG_T __hfma(WG_T a, WG_T b, WG_T c) {
    return WG_RAW{__builtin_bit_cast(unsigned short, WG_FMA(a.wg_native(), b.wg_native(), c.wg_native()))};
}
#else
#define WG_BINARY(NAME, OP)                                                                                  \
    WG_FN WG_T NAME(WG_T a, WG_T b) { return WG_T((float)a OP(float) b); }
WG_FN WG_T __hfma(WG_T a, WG_T b, WG_T c) { return WG_T((double)(float)a * (float)b + (float)c); }
#endif
WG_BINARY(__hadd, +)
WG_BINARY(__hsub, -)
WG_BINARY(__hmul, *)
WG_BINARY(__hdiv, /)
#undef WG_BINARY
WG_FN WG_T __hadd_rn(WG_T a, WG_T b) { return __hadd(a, b); }
WG_FN WG_T __hsub_rn(WG_T a, WG_T b) { return __hsub(a, b); }
WG_FN WG_T __hmul_rn(WG_T a, WG_T b) { return __hmul(a, b); }
WG_FN WG_T __hneg(WG_T a) { return WG_RAW{(unsigned short)(a.__x ^ 0x8000)}; }
WG_FN WG_T __habs(WG_T a) { return WG_RAW{(unsigned short)(a.__x & 0x7fff)}; }
WG_FN bool __hisnan(WG_T a) { return __builtin_isnan((float)a); }
WG_FN int __hisinf(WG_T a) { return __builtin_isinf((float)a) ? (a.__x >> 15 ? -1 : 1) : 0; }
/* A NaN loses against a number, -0 against +0. */
WG_FN WG_T __hmin(WG_T a, WG_T b) { return WG_T(__builtin_fminf(a, b)); }
WG_FN WG_T __hmax(WG_T a, WG_T b) { return WG_T(__builtin_fmaxf(a, b)); }
WG_FN WG_T __hmin_nan(WG_T a, WG_T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }
WG_FN WG_T __hmax_nan(WG_T a, WG_T b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
/* To [0, 1]; NaN to 0. */
WG_FN WG_T wg_saturated(WG_T a) { return WG_T(__builtin_fminf(__builtin_fmaxf(a, 0.0f), 1.0f)); }
WG_FN WG_T __hadd_sat(WG_T a, WG_T b) { return wg_saturated(__hadd(a, b)); }
WG_FN WG_T __hsub_sat(WG_T a, WG_T b) { return wg_saturated(__hsub(a, b)); }
WG_FN WG_T __hmul_sat(WG_T a, WG_T b) { return wg_saturated(__hmul(a, b)); }
WG_FN WG_T __hfma_sat(WG_T a, WG_T b, WG_T c) { return wg_saturated(__hfma(a, b, c)); }
WG_FN WG_T __hfma_relu(WG_T a, WG_T b, WG_T c) { return __hmax_nan(__hfma(a, b, c), WG_T(0.0f)); }

/* Comparisons: plain ones are false with a NaN, the u forms true. Of pairs there are a pair of ones and
 * zeros, a mask of their bits, and whether both are true. */
#define WG_COMPARE_PAIRS(NAME)                                                                               \
    WG_FN WG_T2 __h##NAME##2(WG_T2 a, WG_T2 b) {                                                             \
        return WG_T2(WG_T(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), WG_T(__h##NAME(a.y, b.y) ? 1.0f : 0.0f));      \
    }                                                                                                        \
    WG_FN unsigned int __h##NAME##2_mask(WG_T2 a, WG_T2 b) {                                                 \
        return (__h##NAME(a.x, b.x) ? 0xffffu : 0) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0);                \
    }                                                                                                        \
    WG_FN bool __hb##NAME##2(WG_T2 a, WG_T2 b) { return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); }
#define WG_COMPARE(NAME, OP)                                                                                 \
    WG_FN bool __h##NAME(WG_T a, WG_T b) {                                                                   \
        return (float)a OP(float)                                                                            \
        b;                                                                                                   \
    }                                                                                                        \
    WG_FN bool __h##NAME##u(WG_T a, WG_T b) {                                                                \
        return __hisnan(a) || __hisnan(b) || (float)a OP(float)                                              \
        b;                                                                                                   \
    }                                                                                                        \
    WG_COMPARE_PAIRS(NAME)                                                                                   \
    WG_COMPARE_PAIRS(NAME##u)
WG_COMPARE(eq, ==)
WG_COMPARE(lt, <)
WG_COMPARE(le, <=)
WG_COMPARE(gt, >)
WG_COMPARE(ge, >=)
#undef WG_COMPARE
WG_FN bool __hne(WG_T a, WG_T b) { return (float)a < (float)b || (float)a > (float)b; }
WG_FN bool __hneu(WG_T a, WG_T b) { return (float)a != (float)b; }
WG_COMPARE_PAIRS(ne)
WG_COMPARE_PAIRS(neu)
#undef WG_COMPARE_PAIRS

/* Operators. */
#define WG_OPERATOR(OP, FUNCTION)                                                                            \
    WG_FN WG_T operator OP(const WG_T &a, const WG_T &b)                                                     \
    {                                                                                                        \
        return FUNCTION(a, b);                                                                               \
    }                                                                                                        \
    WG_FN WG_T &operator OP                                                                                  \
    ## = (WG_T & a, const WG_T &b) { return a = FUNCTION(a, b); }                                            \
    WG_FN WG_T2 operator OP(const WG_T2 &a, const WG_T2 &b)                                                  \
    {                                                                                                        \
        return WG_T2(FUNCTION(a.x, b.x), FUNCTION(a.y, b.y));                                                \
    }                                                                                                        \
    WG_FN WG_T2 &operator OP                                                                                 \
    ## = (WG_T2 & a, const WG_T2 &b) {                                                                       \
        return a = a OP                                                                                      \
        b;                                                                                                   \
    }
WG_OPERATOR(+, __hadd)
WG_OPERATOR(-, __hsub)
WG_OPERATOR(*, __hmul)
WG_OPERATOR(/, __hdiv)
#undef WG_OPERATOR
WG_FN WG_T operator-(const WG_T &a) { return __hneg(a); }
WG_FN WG_T operator+(const WG_T &a) { return a; }
WG_FN WG_T &operator++(WG_T &a) { return a += WG_T(1.0f); }
WG_FN WG_T &operator--(WG_T &a) { return a -= WG_T(1.0f); }
#define WG_OPERATOR(OP)                                                                                      \
    WG_FN bool operator OP(const WG_T &a, const WG_T &b)                                                     \
    {                                                                                                        \
        return (float)a OP(float)                                                                            \
        b;                                                                                                   \
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
    WG_FN WG_T2 NAME(WG_T2 a, WG_T2 b) { return WG_T2(ONE(a.x, b.x), ONE(a.y, b.y)); }
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
WG_FN WG_T2 __hneg2(WG_T2 a) { return WG_T2(__hneg(a.x), __hneg(a.y)); }
WG_FN WG_T2 __habs2(WG_T2 a) { return WG_T2(__habs(a.x), __habs(a.y)); }
WG_FN WG_T2 operator-(const WG_T2 &a) { return __hneg2(a); }
WG_FN WG_T2 __hfma2(WG_T2 a, WG_T2 b, WG_T2 c) { return WG_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
WG_FN WG_T2 __hfma2_sat(WG_T2 a, WG_T2 b, WG_T2 c) {
    return WG_T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
WG_FN WG_T2 __hfma2_relu(WG_T2 a, WG_T2 b, WG_T2 c) {
    return WG_T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
/* a * b + c of complex numbers. */
WG_FN WG_T2 __hcmadd(WG_T2 a, WG_T2 b, WG_T2 c) {
    return WG_T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
WG_FN WG_T2 __hisnan2(WG_T2 a) {
    return WG_T2(WG_T(__hisnan(a.x) ? 1.0f : 0.0f), WG_T(__hisnan(a.y) ? 1.0f : 0.0f));
}

/* A number rounded another way: from the nearest, one step where that lies on the wrong side. */
WG_FN WG_T wg_toward_zero(WG_T near, double exact) {
    return __builtin_fabs((float)near) > __builtin_fabs(exact) ? WG_T(WG_RAW{(unsigned short)(near.__x - 1)})
                                                               : near;
}
WG_FN WG_T wg_downward(WG_T near, double exact) {
    if (!((float)near > exact)) return near;
    unsigned short b = near.__x;
    return WG_RAW{(unsigned short)(b == 0 ? 0x8001 : b >> 15 ? b + 1 : b - 1)};
}
WG_FN WG_T wg_upward(WG_T near, double exact) {
    if (!((float)near < exact)) return near;
    unsigned short b = near.__x;
    return WG_RAW{(unsigned short)(b == 0x8000 ? 1 : b >> 15 ? b - 1 : b + 1)};
}

/* Integers by way of float: out of range is the nearest end, NaN is 0, as cvt does. */
#define WG_TO_INTEGER(I, LOW, HIGH, ROUND)                                                                   \
    float f = ROUND((float)a);                                                                               \
    return f != f ? 0 : f <= (float)(LOW) ? (LOW) : f >= (float)(HIGH) ? (HIGH) : (I)f;

/* Device only: shuffles, cached loads, atomics. */
#if defined(__CUDA__)
#define WG_SHUFFLE(NAME, LANE)                                                                               \
    static __device__ __forceinline__ WG_T NAME(unsigned int mask, WG_T v, LANE lane,                        \
                                                int width = warpSize) {                                      \
        return WG_RAW{(unsigned short)NAME(mask, (unsigned int)v.__x, lane, width)};                         \
    }                                                                                                        \
    static __device__ __forceinline__ WG_T2 NAME(unsigned int mask, WG_T2 v, LANE lane,                      \
                                                 int width = warpSize) {                                     \
        return __builtin_bit_cast(WG_RAW2, NAME(mask, __builtin_bit_cast(unsigned int, v), lane, width));    \
    }
WG_SHUFFLE(__shfl_sync, int)
WG_SHUFFLE(__shfl_up_sync, unsigned int)
WG_SHUFFLE(__shfl_down_sync, unsigned int)
WG_SHUFFLE(__shfl_xor_sync, int)
#undef WG_SHUFFLE

#define WG_LOAD(NAME)                                                                                        \
    static __device__ __forceinline__ WG_T NAME(const WG_T *p) {                                             \
        return WG_RAW{NAME((const unsigned short *)p)};                                                      \
    }                                                                                                        \
    static __device__ __forceinline__ WG_T2 NAME(const WG_T2 *p) {                                           \
        return __builtin_bit_cast(WG_RAW2, NAME((const unsigned int *)p));                                   \
    }
WG_LOAD(__ldg)
WG_LOAD(__ldca)
WG_LOAD(__ldcg)
WG_LOAD(__ldcs)
WG_LOAD(__ldlu)
WG_LOAD(__ldcv)
#undef WG_LOAD

#define WG_STORE(NAME)                                                                                       \
    static __device__ __forceinline__ void NAME(WG_T *p, WG_T v) { NAME((unsigned short *)p, v.__x); }       \
    static __device__ __forceinline__ void NAME(WG_T2 *p, WG_T2 v) {                                         \
        NAME((unsigned int *)p, __builtin_bit_cast(unsigned int, v));                                        \
    }
WG_STORE(__stwb)
WG_STORE(__stcg)
WG_STORE(__stcs)
WG_STORE(__stwt)
#undef WG_STORE

static __device__ __forceinline__ WG_T atomicAdd(WG_T *p, WG_T v) {
    unsigned short old;
    asm volatile("atom.add.noftz." WG_PTX " %0, [%1], %2;" : "=h"(old) : "l"(p), "h"(v.__x) : "memory");
    return WG_RAW{old};
}
static __device__ __forceinline__ WG_T2 atomicAdd(WG_T2 *p, WG_T2 v) {
    unsigned int old;
    asm volatile("atom.add.noftz." WG_PTX "x2 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(p), "r"(__builtin_bit_cast(unsigned int, v))
                 : "memory");
    return __builtin_bit_cast(WG_RAW2, old);
}

/* Functions of one number, through single precision: more exact than the 16 bits can show. */
#define WG_FUNCTION(NAME, EXPRESSION)                                                                        \
    static __device__ __forceinline__ WG_T h##NAME(WG_T a) {                                                 \
        float x = (float)a;                                                                                  \
        return WG_T(EXPRESSION);                                                                             \
    }                                                                                                        \
    static __device__ __forceinline__ WG_T2 h2##NAME(WG_T2 a) { return WG_T2(h##NAME(a.x), h##NAME(a.y)); }
WG_FUNCTION(sqrt, sqrtf(x))
WG_FUNCTION(rsqrt, 1 / sqrtf(x))
WG_FUNCTION(rcp, 1 / x)
WG_FUNCTION(exp, expf(x))
WG_FUNCTION(exp2, exp2f(x))
WG_FUNCTION(exp10, exp10f(x))
WG_FUNCTION(log, logf(x))
WG_FUNCTION(log2, log2f(x))
WG_FUNCTION(log10, log10f(x))
WG_FUNCTION(sin, sinf(x))
WG_FUNCTION(cos, cosf(x))
WG_FUNCTION(tanh, tanhf(x))
WG_FUNCTION(floor, floorf(x))
WG_FUNCTION(ceil, ceilf(x))
WG_FUNCTION(trunc, truncf(x))
WG_FUNCTION(rint, rintf(x))
#undef WG_FUNCTION

/* By the instruction, where the device has it. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= WG_TANH_SINCE
static __device__ __forceinline__ WG_T htanh_approx(WG_T a) {
    unsigned short d;
    asm("tanh.approx." WG_PTX " %0, %1;" : "=h"(d) : "h"(a.__x));
    return WG_RAW{d};
}
static __device__ __forceinline__ WG_T2 h2tanh_approx(WG_T2 a) {
    unsigned int d;
    asm("tanh.approx." WG_PTX "x2 %0, %1;" : "=r"(d) : "r"(__builtin_bit_cast(unsigned int, a)));
    return __builtin_bit_cast(WG_RAW2, d);
}
#else
static __device__ __forceinline__ WG_T htanh_approx(WG_T a) { return htanh(a); }
static __device__ __forceinline__ WG_T2 h2tanh_approx(WG_T2 a) { return h2tanh(a); }
#endif
#endif
