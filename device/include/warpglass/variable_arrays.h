/* variable_arrays.h: initialisers of arrays of variable size, which g++ takes as an extension.
 *
 * Included by the command, and only into what clang has refused without it. There
 *
 *     float x[rows][n] = {{1, 2}, {3}};
 *
 * is written as a declaration and a call of the function here. Elements that are not given are zero; those beyond the
 * array's end are dropped.
 */
#ifndef WARPGLASS_VARIABLE_ARRAYS_H
#define WARPGLASS_VARIABLE_ARRAYS_H
#if defined(__cplusplus)

#include <initializer_list>
#include <stddef.h>

/* An element as an initialiser has it: of a class that class, otherwise what converts from anything, however narrow. */
template <typename __Element, bool = __is_class(__Element) || __is_union(__Element)>
struct warpglass_initial {
    __Element __value;
    warpglass_initial() : __value() {}
    template <typename __From> warpglass_initial(__From __from) : __value((__Element)__from) {}
    operator __Element() const { return __value; }
    using __type = warpglass_initial;
};
template <typename __Element> struct warpglass_initial<__Element, true> {
    using __type = __Element;
};

/* The initialiser of an array of so many dimensions. `sizes`: in bytes, of the array, of a row, of a row's row. */
template <typename __Element, int __Dimensions> struct warpglass_initialiser {
    using __row = warpglass_initialiser<__Element, __Dimensions - 1>;
    using __list = std::initializer_list<typename __row::__list>;
    static void __fill(__Element *__to, const size_t *__sizes, __list __rows) {
        for (size_t __i = 0; __sizes[1] && __i < __sizes[0] / __sizes[1]; __i++)
            __row::__fill(__to + __i * (__sizes[1] / sizeof(__Element)), __sizes + 1,
                          __i < __rows.size() ? __rows.begin()[__i] : typename __row::__list());
    }
};
template <typename __Element> struct warpglass_initialiser<__Element, 1> {
    using __list = std::initializer_list<typename warpglass_initial<__Element>::__type>;
    static void __fill(__Element *__to, const size_t *__sizes, __list __values) {
        for (size_t __i = 0; __i < __sizes[0] / sizeof(__Element); __i++)
            __to[__i] = __i < __values.size() ? (__Element)__values.begin()[__i] : __Element();
    }
};

template <typename __Type> struct warpglass_element {
    using __type = __Type;
};
template <typename __Type> struct warpglass_element<__Type &> : warpglass_element<__Type> {};

/* `Type`: of an element, as decltype says it. */
template <typename __Type, int __Dimensions>
void warpglass_initialise(typename warpglass_element<__Type>::__type *__first,
                          const size_t (&__sizes)[__Dimensions],
                          typename warpglass_initialiser<typename warpglass_element<__Type>::__type,
                                                         __Dimensions>::__list __values) {
    warpglass_initialiser<typename warpglass_element<__Type>::__type, __Dimensions>::__fill(__first, __sizes,
                                                                                            __values);
}

#endif
#endif
