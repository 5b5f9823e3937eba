/* optional.h: cuda::std::optional, for types that are copied without more ado. */
#ifndef WARPGLASS_STANDARD_OPTIONAL_H
#define WARPGLASS_STANDARD_OPTIONAL_H

#include "base.h"

#include <optional>

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

template <class __T> class optional {
    static_assert(is_trivially_destructible_v<__T>,
                  "cuda::std::optional: types with a destructor are not supported");

  public:
    using value_type = __T;
    constexpr WG_BOTH optional() : __nothing_(), __some_(false) {}
    constexpr WG_BOTH optional(nullopt_t) : optional() {}
    template <class __U = __T,
              class = enable_if_t<is_constructible_v<__T, __U &&> &&
                                  !is_same_v<remove_cv_t<remove_reference_t<__U>>, optional>>>
    constexpr WG_BOTH optional(__U &&__v) : __value_(static_cast<__U &&>(__v)), __some_(true) {}
    template <class... __Arguments>
    constexpr WG_BOTH explicit optional(in_place_t, __Arguments &&...__v)
        : __value_(static_cast<__Arguments &&>(__v)...), __some_(true) {}
    constexpr WG_BOTH optional &operator=(nullopt_t) {
        __some_ = false;
        return *this;
    }

    constexpr WG_BOTH bool has_value() const { return __some_; }
    constexpr WG_BOTH explicit operator bool() const { return __some_; }
    constexpr WG_BOTH __T &operator*() { return __value_; }
    constexpr WG_BOTH const __T &operator*() const { return __value_; }
    constexpr WG_BOTH __T *operator->() { return &__value_; }
    constexpr WG_BOTH const __T *operator->() const { return &__value_; }
    WG_BOTH __T &value() {
        __check();
        return __value_;
    }
    WG_BOTH const __T &value() const {
        __check();
        return __value_;
    }
    template <class __U> constexpr WG_BOTH __T value_or(__U &&__other) const {
        return __some_ ? __value_ : static_cast<__T>(static_cast<__U &&>(__other));
    }
    template <class... __Arguments> WG_BOTH __T &emplace(__Arguments &&...__v) {
        __value_ = __T(static_cast<__Arguments &&>(__v)...);
        __some_ = true;
        return __value_;
    }
    constexpr WG_BOTH void reset() { __some_ = false; }

    friend constexpr WG_BOTH bool operator==(const optional &__a, const optional &__b) {
        return __a.__some_ == __b.__some_ && (!__a.__some_ || __a.__value_ == __b.__value_);
    }
    friend constexpr WG_BOTH bool operator!=(const optional &__a, const optional &__b) {
        return !(__a == __b);
    }
    friend constexpr WG_BOTH bool operator==(const optional &__a, nullopt_t) { return !__a.__some_; }
    friend constexpr WG_BOTH bool operator!=(const optional &__a, nullopt_t) { return __a.__some_; }

  private:
    WG_BOTH void __check() const {
#if defined(__CUDA_ARCH__)
        if (!__some_) __trap();
#else
        if (!__some_) throw bad_optional_access();
#endif
    }
    union {
        char __nothing_;
        __T __value_;
    };
    bool __some_;
};
template <class __T> optional(__T) -> optional<__T>;
template <class __T> constexpr WG_BOTH optional<decay_t<__T>> make_optional(__T &&__v) {
    return static_cast<__T &&>(__v);
}

} // namespace std
} // namespace cuda
#pragma clang attribute pop

#endif
