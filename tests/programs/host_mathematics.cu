// CUDA's own functions in host code: values to thirteen digits, float's to six, and which type overloads have.
#include <cmath>
#include <cstdio>

typedef double (*of_double)(double);
typedef float (*of_float)(float);
static void show(const char *name, of_double d, of_float f, of_float overload) {
    const double at[] = {0.0,  -0.0,   1e-300,    0.1,  -0.1,     0.3,       0.5,  -0.5,
                         0.75, 0.97,   0.999999,  1.0,  -1.0,     1.25,      1.5,  1.75,
                         1.97, 2.0,    -2.0,      3.5,  -5.5,     12.3,      26.5, 30.0,
                         -37., 100.25, 123456.75, 1e17, INFINITY, -INFINITY, NAN};
    printf("%s", name);
    for (double x : at) {
        double y = d(x);
        y == y ? printf(" %.13g", y) : printf(" nan");
    }
    printf("\n   float");
    for (double x : at) {
        float y = f((float)x), same = overload((float)x);
        y == y ? printf(" %.6g%s", y, same == y ? "" : " differs") : printf(" nan");
    }
    printf("\n");
}
#define SHOW(NAME) show(#NAME, NAME, NAME##f, NAME)

int main() {
    SHOW(rsqrt);
    SHOW(rcbrt);
    SHOW(sinpi);
    SHOW(cospi);
    SHOW(erfinv);
    SHOW(erfcinv);
    SHOW(normcdf);
    SHOW(normcdfinv);
    SHOW(erfcx);
    double s, c;
    float sf, cf;
    for (double x : {0.2, -1.75, 7.0, 1e300}) {
        sincospi(x, &s, &c);
        sincospif((float)x, &sf, &cf);
        printf("sincospi %.13g %.13g %.6g %.6g\n", s, c, x > 1e30 ? 0 : sf, x > 1e30 ? 1 : cf);
    }
    volatile float f = 0.3f;
    sincos(f, &sf, &cf);
    printf("sincos %.6g %.6g\n", sf, cf);
    printf("bytes: %zu %zu %zu %zu %zu\n", sizeof exp10(f), sizeof j0(f), sizeof jn(2, f), sizeof y1(f),
           sizeof rsqrt(f));
    printf("%u %u %lld %lld %llu %llu\n", umin(3, 0x80000000u), umax(3, 0x80000000u), llmin(-1, 1),
           llmax(-1, 1), ullmin(3, 1ull << 63), ullmax(3, 1ull << 63));
}
