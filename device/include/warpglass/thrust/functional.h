/* functional.h: thrust's functors: arithmetic, comparison, logic. */
#ifndef WARPGLASS_THRUST_FUNCTIONAL_H
#define WARPGLASS_THRUST_FUNCTIONAL_H

#include "place.h"

namespace thrust {

/* With a type its values are converted to it; without one they are taken as they come. */
#define WG_BINARY(NAME, EXPRESSION)                                                                          \
    template <class T = void> struct NAME {                                                                  \
        constexpr WG_BOTH auto operator()(const T &a, const T &b) const { return EXPRESSION; }               \
    };                                                                                                       \
    template <> struct NAME<void> {                                                                          \
        template <class A, class B> constexpr WG_BOTH auto operator()(const A &a, const B &b) const {        \
            return EXPRESSION;                                                                               \
        }                                                                                                    \
    };
#define WG_ARITHMETIC(NAME, EXPRESSION)                                                                      \
    template <class T = void> struct NAME {                                                                  \
        constexpr WG_BOTH T operator()(const T &a, const T &b) const { return (T)(EXPRESSION); }             \
    };                                                                                                       \
    template <> struct NAME<void> {                                                                          \
        template <class A, class B> constexpr WG_BOTH auto operator()(const A &a, const B &b) const {        \
            return EXPRESSION;                                                                               \
        }                                                                                                    \
    };
WG_ARITHMETIC(plus, a + b)
WG_ARITHMETIC(minus, a - b)
WG_ARITHMETIC(multiplies, a *b)
WG_ARITHMETIC(divides, a / b)
WG_ARITHMETIC(modulus, a % b)
WG_ARITHMETIC(bit_and, a &b)
WG_ARITHMETIC(bit_or, a | b)
WG_ARITHMETIC(bit_xor, a ^ b)
WG_ARITHMETIC(maximum, a < b ? b : a)
WG_ARITHMETIC(minimum, b < a ? b : a)
WG_BINARY(equal_to, a == b)
WG_BINARY(not_equal_to, a != b)
WG_BINARY(less, a < b)
WG_BINARY(greater, a > b)
WG_BINARY(less_equal, a <= b)
WG_BINARY(greater_equal, a >= b)
WG_BINARY(logical_and, a &&b)
WG_BINARY(logical_or, a || b)
#undef WG_BINARY
#undef WG_ARITHMETIC

#define WG_UNARY(NAME, EXPRESSION)                                                                           \
    template <class T = void> struct NAME {                                                                  \
        constexpr WG_BOTH auto operator()(const T &a) const { return EXPRESSION; }                           \
    };                                                                                                       \
    template <> struct NAME<void> {                                                                          \
        template <class A> constexpr WG_BOTH auto operator()(const A &a) const { return EXPRESSION; }        \
    };
WG_UNARY(negate, -a)
WG_UNARY(square, a *a)
WG_UNARY(identity, a)
WG_UNARY(logical_not, !a)
#undef WG_UNARY

template <class T> constexpr WG_BOTH T min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr WG_BOTH T max(const T &a, const T &b) { return a < b ? b : a; }
template <class T, class Less> constexpr WG_BOTH T min(const T &a, const T &b, Less less) {
    return less(b, a) ? b : a;
}
template <class T, class Less> constexpr WG_BOTH T max(const T &a, const T &b, Less less) {
    return less(a, b) ? b : a;
}

template <class T = void> struct project1st {
    template <class A, class B> constexpr WG_BOTH A operator()(const A &a, const B &) const { return a; }
};
template <class T = void> struct project2nd {
    template <class A, class B> constexpr WG_BOTH B operator()(const A &, const B &b) const { return b; }
};

template <class F> struct unary_negate {
    F f;
    template <class A> constexpr WG_BOTH bool operator()(const A &a) const { return !f(a); }
};
template <class F> constexpr WG_BOTH unary_negate<F> not1(F f) { return {f}; }
template <class F> constexpr WG_BOTH unary_negate<F> not_fn(F f) { return {f}; }

/* A function of several parameters as one of a tuple. */
template <class F> class zip_function {
  public:
    WG_BOTH zip_function(F f) : f_(f) {}
    template <class Tuple> WG_BOTH decltype(auto) operator()(Tuple &&t) const {
        return ::cuda::std::apply(f_, static_cast<Tuple &&>(t));
    }

  private:
    mutable F f_;
};
template <class F> WG_BOTH zip_function<F> make_zip_function(F f) { return f; }

/* ---- Placeholders: _1 * 2 + _2 ---- */

namespace placeholders {

/* What is made of placeholders: `eval` computes it from the two arguments. */
template <class E> struct expression : E {
    WG_BOTH explicit expression(const E &e) : E(e) {}
    template <class A> WG_BOTH auto operator()(const A &a) const { return E::eval(a, a); }
    template <class A, class B> WG_BOTH auto operator()(const A &a, const B &b) const {
        return E::eval(a, b);
    }
};
struct first {
    template <class A, class B> WG_BOTH A eval(const A &a, const B &) const { return a; }
};
struct second {
    template <class A, class B> WG_BOTH B eval(const A &, const B &b) const { return b; }
};
template <class T> struct value {
    T v;
    template <class A, class B> WG_BOTH T eval(const A &, const B &) const { return v; }
};
template <class T> WG_BOTH expression<value<T>> as_expression(const T &v) {
    return expression<value<T>>(value<T>{v});
}
template <class E> WG_BOTH expression<E> as_expression(const expression<E> &e) { return e; }
template <class T> inline constexpr bool is_expression = false;
template <class E> inline constexpr bool is_expression<expression<E>> = true;

#define WG_OPERATOR(NAME, OP)                                                                                \
    template <class L, class R> struct NAME {                                                                \
        L l;                                                                                                 \
        R r;                                                                                                 \
        template <class A, class B> WG_BOTH auto eval(const A &a, const B &b) const {                        \
            return l.eval(a, b) OP                                                                           \
            r.eval(a, b);                                                                                    \
        }                                                                                                    \
    };                                                                                                       \
    template <class X, class Y, class = std::enable_if_t<is_expression<X> || is_expression<Y>>>              \
    WG_BOTH auto operator OP(const X &x, const Y &y)                                                         \
    {                                                                                                        \
        using L = decltype(as_expression(x));                                                                \
        using R = decltype(as_expression(y));                                                                \
        return expression<NAME<L, R>>(NAME<L, R>{as_expression(x), as_expression(y)});                       \
    }
WG_OPERATOR(add, +)
WG_OPERATOR(subtract, -)
WG_OPERATOR(multiply, *)
WG_OPERATOR(divide, /)
WG_OPERATOR(remainder, %)
WG_OPERATOR(is_less, <)
WG_OPERATOR(is_greater, >)
WG_OPERATOR(is_at_most, <=)
WG_OPERATOR(is_at_least, >=)
WG_OPERATOR(is_equal, ==)
WG_OPERATOR(is_unequal, !=)
WG_OPERATOR(both, &&)
WG_OPERATOR(either, ||)
#undef WG_OPERATOR

static const expression<first> _1{first()};
static const expression<second> _2{second()};

} // namespace placeholders

} // namespace thrust

#endif
