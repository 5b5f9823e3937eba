/* span.h: cuda::std::span, a pointer with a length; and dynamic_extent. */
#ifndef WARPGLASS_STANDARD_SPAN_H
#define WARPGLASS_STANDARD_SPAN_H

#include "array.h"

#if __cplusplus >= 202002L
#include <span>
#endif

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

inline constexpr size_t dynamic_extent = (size_t)-1;

template <class T, size_t Extent = dynamic_extent> class span {
  public:
    using element_type = T;
    using value_type = remove_cv_t<T>;
    using size_type = size_t;
    using iterator = T *;
    static constexpr size_t extent = Extent;

    constexpr WG_BOTH span() : data_(nullptr), size_(0) {}
    constexpr WG_BOTH span(T *data, size_t size) : data_(data), size_(size) {}
    constexpr WG_BOTH span(T *begin, T *end) : data_(begin), size_(end - begin) {}
    template <size_t N> constexpr WG_BOTH span(T (&a)[N]) : data_(a), size_(N) {}
    template <class U, size_t N> constexpr WG_BOTH span(array<U, N> &a) : data_(a.data()), size_(N) {}
    template <class U, size_t N> constexpr WG_BOTH span(const array<U, N> &a) : data_(a.data()), size_(N) {}
    template <class U, size_t N>
    constexpr WG_BOTH span(const span<U, N> &other) : data_(other.data()), size_(other.size()) {}
    /* Of the host's containers. */
    template <class C, class = enable_if_t<is_convertible_v<decltype(declval<C &>().data()), T *> &&
                                           is_class_v<typename C::allocator_type>>>
    __host__ span(C &container) : data_(container.data()), size_(container.size()) {}

    constexpr WG_BOTH T *data() const { return data_; }
    constexpr WG_BOTH size_t size() const { return size_; }
    constexpr WG_BOTH size_t size_bytes() const { return size_ * sizeof(T); }
    constexpr WG_BOTH bool empty() const { return size_ == 0; }
    constexpr WG_BOTH T &operator[](size_t i) const { return data_[i]; }
    constexpr WG_BOTH T &front() const { return data_[0]; }
    constexpr WG_BOTH T &back() const { return data_[size_ - 1]; }
    constexpr WG_BOTH T *begin() const { return data_; }
    constexpr WG_BOTH T *end() const { return data_ + size_; }
    constexpr WG_BOTH span<T> first(size_t n) const { return {data_, n}; }
    constexpr WG_BOTH span<T> last(size_t n) const { return {data_ + size_ - n, n}; }
    constexpr WG_BOTH span<T> subspan(size_t from, size_t n = dynamic_extent) const {
        return {data_ + from, n == dynamic_extent ? size_ - from : n};
    }
    template <size_t N> constexpr WG_BOTH span<T, N> first() const { return {data_, N}; }
    template <size_t N> constexpr WG_BOTH span<T, N> last() const { return {data_ + size_ - N, N}; }

  private:
    T *data_;
    size_t size_;
};
template <class T, size_t N> span(T (&)[N]) -> span<T, N>;
template <class T, size_t N> span(array<T, N> &) -> span<T, N>;
template <class T> span(T *, size_t) -> span<T>;

} // namespace std
} // namespace cuda
#pragma clang attribute pop

#endif
