/* array.h: cuda::std::array. */
#ifndef WARPGLASS_STANDARD_ARRAY_H
#define WARPGLASS_STANDARD_ARRAY_H

#include "tuple.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

template <class T, size_t N> struct array {
    using value_type = T;
    using size_type = size_t;
    using iterator = T *;
    using const_iterator = const T *;
    T wg_elements[N ? N : 1];

    constexpr WG_BOTH T &operator[](size_t i) { return wg_elements[i]; }
    constexpr WG_BOTH const T &operator[](size_t i) const { return wg_elements[i]; }
    constexpr WG_BOTH T &front() { return wg_elements[0]; }
    constexpr WG_BOTH const T &front() const { return wg_elements[0]; }
    constexpr WG_BOTH T &back() { return wg_elements[N - 1]; }
    constexpr WG_BOTH const T &back() const { return wg_elements[N - 1]; }
    constexpr WG_BOTH T *data() { return wg_elements; }
    constexpr WG_BOTH const T *data() const { return wg_elements; }
    constexpr WG_BOTH T *begin() { return wg_elements; }
    constexpr WG_BOTH const T *begin() const { return wg_elements; }
    constexpr WG_BOTH const T *cbegin() const { return wg_elements; }
    constexpr WG_BOTH T *end() { return wg_elements + N; }
    constexpr WG_BOTH const T *end() const { return wg_elements + N; }
    constexpr WG_BOTH const T *cend() const { return wg_elements + N; }
    static constexpr WG_BOTH size_t size() { return N; }
    static constexpr WG_BOTH size_t max_size() { return N; }
    static constexpr WG_BOTH bool empty() { return N == 0; }
    constexpr WG_BOTH void fill(const T &v) {
        for (T &element : *this) element = v;
    }
    constexpr WG_BOTH void swap(array &other) {
        for (size_t i = 0; i < N; i++) std::swap(wg_elements[i], other[i]);
    }
    friend constexpr WG_BOTH bool operator==(const array &a, const array &b) {
        for (size_t i = 0; i < N; i++)
            if (!(a[i] == b[i])) return false;
        return true;
    }
    friend constexpr WG_BOTH bool operator!=(const array &a, const array &b) { return !(a == b); }
    friend constexpr WG_BOTH bool operator<(const array &a, const array &b) {
        for (size_t i = 0; i < N; i++)
            if (a[i] < b[i] || b[i] < a[i]) return a[i] < b[i];
        return false;
    }
};
template <class T, class... More> array(T, More...) -> array<T, 1 + sizeof...(More)>;
template <size_t I, class T, size_t N> constexpr WG_BOTH T &get(array<T, N> &a) { return a[I]; }
template <size_t I, class T, size_t N> constexpr WG_BOTH const T &get(const array<T, N> &a) { return a[I]; }

} // namespace std
} // namespace cuda

template <class T, std::size_t N>
struct std::tuple_size<cuda::std::array<T, N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t I, class T, std::size_t N> struct std::tuple_element<I, cuda::std::array<T, N>> {
    using type = T;
};
#pragma clang attribute pop

#endif
