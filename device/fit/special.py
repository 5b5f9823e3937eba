"""special.py: rows of fit.py for the functions beyond the elementary: error functions, gamma, Bessel."""
import mpmath as m
from mpmath import mpf


def erfcinv(y):
    """Inverse of erfc by Newton's method, for y down to e^-800: mpmath has erfinv only."""
    x = m.sqrt(-m.log(y * m.sqrt(-m.log(y)))) if y < 0.3 else m.erfinv(1 - y)
    for _ in range(60):
        e = m.erfc(x)
        step = (e - y) / (2 / m.sqrt(m.pi) * m.exp(-x * x))
        step = step / (1 + x * step)  # Halley
        x += step
        if abs(step) < abs(x) * mpf(10)**-45:
            return x
    raise ArithmeticError("erfcinv did not converge")


def erfinv_of_w(w):
    """erfinv(x) / x where w = -log(1 - x^2)."""
    if w < mpf("1e-10"):
        return m.sqrt(m.pi) / 2 * (1 + m.pi * w / 12)
    x = m.sqrt(-m.expm1(-w))
    return erfcinv(m.exp(-w) / (1 + x)) / x


def bessel_asymptotic(n, part):
    """P (even part) or x Q (odd part) of Hankel's expansion as a function of z = 1 / x^2."""
    def function(z):
        if z < mpf("1e-12"):
            mu = mpf(4 * n * n)
            return mpf(1) if part == "p" else (mu - 1) / 8
        x = 1 / m.sqrt(z)
        chi = x - m.pi / 4 - n * m.pi / 2
        j, y, f = m.besselj(n, x), m.bessely(n, x), m.sqrt(m.pi * x / 2)
        if part == "p":
            return f * (j * m.cos(chi) + y * m.sin(chi))
        return x * f * (y * m.cos(chi) - j * m.sin(chi))
    return function


def log_free_y(n, zero):
    """What is left of Y_n when its logarithm and its first zero are taken out; of z = x^2."""
    def function(z):
        if z < mpf("1e-16"):
            z = mpf("1e-16")
        x = m.sqrt(z)
        rest = m.bessely(n, x) - 2 / m.pi * m.log(x / zero) * m.besselj(n, x)
        return (rest * x if n else rest) / (z - zero * zero)
    return function


def without_zero(function, zero):
    def quotient(x):
        d = x - zero
        return m.diff(function, zero) if abs(d) < mpf("1e-20") else function(x) / d
    return quotient


def add_rows(fit):
    # Error functions.
    fit("erf", "double", 0, 1, 11, lambda z: m.erf(m.sqrt(z)) / m.sqrt(z) - 1 if z else 2 / m.sqrt(m.pi) - 1,
        "erf(x) / x - 1 of z = x^2, for |x| <= 1.")
    fit("erfcx", "double", -1, 1, 24,
        lambda q: 2 / m.sqrt(m.pi) if q > 1 - mpf("1e-20") else
        (lambda x: (1 + 2 * x) * (m.exp(x * x) * m.erfc(x) if x < 200 else m.hyperu(mpf(1) / 2, mpf(1) / 2, x * x) / m.sqrt(m.pi)))(4 * (1 + q) / (1 - q)),
        "(1 + 2 x) exp(x^2) erfc(x) of q = (x - 4) / (x + 4), for x >= 0.")
    fit("erf_f", "float", 0, mpf("0.86"), 5, lambda z: m.erf(m.sqrt(z)) / m.sqrt(z) - 1 if z else 2 / m.sqrt(m.pi) - 1,
        "erf(x) / x - 1 of z = x^2, for |x| <= 0.925.")
    fit("erf_tail_f", "float", mpf("0.92"), 4, 8, lambda x: m.log(m.erfc(x)) / x, "log(1 - erf(x)) / x, for x in [0.92, 4].",
        centre=0)
    fit("erfinv_small", "double", 0, mpf("0.25"), 14,
        lambda z: erfinv_of_w(-m.log1p(-z)), "erfinv(x) / x of z = x^2, |x| <= 1/2.")
    fit("erfinv_centre", "double", mpf("0.28"), mpf("6.25"), 22, erfinv_of_w, "erfinv(x) / x of w = -log(1 - x^2) <= 6.25.",
        centre=mpf("3.125"))
    fit("erfinv_middle", "double", mpf("2.5"), 4, 18, lambda s: erfinv_of_w(s * s),
        "erfinv(x) / x of s = sqrt(-log(1 - x^2)) in [2.5, 4].", centre=mpf("3.25"))
    fit("erfinv_far", "double", 4, mpf("6.4"), 18, lambda s: erfinv_of_w(s * s),
        "erfinv(x) / x of s = sqrt(-log(1 - x^2)) in [4, 6.4].", centre=mpf("5.2"))
    fit("erfinv_tail", "double", 1 / mpf("27.5"), 1 / mpf("6.4"), 23, lambda v: erfinv_of_w(1 / v**2) * v,
        "erfinv(x) / s of 1 / s, s = sqrt(-log(1 - x^2)) in [6.4, 27.5].", centre=mpf("0.0963"))

    # Gamma functions.
    fit("rgamma", "double", 1, 2, 14, lambda x: m.rgamma(x), "1 / gamma(x), x in [1, 2].", centre=mpf("1.5"))
    fit("lgamma_1_2", "double", 1, 2, 20,
        lambda x: m.euler if x == 1 else (1 - m.euler) if x == 2 else m.loggamma(x) / ((x - 1) * (x - 2)),
        "log(gamma(x)) / ((x - 1) (x - 2)), x in [1, 2].", centre=mpf("1.5"))
    fit("lgamma_2_3", "double", 2, 3, 15, lambda x: 1 - m.euler if x == 2 else m.loggamma(x) / (x - 2),
        "log(gamma(x)) / (x - 2), x in [2, 3].", centre=mpf("2.5"))
    fit("stirling", "double", 0, mpf(1) / 100, 6,
        lambda z: mpf(1) / 12 - z / 360 if z < mpf("1e-12") else
        (lambda x: x * (m.loggamma(x) - (x - mpf(1) / 2) * m.log(x) + x - m.log(2 * m.pi) / 2))(1 / m.sqrt(z)),
        "x (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi) / 2) of z = 1 / x^2, x >= 10.")


