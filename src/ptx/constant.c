/* Constant expressions: folded as they are read, with C's operators and precedence.
 *
 * Values are 64-bit: signed, unsigned (a U suffix, (.u64), or an operand that is unsigned makes it so, as in
 * C) or f64. Floats have + - * / and comparisons only. */
#include "ptx/parser.h"

#include <string.h>

static double as_f64(struct wg_ptx_value v) {
    double d;
    float f;
    switch (v.kind) {
    case WG_V_F32: {
        uint32_t b = (uint32_t)v.bits;
        memcpy(&f, &b, sizeof f);
        return (double)f;
    }
    case WG_V_F64: memcpy(&d, &v.bits, sizeof d); return d;
    default: return v.is_unsigned ? (double)v.bits : (double)(int64_t)v.bits;
    }
}

static struct wg_ptx_value f64_value(double d) {
    struct wg_ptx_value v = {.kind = WG_V_F64};
    memcpy(&v.bits, &d, sizeof d);
    return v;
}

static struct wg_ptx_value int_value(uint64_t bits, bool is_unsigned) {
    return (struct wg_ptx_value){.kind = WG_V_INT, .bits = bits, .is_unsigned = is_unsigned};
}

/* Out-of-range values saturate: plain conversion is undefined in C. */
static uint64_t f64_to_int(double d, bool u) {
    if (d != d) return 0;
    if (u) return d <= 0 ? 0 : d >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t)d;
    if (d >= 9223372036854775808.0) return INT64_MAX;
    return d < -9223372036854775808.0 ? (uint64_t)INT64_MIN : (uint64_t)(int64_t)d;
}

static bool is_true(struct wg_ptx_value v) { return v.kind == WG_V_INT ? v.bits != 0 : as_f64(v) != 0; }

/* Binary operators by C's precedence, weakest first; 0: none. */
static int precedence(int tok) {
    switch (tok) {
    case WG_TK_OR: return 1;
    case WG_TK_AND: return 2;
    case '|': return 3;
    case '^': return 4;
    case '&': return 5;
    case WG_TK_EQ:
    case WG_TK_NE: return 6;
    case '<':
    case '>':
    case WG_TK_LE:
    case WG_TK_GE: return 7;
    case WG_TK_SHL:
    case WG_TK_SHR: return 8;
    case '+':
    case '-': return 9;
    case '*':
    case '/':
    case '%': return 10;
    default: return 0;
    }
}

static bool float_op(struct wg_parser *p, int op, double a, double b, struct wg_ptx_value *out) {
    switch (op) {
    case '+': *out = f64_value(a + b); return true;
    case '-': *out = f64_value(a - b); return true;
    case '*': *out = f64_value(a * b); return true;
    case '/': *out = f64_value(a / b); return true;
    case '<': *out = int_value(a < b, false); return true;
    case '>': *out = int_value(a > b, false); return true;
    case WG_TK_LE: *out = int_value(a <= b, false); return true;
    case WG_TK_GE: *out = int_value(a >= b, false); return true;
    case WG_TK_EQ: *out = int_value(a == b, false); return true;
    case WG_TK_NE: *out = int_value(a != b, false); return true;
    default: return wg_parse_fail(p, "this operator does not take floating-point constants");
    }
}

static bool divide(struct wg_parser *p, int op, uint64_t a, uint64_t b, bool u, struct wg_ptx_value *out) {
    if (b == 0) return wg_parse_fail(p, "division by zero in a constant expression");
    uint64_t q, r;
    if (u)
        q = a / b, r = a % b;
    else if ((int64_t)b == -1)
        q = 0 - a, r = 0; /* INT64_MIN / -1 traps on the host */
    else
        q = (uint64_t)((int64_t)a / (int64_t)b), r = (uint64_t)((int64_t)a % (int64_t)b);
    *out = int_value(op == '/' ? q : r, u);
    return true;
}

static uint64_t shift(int op, uint64_t a, uint64_t n, bool u) {
    bool fill = op == WG_TK_SHR && !u && (int64_t)a < 0;
    if (n > 63) return fill ? UINT64_MAX : 0;
    if (op == WG_TK_SHL) return a << n;
    return fill ? ~(~a >> n) : a >> n;
}

static bool int_op(struct wg_parser *p, int op, struct wg_ptx_value x, struct wg_ptx_value y,
                   struct wg_ptx_value *out) {
    bool u = x.is_unsigned || y.is_unsigned;
    uint64_t a = x.bits, b = y.bits;
    int64_t sa = (int64_t)a, sb = (int64_t)b;
    switch (op) {
    case '+': *out = int_value(a + b, u); return true;
    case '-': *out = int_value(a - b, u); return true;
    case '*': *out = int_value(a * b, u); return true;
    case '/':
    case '%': return divide(p, op, a, b, u, out);
    case '&': *out = int_value(a & b, u); return true;
    case '|': *out = int_value(a | b, u); return true;
    case '^': *out = int_value(a ^ b, u); return true;
    case WG_TK_SHL:
    case WG_TK_SHR: *out = int_value(shift(op, a, b, x.is_unsigned), x.is_unsigned); return true;
    case '<': *out = int_value(u ? a < b : sa < sb, false); return true;
    case '>': *out = int_value(u ? a > b : sa > sb, false); return true;
    case WG_TK_LE: *out = int_value(u ? a <= b : sa <= sb, false); return true;
    case WG_TK_GE: *out = int_value(u ? a >= b : sa >= sb, false); return true;
    case WG_TK_EQ: *out = int_value(a == b, false); return true;
    case WG_TK_NE: *out = int_value(a != b, false); return true;
    case WG_TK_AND: *out = int_value(a && b, false); return true;
    default: *out = int_value(a || b, false); return true;
    }
}

