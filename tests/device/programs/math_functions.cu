/* The whole list of mathematical functions, in both precisions and as overloads: none is left to a library.
 */
// NOT PTX: \.extern \.func
// PTX: fma\.rn\.f64
#define ONE(NAME) f[i] += NAME##f(f[i]), f[i] += NAME(f[i]), d[i] += NAME(d[i])
#define TWO(NAME) f[i] += NAME##f(f[i], f[i + 1]), f[i] += NAME(f[i], f[i + 1]), d[i] += NAME(d[i], d[i + 1])
__global__ void one_argument(float *f, double *d) {
    int i = threadIdx.x;
    ONE(acos);
    ONE(acosh);
    ONE(asin);
    ONE(asinh);
    ONE(atan);
    ONE(atanh);
    ONE(cbrt);
    ONE(ceil);
    ONE(cos);
    ONE(cosh);
    ONE(cospi);
    ONE(cyl_bessel_i0);
    ONE(cyl_bessel_i1);
    ONE(erf);
    ONE(erfc);
    ONE(erfcinv);
    ONE(erfcx);
    ONE(erfinv);
    ONE(exp);
    ONE(exp10);
    ONE(exp2);
    ONE(expm1);
    ONE(fabs);
    ONE(floor);
}
__global__ void one_argument_more(float *f, double *d) {
    int i = threadIdx.x;
    ONE(j0);
    ONE(j1);
    ONE(lgamma);
    ONE(log);
    ONE(log10);
    ONE(log1p);
    ONE(log2);
    ONE(logb);
    ONE(nearbyint);
    ONE(normcdf);
    ONE(normcdfinv);
    ONE(rcbrt);
    ONE(rint);
    ONE(round);
    ONE(rsqrt);
    ONE(sin);
    ONE(sinh);
    ONE(sinpi);
    ONE(sqrt);
    ONE(tan);
    ONE(tanh);
    ONE(tgamma);
    ONE(trunc);
    ONE(y0);
    ONE(y1);
}
__global__ void two_arguments(float *f, double *d) {
    int i = threadIdx.x;
    TWO(atan2);
    TWO(copysign);
    TWO(fdim);
    TWO(fmax);
    TWO(fmin);
    TWO(fmod);
    TWO(hypot);
    TWO(nextafter);
    TWO(pow);
    TWO(remainder);
    TWO(rhypot);
}
__global__ void others(float *f, double *d, int *n) {
    sincosf(f[0], f + 1, f + 2), sincos(d[0], d + 1, d + 2), sincospif(f[0], f + 1, f + 2),
        sincospi(d[0], d + 1, d + 2);
    f[3] = fmaf(f[0], f[1], f[2]) + frexpf(f[0], n) + ldexpf(f[1], n[0]) + scalbnf(f[0], 2) +
           scalblnf(f[0], 3l) + jnf(2, f[0]) + ynf(3, f[1]);
    d[3] = fma(d[0], d[1], d[2]) + frexp(d[0], n) + ldexp(d[1], n[0]) + scalbn(d[0], 2) + scalbln(d[0], 3l) +
           jn(2, d[0]) + yn(3, d[1]);
    n[1] = ilogbf(f[0]) + ilogb(d[0]) + lrintf(f[0]) + llrint(d[1]) + lroundf(f[2]) + llround(d[2]) +
           isnan(f[0]) + isinf(d[0]) + isfinite(f[1]) + signbit(d[0]) + abs(n[0]) + labs(3l) + llabs(4ll);
    f[4] = modff(f[0], f + 5) + remquof(f[0], f[1], n) + norm3df(f[0], f[1], f[2]) +
           rnorm3df(f[0], f[1], f[2]) + norm4df(f[0], f[1], f[2], f[3]) + rnorm4df(f[0], f[1], f[2], f[3]) +
           normf(3, f) + rnormf(3, f) + nanf("") + fdividef(f[0], f[1]);
    d[4] = modf(d[0], d + 5) + remquo(d[0], d[1], n) + norm3d(d[0], d[1], d[2]) + rnorm3d(d[0], d[1], d[2]) +
           norm4d(d[0], d[1], d[2], d[3]) + rnorm4d(d[0], d[1], d[2], d[3]) + norm(3, d) + rnorm(3, d) +
           nan("");
}
int main() {
    one_argument<<<1, 1>>>(0, 0), one_argument_more<<<1, 1>>>(0, 0), two_arguments<<<1, 1>>>(0, 0),
        others<<<1, 1>>>(0, 0, 0);
}