def add_bessel_rows(fit):
    j0 = [m.besseljzero(0, k) for k in (1, 2)]
    j1 = [m.besseljzero(1, k) for k in (1, 2)]
    y0 = [m.besselyzero(0, k) for k in (1, 2, 3)]
    y1 = [m.besselyzero(1, k) for k in (1, 2)]
    J = lambda n: (lambda x: m.besselj(n, x))
    Y = lambda n: (lambda x: m.bessely(n, x))
    fit("j0_0_4", "double", 0, 4, 17, without_zero(J(0), j0[0]), "J0(x) / (x - its zero), x in [0, 4].", centre=2, scale=2)
    fit("j0_4_8", "double", 4, 8, 17, without_zero(J(0), j0[1]), "J0(x) / (x - its zero), x in [4, 8].", centre=6, scale=2)
    fit("j1_0_2", "double", 0, 4, 8, lambda z: J(1)(m.sqrt(z)) / m.sqrt(z) if z else mpf(1) / 2,
        "J1(x) / x of z = x^2, x <= 2.")
    fit("j1_2_5", "double", 2, mpf("5.5"), 16, without_zero(J(1), j1[0]), "J1(x) / (x - its zero), x in [2, 5.5].",
        centre=mpf("3.75"), scale=mpf("1.75"))
    fit("j1_5_8", "double", mpf("5.5"), 8, 15, without_zero(J(1), j1[1]), "J1(x) / (x - its zero), x in [5.5, 8].",
        centre=mpf("6.75"), scale=mpf("1.25"))
    fit("y0_0_2", "double", 0, 4, 9, log_free_y(0, y0[0]),
        "(Y0(x) - 2/pi log(x / zero) J0(x)) / (x^2 - zero^2) of z = x^2, x <= 2.")
    fit("y0_2_4", "double", 2, mpf("4.5"), 22, without_zero(Y(0), y0[1]), "Y0(x) / (x - its zero), x in [2, 4.5].",
        centre=mpf("3.25"), scale=mpf("1.25"))
    fit("y0_4_8", "double", mpf("4.5"), 8, 20, without_zero(Y(0), y0[2]), "Y0(x) / (x - its zero), x in [4.5, 8].",
        centre=mpf("6.25"), scale=mpf("1.75"))
    fit("y1_0_3", "double", 0, 9, 12, log_free_y(1, y1[0]),
        "x (Y1(x) - 2/pi log(x / zero) J1(x)) / (x^2 - zero^2) of z = x^2, x <= 3.")
    fit("y1_3_5", "double", 3, 5, 18, Y(1), "Y1(x), x in [3, 5].", centre=4)
    fit("y1_5_8", "double", 5, 8, 18, without_zero(Y(1), y1[1]), "Y1(x) / (x - its zero), x in [5, 8].",
        centre=mpf("6.5"), scale=mpf("1.5"))
    for n in (0, 1):
        for part in "pq":
            fit("hankel_%s%d" % (part, n), "double", 0, mpf(1) / 64, 9, bessel_asymptotic(n, part),
                "%s of J%d and Y%d for x >= 8, of z = 1 / x^2." % ("P" if part == "p" else "x Q", n, n))
    fit("i0", "double", 0, 64, 15, lambda z: m.besseli(0, m.sqrt(z)), "I0(x) of z = x^2, x <= 8.")
    fit("i1", "double", 0, 64, 14, lambda z: m.besseli(1, m.sqrt(z)) / m.sqrt(z) if z else mpf(1) / 2,
        "I1(x) / x of z = x^2, x <= 8.")
    for n in (0, 1):
        fit("i%d_far" % n, "double", mpf("1e-30"), mpf(1) / 8, 22,
            lambda v, n=n: m.besseli(n, 1 / v) * m.exp(-1 / v) / m.sqrt(v) if v > mpf("1e-4") else
            1 / m.sqrt(2 * m.pi) * m.hyp2f0(mpf(1) / 2 - n, mpf(1) / 2 + n, v / 2),
            "exp(-x) sqrt(x) I%d(x) of 1 / x, x >= 8." % n, centre=mpf(1) / 16, scale=mpf(1) / 16)
