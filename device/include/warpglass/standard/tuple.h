/* tuple.h: cuda::std::pair and tuple. Assignments are the compiler's own, so that kernels can assign. */
#ifndef WARPGLASS_STANDARD_TUPLE_H
#define WARPGLASS_STANDARD_TUPLE_H

#include "base.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

template <class __A, class __B> struct pair {
    using first_type = __A;
    using second_type = __B;
    __A first;
    __B second;

    constexpr WG_BOTH pair() : first(), second() {}
    constexpr WG_BOTH pair(const __A &__a, const __B &__b) : first(__a), second(__b) {}
    template <class __X, class __Y,
              class = enable_if_t<is_constructible_v<__A, __X &&> && is_constructible_v<__B, __Y &&>>>
    constexpr WG_BOTH pair(__X &&__a, __Y &&__b)
        : first(static_cast<__X &&>(__a)), second(static_cast<__Y &&>(__b)) {}
    template <class __X, class __Y>
    constexpr WG_BOTH pair(const pair<__X, __Y> &__other) : first(__other.first), second(__other.second) {}
    template <class __X, class __Y> constexpr WG_BOTH pair &operator=(const pair<__X, __Y> &__other) {
        first = __other.first;
        second = __other.second;
        return *this;
    }
    constexpr WG_BOTH void swap(pair &__other) {
        std::swap(first, __other.first);
        std::swap(second, __other.second);
    }
    friend constexpr WG_BOTH bool operator==(const pair &__a, const pair &__b) {
        return __a.first == __b.first && __a.second == __b.second;
    }
    friend constexpr WG_BOTH bool operator!=(const pair &__a, const pair &__b) { return !(__a == __b); }
    friend constexpr WG_BOTH bool operator<(const pair &__a, const pair &__b) {
        return __a.first < __b.first || (!(__b.first < __a.first) && __a.second < __b.second);
    }
    friend constexpr WG_BOTH bool operator>(const pair &__a, const pair &__b) { return __b < __a; }
    friend constexpr WG_BOTH bool operator<=(const pair &__a, const pair &__b) { return !(__b < __a); }
    friend constexpr WG_BOTH bool operator>=(const pair &__a, const pair &__b) { return !(__a < __b); }
};
template <class __A, class __B> pair(__A, __B) -> pair<__A, __B>;
template <class __A, class __B>
constexpr WG_BOTH pair<decay_t<__A>, decay_t<__B>> make_pair(__A &&__a, __B &&__b) {
    return {static_cast<__A &&>(__a), static_cast<__B &&>(__b)};
}

namespace wg_details {
template <size_t __I, class __T> struct __element {
    __T value;
};
template <class __Indices, class... __T> struct __elements;
template <size_t... __I, class... __T>
struct __elements<index_sequence<__I...>, __T...> : __element<__I, __T>... {
    constexpr WG_BOTH __elements() : __element<__I, __T>{__T()}... {}
    template <class... __U>
    constexpr WG_BOTH explicit __elements(int, __U &&...__v)
        : __element<__I, __T>{static_cast<__U &&>(__v)}... {}
};
template <size_t __I, class __T> constexpr WG_BOTH __T &__at(__element<__I, __T> &__e) { return __e.value; }
template <size_t __I, class __T> constexpr WG_BOTH const __T &__at(const __element<__I, __T> &__e) {
    return __e.value;
}
template <size_t __I, class __T> __T __type_at(const __element<__I, __T> &);
} // namespace wg_details

template <class... __T> class tuple : public wg_details::__elements<index_sequence_for<__T...>, __T...> {
    using __Base = wg_details::__elements<index_sequence_for<__T...>, __T...>;
    template <size_t... __I, class __Other>
    constexpr WG_BOTH void __assign(index_sequence<__I...>, const __Other &__other) {
        ((wg_details::__at<__I>(*this) = wg_details::__at<__I>(__other)), ...);
    }
    template <class __Other, size_t... __I>
    constexpr WG_BOTH tuple(const __Other &__other, index_sequence<__I...>)
        : __Base(0, wg_details::__at<__I>(__other)...) {}

  public:
    constexpr WG_BOTH tuple() {}
    template <class... __U, class = enable_if_t<sizeof...(__U) == sizeof...(__T) &&
                                                (is_constructible_v<__T, __U &&> && ...)>>
    constexpr WG_BOTH tuple(__U &&...__v) : __Base(0, static_cast<__U &&>(__v)...) {}
    template <class... __U,
              class = enable_if_t<sizeof...(__U) == sizeof...(__T) && !is_same_v<tuple<__U...>, tuple> &&
                                  (is_constructible_v<__T, const __U &> && ...)>>
    constexpr WG_BOTH tuple(const tuple<__U...> &__other) : tuple(__other, index_sequence_for<__T...>()) {}
    tuple(const tuple &) = default;
    tuple(tuple &&) = default;
    constexpr WG_BOTH tuple &operator=(const tuple &__other) {
        __assign(index_sequence_for<__T...>(), __other);
        return *this;
    }
    template <class... __U> constexpr WG_BOTH tuple &operator=(const tuple<__U...> &__other) {
        __assign(index_sequence_for<__T...>(), __other);
        return *this;
    }
    template <class __A, class __B> constexpr WG_BOTH tuple &operator=(const pair<__A, __B> &__other) {
        wg_details::__at<0>(*this) = __other.first;
        wg_details::__at<1>(*this) = __other.second;
        return *this;
    }
};
template <class... __T> tuple(__T...) -> tuple<__T...>;

