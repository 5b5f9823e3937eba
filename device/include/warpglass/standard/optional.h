/* optional.h: cuda::std::optional, for types that are copied without more ado. */
#ifndef WARPGLASS_STANDARD_OPTIONAL_H
#define WARPGLASS_STANDARD_OPTIONAL_H

#include "base.h"

#include <optional>

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

template <class T> class optional {
    static_assert(is_trivially_destructible_v<T>,
                  "cuda::std::optional: types with a destructor are not supported");

  public:
    using value_type = T;
    constexpr WG_BOTH optional() : nothing_(), some_(false) {}
    constexpr WG_BOTH optional(nullopt_t) : optional() {}
    template <class U = T, class = enable_if_t<is_constructible_v<T, U &&> &&
                                               !is_same_v<remove_cv_t<remove_reference_t<U>>, optional>>>
    constexpr WG_BOTH optional(U &&v) : value_(static_cast<U &&>(v)), some_(true) {}
    template <class... Arguments>
    constexpr WG_BOTH explicit optional(in_place_t, Arguments &&...v)
        : value_(static_cast<Arguments &&>(v)...), some_(true) {}
    constexpr WG_BOTH optional &operator=(nullopt_t) {
        some_ = false;
        return *this;
    }

    constexpr WG_BOTH bool has_value() const { return some_; }
    constexpr WG_BOTH explicit operator bool() const { return some_; }
    constexpr WG_BOTH T &operator*() { return value_; }
    constexpr WG_BOTH const T &operator*() const { return value_; }
    constexpr WG_BOTH T *operator->() { return &value_; }
    constexpr WG_BOTH const T *operator->() const { return &value_; }
    WG_BOTH T &value() {
        check();
        return value_;
    }
    WG_BOTH const T &value() const {
        check();
        return value_;
    }
    template <class U> constexpr WG_BOTH T value_or(U &&other) const {
        return some_ ? value_ : static_cast<T>(static_cast<U &&>(other));
    }
    template <class... Arguments> WG_BOTH T &emplace(Arguments &&...v) {
        value_ = T(static_cast<Arguments &&>(v)...);
        some_ = true;
        return value_;
    }
    constexpr WG_BOTH void reset() { some_ = false; }

    friend constexpr WG_BOTH bool operator==(const optional &a, const optional &b) {
        return a.some_ == b.some_ && (!a.some_ || a.value_ == b.value_);
    }
    friend constexpr WG_BOTH bool operator!=(const optional &a, const optional &b) { return !(a == b); }
    friend constexpr WG_BOTH bool operator==(const optional &a, nullopt_t) { return !a.some_; }
    friend constexpr WG_BOTH bool operator!=(const optional &a, nullopt_t) { return a.some_; }

  private:
    WG_BOTH void check() const {
#if defined(__CUDA_ARCH__)
        if (!some_) __trap();
#else
        if (!some_) throw bad_optional_access();
#endif
    }
    union {
        char nothing_;
        T value_;
    };
    bool some_;
};
template <class T> optional(T) -> optional<T>;
template <class T> constexpr WG_BOTH optional<decay_t<T>> make_optional(T &&v) {
    return static_cast<T &&>(v);
}

} // namespace std
} // namespace cuda
#pragma clang attribute pop

#endif
