/* arithmetic: float and double: every rounding, the edges (NaN, infinities, denormals, zeros), conversions
 * both ways. */
#include "program.h"

static const uint32_t edges[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000,
                                 0x3f800000, 0xbf800000, 0x3fffffff, 0x4b000000, 0x4b7fffff, 0xcb800001,
                                 0x4f000000, 0xcf000000, 0x5f000000, 0xdf000001, 0x7f7fffff, 0xff7fffff,
                                 0x7f800000, 0xff800000, 0x7fc00000, 0x3eaaaaab, 0x40490fdb, 0x3f000000};
constexpr int E = 24, N = E * E;

__device__ float take(const uint32_t *e, int i) { return __uint_as_float(e[i]); }

/* A double near the float: its low bits are the pattern's own. */
__device__ double widened(const uint32_t *e, int i) {
    double d = take(e, i);
    if (isnan(d) || isinf(d) || d == 0) return d;
    return __longlong_as_double(__double_as_longlong(d) ^ (e[(i * 5 + 3) % E] & 0xfffffff));
}

template <typename F> __global__ void float_pairs(const uint32_t *e, float *out, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) out[i] = f(take(e, i / E), take(e, i % E), take(e, (i * 7 + 5) % E));
}
template <typename F> __global__ void double_pairs(const uint32_t *e, double *out, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) out[i] = f(widened(e, i / E), widened(e, i % E), widened(e, (i * 7 + 5) % E));
}
template <typename T, typename F> __global__ void from_float(const uint32_t *e, T *out, F f) {
    if (threadIdx.x < E) out[threadIdx.x] = f(take(e, threadIdx.x));
}
template <typename T, typename F> __global__ void from_double(const uint32_t *e, T *out, F f) {
    if (threadIdx.x < E) out[threadIdx.x] = f(widened(e, threadIdx.x));
}
template <typename T, typename F> __global__ void from_long(const uint32_t *e, T *out, F f) {
    if (threadIdx.x < E)
        out[threadIdx.x] =
            f((long long)(((unsigned long long)e[threadIdx.x] << 32 | e[(threadIdx.x + 7) % E])));
}

/* Which NaN comes out of double arithmetic is nobody's promise. */
template <typename T> static void one_nan(Array<T> &a) {
    CALL(cudaDeviceSynchronize());
    for (size_t i = 0; i < a.n; i++)
        if (a[i] != a[i]) memset((void *)&a[i], 0xff, sizeof(T));
}

#define FLOAT(name, expression)                                                                              \
    float_pairs<<<9, 64>>>(e, f.p,                                                                           \
                           [] __device__(float a, float b, float c) -> float { return expression; });        \
    one_nan(f), show(name, f, 0)
#define DOUBLE(name, expression)                                                                             \
    double_pairs<<<9, 64>>>(e, d.p,                                                                          \
                            [] __device__(double a, double b, double c) -> double { return expression; });   \
    one_nan(d), show(name, d, 0)