template <size_t __I, class... __T> constexpr WG_BOTH auto &get(tuple<__T...> &__t) {
    return wg_details::__at<__I>(__t);
}
template <size_t __I, class... __T> constexpr WG_BOTH auto &get(const tuple<__T...> &__t) {
    return wg_details::__at<__I>(__t);
}
template <size_t __I, class... __T> constexpr WG_BOTH auto &&get(tuple<__T...> &&__t) {
    return static_cast<decltype(wg_details::__type_at<__I>(__t)) &&>(wg_details::__at<__I>(__t));
}
template <size_t __I, class __A, class __B> constexpr WG_BOTH auto &get(pair<__A, __B> &__p) {
    if constexpr (__I == 0)
        return __p.first;
    else
        return __p.second;
}
template <size_t __I, class __A, class __B> constexpr WG_BOTH auto &get(const pair<__A, __B> &__p) {
    if constexpr (__I == 0)
        return __p.first;
    else
        return __p.second;
}

template <class... __T> constexpr WG_BOTH tuple<decay_t<__T>...> make_tuple(__T &&...__v) {
    return tuple<decay_t<__T>...>(static_cast<__T &&>(__v)...);
}
template <class... __T> constexpr WG_BOTH tuple<__T &...> tie(__T &...__v) { return tuple<__T &...>(__v...); }

namespace wg_details {
template <class... __T, class... __U, size_t... __I, size_t... __K>
constexpr WG_BOTH tuple<__T..., __U...> __join(const tuple<__T...> &__a, const tuple<__U...> &__b,
                                               index_sequence<__I...>, index_sequence<__K...>) {
    return tuple<__T..., __U...>(__at<__I>(__a)..., __at<__K>(__b)...);
}
} // namespace wg_details
constexpr WG_BOTH tuple<> tuple_cat() { return tuple<>(); }
template <class... __T> constexpr WG_BOTH tuple<__T...> tuple_cat(const tuple<__T...> &__t) { return __t; }
template <class... __T, class... __U, class... __More>
constexpr WG_BOTH auto tuple_cat(const tuple<__T...> &__a, const tuple<__U...> &__b,
                                 const __More &...__more) {
    return std::tuple_cat(
        wg_details::__join(__a, __b, index_sequence_for<__T...>(), index_sequence_for<__U...>()), __more...);
}

template <class __T> struct tuple_size : ::std::tuple_size<__T> {};
template <class __T> inline constexpr size_t tuple_size_v = ::std::tuple_size<__T>::value;
template <size_t __I, class __T> using tuple_element_t = typename ::std::tuple_element<__I, __T>::type;
template <size_t __I, class __T> struct tuple_element {
    using type = tuple_element_t<__I, __T>;
};

namespace wg_details {
template <class __F, class __Tuple, size_t... __I>
constexpr WG_BOTH decltype(auto) apply(__F &&__f, __Tuple &&__t, index_sequence<__I...>) {
    return __f(std::get<__I>(__t)...);
}
template <class... __T, size_t... __I>
constexpr WG_BOTH bool equal(const tuple<__T...> &__a, const tuple<__T...> &__b, index_sequence<__I...>) {
    return ((std::get<__I>(__a) == std::get<__I>(__b)) && ...);
}
template <size_t __I, class... __T>
constexpr WG_BOTH bool less(const tuple<__T...> &__a, const tuple<__T...> &__b) {
    if constexpr (__I < sizeof...(__T)) {
        if (std::get<__I>(__a) < std::get<__I>(__b)) return true;
        return !(std::get<__I>(__b) < std::get<__I>(__a)) && less<__I + 1>(__a, __b);
    }
    return false;
}
} // namespace wg_details
template <class __F, class __Tuple> constexpr WG_BOTH decltype(auto) apply(__F &&__f, __Tuple &&__t) {
    return wg_details::apply(static_cast<__F &&>(__f), static_cast<__Tuple &&>(__t),
                             make_index_sequence<tuple_size_v<decay_t<__Tuple>>>());
}
template <class... __T>
constexpr WG_BOTH bool operator==(const tuple<__T...> &__a, const tuple<__T...> &__b) {
    return wg_details::equal(__a, __b, index_sequence_for<__T...>());
}
template <class... __T>
constexpr WG_BOTH bool operator!=(const tuple<__T...> &__a, const tuple<__T...> &__b) {
    return !(__a == __b);
}
template <class... __T> constexpr WG_BOTH bool operator<(const tuple<__T...> &__a, const tuple<__T...> &__b) {
    return wg_details::less<0>(__a, __b);
}

} // namespace std
} // namespace cuda

/* For `auto [a, b] = ...`. */
template <class __A, class __B>
struct std::tuple_size<cuda::std::pair<__A, __B>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t __I, class __A, class __B> struct std::tuple_element<__I, cuda::std::pair<__A, __B>> {
    using type = std::conditional_t<__I == 0, __A, __B>;
};
template <class... __T>
struct std::tuple_size<cuda::std::tuple<__T...>> : std::integral_constant<std::size_t, sizeof...(__T)> {};
template <std::size_t __I, class... __T> struct std::tuple_element<__I, cuda::std::tuple<__T...>> {
    using type = decltype(cuda::std::wg_details::__type_at<__I>(std::declval<cuda::std::tuple<__T...>>()));
};
#pragma clang attribute pop

#endif
