/* mathematics: every function against the host's in a higher precision: within CUDA's documented bounds, or
 * not. The worst error of each is given in a coarse scale, so that the output does not hang on the last bit.
 */
#include "program.h"
#include <cmath>

constexpr int N = 4096;

template <typename T, typename F> __global__ void evaluate(const T *x, const T *y, T *out, F f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = f(x[i], y[i]);
}

static double spacing(double exact, int digits, int least) {
    int e = exact == 0 ? least : std::ilogb(exact);
    return std::ldexp(1.0, (e < least ? least : e) - digits);
}

template <typename T, typename F, typename G>
static void check(const char *name, double low, double high, double bound, F device, G exact) {
    Array<T> x(N), y(N), out(N);
    uint32_t state = 7;
    for (int i = 0; i < N; i++) {
        x[i] = (T)(low + (high - low) * (next_random(state) / 4294967296.0));
        y[i] = (T)(0.25 + 3 * (next_random(state) / 4294967296.0));
    }
    evaluate<<<N / 128, 128>>>(x.p, y.p, out.p, device);
    CALL(cudaDeviceSynchronize());
    double worst = 0;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        long double e = exact((long double)x[i], (long double)y[i]);
        double ulp = sizeof(T) == 4 ? spacing((double)e, 23, -126) : spacing((double)e, 52, -1022);
        double error = (double)(fabsl(e - (long double)out[i]) / ulp);
        if (!(error <= bound)) wrong++;
        if (error > worst) worst = error;
    }
    printf("%s: %s\n", name, wrong ? "WRONG" : "within bounds");
    if (wrong) printf("    %d wrong, worst %g ulp\n", wrong, worst);
}

#define F1(name, low, high, bound)                                                                           \
    check<float>(                                                                                            \
        #name "f", low, high, bound, [] __device__(float a, float) { return name##f(a); },                   \
        [](long double a, long double) { return name##l(a); })
#define D1(name, low, high, bound)                                                                           \
    check<double>(                                                                                           \
        #name, low, high, bound, [] __device__(double a, double) { return name(a); },                        \
        [](long double a, long double) { return name##l(a); })
#define F2(name, low, high, bound)                                                                           \
    check<float>(                                                                                            \
        #name "f", low, high, bound, [] __device__(float a, float b) { return name##f(a, b); },              \
        [](long double a, long double b) { return name##l(a, b); })
#define D2(name, low, high, bound)                                                                           \
    check<double>(                                                                                           \
        #name, low, high, bound, [] __device__(double a, double b) { return name(a, b); },                   \
        [](long double a, long double b) { return name##l(a, b); })
/* Bounds: the CUDA C++ Programming Guide's tables, and half a step for the rounding. */
#define BOTH(name, low, high, float_bound, double_bound)                                                     \
    F1(name, low, high, float_bound + 0.51);                                                                 \
    D1(name, low, high, double_bound + 0.51)

int main() {
    BOTH(sin, -100, 100, 2, 2);
    BOTH(cos, -100, 100, 2, 2);
    BOTH(tan, -1.5, 1.5, 4, 2);
    BOTH(asin, -1, 1, 2, 2);
    BOTH(acos, -1, 1, 2, 2);
    BOTH(atan, -50, 50, 2, 2);
    BOTH(sinh, -10, 10, 3, 2);
    BOTH(cosh, -10, 10, 2, 1);
    BOTH(tanh, -4, 4, 2, 1);
    BOTH(asinh, -50, 50, 3, 3);
    BOTH(acosh, 1, 50, 4, 3);
    BOTH(atanh, -0.99, 0.99, 3, 2);
    BOTH(exp, -80, 80, 2, 1);
    BOTH(exp2, -100, 100, 2, 1);
    BOTH(expm1, -5, 5, 1, 1);
    BOTH(log, 0, 1000, 1, 1);
    BOTH(log2, 0, 1000, 1, 1);
    BOTH(log10, 0, 1000, 2, 1);
    BOTH(log1p, -0.9, 10, 1, 1);
    BOTH(cbrt, -100, 100, 1, 1);
    BOTH(erf, -3, 3, 2, 2);
    BOTH(erfc, -3, 9, 4, 5);
    BOTH(tgamma, 0.5, 10, 5, 10);
    BOTH(lgamma, 3, 100, 6, 4);
    F2(pow, 0.01, 50, 4.51);
    D2(pow, 0.01, 50, 2.51);
    F2(atan2, -5, 5, 3.51);
    D2(atan2, -5, 5, 2.51);
    F2(hypot, -5, 5, 3.51);
    D2(hypot, -5, 5, 2.51);
    check<float>(
        "rsqrtf", 0.01, 1000, 2.51, [] __device__(float a, float) { return rsqrtf(a); },
        [](long double a, long double) { return 1 / sqrtl(a); });
    check<float>(
        "sincosf", -9, 9, 2.51,
        [] __device__(float a, float) {
            float s, c;
            sincosf(a, &s, &c);
            return c;
        },
        [](long double a, long double) { return cosl(a); });
    check<float>(
        "sinpif", -9, 9, 2.51, [] __device__(float a, float) { return sinpif(a); },
        [](long double a, long double) {
            return sinl(3.14159265358979323846264338328L * (a - 2 * roundl(a / 2)));
        });
    check<float>(
        "exp10f", -30, 30, 2.51, [] __device__(float a, float) { return exp10f(a); },
        [](long double a, long double) { return powl(10, a); });
    check<float>(
        "__expf", -5, 5, 12, [] __device__(float a, float) { return __expf(a); },
        [](long double a, long double) { return expl(a); });
    check<float>(
        "norm3df", -5, 5, 3.51, [] __device__(float a, float b) { return norm3df(a, b, 2.0f); },
        [](long double a, long double b) { return sqrtl(a * a + b * b + 4); });
    check<double>(
        "rcbrt", 0.1, 50, 1.51, [] __device__(double a, double) { return rcbrt(a); },
        [](long double a, long double) { return 1 / cbrtl(a); });
    check<double>(
        "normcdf", -3, 3, 5.51, [] __device__(double a, double) { return normcdf(a); },
        [](long double a, long double) { return erfcl(-a * 0.70710678118654752440084436210485L) / 2; });
    check<float>(
        "j0f", 0, 7, 1e5, [] __device__(float a, float) { return j0f(a); },
        [](long double a, long double) { return j0l(a); });
    return 0;
}
