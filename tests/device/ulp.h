/* ulp.h: how far a computed number is from the exact one, in units of the last place; and inputs worth
 * trying.
 *
 * Used by math_test.cc and math_rows.cc. The exact value comes from MPFR with 160 bits and MPFR's own
 * exponent range; the unit is that of the exact value in the computed type, never below the smallest
 * subnormal. A NaN, an infinity or a zero has to be one on both sides, the zero with its sign; an overflow
 * may fall on either side within the bound.
 */
#ifndef WARPGLASS_TESTS_ULP_H
#define WARPGLASS_TESTS_ULP_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <mpfr.h>
#include <vector>

template <class T> struct Format;
template <> struct Format<double> {
    typedef uint64_t Bits;
    static const int digits = 53, least_exponent = -1074, most_exponent = 1024;
};
template <> struct Format<float> {
    typedef uint32_t Bits;
    static const int digits = 24, least_exponent = -149, most_exponent = 128;
};

/* A multiple-precision number that frees itself. */
struct Big {
    mpfr_t v;
    Big(int bits = 160) { mpfr_init2(v, bits); }
    Big(double x, int bits) {
        mpfr_init2(v, bits);
        mpfr_set_d(v, x, MPFR_RNDN);
    }
    ~Big() { mpfr_clear(v); }
    Big(const Big &) = delete;
    Big &operator=(const Big &) = delete;
};

const double WRONG = 1e30; /* an error that no bound allows: another kind of number than it should be */

/* Does T have an exact value beyond its largest number? Then infinity is what rounding gives. */
template <class T> bool overflows(const Big &exact) {
    return mpfr_number_p(exact.v) && !mpfr_zero_p(exact.v) &&
           mpfr_get_exp(exact.v) > Format<T>::most_exponent;
}

template <class T> double ulps(T computed, const Big &exact) {
    if (mpfr_nan_p(exact.v)) return std::isnan(computed) ? 0 : WRONG;
    if (std::isnan(computed)) return WRONG;
    if (mpfr_inf_p(exact.v))
        return std::isinf(computed) && std::signbit(computed) == !!mpfr_signbit(exact.v) ? 0 : WRONG;
    if (mpfr_zero_p(exact.v))
        return computed == 0 && std::signbit(computed) == !!mpfr_signbit(exact.v) ? 0 : WRONG;
    /* Infinity stands for the number that would come after the largest. */
    Big difference, unit;
    if (std::isinf(computed))
        mpfr_set_si_2exp(difference.v, computed > 0 ? 1 : -1, Format<T>::most_exponent, MPFR_RNDN);
    else
        mpfr_set_d(difference.v, (double)computed, MPFR_RNDN);
    if (std::isinf(computed) && overflows<T>(exact) && (computed > 0) == (mpfr_sgn(exact.v) > 0)) return 0;
    mpfr_sub(difference.v, difference.v, exact.v, MPFR_RNDN);
    long exponent = mpfr_get_exp(exact.v) - Format<T>::digits;
    if (exponent < Format<T>::least_exponent) exponent = Format<T>::least_exponent;
    if (exponent > Format<T>::most_exponent - Format<T>::digits)
        exponent = Format<T>::most_exponent - Format<T>::digits;
    mpfr_set_si_2exp(unit.v, 1, exponent, MPFR_RNDN);
    mpfr_div(difference.v, difference.v, unit.v, MPFR_RNDN);
    return std::fabs(mpfr_get_d(difference.v, MPFR_RNDN));
}

/* A fixed sequence of numbers (splitmix64): every run tries the same. */
struct Sequence {
    uint64_t state;
    explicit Sequence(uint64_t seed) : state(seed) {}
    uint64_t next() {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    double unit() { return (double)(next() >> 11) * 0x1p-53; }
};

/* Where a function is interesting: most inputs come from [low, high], spread evenly or by exponent. */
struct Range {
    double low, high;
};

template <class T> T from_bits(uint64_t bits) {
    typename Format<T>::Bits narrow = (typename Format<T>::Bits)bits;
    T x;
    memcpy(&x, &narrow, sizeof x);
    return x;
}

template <class T> const std::vector<double> &edges() {
    static const std::vector<double> list = [] {
        std::vector<double> v = {0.0,
                                 0x1p-149,
                                 0x1p-1074,
                                 0x1p-126,
                                 0x1p-1022,
                                 0x1p-60,
                                 0x1p-30,
                                 0x1p-27,
                                 0x1p-25,
                                 0.25,
                                 0.5,
                                 0.55,
                                 1.0,
                                 1.5,
                                 2.0,
                                 2.5,
                                 3.0,
                                 4.0,
                                 5.0,
                                 8.0,
                                 10.0,
                                 16.0,
                                 0x1p17,
                                 0x1p24,
                                 0x1p30,
                                 0x1p31,
                                 0x1p52,
                                 0x1p53,
                                 0x1p62,
                                 0x1p63,
                                 0x1p100,
                                 0x1p1000,
                                 88.7,
                                 89.0,
                                 103.9,
                                 709.7,
                                 745.1,
                                 1e22,
                                 0x1.fffffep127,
                                 0x1.fffffffffffffp1023,
                                 HUGE_VAL,
                                 M_PI,
                                 M_PI_2,
                                 M_PI_4,
                                 M_SQRT1_2,
                                 M_LN2};
        std::vector<double> all = {NAN};
        for (double x : v)
            for (double sign : {1.0, -1.0}) {
                T t = (T)(sign * x);
                all.push_back(t);
                all.push_back(std::nextafter(t, (T)HUGE_VAL));
                all.push_back(std::nextafter(t, (T)-HUGE_VAL));
            }
        return all;
    }();
    return list;
}

template <class T> T pick(Sequence &s, Range range) {
    unsigned way = s.next() % 16;
    if (way == 0) return (T)edges<T>()[s.next() % edges<T>().size()];
    if (way == 1) return from_bits<T>(s.next());
    double x = range.low + (range.high - range.low) * s.unit();
    if (way < 6)
        x *= std::pow(2.0, -60 * s.unit()); /* toward 0 */
    else if (way == 6)
        x = range.low + (range.high - range.low) * std::pow(2.0, -60 * s.unit()); /* toward the ends */
    else if (way == 7)
        x = range.high - (range.high - range.low) * std::pow(2.0, -60 * s.unit());
    else if (way == 8)
        x = std::rint(x) + (x - std::rint(x)) * 0x1p-20; /* by integers */
    else if (way == 9)
        x = std::rint(x / M_PI_2) * M_PI_2; /* by quadrants */
    else if (way == 10)
        x = std::rint(2 * x) / 2;
    return (T)x;
}

#endif
