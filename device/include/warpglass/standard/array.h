/* array.h: cuda::std::array. */
#ifndef WARPGLASS_STANDARD_ARRAY_H
#define WARPGLASS_STANDARD_ARRAY_H

#include "tuple.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

template <class __T, size_t __Num> struct array {
    using value_type = __T;
    using size_type = size_t;
    using iterator = __T *;
    using const_iterator = const __T *;
    __T wg_elements[__Num ? __Num : 1];

    constexpr WG_BOTH __T &operator[](size_t __i) { return wg_elements[__i]; }
    constexpr WG_BOTH const __T &operator[](size_t __i) const { return wg_elements[__i]; }
    constexpr WG_BOTH __T &front() { return wg_elements[0]; }
    constexpr WG_BOTH const __T &front() const { return wg_elements[0]; }
    constexpr WG_BOTH __T &back() { return wg_elements[__Num - 1]; }
    constexpr WG_BOTH const __T &back() const { return wg_elements[__Num - 1]; }
    constexpr WG_BOTH __T *data() { return wg_elements; }
    constexpr WG_BOTH const __T *data() const { return wg_elements; }
    constexpr WG_BOTH __T *begin() { return wg_elements; }
    constexpr WG_BOTH const __T *begin() const { return wg_elements; }
    constexpr WG_BOTH const __T *cbegin() const { return wg_elements; }
    constexpr WG_BOTH __T *end() { return wg_elements + __Num; }
    constexpr WG_BOTH const __T *end() const { return wg_elements + __Num; }
    constexpr WG_BOTH const __T *cend() const { return wg_elements + __Num; }
    static constexpr WG_BOTH size_t size() { return __Num; }
    static constexpr WG_BOTH size_t max_size() { return __Num; }
    static constexpr WG_BOTH bool empty() { return __Num == 0; }
    constexpr WG_BOTH void fill(const __T &__v) {
        for (__T &__element : *this) __element = __v;
    }
    constexpr WG_BOTH void swap(array &__other) {
        for (size_t __i = 0; __i < __Num; __i++) std::swap(wg_elements[__i], __other[__i]);
    }
    friend constexpr WG_BOTH bool operator==(const array &__a, const array &__b) {
        for (size_t __i = 0; __i < __Num; __i++)
            if (!(__a[__i] == __b[__i])) return false;
        return true;
    }
    friend constexpr WG_BOTH bool operator!=(const array &__a, const array &__b) { return !(__a == __b); }
    friend constexpr WG_BOTH bool operator<(const array &__a, const array &__b) {
        for (size_t __i = 0; __i < __Num; __i++)
            if (__a[__i] < __b[__i] || __b[__i] < __a[__i]) return __a[__i] < __b[__i];
        return false;
    }
};
template <class __T, class... __More> array(__T, __More...) -> array<__T, 1 + sizeof...(__More)>;
template <size_t __I, class __T, size_t __Num> constexpr WG_BOTH __T &get(array<__T, __Num> &__a) {
    return __a[__I];
}
template <size_t __I, class __T, size_t __Num>
constexpr WG_BOTH const __T &get(const array<__T, __Num> &__a) {
    return __a[__I];
}

} // namespace std
} // namespace cuda

template <class __T, std::size_t __Num>
struct std::tuple_size<cuda::std::array<__T, __Num>> : std::integral_constant<std::size_t, __Num> {};
template <std::size_t __I, class __T, std::size_t __Num>
struct std::tuple_element<__I, cuda::std::array<__T, __Num>> {
    using type = __T;
};
#pragma clang attribute pop

#endif
