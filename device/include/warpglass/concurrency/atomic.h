/* atomic.h: cuda::atomic and cuda::atomic_ref: values that the threads of a scope change as if one after
 * another.
 *
 * Types of one, two, four or eight bytes. What a type can do follows from what it is: integers add, subtract,
 * combine bits, take the smaller and the larger; numbers with a point do so without bits; pointers move.
 * Waiting is looking again and again, so that nobody has to be notified.
 */
#ifndef WARPGLASS_CONCURRENCY_ATOMIC_H
#define WARPGLASS_CONCURRENCY_ATOMIC_H

#include "words.h"

#if defined(__CUDA_ARCH__)
#define WG_ON_DEVICE(...) __VA_ARGS__
#else
#define WG_ON_DEVICE(...)
#endif

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {
namespace wg_details {

/* What fetch_add takes. */
template <class __T> struct __difference_of {
    using type = __T;
};
template <class __T> struct __difference_of<__T *> {
    using type = ptrdiff_t;
};

/* Every operation on the T at address(), which Self says. */
template <class __Self, class __T, thread_scope __Scope> class __atomic_operations {
    static_assert(sizeof(__T) == 1 || sizeof(__T) == 2 || sizeof(__T) == 4 || sizeof(__T) == 8,
                  "cuda::atomic: values are of 1, 2, 4 or 8 bytes; others are not supported");
    using __Word = typename __word_of<sizeof(__T)>::type;
    using __Number = ::std::conditional_t<::std::is_signed_v<__T>,
                                          ::std::conditional_t<sizeof(__T) == 8, int64_t, int32_t>,
                                          ::std::conditional_t<sizeof(__T) == 8, uint64_t, uint32_t>>;
    using __Difference = typename __difference_of<__T>::type;
    static constexpr bool __integer = ::std::is_integral_v<__T> && !::std::is_same_v<__T, bool>;
    static constexpr bool __whole_word = sizeof(__T) >= 4;

  public:
    using value_type = __T;
    static constexpr bool is_always_lock_free = true;
    WG_BOTH bool is_lock_free() const { return true; }

    WG_BOTH __T load(memory_order __order = memory_order_seq_cst) const {
        return __bits_as<__T>(__load_word(__word(), __order, __Scope));
    }
    WG_BOTH operator __T() const { return load(); }
    WG_BOTH void store(__T __v, memory_order __order = memory_order_seq_cst) const {
        __store_word(__word(), __bits_as<__Word>(__v), __order, __Scope);
    }
    WG_BOTH __T exchange(__T __v, memory_order __order = memory_order_seq_cst) const {
        WG_ON_DEVICE(if constexpr (__whole_word) return __bits_as<__T>(
                         __device_exchange(__word(), __bits_as<__Word>(__v), __order, __Scope));)
        return __change_by(__address(), __order, __Scope, [=](__T) { return __v; });
    }

    WG_BOTH bool compare_exchange_strong(__T &__expected, __T __v, memory_order __success,
                                         memory_order) const {
        __Word __wanted = __bits_as<__Word>(__expected);
        __Word __found =
            __compare_exchange_word(__word(), __wanted, __bits_as<__Word>(__v), __success, __Scope);
        if (__found == __wanted) return true;
        __expected = __bits_as<__T>(__found);
        return false;
    }
    WG_BOTH bool compare_exchange_strong(__T &__expected, __T __v,
                                         memory_order __order = memory_order_seq_cst) const {
        return compare_exchange_strong(__expected, __v, __order, __order_of_failure(__order));
    }
    WG_BOTH bool compare_exchange_weak(__T &__expected, __T __v, memory_order __success,
                                       memory_order __failure) const {
        return compare_exchange_strong(__expected, __v, __success, __failure);
    }
    WG_BOTH bool compare_exchange_weak(__T &__expected, __T __v,
                                       memory_order __order = memory_order_seq_cst) const {
        return compare_exchange_strong(__expected, __v, __order);
    }

    WG_BOTH void wait(__T __old, memory_order __order = memory_order_seq_cst) const {
        for (unsigned __looks = 0; __bits_as<__Word>(load(__order)) == __bits_as<__Word>(__old); __looks++)
            __pause(__looks);
    }
    WG_BOTH void notify_one() const {}
    WG_BOTH void notify_all() const {}

    WG_BOTH __T fetch_add(__Difference __v, memory_order __order = memory_order_seq_cst) const {
        return __added(__v, __order);
    }
    WG_BOTH __T fetch_sub(__Difference __v, memory_order __order = memory_order_seq_cst) const {
        return __added((__Difference)(0 - __v), __order);
    }
    WG_BOTH __T fetch_min(__T __v, memory_order __order = memory_order_seq_cst) const {
        WG_ON_DEVICE(if constexpr (__whole_word && __integer) return (__T)__device_min(
                         __number(), (__Number)__v, __order, __Scope);)
        return __changed(__order, [=](__T __old) { return __v < __old ? __v : __old; });
    }
    WG_BOTH __T fetch_max(__T __v, memory_order __order = memory_order_seq_cst) const {
        WG_ON_DEVICE(if constexpr (__whole_word && __integer) return (__T)__device_max(
                         __number(), (__Number)__v, __order, __Scope);)
        return __changed(__order, [=](__T __old) { return __old < __v ? __v : __old; });
    }
    WG_BOTH __T fetch_and(__T __v, memory_order __order = memory_order_seq_cst) const {
        WG_ON_DEVICE(
            if constexpr (__whole_word) return (__T)__device_and(__word(), (__Word)__v, __order, __Scope);)
        return __changed(__order, [=](__T __old) { return (__T)(__old & __v); });
    }
    WG_BOTH __T fetch_or(__T __v, memory_order __order = memory_order_seq_cst) const {
        WG_ON_DEVICE(
            if constexpr (__whole_word) return (__T)__device_or(__word(), (__Word)__v, __order, __Scope);)
        return __changed(__order, [=](__T __old) { return (__T)(__old | __v); });
    }
    WG_BOTH __T fetch_xor(__T __v, memory_order __order = memory_order_seq_cst) const {
        WG_ON_DEVICE(
            if constexpr (__whole_word) return (__T)__device_xor(__word(), (__Word)__v, __order, __Scope);)
        return __changed(__order, [=](__T __old) { return (__T)(__old ^ __v); });
    }

    WG_BOTH __T operator++() const { return fetch_add(1) + 1; }
    WG_BOTH __T operator--() const { return fetch_sub(1) - 1; }
    WG_BOTH __T operator++(int) const { return fetch_add(1); }
    WG_BOTH __T operator--(int) const { return fetch_sub(1); }
    WG_BOTH __T operator+=(__Difference __v) const { return fetch_add(__v) + __v; }
    WG_BOTH __T operator-=(__Difference __v) const { return fetch_sub(__v) - __v; }
    WG_BOTH __T operator&=(__T __v) const { return fetch_and(__v) & __v; }
    WG_BOTH __T operator|=(__T __v) const { return fetch_or(__v) | __v; }
    WG_BOTH __T operator^=(__T __v) const { return fetch_xor(__v) ^ __v; }

  private:
    WG_BOTH __T *__address() const { return static_cast<const __Self *>(this)->wg_address(); }
    WG_BOTH __Word *__word() const { return (__Word *)__address(); }
    WG_BOTH __Number *__number() const { return (__Number *)__address(); }

    template <class __Change> WG_BOTH __T __changed(memory_order __order, __Change __change) const {
        static_assert(__integer || (::std::is_floating_point_v<__T> && !::std::is_same_v<__T, bool>),
                      "cuda::atomic: values of this type are loaded, stored and exchanged, nothing else");
        return __change_by(__address(), __order, __Scope, __change);
    }
    WG_BOTH __T __added(__Difference __v, memory_order __order) const {
        if constexpr (::std::is_pointer_v<__T>) {
            WG_ON_DEVICE(return (__T)__device_add(__word(), (__Word)(__v * (__Difference)sizeof(*__T())),
                                                  __order, __Scope);)
            return __change_by(__address(), __order, __Scope, [=](__T __old) { return __old + __v; });
        } else {
            WG_ON_DEVICE(if constexpr (__whole_word && __integer) return (__T)__device_add(
                             __word(), (__Word)__v, __order, __Scope);)
            WG_ON_DEVICE(if constexpr (::std::is_floating_point_v<__T>) return __device_add(
                             __address(), __v, __order, __Scope);)
            return __changed(__order, [=](__T __old) { return (__T)(__old + __v); });
        }
    }
};

} // namespace wg_details

template <class __T, thread_scope __Scope = thread_scope_system>
class alignas(sizeof(__T)) atomic
    : public wg_details::__atomic_operations<atomic<__T, __Scope>, __T, __Scope> {
  public:
    atomic() noexcept = default;
    constexpr WG_BOTH atomic(__T __v) noexcept : __value_(__v) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    WG_BOTH __T operator=(__T __v) {
        this->store(__v);
        return __v;
    }
    WG_BOTH __T *wg_address() const { return const_cast<__T *>(&__value_); }

  private:
    __T __value_;
};

/* The same for a value that is an ordinary variable. */
template <class __T, thread_scope __Scope = thread_scope_system>
class atomic_ref : public wg_details::__atomic_operations<atomic_ref<__T, __Scope>, __T, __Scope> {
  public:
    static constexpr size_t required_alignment = sizeof(__T);
    WG_BOTH explicit atomic_ref(__T &__value) : __value_(&__value) {}
    atomic_ref(const atomic_ref &) = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    WG_BOTH __T operator=(__T __v) const {
        this->store(__v);
        return __v;
    }
    WG_BOTH __T *wg_address() const { return __value_; }

  private:
    __T *__value_;
};

template <thread_scope __Scope = thread_scope_system> class atomic_flag {
  public:
    atomic_flag() noexcept = default;
    constexpr WG_BOTH atomic_flag(bool __set) noexcept : __set_(__set) {}
    WG_BOTH bool test(memory_order __order = memory_order_seq_cst) const { return __set_.load(__order); }
    WG_BOTH bool test_and_set(memory_order __order = memory_order_seq_cst) {
        return __set_.exchange(1, __order);
    }
    WG_BOTH void clear(memory_order __order = memory_order_seq_cst) { __set_.store(0, __order); }
    WG_BOTH void wait(bool __old, memory_order __order = memory_order_seq_cst) const {
        __set_.wait(__old, __order);
    }
    WG_BOTH void notify_one() {}
    WG_BOTH void notify_all() {}

  private:
    atomic<unsigned, __Scope> __set_;
};

namespace std {

template <class __T> using atomic = cuda::atomic<__T, thread_scope_system>;
template <class __T> using atomic_ref = cuda::atomic_ref<__T, thread_scope_system>;
using atomic_flag = cuda::atomic_flag<thread_scope_system>;
using cuda::atomic_signal_fence;
WG_BOTH void atomic_thread_fence(memory_order __order) { cuda::atomic_thread_fence(__order); }

#define WG_ATOMIC_NAME(NAME, ...) using NAME = atomic<__VA_ARGS__>;
WG_ATOMIC_NAME(atomic_bool, bool)
WG_ATOMIC_NAME(atomic_char, char)
WG_ATOMIC_NAME(atomic_schar, signed char)
WG_ATOMIC_NAME(atomic_uchar, unsigned char)
WG_ATOMIC_NAME(atomic_short, short)
WG_ATOMIC_NAME(atomic_ushort, unsigned short)
WG_ATOMIC_NAME(atomic_int, int)
WG_ATOMIC_NAME(atomic_uint, unsigned int)
WG_ATOMIC_NAME(atomic_long, long)
WG_ATOMIC_NAME(atomic_ulong, unsigned long)
WG_ATOMIC_NAME(atomic_llong, long long)
WG_ATOMIC_NAME(atomic_ullong, unsigned long long)
WG_ATOMIC_NAME(atomic_int32_t, int32_t)
WG_ATOMIC_NAME(atomic_uint32_t, uint32_t)
WG_ATOMIC_NAME(atomic_int64_t, int64_t)
WG_ATOMIC_NAME(atomic_uint64_t, uint64_t)
WG_ATOMIC_NAME(atomic_size_t, size_t)
WG_ATOMIC_NAME(atomic_ptrdiff_t, ptrdiff_t)
#undef WG_ATOMIC_NAME

} // namespace std

/* The same operations as functions; the _explicit ones take an order. */
#define WG_ATOMIC_FUNCTION(NAME, METHOD)                                                                     \
    template <class __T, thread_scope __Scope, class... __Arguments>                                         \
    WG_BOTH auto NAME(const atomic<__T, __Scope> *__object, __Arguments... __arguments) {                    \
        return __object->METHOD(__arguments...);                                                             \
    }                                                                                                        \
    template <class __T, thread_scope __Scope, class... __Arguments>                                         \
    WG_BOTH auto NAME##_explicit(const atomic<__T, __Scope> *__object, __Arguments... __arguments) {         \
        return __object->METHOD(__arguments...);                                                             \
    }                                                                                                        \
    namespace std {                                                                                          \
    using cuda::NAME;                                                                                        \
    using cuda::NAME##_explicit;                                                                             \
    }
WG_ATOMIC_FUNCTION(atomic_load, load)
WG_ATOMIC_FUNCTION(atomic_store, store)
WG_ATOMIC_FUNCTION(atomic_exchange, exchange)
WG_ATOMIC_FUNCTION(atomic_fetch_add, fetch_add)
WG_ATOMIC_FUNCTION(atomic_fetch_sub, fetch_sub)
WG_ATOMIC_FUNCTION(atomic_fetch_and, fetch_and)
WG_ATOMIC_FUNCTION(atomic_fetch_or, fetch_or)
WG_ATOMIC_FUNCTION(atomic_fetch_xor, fetch_xor)
WG_ATOMIC_FUNCTION(atomic_fetch_min, fetch_min)
WG_ATOMIC_FUNCTION(atomic_fetch_max, fetch_max)
#undef WG_ATOMIC_FUNCTION

} // namespace cuda
#pragma clang attribute pop

#undef WG_ON_DEVICE

#endif
