/* Exact arithmetic for expectations: sign, 128-bit integer, power of two, and a sticky bit. */
#include "cases.h"
#include <stddef.h>

typedef unsigned __int128 u128;

const struct format *format_of(enum wg_type t) {
    static const struct format f16 = {10, 15, 0, 16}, bf16 = {7, 127, 0, 16}, tf32 = {10, 127, 13, 32},
                               f32 = {23, 127, 0, 32}, f64 = {52, 1023, 0, 64};
    switch (t) {
    case WG_T_F16:
    case WG_T_F16X2: return &f16;
    case WG_T_BF16:
    case WG_T_BF16X2: return &bf16;
    case WG_T_TF32: return &tf32;
    case WG_T_F32: return &f32;
    case WG_T_F64: return &f64;
    default: return NULL;
    }
}

static int top_field(const struct format *f) { return 2 * f->bias + 1; }

struct exact exact_from(enum wg_type t, uint64_t bits) {
    const struct format *f = format_of(t);
    if (!f) { /* an integer */
        int64_t v = as_signed(bits, wg_type_bits(t));
        bool negative = wg_type_kind(t) == WG_K_S && v < 0;
        return (struct exact){.negative = negative, .mant = negative ? 0 - (uint64_t)v : bits};
    }
    struct exact x = {.negative = bits >> (f->bits - 1) & 1};
    int field = (int)(bits >> (f->fraction + f->shift)) & top_field(f);
    uint64_t fraction = low_bits(bits >> f->shift, f->fraction);
    if (field == top_field(f)) {
        x.nan = low_bits(bits, f->fraction + f->shift) != 0;
        x.infinite = !x.nan;
        return x;
    }
    x.mant = field ? fraction | 1ull << f->fraction : fraction;
    x.exp = (field ? field : 1) - f->bias - f->fraction;
    return x;
}

static int bit_length(u128 v) {
    uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* The same number with its leading one at bit 119 or above: room for a cut below, and for a carry above. */
static struct exact normalised(struct exact x) {
    int n = 120 - bit_length(x.mant);
    if (n <= 0) return x;
    x.mant <<= n;
    x.exp -= n;
    return x;
}

/* mant without its low n bits, rounded. */
static u128 cut(struct exact x, int n, enum wg_mod rounding) {
    u128 kept = n > 127 ? 0 : x.mant >> n, rest = n > 127 ? x.mant : x.mant & (((u128)1 << n) - 1);
    u128 half = n == 0 ? 0 : n > 127 ? ~(u128)0 : (u128)1 << (n - 1);
    bool inexact = rest || x.sticky;
    switch (rounding) {
    case WG_M_rz:
    case WG_M_rzi: return kept;
    case WG_M_rm:
    case WG_M_rmi: return kept + (inexact && x.negative);
    case WG_M_rp:
    case WG_M_rpi: return kept + (inexact && !x.negative);
    case WG_M_rna: return kept + (n > 0 && rest >= half);
    default:
        if (n == 0 || rest < half) return kept;
        return kept + (rest > half || x.sticky || (kept & 1));
    }
}

struct exact exact_whole(struct exact x, enum wg_mod rounding) {
    if (x.nan || x.infinite || x.exp >= 0) return x;
    x.mant = cut(x, -x.exp, rounding);
    x.exp = 0;
    x.sticky = false;
    return x;
}

uint64_t exact_round(struct exact x, enum wg_type t, enum wg_mod rounding) {
    const struct format *f = format_of(t);
    uint64_t sign = x.negative ? 1ull << (f->bits - 1) : 0;
    uint64_t infinity = (uint64_t)top_field(f) << (f->fraction + f->shift);
    if (x.nan) return (1ull << (f->bits - 1)) - 1;
    if (x.infinite) return sign | infinity;
    if (!x.mant) return sign;
    x = normalised(x);
    int least = 1 - f->bias - f->fraction, exp = x.exp + bit_length(x.mant) - 1 - f->fraction;
    if (exp < least) exp = least;
    uint64_t m = (uint64_t)cut(x, exp - x.exp, rounding);
    uint64_t field = (uint64_t)(exp - least);
    uint64_t bits = (field << f->fraction) + m; /* a hidden one counts as one exponent, a carry too */
    if (bits >= (uint64_t)top_field(f) << f->fraction) {
        bool to_greatest = rounding == WG_M_rz || (rounding == WG_M_rm && !x.negative) ||
                           (rounding == WG_M_rp && x.negative);
        return sign | (to_greatest ? infinity - (1ull << f->shift) : infinity);
    }
    return sign | bits << f->shift;
}

struct exact exact_mul(struct exact x, struct exact y) {
    struct exact r = {.negative = x.negative != y.negative, .mant = x.mant * y.mant, .exp = x.exp + y.exp};
    bool x0 = !x.infinite && !x.nan && !x.mant, y0 = !y.infinite && !y.nan && !y.mant;
    r.nan = x.nan || y.nan || (x.infinite && y0) || (y.infinite && x0);
    r.infinite = !r.nan && (x.infinite || y.infinite);
    return r;
}

/* Operands of at most 53 bits; a far smaller one becomes a sticky bit. */
struct exact exact_add(struct exact x, struct exact y) {
    if (x.nan || y.nan || (x.infinite && y.infinite && x.negative != y.negative))
        return (struct exact){.nan = true};
    if (x.infinite) return x;
    if (y.infinite) return y;
    if (!x.mant && !y.mant) return (struct exact){.negative = x.negative && y.negative};
    if (!x.mant) return y;
    if (!y.mant) return x;
    x = normalised(x);
    y = normalised(y);
    if (x.exp < y.exp) {
        struct exact t = x;
        x = y;
        y = t;
    }
    int gap = x.exp - y.exp;
    u128 small = gap > 119 ? 0 : y.mant >> gap;
    bool lost = gap > 119 || (small << gap) != y.mant;
    if (x.negative == y.negative)
        return (struct exact){.negative = x.negative, .mant = x.mant + small, .exp = x.exp, .sticky = lost};
    if (x.mant == small && !lost) return (struct exact){0};
    if (x.mant < small || (x.mant == small && lost)) { /* only with equal exponents: nothing is lost */
        return (struct exact){.negative = y.negative, .mant = small - x.mant, .exp = x.exp};
    }
    /* A bit less than the difference is a bit more than the difference minus one. */
    return (struct exact){
        .negative = x.negative, .mant = x.mant - small - lost, .exp = x.exp, .sticky = lost};
}

bool bits_are_nan(enum wg_type t, uint64_t bits) { return format_of(t) && exact_from(t, bits).nan; }

uint64_t bits_flush(enum wg_type t, uint64_t bits) {
    const struct format *f = format_of(t);
    int field = (int)(bits >> (f->fraction + f->shift)) & top_field(f);
    return field ? bits : bits & (1ull << (f->bits - 1));
}
