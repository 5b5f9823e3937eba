#!/usr/bin/env python3
"""fit.py: makes include/warpglass/math/polynomials.h and bessel_polynomials.h, the polynomials of the device
mathematical functions.

Each row of FITS is a smooth function on an interval, already freed of what a polynomial does badly (exponents, poles,
zeros: the .h that uses it says how). It is interpolated at Chebyshev points in 60-digit arithmetic, which is within a
small factor of the best polynomial of its degree, turned into powers of the variable and rounded. The script prints the
error that remains before rounding, relative to the function, in bits: it has to lie below the rounding errors that the
function may make, and tests/device measures the sum of both against MPFR.

Needs mpmath:   for f in polynomials bessel_polynomials; do python3 fit.py $f > ../include/warpglass/math/$f.h; done
"""
import sys
from mpmath import mp, mpf
import mpmath as m
import special

mp.dps = 60
FITS = []


def fit(name, kind, low, high, degree, function, doc, centre=0, scale=1):
    """A polynomial of t = (x - centre) / scale, for x in [low, high]; kind: "double" or "float"."""
    FITS.append((name, kind, mpf(low), mpf(high), degree, function, doc, mpf(centre), mpf(scale)))


def chebyshev_coefficients(function, low, high, degree):
    n = degree + 1
    nodes = [m.cos(m.pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    values = [function((high + low) / 2 + (high - low) / 2 * t) for t in nodes]
    result = []
    for j in range(n):
        s = m.fsum(values[k] * m.cos(j * m.pi * (2 * k + 1) / (2 * n)) for k in range(n))
        result.append(s * (1 if j == 0 else 2) / n)
    return result


def to_powers(cheb, low, high, centre, scale):
    """Chebyshev series over [low, high] to coefficients of ((x - centre) / scale)^i."""
    a, b = 2 * scale / (high - low), (2 * centre - high - low) / (high - low)  # u = a * t + b, u in [-1, 1]
    u = [b, a]

    def add(p, q, f=1):
        r = [mpf(0)] * max(len(p), len(q))
        for i, c in enumerate(p):
            r[i] += c
        for i, c in enumerate(q):
            r[i] += f * c
        return r

    def multiply(p, q):
        r = [mpf(0)] * (len(p) + len(q) - 1)
        for i, c in enumerate(p):
            for j, d in enumerate(q):
                r[i + j] += c * d
        return r

    before, now = [mpf(1)], u
    total = [cheb[0]]
    if len(cheb) > 1:
        total = add(total, now, cheb[1])
    for c in cheb[2:]:
        before, now = now, add([2 * d for d in multiply(u, now)], before, -1)
        total = add(total, now, c)
    return total


def literal(value, kind):
    if kind == "float":
        with m.workprec(24):
            return float(+value).hex() + "f"
    return float(value).hex()


def emit(row):
    name, kind, low, high, degree, function, doc, centre, scale = row
    powers = to_powers(chebyshev_coefficients(function, low, high, degree), low, high, centre, scale)
    worst = mpf(0)
    for k in range(201):
        x = low + (high - low) * k / 200
        t, y = (x - centre) / scale, function(x)
        error = abs(m.polyval(powers[::-1], t) - y)
        worst = max(worst, error / abs(y) if y else error)
    bits = float(-m.log(worst, 2)) if worst else 99.0
    print("%-24s degree %2d: 2^-%.1f" % (name, degree, bits), file=sys.stderr)
    suffix = "f" if kind == "float" else ""
    print("/* %s Error 2^-%.1f. */" % (doc, bits))
    print("WG_MATH_FN %s wg_poly_%s(%s __t) {" % (kind, name, kind))
    print("    %s __p = %s;" % (kind, literal(powers[-1], kind)))
    for c in powers[-2::-1]:
        print("    __p = __builtin_fma%s(__p, __t, %s);" % (suffix, literal(c, kind)))
    print("    return __p;")
    print("}\n")


def series(function, direct, small=mpf("1e-8")):
    """function(x), but its limit direct(x) where the formula would lose digits."""
    return lambda x: direct(x) if abs(x) < small else function(x)


LN2, LN10, PI = m.log(2), m.log(10), m.pi

# Exponentials: |r| <= ln 2 / 2 (base e), 1/2 (base 2), log10(2) / 2 (base 10).
for kind, deg in (("double", 10), ("float", 5)):
    s = "_f" if kind == "float" else ""
    fit("exp" + s, kind, -LN2 / 2 - mpf("1e-4"), LN2 / 2 + mpf("1e-4"), deg,
        series(lambda r: (m.expm1(r) - r) / r**2, lambda r: mpf(1) / 2 + r / 6),
        "(exp(r) - 1 - r) / r^2.")
fit("exp2_f", "float", -0.5, 0.5, 5, series(lambda r: m.expm1(r * LN2) / r, lambda r: LN2 + r * LN2**2 / 2),
    "(2^r - 1) / r.")
fit("exp2_pow", "double", -0.5, 0.5, 7, lambda r: mpf(2)**r, "2^r, for powf.")

# Logarithms.
fit("atanh", "double", 0, mpf("0.02945"), 6,
    series(lambda z: ((m.atanh(m.sqrt(z)) / m.sqrt(z) - 1) / z), lambda z: mpf(1) / 3 + z / 5),
    "(atanh(s) / s - 1) / s^2 of z = s^2, for |s| <= 3 - 2 sqrt(2).")
fit("atanh_tail", "double", 0, mpf("0.02945"), 7,
    series(lambda z: ((m.atanh(m.sqrt(z)) / m.sqrt(z) - 1) / z - mpf(1) / 3) / z, lambda z: mpf(1) / 5 + z / 7, mpf("1e-6")),
    "((atanh(s) / s - 1) / s^2 - 1/3) / s^2 of z = s^2: what follows the two terms that pow adds in double-double.")
fit("log_f", "float", mpf(-1) / 3 - mpf("1e-6"), mpf(1) / 3 + mpf("1e-6"), 9,
    series(lambda f: (m.log1p(f) - f) / f**2, lambda f: mpf(-1) / 2 + f / 3, mpf("1e-12")), "(log(1 + f) - f) / f^2.")
fit("log2_f", "float", mpf(-1) / 3 - mpf("1e-6"), mpf(1) / 3 + mpf("1e-6"), 9,
    series(lambda f: (m.log1p(f) - f) / f**2 / LN2, lambda f: (mpf(-1) / 2 + f / 3) / LN2, mpf("1e-12")),
    "(log2(1 + f) - f log2(e)) / f^2.")
fit("log2_pow", "double", mpf(-1) / 3 - mpf("1e-6"), mpf(1) / 3 + mpf("1e-6"), 14,
    series(lambda f: m.log1p(f) / f / LN2, lambda f: (1 - f / 2) / LN2, mpf("1e-12")), "log2(1 + f) / f, for powf.")

# Circular functions on [-pi/4, pi/4], as polynomials of z = r^2.
Q = (PI / 4)**2 + mpf("1e-4")
for kind, ds, dc in (("double", 5, 5), ("float", 3, 3)):
    s = "_f" if kind == "float" else ""
    fit("sin" + s, kind, 0, Q, ds, series(lambda z: (m.sin(m.sqrt(z)) / m.sqrt(z) - 1) / z, lambda z: mpf(-1) / 6 + z / 120),
        "(sin(r) / r - 1) / r^2 of z = r^2.")
    fit("cos" + s, kind, 0, Q, dc, series(lambda z: (m.cos(m.sqrt(z)) - 1 + z / 2) / z**2, lambda z: mpf(1) / 24 - z / 720),
        "(cos(r) - 1 + r^2 / 2) / r^4 of z = r^2.")

# Inverse circular functions.
fit("asin", "double", 0, mpf("0.25"), 12,
    series(lambda z: (m.asin(m.sqrt(z)) / m.sqrt(z) - 1) / z, lambda z: mpf(1) / 6 + 3 * z / 40),
    "(asin(x) / x - 1) / x^2 of z = x^2, for |x| <= 1/2.")
fit("asin_f", "float", 0, mpf("0.25"), 4,
    series(lambda z: (m.asin(m.sqrt(z)) / m.sqrt(z) - 1) / z, lambda z: mpf(1) / 6 + 3 * z / 40),
    "(asin(x) / x - 1) / x^2 of z = x^2, for |x| <= 1/2.")
T8 = (m.sqrt(2) - 1)**2 + mpf("1e-5")
fit("atan", "double", 0, T8, 11, series(lambda z: (m.atan(m.sqrt(z)) / m.sqrt(z) - 1) / z, lambda z: mpf(-1) / 3 + z / 5),
    "(atan(t) / t - 1) / t^2 of z = t^2, for |t| <= sqrt(2) - 1.")
fit("atan_f", "float", 0, 1, 8, series(lambda z: (m.atan(m.sqrt(z)) / m.sqrt(z) - 1) / z, lambda z: mpf(-1) / 3 + z / 5),
    "(atan(t) / t - 1) / t^2 of z = t^2, for |t| <= 1.")

# Roots.
fit("cbrt", "double", 1, 8, 5, lambda x: x**(mpf(-1) / 3), "First guess of 1 / cbrt(x), x in [1, 8).", centre=4)

# Hyperbolic tangent near 0.
fit("tanh_f", "float", 0, mpf("0.3025") + mpf("0.001"), 4,
    series(lambda z: (m.tanh(m.sqrt(z)) / m.sqrt(z) - 1) / z, lambda z: mpf(-1) / 3 + 2 * z / 15),
    "(tanh(x) / x - 1) / x^2 of z = x^2, for |x| <= 0.55.")


special.add_rows(fit)
FILES = {"polynomials": (FITS[:], "the polynomials of the device mathematical functions")}
FITS.clear()
special.add_bessel_rows(fit)
FILES["bessel_polynomials"] = (FITS, "the polynomials of the device's Bessel functions")

if __name__ == "__main__":
    rows, what = FILES[sys.argv[1]]
    print("""/* %s.h: %s. Made by device/fit/fit.py;
 * do not edit.
 *
 * Each is Horner's scheme in fused multiply-adds, lowest power last. What the variable is and what stands
 * around the polynomial is told where it is used. "Error" is the polynomial's own, relative, before rounding.
 */
#ifndef WARPGLASS_MATH_%s_H
#define WARPGLASS_MATH_%s_H

#include "primitives.h"

/* clang-format off */""" % (sys.argv[1], what, sys.argv[1].upper(), sys.argv[1].upper()))
    for row in rows:
        emit(row)
    print("/* clang-format on */\n\n#endif")