static bool binary(struct wg_parser *p, int op, struct wg_ptx_value a, struct wg_ptx_value b,
                   struct wg_ptx_value *out) {
    if (op == WG_TK_AND || op == WG_TK_OR) {
        *out = int_value(op == WG_TK_AND ? is_true(a) && is_true(b) : is_true(a) || is_true(b), false);
        return true;
    }
    if (a.kind == WG_V_INT && b.kind == WG_V_INT) return int_op(p, op, a, b, out);
    return float_op(p, op, as_f64(a), as_f64(b), out);
}

static bool unary(struct wg_parser *p, struct wg_ptx_value *out);

/* (.s64) x, (.u64) x, or an expression in parentheses */
static bool parenthesis(struct wg_parser *p, struct wg_ptx_value *out) {
    bool s = wg_is_dot(p, "s64"), u = wg_is_dot(p, "u64");
    if (s || u) {
        wg_advance(p);
        if (!wg_expect(p, ')', "after the type of a conversion") || !unary(p, out)) return false;
        if (out->kind != WG_V_INT) *out = int_value(f64_to_int(as_f64(*out), u), u);
        out->is_unsigned = u;
        return true;
    }
    return wg_parse_constant(p, out) && wg_expect(p, ')', "in a constant expression");
}

static bool primary(struct wg_parser *p, struct wg_ptx_value *out) {
    struct wg_token t = p->t;
    switch (t.kind) {
    case WG_TK_INT: *out = int_value(t.bits, t.is_unsigned); break;
    case WG_TK_F32: *out = (struct wg_ptx_value){.kind = WG_V_F32, .bits = t.bits}; break;
    case WG_TK_F64: *out = (struct wg_ptx_value){.kind = WG_V_F64, .bits = t.bits}; break;
    case WG_TK_IDENT:
        if (strcmp(t.name->s, "WARP_SZ") != 0) return wg_parse_fail(p, "'%s' is not a constant", t.name->s);
        *out = int_value(32, false);
        break;
    case '(': wg_advance(p); return parenthesis(p, out);
    default: return wg_parse_fail(p, "expected a constant");
    }
    wg_advance(p);
    return true;
}

static struct wg_ptx_value negative(struct wg_ptx_value v) {
    if (v.kind == WG_V_INT) return int_value(0 - v.bits, v.is_unsigned && v.bits > (uint64_t)INT64_MAX + 1);
    v.bits ^= v.kind == WG_V_F32 ? 0x80000000u : 1ull << 63;
    return v;
}

static bool unary(struct wg_parser *p, struct wg_ptx_value *out) {
    int op = p->t.kind;
    if (op != '-' && op != '+' && op != '!' && op != '~') return primary(p, out);
    wg_advance(p);
    if (!wg_deeper(p)) return false;
    bool ok = unary(p, out);
    p->depth--;
    if (!ok) return false;
    if (op == '~' && out->kind != WG_V_INT)
        return wg_parse_fail(p, "'~' does not take floating-point constants");
    if (op == '-')
        *out = negative(*out);
    else if (op == '!')
        *out = int_value(!is_true(*out), false);
    else if (op == '~')
        out->bits = ~out->bits;
    return true;
}

static bool climb(struct wg_parser *p, int weakest, struct wg_ptx_value *out) {
    if (!unary(p, out)) return false;
    for (int op, prec; (prec = precedence(op = p->t.kind)) >= weakest;) {
        struct wg_ptx_value right;
        wg_advance(p);
        if (!climb(p, prec + 1, &right) || !binary(p, op, *out, right, out)) return false;
    }
    return true;
}

bool wg_parse_term(struct wg_parser *p, struct wg_ptx_value *out) { return climb(p, precedence('*'), out); }

bool wg_parse_constant(struct wg_parser *p, struct wg_ptx_value *out) {
    if (!wg_deeper(p)) return false;
    bool ok = climb(p, 1, out);
    if (ok && p->t.kind == '?') {
        struct wg_ptx_value yes, no;
        wg_advance(p);
        ok = wg_parse_constant(p, &yes) && wg_expect(p, ':', "between the two values of '?'") &&
             wg_parse_constant(p, &no);
        if (ok) *out = is_true(*out) ? yes : no;
    }
    p->depth--;
    return ok;
}

bool wg_parse_addends(struct wg_parser *p, bool *any, int64_t *out) {
    uint64_t sum = 0;
    *any = false;
    while (p->t.kind == '+' || p->t.kind == '-') {
        bool minus = p->t.kind == '-';
        struct wg_ptx_value v;
        wg_advance(p);
        uint32_t off = p->t.off;
        if (!wg_parse_term(p, &v)) return false;
        if (v.kind != WG_V_INT) {
            wg_ptx_error(p->src, off, "an address offset is an integer");
            return false;
        }
        sum = minus ? sum - v.bits : sum + v.bits;
        *any = true;
    }
    *out = (int64_t)sum;
    return true;
}

bool wg_parse_count(struct wg_parser *p, uint64_t max, const char *what, uint64_t *out) {
    struct wg_ptx_value v;
    uint32_t off = p->t.off;
    if (!wg_parse_constant(p, &v)) return false;
    if (v.kind == WG_V_INT && v.bits <= max && (v.is_unsigned || (int64_t)v.bits >= 0)) {
        *out = v.bits;
        return true;
    }
    wg_ptx_error(p->src, off, "%s must be an integer from 0 to %llu", what, (unsigned long long)max);
    return false;
}