#define CONVERT(from, T, expression)                                                                         \
    do {                                                                                                     \
        Array<T> out(E);                                                                                     \
        from<<<1, 32>>>(e, out.p, [] __device__(auto a) -> T { return expression; });                        \
        one_nan(out), show(#from " " #expression, out, 0);                                                   \
    } while (0)
#define FOUR(M, T, name, ...)                                                                                \
    M(#name "_rn", name##_rn(__VA_ARGS__));                                                                  \
    M(#name "_rz", name##_rz(__VA_ARGS__));                                                                  \
    M(#name "_ru", name##_ru(__VA_ARGS__));                                                                  \
    M(#name "_rd", name##_rd(__VA_ARGS__))
#define FOUR_CONVERSIONS(from, T, name)                                                                      \
    CONVERT(from, T, name##_rn(a));                                                                          \
    CONVERT(from, T, name##_rz(a));                                                                          \
    CONVERT(from, T, name##_ru(a));                                                                          \
    CONVERT(from, T, name##_rd(a))

static void floats(uint32_t *e) {
    Array<float> f(N);
    FOUR(FLOAT, float, __fadd, a, b);
    FOUR(FLOAT, float, __fsub, a, b);
    FOUR(FLOAT, float, __fmul, a, b);
    FOUR(FLOAT, float, __fdiv, a, b);
    FOUR(FLOAT, float, __fmaf, a, b, c);
    FOUR(FLOAT, float, __frcp, a);
    FOUR(FLOAT, float, __fsqrt, a);
    FLOAT("plain +", a + b);
    FLOAT("plain /", a / b);
    FLOAT("fmin fmax", fminf(a, b) - fmaxf(b, c));
    FLOAT("fmodf", fmodf(a, b));
    FLOAT("remainderf", remainderf(a, b));
    FLOAT("nextafterf", nextafterf(a, b));
    FLOAT("fdimf", fdimf(a, b));
    FLOAT("copysignf", copysignf(a, b));
    FLOAT("ldexpf", ldexpf(a, (int)(threadIdx.x % 300) - 150));
    FLOAT("roundings", floorf(a) + 2 * ceilf(b));
    FLOAT("rintf", rintf(a));
    FLOAT("nearbyintf", nearbyintf(a));
    FLOAT("roundf", roundf(a));
    FLOAT("truncf", truncf(a));
    FLOAT("sqrtf", sqrtf(fabsf(a)));
    FLOAT("frexpf", [](float x) {
        int n = 0;
        float m = frexpf(x, &n);
        return m + (isfinite(x) ? n : 0);
    }(a));
    FLOAT("modff", [](float x) {
        float w;
        float m = modff(x, &w);
        return m - w;
    }(a));
    FLOAT("logbf", logbf(a));
    FLOAT("ilogbf", (float)ilogbf(a));
    FLOAT("__saturatef", __saturatef(a));
    FLOAT("signs", (float)(signbit(a) + 2 * isnan(a) + 4 * isinf(a) + 8 * isfinite(a)));
    FLOAT("compared", (float)((a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b)));
}

static void doubles(uint32_t *e) {
    Array<double> d(N);
    FOUR(DOUBLE, double, __dadd, a, b);
    FOUR(DOUBLE, double, __dsub, a, b);
    FOUR(DOUBLE, double, __dmul, a, b);
    FOUR(DOUBLE, double, __ddiv, a, b);
    FOUR(DOUBLE, double, __fma, a, b, c);
    FOUR(DOUBLE, double, __drcp, a);
    FOUR(DOUBLE, double, __dsqrt, a);
    DOUBLE("fmod", fmod(a, b));
    DOUBLE("remainder", remainder(a, b));
    DOUBLE("nextafter", nextafter(a, b));
    DOUBLE("rint", rint(a) + floor(b) + ceil(c));
    DOUBLE("round", round(a) + trunc(b));
    DOUBLE("fmin", fmin(a, b) - fmax(b, c));
    DOUBLE("ldexp", ldexp(a, (int)(threadIdx.x % 3000) - 1500));
    DOUBLE("sqrt", sqrt(fabs(a)));
    DOUBLE("logb", logb(a));
}

static void conversions(uint32_t *e) {
    FOUR_CONVERSIONS(from_float, int, __float2int);
    FOUR_CONVERSIONS(from_float, unsigned, __float2uint);
    FOUR_CONVERSIONS(from_float, long long, __float2ll);
    FOUR_CONVERSIONS(from_float, unsigned long long, __float2ull);
    FOUR_CONVERSIONS(from_double, int, __double2int);
    FOUR_CONVERSIONS(from_double, unsigned, __double2uint);
    FOUR_CONVERSIONS(from_double, long long, __double2ll);
    FOUR_CONVERSIONS(from_double, unsigned long long, __double2ull);
    FOUR_CONVERSIONS(from_double, float, __double2float);
    FOUR_CONVERSIONS(from_long, float, __ll2float);
    FOUR_CONVERSIONS(from_long, double, __ll2double);
    FOUR_CONVERSIONS(from_long, float, __int2float);
    FOUR_CONVERSIONS(from_long, float, __uint2float);
    FOUR_CONVERSIONS(from_long, float, __ull2float);
    FOUR_CONVERSIONS(from_long, double, __ull2double);
    CONVERT(from_long, double, __int2double_rn((int)a));
    CONVERT(from_float, int, (int)a);
    CONVERT(from_float, unsigned char, (unsigned char)(int)a);
    CONVERT(from_float, short, (short)(int)a);
    CONVERT(from_float, int, lrintf(a));
    CONVERT(from_float, long long, llroundf(a));
    CONVERT(from_double, long long, (long long)a);
    CONVERT(from_double, int, __double2hiint(a) ^ __double2loint(a));
    CONVERT(from_long, double, __hiloint2double((int)(a >> 32), (int)a));
    CONVERT(from_float, int, __float_as_int(a));
}

int main() {
    Array<uint32_t> e(E);
    memcpy(e.p, edges, sizeof edges);
    floats(e);
    doubles(e);
    conversions(e);
    return 0;
}
