/* math_rows.cc: the functions, their bounds, and the exact values that they are measured against.
 *
 * Bounds are those of the CUDA documentation. Where MPFR has the function itself the row names it; the others
 * are built from MPFR's with precision to spare. Inverses are measured by going back: the error of y = g(x)
 * is (f(y) - x) / f'(y).
 */
#include "math_rows.h"

#include <algorithm>

#define WG_MATH_FN static inline
#include "warpglass/math/functions.h"

namespace {

typedef int (*MpfrUnary)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef std::function<void(Big &, const Big &)> Exact1;
typedef std::function<void(Big &, const Big &, const Big &)> Exact2;

std::vector<Row> rows;

void note(Measured &m, double error, double a, double b = 0, double c = 0, double d = 0) {
    if (error > m.worst || error != error) m = Measured{error == error ? error : WRONG, {a, b, c, d}};
}
uint64_t seed_of(const std::string &name) { return std::hash<std::string>()(name); }

double absolute_error(double computed, const Big &exact) {
    Big d;
    mpfr_d_sub(d.v, computed, exact.v, MPFR_RNDN);
    return std::fabs(mpfr_get_d(d.v, MPFR_RNDN));
}

template <class T>
void add1(const char *name, double bound, T (*f)(T), Exact1 exact, Range range,
          std::function<bool(T)> domain = nullptr, const char *where = "", bool absolute = false) {
    auto measure = [=](int count) {
        Measured m = {0, {}};
        Sequence s(name[0] * 131 + name[1]);
        Big x(64), y;
        int special = (int)edges<T>().size();
        for (int i = 0; i < count + special; i++) {
            T a = i < special ? (T)edges<T>()[i] : pick<T>(s, range);
            if (domain && !domain(a)) continue;
            mpfr_set_d(x.v, (double)a, MPFR_RNDN);
            exact(y, x);
            note(m, absolute ? absolute_error(f(a), y) : ulps<T>(f(a), y), (double)a);
        }
        return m;
    };
    rows.push_back(Row{name, where, bound, absolute, measure});
}
Exact1 of(MpfrUnary f) {
    return [f](Big &y, const Big &x) { f(y.v, x.v, MPFR_RNDN); };
}

template <class T>
void add2(const char *name, double bound, T (*f)(T, T), Exact2 exact, Range first, Range second) {
    auto measure = [=](int count) {
        Measured m = {0, {}};
        Sequence s(name[0] * 131 + name[1]);
        Big x(64), y(64), z;
        const std::vector<double> &special = edges<T>();
        int pairs = (int)(special.size() * special.size());
        for (int i = 0; i < count + pairs; i += i < pairs ? 7 : 1) {
            T a = i < pairs ? (T)special[i / special.size()] : pick<T>(s, first);
            T b = i < pairs ? (T)special[i % special.size()] : pick<T>(s, second);
            mpfr_set_d(x.v, (double)a, MPFR_RNDN);
            mpfr_set_d(y.v, (double)b, MPFR_RNDN);
            exact(z, x, y);
            note(m, ulps<T>(f(a, b), z), (double)a, (double)b);
        }
        return m;
    };
    rows.push_back(Row{name, "", bound, false, measure});
}

/* A function in both precisions. */
#define BOTH(NAME, BOUND_F, BOUND, EXACT, ...)                                                               \
    add1<float>(#NAME "f", BOUND_F, __nv_##NAME##f, EXACT, __VA_ARGS__);                                     \
    add1<double>(#NAME, BOUND, __nv_##NAME, EXACT, __VA_ARGS__)

void elementary() {
    BOTH(exp, 1, 1, of(mpfr_exp), Range{-110, 110});
    BOTH(exp2, 2, 1, of(mpfr_exp2), Range{-160, 160});
    BOTH(exp10, 2, 1, of(mpfr_exp10), Range{-46, 40});
    BOTH(expm1, 1, 1, of(mpfr_expm1), Range{-50, 90});
    add1<double>("exp", 1, __nv_exp, of(mpfr_exp), Range{-750, 712}, nullptr, "to the ends");
    BOTH(log, 1, 1, of(mpfr_log), Range{0, 4});
    BOTH(log2, 1, 1, of(mpfr_log2), Range{0, 4});
    BOTH(log10, 2, 1, of(mpfr_log10), Range{0, 4});
    BOTH(log1p, 1, 1, of(mpfr_log1p), Range{-1, 3});
    Exact2 power = [](Big &z, const Big &x, const Big &y) { mpfr_pow(z.v, x.v, y.v, MPFR_RNDN); };
    add2<float>("powf", 4, __nv_powf, power, Range{0, 10}, Range{-40, 40});
    add2<double>("pow", 2, __nv_pow, power, Range{0, 10}, Range{-300, 300});
}

void circular() {
    BOTH(sin, 2, 2, of(mpfr_sin), Range{-200000, 200000});
    BOTH(cos, 2, 2, of(mpfr_cos), Range{-200000, 200000});
    BOTH(tan, 4, 2, of(mpfr_tan), Range{-200000, 200000});
    add1<double>("sin", 2, __nv_sin, of(mpfr_sin), Range{-2e9, 2e9}, nullptr, "large");
    add1<float>("sinf", 2, __nv_sinf, of(mpfr_sin), Range{-10, 10}, nullptr, "small");
    BOTH(sinpi, 1, 2, of(mpfr_sinpi), Range{-20, 20});
    Exact1 cospi = [](Big &y, const Big &x) {
        mpfr_cospi(y.v, x.v, MPFR_RNDN);
        if (mpfr_zero_p(y.v)) mpfr_set_zero(y.v, 1);
    };
    BOTH(cospi, 1, 2, cospi, Range{-20, 20});
    BOTH(asin, 2, 2, of(mpfr_asin), Range{-1, 1});
    BOTH(acos, 2, 2, of(mpfr_acos), Range{-1, 1});
    BOTH(atan, 2, 2, of(mpfr_atan), Range{-10, 10});
    Exact2 atan2 = [](Big &z, const Big &y, const Big &x) { mpfr_atan2(z.v, y.v, x.v, MPFR_RNDN); };
    add2<float>("atan2f", 3, __nv_atan2f, atan2, Range{-10, 10}, Range{-10, 10});
    add2<double>("atan2", 2, __nv_atan2, atan2, Range{-10, 10}, Range{-10, 10});
    BOTH(sinh, 3, 2, of(mpfr_sinh), Range{-90, 90});
    BOTH(cosh, 2, 1, of(mpfr_cosh), Range{-90, 90});
    BOTH(tanh, 2, 1, of(mpfr_tanh), Range{-12, 12});
    BOTH(asinh, 3, 3, of(mpfr_asinh), Range{-100, 100});
    BOTH(acosh, 4, 3, of(mpfr_acosh), Range{1, 100});
    BOTH(atanh, 3, 2, of(mpfr_atanh), Range{-1, 1});
}

void root(Big &y, const Big &x, bool reciprocal) {
    mpfr_cbrt(y.v, x.v, MPFR_RNDN);
    if (reciprocal) mpfr_ui_div(y.v, 1, y.v, MPFR_RNDN);
}
/* Infinity wins over NaN; zero is +0, its reciprocal +infinity. */
void norm_of(Big &z, const std::vector<const Big *> &parts, bool reciprocal) {
    Big sum(2400), square(2400);
    mpfr_set_zero(sum.v, 1);
    bool infinite = false;
    for (const Big *p : parts) {
        infinite = infinite || mpfr_inf_p(p->v);
        mpfr_sqr(square.v, p->v, MPFR_RNDN);
        mpfr_add(sum.v, sum.v, square.v, MPFR_RNDN);
    }
    if (infinite) mpfr_set_inf(sum.v, 1);
    mpfr_sqrt(z.v, sum.v, MPFR_RNDN);
    if (reciprocal) mpfr_ui_div(z.v, 1, z.v, MPFR_RNDN);
}
template <class T>
void add_norm(const char *name, double bound, std::function<T(const T *)> f, int n, bool reciprocal) {
    auto measure = [=](int count) {
        Measured m = {0, {}};
        Sequence s(n);
        Big part[4] = {64, 64, 64, 64}, z;
        std::vector<const Big *> parts;
        for (int i = 0; i < n; i++) parts.push_back(&part[i]);
        for (int i = 0; i < count; i++) {
            T v[4] = {};
            T scale = s.next() % 4 ? (T)1 : from_bits<T>(s.next());
            for (int j = 0; j < n; j++) {
                v[j] = pick<T>(s, Range{-10, 10}) * scale;
                mpfr_set_d(part[j].v, (double)v[j], MPFR_RNDN);
            }
            norm_of(z, parts, reciprocal);
            note(m, ulps<T>(f(v), z), (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
        }
        return m;
    };
    rows.push_back(Row{name, "", bound, false, measure});
}
#define NORM(NAME, T, BOUND, N, RECIPROCAL, ...)                                                             \
    add_norm<T>(#NAME, BOUND, [](const T *v) { return (void)v, __nv_##NAME(__VA_ARGS__); }, N, RECIPROCAL)

void roots() {
    Exact1 cbrt = [](Big &y, const Big &x) { root(y, x, false); },
           rcbrt = [](Big &y, const Big &x) { root(y, x, true); };
    BOTH(cbrt, 1, 1, cbrt, Range{-1000, 1000});
    BOTH(rcbrt, 1, 1, rcbrt, Range{-1000, 1000});
    Exact1 rsqrt = [](Big &y, const Big &x) {
        mpfr_rec_sqrt(y.v, x.v, MPFR_RNDN);
        if (mpfr_zero_p(x.v)) mpfr_set_inf(y.v, mpfr_signbit(x.v) ? -1 : 1);
    };
    add1<double>("rsqrt", 1, __nv_rsqrt, rsqrt, Range{0, 1000});
    NORM(hypotf, float, 3, 2, false, v[0], v[1]);
    NORM(hypot, double, 2, 2, false, v[0], v[1]);
    NORM(rhypotf, float, 2, 2, true, v[0], v[1]);
    NORM(rhypot, double, 1, 2, true, v[0], v[1]);
    NORM(norm3df, float, 3, 3, false, v[0], v[1], v[2]);
    NORM(norm3d, double, 2, 3, false, v[0], v[1], v[2]);
    NORM(rnorm3df, float, 2, 3, true, v[0], v[1], v[2]);
    NORM(rnorm3d, double, 1, 3, true, v[0], v[1], v[2]);
    NORM(norm4df, float, 3, 4, false, v[0], v[1], v[2], v[3]);
    NORM(norm4d, double, 2, 4, false, v[0], v[1], v[2], v[3]);
    NORM(rnorm4df, float, 2, 4, true, v[0], v[1], v[2], v[3]);
    NORM(rnorm4d, double, 1, 4, true, v[0], v[1], v[2], v[3]);
}

/* erfc(x) e^(x^2), with bits enough for the square of a large x. */
void exact_erfcx(Big &y, const Big &x) {
    Big e(240), square(240);
    if (mpfr_inf_p(x.v)) {
        if (mpfr_sgn(x.v) > 0)
            mpfr_set_zero(y.v, 1);
        else
            mpfr_set_inf(y.v, 1);
        return;
    }
    if (mpfr_cmp_d(x.v, 1e4) > 0) { /* 1 / (x sqrt(pi)) (1 - 1 / (2 x^2) + 3 / (4 x^4) - 15 / (8 x^6)) */
        mpfr_sqr(square.v, x.v, MPFR_RNDN);
        mpfr_d_div(square.v, 0.5, square.v, MPFR_RNDN);
        Big term(240), sum(240);
        mpfr_set_ui(sum.v, 1, MPFR_RNDN);
        mpfr_set_ui(term.v, 1, MPFR_RNDN);
        for (int k = 1; k < 12; k++) {
            mpfr_mul(term.v, term.v, square.v, MPFR_RNDN);
            mpfr_mul_si(term.v, term.v, -(2 * k - 1), MPFR_RNDN);
            mpfr_add(sum.v, sum.v, term.v, MPFR_RNDN);
        }
        mpfr_const_pi(e.v, MPFR_RNDN);
        mpfr_sqrt(e.v, e.v, MPFR_RNDN);
        mpfr_mul(e.v, e.v, x.v, MPFR_RNDN);
        mpfr_div(y.v, sum.v, e.v, MPFR_RNDN);
        return;
    }
    mpfr_sqr(square.v, x.v, MPFR_RNDN);
    mpfr_exp(square.v, square.v, MPFR_RNDN);
    mpfr_erfc(e.v, x.v, MPFR_RNDN);
    mpfr_mul(y.v, e.v, square.v, MPFR_RNDN);
}
/* erfc(-x / sqrt(2)) / 2. */
void exact_normcdf(Big &y, const Big &x) {
    Big z(300);
    mpfr_set_ui(z.v, 2, MPFR_RNDN);
    mpfr_sqrt(z.v, z.v, MPFR_RNDN);
    mpfr_div(z.v, x.v, z.v, MPFR_RNDN);
    mpfr_neg(z.v, z.v, MPFR_RNDN);
    mpfr_erfc(y.v, z.v, MPFR_RNDN);
    mpfr_div_2ui(y.v, y.v, 1, MPFR_RNDN);
}

/* An inverse: the exact value is y - (f(y) - x) / f'(y) (Newton), where y is what was computed, which is
 * exact enough when y is good and wrong enough when it is not. slope: the constant of f'(y) = slope e^(-y^2 /
 * spread). */
template <class T>
void add_inverse(const char *name, double bound, T (*g)(T), Exact1 forward, double slope_sign, bool normal,
                 Range range) {
    auto measure = [=](int count) {
        Measured m = {0, {}};
        Sequence s(name[0] * 131 + name[3]);
        Big x(64), y(64), fy(300), slope(300), exact(300);
        int special = (int)edges<T>().size();
        for (int i = 0; i < count + special; i++) {
            T a = i < special ? (T)edges<T>()[i] : pick<T>(s, range);
            double low = slope_sign > 0 && !normal ? -1 : 0, high = normal || slope_sign > 0 ? 1 : 2;
            T v = g(a);
            if (!(a > (T)low && a < (T)high)) { /* the ends are infinite, outside is NaN */
                bool right = a == (T)low || a == (T)high
                                 ? std::isinf(v) && (v > 0) == ((a == (T)high) == (slope_sign > 0))
                                 : std::isnan(v);
                note(m, right ? 0 : WRONG, (double)a);
                continue;
            }
            mpfr_set_d(y.v, (double)v, MPFR_RNDN);
            forward(fy, y);
            mpfr_sqr(slope.v, y.v, MPFR_RNDN);
            if (normal) mpfr_div_2ui(slope.v, slope.v, 1, MPFR_RNDN);
            mpfr_neg(slope.v, slope.v, MPFR_RNDN);
            mpfr_exp(slope.v, slope.v, MPFR_RNDN);
            mpfr_const_pi(exact.v, MPFR_RNDN);
            mpfr_sqrt(exact.v, exact.v, MPFR_RNDN);
            mpfr_div(slope.v, slope.v, exact.v, MPFR_RNDN);
            mpfr_mul_d(slope.v, slope.v, normal ? M_SQRT1_2 : 2 * slope_sign, MPFR_RNDN);
            mpfr_sub_d(fy.v, fy.v, (double)a, MPFR_RNDN);
            mpfr_div(fy.v, fy.v, slope.v, MPFR_RNDN);
            mpfr_sub(exact.v, y.v, fy.v, MPFR_RNDN);
            if (mpfr_zero_p(exact.v) || mpfr_get_exp(exact.v) < -1000) {
                note(m, v == 0 || std::fabs((double)v) < 1e-300 ? 0 : WRONG, (double)a);
                continue;
            }
            note(m, ulps<T>(v, exact), (double)a);
        }
        return m;
    };
    rows.push_back(Row{name, "", bound, false, measure});
}

void error_functions() {
    BOTH(erf, 2, 2, of(mpfr_erf), Range{-6, 6});
    BOTH(erfc, 4, 5, of(mpfr_erfc), Range{-6, 27});
    BOTH(erfcx, 4, 4, exact_erfcx, Range{-10, 30});
    BOTH(normcdf, 5, 5, exact_normcdf, Range{-38, 9});
    add_inverse<float>("erfinvf", 2, __nv_erfinvf, of(mpfr_erf), 1, false, Range{-1, 1});
    add_inverse<double>("erfinv", 5, __nv_erfinv, of(mpfr_erf), 1, false, Range{-1, 1});
    add_inverse<float>("erfcinvf", 4, __nv_erfcinvf, of(mpfr_erfc), -1, false, Range{0, 2});
    add_inverse<double>("erfcinv", 6, __nv_erfcinv, of(mpfr_erfc), -1, false, Range{0, 2});
    add_inverse<float>("normcdfinvf", 5, __nv_normcdfinvf, exact_normcdf, 1, true, Range{0, 1});
    add_inverse<double>("normcdfinv", 8, __nv_normcdfinv, exact_normcdf, 1, true, Range{0, 1});
}

void gammas() {
    BOTH(tgamma, 5, 10, of(mpfr_gamma), Range{-40, 36});
    add1<double>("tgamma", 10, __nv_tgamma, of(mpfr_gamma), Range{-186, 172}, nullptr, "to the ends");
    Exact1 lgamma = [](Big &y, const Big &x) {
        int sign;
        mpfr_lgamma(y.v, &sign, x.v, MPFR_RNDN);
    };
    add1<float>(
        "lgammaf", 6, __nv_lgammaf, lgamma, Range{-30, 60},
        [](float x) { return !(x > -10.001f && x < -2.264f); }, "not (-10.001, -2.264)");
    add1<double>(
        "lgamma", 4, __nv_lgamma, lgamma, Range{-60, 60},
        [](double x) { return !(x > -23.0001 && x < -2.2637); }, "not (-23.0001, -2.2637)");
}

/* Sum of (x^2 / 4)^k / (k! (k + n)!), times (x / 2)^n: all terms have one sign. */
void exact_bessel_i(Big &y, const Big &x, int n) {
    Big quarter(200), term(200), sum(200);
    if (!mpfr_number_p(x.v)) {
        mpfr_set(y.v, x.v, MPFR_RNDN);
        if (n == 0) mpfr_abs(y.v, y.v, MPFR_RNDN);
        return;
    }
    mpfr_sqr(quarter.v, x.v, MPFR_RNDN);
    mpfr_div_2ui(quarter.v, quarter.v, 2, MPFR_RNDN);
    if (n)
        mpfr_div_2ui(term.v, x.v, 1, MPFR_RNDN);
    else
        mpfr_set_ui(term.v, 1, MPFR_RNDN);
    mpfr_set(sum.v, term.v, MPFR_RNDN);
    for (int k = 1; k < 4000; k++) {
        mpfr_mul(term.v, term.v, quarter.v, MPFR_RNDN);
        mpfr_div_ui(term.v, term.v, k * (k + n), MPFR_RNDN);
        mpfr_add(sum.v, sum.v, term.v, MPFR_RNDN);
        if (mpfr_zero_p(term.v) || mpfr_get_exp(term.v) < mpfr_get_exp(sum.v) - 190) break;
    }
    mpfr_set(y.v, sum.v, MPFR_RNDN);
}

#define BESSEL(NAME, MPFR)                                                                                   \
    add1<float>(                                                                                             \
        #NAME "f", 9, __nv_##NAME##f, of(MPFR), Range{0, 8}, [](float x) { return std::fabs(x) < 8; },       \
        "\\|x\\| < 8");                                                                                      \
    add1<float>(                                                                                             \
        #NAME "f", 2.2e-6, __nv_##NAME##f, of(MPFR), Range{8, 1000},                                         \
        [](float x) { return x >= 8 && x < 1e4f; }, "x >= 8", true);                                         \
    add1<double>(                                                                                            \
        #NAME, 7, __nv_##NAME, of(MPFR), Range{0, 8}, [](double x) { return std::fabs(x) < 8; },             \
        "\\|x\\| < 8");                                                                                      \
    add1<double>(                                                                                            \
        #NAME, 5e-12, __nv_##NAME, of(MPFR), Range{8, 1000}, [](double x) { return x >= 8 && x < 1e4; },     \
        "x >= 8", true)

template <int N> double jn_of(double x) { return __nv_jn(N, x); }
template <int N> double yn_of(double x) { return __nv_yn(N, x); }
template <int N> Exact1 exact_order(int (*f)(mpfr_ptr, long, mpfr_srcptr, mpfr_rnd_t)) {
    return [f](Big &y, const Big &x) { f(y.v, N, x.v, MPFR_RNDN); };
}

void bessel() {
    BESSEL(j0, mpfr_j0);
    BESSEL(j1, mpfr_j1);
    BESSEL(y0, mpfr_y0);
    BESSEL(y1, mpfr_y1);
    auto moderate = [](double x) { return std::fabs(x) < 1000; };
    add1<double>("jn", 5e-12, jn_of<2>, exact_order<2>(mpfr_jn), Range{-40, 40}, moderate, "n = 2", true);
    add1<double>("jn", 5e-12, jn_of<-5>, exact_order<-5>(mpfr_jn), Range{-40, 40}, moderate, "n = -5", true);
    add1<double>("jn", 5e-12, jn_of<128>, exact_order<128>(mpfr_jn), Range{-300, 300}, moderate, "n = 128",
                 true);
    auto beyond = [](double x) { return x > 12 && x < 1000; };
    add1<double>("yn", 5e-12, yn_of<8>, exact_order<8>(mpfr_yn), Range{12, 100}, beyond, "n = 8, x > 1.5 n",
                 true);
    Exact1 i0 = [](Big &y, const Big &x) { exact_bessel_i(y, x, 0); },
           i1 = [](Big &y, const Big &x) { exact_bessel_i(y, x, 1); };
    auto finite = [](double x) { return !(std::fabs(x) > 1000 && std::fabs(x) < HUGE_VAL); };
    BOTH(cyl_bessel_i0, 6, 6, i0, Range{-90, 90}, finite);
    BOTH(cyl_bessel_i1, 6, 6, i1, Range{-90, 90}, finite);
}

/* Exact functions: the host's library is right to the last bit, the sign of zero included; any NaN equals any
 * other. */
template <class T> bool same(T a, T b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }
template <class T> void add_exact(const char *name, std::function<bool(T, T, int)> agrees) {
    auto measure = [=](int count) {
        Measured m = {0, {}};
        Sequence s(7);
        for (int i = 0; i < 4 * count; i++) {
            T a = pick<T>(s, Range{-100, 100}), b = pick<T>(s, Range{-3, 3});
            int k = (int)(s.next() % 4400) - 2200;
            if (!agrees(a, b, k)) note(m, WRONG, (double)a, (double)b, k);
        }
        return m;
    };
    rows.push_back(Row{name, "", 0, false, measure});
}
#define EXACT1(NAME)                                                                                         \
    add_exact<float>(#NAME "f", [](float a, float, int) { return same(__nv_##NAME##f(a), ::NAME##f(a)); });  \
    add_exact<double>(#NAME, [](double a, double, int) { return same(__nv_##NAME(a), ::NAME(a)); })
#define EXACT2(NAME)                                                                                         \
    add_exact<float>(#NAME "f",                                                                              \
                     [](float a, float b, int) { return same(__nv_##NAME##f(a, b), ::NAME##f(a, b)); });     \
    add_exact<double>(#NAME, [](double a, double b, int) { return same(__nv_##NAME(a, b), ::NAME(a, b)); })

template <class T> bool remquo_agrees(T a, T b, T (*ours)(T, T, int *), T (*theirs)(T, T, int *)) {
    int p = 0, q = 0;
    T x = ours(a, b, &p), y = theirs(a, b, &q);
    return same(x, y) &&
           (y != y || (p & 7) == (std::abs(q) & 7) * (q < 0 ? -1 : 1) || std::abs(p) == (std::abs(q) & 7));
}
template <class T> bool frexp_agrees(T a, T (*ours)(T, int *), T (*theirs)(T, int *)) {
    int p = 0, q = 0;
    T x = ours(a, &p), y = theirs(a, &q);
    return same(x, y) && (std::isinf(a) || a != a || p == q);
}
template <class T> bool modf_agrees(T a, T (*ours)(T, T *), T (*theirs)(T, T *)) {
    T p, q, x = ours(a, &p), y = theirs(a, &q);
    return same(x, y) && same(p, q);
}

void exact_functions() {
    EXACT1(ceil);
    EXACT1(floor);
    EXACT1(trunc);
    EXACT1(rint);
    EXACT1(round);
    EXACT1(sqrt);
    EXACT1(logb);
    EXACT2(fdim);
    EXACT2(fmod);
    EXACT2(remainder);
    EXACT2(nextafter);
    add_exact<float>(
        "remquof", [](float a, float b, int) { return remquo_agrees<float>(a, b, __nv_remquof, ::remquof); });
    add_exact<double>(
        "remquo", [](double a, double b, int) { return remquo_agrees<double>(a, b, __nv_remquo, ::remquo); });
    add_exact<float>("frexpf",
                     [](float a, float, int) { return frexp_agrees<float>(a, __nv_frexpf, ::frexpf); });
    add_exact<double>("frexp",
                      [](double a, double, int) { return frexp_agrees<double>(a, __nv_frexp, ::frexp); });
    add_exact<float>("modff", [](float a, float, int) { return modf_agrees<float>(a, __nv_modff, ::modff); });
    add_exact<double>("modf",
                      [](double a, double, int) { return modf_agrees<double>(a, __nv_modf, ::modf); });
    add_exact<float>("ldexpf", [](float a, float, int k) { return same(__nv_ldexpf(a, k), ::ldexpf(a, k)); });
    add_exact<double>("ldexp", [](double a, double, int k) { return same(__nv_ldexp(a, k), ::ldexp(a, k)); });
    add_exact<float>("ilogbf", [](float a, float, int) {
        return a == 0 || !std::isfinite(a) || __nv_ilogbf(a) == ::ilogbf(a);
    });
    add_exact<double>("ilogb", [](double a, double, int) {
        return a == 0 || !std::isfinite(a) || __nv_ilogb(a) == ::ilogb(a);
    });
    add_exact<float>("llroundf", [](float a, float, int) {
        return !(std::fabs(a) < 9e18f) || __nv_llroundf(a) == ::llroundf(a);
    });
    add_exact<double>("llrint", [](double a, double, int) {
        return !(std::fabs(a) < 9e18) || __nv_llrint(a) == ::llrint(a);
    });
}

} // namespace

const std::vector<Row> &math_rows() {
    if (rows.empty()) {
        elementary();
        circular();
        roots();
        error_functions();
        gammas();
        bessel();
        exact_functions();
    }
    return rows;
}
