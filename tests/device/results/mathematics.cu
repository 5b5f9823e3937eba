/* Mathematical functions as the machine runs them, against the host's C library: the bounds of docs/math.md
 * are measured on the host, and this finds what might go wrong between the two. */
#include <cmath>
#include <cstring>
#include "check.h"

/* X(name, ulp): the sum of our bound and the host's own error. */
/* clang-format off */
#define FUNCTIONS(X)                                                                                         \
    X(exp, 2) X(exp2, 2) X(expm1, 2) X(log, 2) X(log2, 2) X(log10, 3) X(log1p, 2) X(sin, 3) X(cos, 3)        \
    X(tan, 4) X(asin, 3) X(acos, 3) X(atan, 3) X(sinh, 4) X(cosh, 3) X(tanh, 4) X(asinh, 4) X(acosh, 4)      \
    X(atanh, 4) X(cbrt, 5) X(erf, 3) X(erfc, 7) X(tgamma, 15) X(sqrt, 0) X(floor, 0) X(rint, 0) X(round, 0)
/* clang-format on */

#define KERNELS(NAME, ULP)                                                                                   \
    __global__ void NAME##_of(const double *x, double *y) {                                                  \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        y[i] = NAME(x[i]);                                                                                   \
    }                                                                                                        \
    __global__ void NAME##_of(const float *x, float *y) {                                                    \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                                       \
        y[i] = NAME##f(x[i]);                                                                                \
    }
FUNCTIONS(KERNELS)

static double distance(double a, double exact, int digits) {
    if ((a != a && exact != exact) || a == exact) return 0;
    if (a != a || exact != exact || std::isinf(a) || std::isinf(exact)) return 1e30;
    int e;
    std::frexp(exact, &e);
    double unit = std::ldexp(1.0, e - digits);
    return std::fabs(a - exact) / (digits == 24 && unit < 0x1p-149 ? 0x1p-149 : unit);
}

const int N = 4096;

template <class T>
static void run(const char *name, void (*kernel)(const T *, T *), double (*reference)(double), const T *x,
                T *y, double ulp) {
    kernel<<<N / 128, 128>>>(x, y);
    wait();
    double worst = 0, at = 0;
    for (int i = 0; i < N; i++) {
        double exact = reference(x[i]);
        if (sizeof(T) == 4)
            exact = std::fabs(exact) >= 0x1.ffffffp127 ? std::copysign(HUGE_VAL, exact) : exact;
        double d = distance(y[i], exact, sizeof(T) == 4 ? 24 : 53);
        if (d > worst) worst = d, at = x[i];
    }
    if (worst > ulp)
        printf("%s%s is %g ulp off at %a\n", name, sizeof(T) == 4 ? "f" : "", worst, at), failures++;
}

int main() {
    double *x = array<double>(N), *y = array<double>(N);
    float *xf = array<float>(N), *yf = array<float>(N);
    const double edges[] = {0,         -0.0,      1,       -1,    0.5,  HUGE_VAL, -HUGE_VAL, NAN,
                            0x1p-1074, 0x1p-1022, 0x1p-30, 1e300, 1e22, -1e5,     709.7,     -745};
    unsigned long long z = 1;
    for (int i = 0; i < N; i++) {
        z = z * 6364136223846793005ull + 1442695040888963407ull;
        double u = (double)(z >> 11) * 0x1p-53;
        x[i] = i % 4 == 0   ? 2 * u - 1
               : i % 4 == 1 ? 20 * u - 10
               : i % 4 == 2 ? 2e6 * u - 1e6
                            : std::ldexp(u, i % 120 - 60);
        if (i < 16) x[i] = edges[i];
        xf[i] = (float)x[i];
    }
#define RUN(NAME, ULP)                                                                                       \
    run<double>(#NAME, NAME##_of, [](double v) { return std::NAME(v); }, x, y, ULP);                         \
    run<float>(#NAME, NAME##_of, [](double v) { return std::NAME(v); }, xf, yf, ULP + 1);
    FUNCTIONS(RUN)
    return finish();
}
