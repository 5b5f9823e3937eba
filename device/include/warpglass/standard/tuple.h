/* tuple.h: cuda::std::pair and tuple. Assignments are the compiler's own, so that kernels can assign. */
#ifndef WARPGLASS_STANDARD_TUPLE_H
#define WARPGLASS_STANDARD_TUPLE_H

#include "base.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

template <class A, class B> struct pair {
    using first_type = A;
    using second_type = B;
    A first;
    B second;

    constexpr WG_BOTH pair() : first(), second() {}
    constexpr WG_BOTH pair(const A &a, const B &b) : first(a), second(b) {}
    template <class X, class Y,
              class = enable_if_t<is_constructible_v<A, X &&> && is_constructible_v<B, Y &&>>>
    constexpr WG_BOTH pair(X &&a, Y &&b) : first(static_cast<X &&>(a)), second(static_cast<Y &&>(b)) {}
    template <class X, class Y>
    constexpr WG_BOTH pair(const pair<X, Y> &other) : first(other.first), second(other.second) {}
    template <class X, class Y> constexpr WG_BOTH pair &operator=(const pair<X, Y> &other) {
        first = other.first;
        second = other.second;
        return *this;
    }
    constexpr WG_BOTH void swap(pair &other) {
        std::swap(first, other.first);
        std::swap(second, other.second);
    }
    friend constexpr WG_BOTH bool operator==(const pair &a, const pair &b) {
        return a.first == b.first && a.second == b.second;
    }
    friend constexpr WG_BOTH bool operator!=(const pair &a, const pair &b) { return !(a == b); }
    friend constexpr WG_BOTH bool operator<(const pair &a, const pair &b) {
        return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
    }
    friend constexpr WG_BOTH bool operator>(const pair &a, const pair &b) { return b < a; }
    friend constexpr WG_BOTH bool operator<=(const pair &a, const pair &b) { return !(b < a); }
    friend constexpr WG_BOTH bool operator>=(const pair &a, const pair &b) { return !(a < b); }
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> constexpr WG_BOTH pair<decay_t<A>, decay_t<B>> make_pair(A &&a, B &&b) {
    return {static_cast<A &&>(a), static_cast<B &&>(b)};
}

namespace wg_details {
template <size_t I, class T> struct element {
    T value;
};
template <class Indices, class... T> struct elements;
template <size_t... I, class... T> struct elements<index_sequence<I...>, T...> : element<I, T>... {
    constexpr WG_BOTH elements() : element<I, T>{T()}... {}
    template <class... U>
    constexpr WG_BOTH explicit elements(int, U &&...v) : element<I, T>{static_cast<U &&>(v)}... {}
};
template <size_t I, class T> constexpr WG_BOTH T &at(element<I, T> &e) { return e.value; }
template <size_t I, class T> constexpr WG_BOTH const T &at(const element<I, T> &e) { return e.value; }
template <size_t I, class T> T type_at(const element<I, T> &);
} // namespace wg_details

template <class... T> class tuple : public wg_details::elements<index_sequence_for<T...>, T...> {
    using Base = wg_details::elements<index_sequence_for<T...>, T...>;
    template <size_t... I, class Other>
    constexpr WG_BOTH void assign(index_sequence<I...>, const Other &other) {
        ((wg_details::at<I>(*this) = wg_details::at<I>(other)), ...);
    }
    template <class Other, size_t... I>
    constexpr WG_BOTH tuple(const Other &other, index_sequence<I...>)
        : Base(0, wg_details::at<I>(other)...) {}

  public:
    constexpr WG_BOTH tuple() {}
    template <class... U,
              class = enable_if_t<sizeof...(U) == sizeof...(T) && (is_constructible_v<T, U &&> && ...)>>
    constexpr WG_BOTH tuple(U &&...v) : Base(0, static_cast<U &&>(v)...) {}
    template <class... U,
              class = enable_if_t<sizeof...(U) == sizeof...(T) && !is_same_v<tuple<U...>, tuple> &&
                                  (is_constructible_v<T, const U &> && ...)>>
    constexpr WG_BOTH tuple(const tuple<U...> &other) : tuple(other, index_sequence_for<T...>()) {}
    tuple(const tuple &) = default;
    tuple(tuple &&) = default;
    constexpr WG_BOTH tuple &operator=(const tuple &other) {
        assign(index_sequence_for<T...>(), other);
        return *this;
    }
    template <class... U> constexpr WG_BOTH tuple &operator=(const tuple<U...> &other) {
        assign(index_sequence_for<T...>(), other);
        return *this;
    }
    template <class A, class B> constexpr WG_BOTH tuple &operator=(const pair<A, B> &other) {
        wg_details::at<0>(*this) = other.first;
        wg_details::at<1>(*this) = other.second;
        return *this;
    }
};
template <class... T> tuple(T...) -> tuple<T...>;

template <size_t I, class... T> constexpr WG_BOTH auto &get(tuple<T...> &t) { return wg_details::at<I>(t); }
template <size_t I, class... T> constexpr WG_BOTH auto &get(const tuple<T...> &t) {
    return wg_details::at<I>(t);
}
template <size_t I, class... T> constexpr WG_BOTH auto &&get(tuple<T...> &&t) {
    return static_cast<decltype(wg_details::type_at<I>(t)) &&>(wg_details::at<I>(t));
}
template <size_t I, class A, class B> constexpr WG_BOTH auto &get(pair<A, B> &p) {
    if constexpr (I == 0)
        return p.first;
    else
        return p.second;
}
template <size_t I, class A, class B> constexpr WG_BOTH auto &get(const pair<A, B> &p) {
    if constexpr (I == 0)
        return p.first;
    else
        return p.second;
}

template <class... T> constexpr WG_BOTH tuple<decay_t<T>...> make_tuple(T &&...v) {
    return tuple<decay_t<T>...>(static_cast<T &&>(v)...);
}
template <class... T> constexpr WG_BOTH tuple<T &...> tie(T &...v) { return tuple<T &...>(v...); }

namespace wg_details {
template <class... T, class... U, size_t... I, size_t... K>
constexpr WG_BOTH tuple<T..., U...> join(const tuple<T...> &a, const tuple<U...> &b, index_sequence<I...>,
                                         index_sequence<K...>) {
    return tuple<T..., U...>(at<I>(a)..., at<K>(b)...);
}
} // namespace wg_details
constexpr WG_BOTH tuple<> tuple_cat() { return tuple<>(); }
template <class... T> constexpr WG_BOTH tuple<T...> tuple_cat(const tuple<T...> &t) { return t; }
template <class... T, class... U, class... More>
constexpr WG_BOTH auto tuple_cat(const tuple<T...> &a, const tuple<U...> &b, const More &...more) {
    return std::tuple_cat(wg_details::join(a, b, index_sequence_for<T...>(), index_sequence_for<U...>()),
                          more...);
}

template <class T> struct tuple_size : ::std::tuple_size<T> {};
template <class T> inline constexpr size_t tuple_size_v = ::std::tuple_size<T>::value;
template <size_t I, class T> using tuple_element_t = typename ::std::tuple_element<I, T>::type;
template <size_t I, class T> struct tuple_element {
    using type = tuple_element_t<I, T>;
};

namespace wg_details {
template <class F, class Tuple, size_t... I>
constexpr WG_BOTH decltype(auto) apply(F &&f, Tuple &&t, index_sequence<I...>) {
    return f(std::get<I>(t)...);
}
template <class... T, size_t... I>
constexpr WG_BOTH bool equal(const tuple<T...> &a, const tuple<T...> &b, index_sequence<I...>) {
    return ((std::get<I>(a) == std::get<I>(b)) && ...);
}
template <size_t I, class... T> constexpr WG_BOTH bool less(const tuple<T...> &a, const tuple<T...> &b) {
    if constexpr (I < sizeof...(T)) {
        if (std::get<I>(a) < std::get<I>(b)) return true;
        return !(std::get<I>(b) < std::get<I>(a)) && less<I + 1>(a, b);
    }
    return false;
}
} // namespace wg_details
template <class F, class Tuple> constexpr WG_BOTH decltype(auto) apply(F &&f, Tuple &&t) {
    return wg_details::apply(static_cast<F &&>(f), static_cast<Tuple &&>(t),
                             make_index_sequence<tuple_size_v<decay_t<Tuple>>>());
}
template <class... T> constexpr WG_BOTH bool operator==(const tuple<T...> &a, const tuple<T...> &b) {
    return wg_details::equal(a, b, index_sequence_for<T...>());
}
template <class... T> constexpr WG_BOTH bool operator!=(const tuple<T...> &a, const tuple<T...> &b) {
    return !(a == b);
}
template <class... T> constexpr WG_BOTH bool operator<(const tuple<T...> &a, const tuple<T...> &b) {
    return wg_details::less<0>(a, b);
}

} // namespace std
} // namespace cuda

/* For `auto [a, b] = ...`. */
template <class A, class B>
struct std::tuple_size<cuda::std::pair<A, B>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I, class A, class B> struct std::tuple_element<I, cuda::std::pair<A, B>> {
    using type = std::conditional_t<I == 0, A, B>;
};
template <class... T>
struct std::tuple_size<cuda::std::tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t I, class... T> struct std::tuple_element<I, cuda::std::tuple<T...>> {
    using type = decltype(cuda::std::wg_details::type_at<I>(std::declval<cuda::std::tuple<T...>>()));
};
#pragma clang attribute pop

#endif
