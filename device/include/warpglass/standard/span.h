/* span.h: cuda::std::span, a pointer with a length; and dynamic_extent. */
#ifndef WARPGLASS_STANDARD_SPAN_H
#define WARPGLASS_STANDARD_SPAN_H

#include "array.h"

#if __cplusplus >= 202002L
#include <span>
#endif

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

inline constexpr size_t dynamic_extent = (size_t)-1;

template <class __T, size_t __Extent = dynamic_extent> class span {
  public:
    using element_type = __T;
    using value_type = remove_cv_t<__T>;
    using size_type = size_t;
    using iterator = __T *;
    static constexpr size_t extent = __Extent;

    constexpr WG_BOTH span() : __data_(nullptr), __size_(0) {}
    constexpr WG_BOTH span(__T *__data, size_t __size) : __data_(__data), __size_(__size) {}
    constexpr WG_BOTH span(__T *__begin, __T *__end) : __data_(__begin), __size_(__end - __begin) {}
    template <size_t __Num> constexpr WG_BOTH span(__T (&__a)[__Num]) : __data_(__a), __size_(__Num) {}
    template <class __U, size_t __Num>
    constexpr WG_BOTH span(array<__U, __Num> &__a) : __data_(__a.data()), __size_(__Num) {}
    template <class __U, size_t __Num>
    constexpr WG_BOTH span(const array<__U, __Num> &__a) : __data_(__a.data()), __size_(__Num) {}
    template <class __U, size_t __Num>
    constexpr WG_BOTH span(const span<__U, __Num> &__other)
        : __data_(__other.data()), __size_(__other.size()) {}
    /* Of the host's containers. */
    template <class __C, class = enable_if_t<is_convertible_v<decltype(declval<__C &>().data()), __T *> &&
                                             is_class_v<typename __C::allocator_type>>>
    __host__ span(__C &__container) : __data_(__container.data()), __size_(__container.size()) {}

    constexpr WG_BOTH __T *data() const { return __data_; }
    constexpr WG_BOTH size_t size() const { return __size_; }
    constexpr WG_BOTH size_t size_bytes() const { return __size_ * sizeof(__T); }
    constexpr WG_BOTH bool empty() const { return __size_ == 0; }
    constexpr WG_BOTH __T &operator[](size_t __i) const { return __data_[__i]; }
    constexpr WG_BOTH __T &front() const { return __data_[0]; }
    constexpr WG_BOTH __T &back() const { return __data_[__size_ - 1]; }
    constexpr WG_BOTH __T *begin() const { return __data_; }
    constexpr WG_BOTH __T *end() const { return __data_ + __size_; }
    constexpr WG_BOTH span<__T> first(size_t __n) const { return {__data_, __n}; }
    constexpr WG_BOTH span<__T> last(size_t __n) const { return {__data_ + __size_ - __n, __n}; }
    constexpr WG_BOTH span<__T> subspan(size_t __from, size_t __n = dynamic_extent) const {
        return {__data_ + __from, __n == dynamic_extent ? __size_ - __from : __n};
    }
    template <size_t __Num> constexpr WG_BOTH span<__T, __Num> first() const { return {__data_, __Num}; }
    template <size_t __Num> constexpr WG_BOTH span<__T, __Num> last() const {
        return {__data_ + __size_ - __Num, __Num};
    }

  private:
    __T *__data_;
    size_t __size_;
};
template <class __T, size_t __Num> span(__T (&)[__Num]) -> span<__T, __Num>;
template <class __T, size_t __Num> span(array<__T, __Num> &) -> span<__T, __Num>;
template <class __T> span(__T *, size_t) -> span<__T>;

} // namespace std
} // namespace cuda
#pragma clang attribute pop

#endif
