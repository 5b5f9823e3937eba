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

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {
namespace wg_details {

/* What fetch_add takes. */
template <class T> struct difference_of {
    using type = T;
};
template <class T> struct difference_of<T *> {
    using type = ptrdiff_t;
};

/* Every operation on the T at address(), which Self says. */
template <class Self, class T, thread_scope Scope> class atomic_operations {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "cuda::atomic: values are of 1, 2, 4 or 8 bytes; others are not supported");
    using Word = typename word_of<sizeof(T)>::type;
    using Number =
        ::std::conditional_t<::std::is_signed_v<T>, ::std::conditional_t<sizeof(T) == 8, int64_t, int32_t>,
                             ::std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>;
    using Difference = typename difference_of<T>::type;
    static constexpr bool integer = ::std::is_integral_v<T> && !::std::is_same_v<T, bool>;
    static constexpr bool whole_word = sizeof(T) >= 4;

  public:
    using value_type = T;
    static constexpr bool is_always_lock_free = true;
    WG_BOTH bool is_lock_free() const { return true; }

    WG_BOTH T load(memory_order order = memory_order_seq_cst) const {
        return bits_as<T>(load_word(word(), order, Scope));
    }
    WG_BOTH operator T() const { return load(); }
    WG_BOTH void store(T v, memory_order order = memory_order_seq_cst) const {
        store_word(word(), bits_as<Word>(v), order, Scope);
    }
    WG_BOTH T exchange(T v, memory_order order = memory_order_seq_cst) const {
        WG_ON_DEVICE(if constexpr (whole_word) return bits_as<T>(
                         device_exchange(word(), bits_as<Word>(v), order, Scope));)
        return change_by(address(), order, Scope, [=](T) { return v; });
    }

    WG_BOTH bool compare_exchange_strong(T &expected, T v, memory_order success, memory_order) const {
        Word wanted = bits_as<Word>(expected);
        Word found = compare_exchange_word(word(), wanted, bits_as<Word>(v), success, Scope);
        if (found == wanted) return true;
        expected = bits_as<T>(found);
        return false;
    }
    WG_BOTH bool compare_exchange_strong(T &expected, T v, memory_order order = memory_order_seq_cst) const {
        return compare_exchange_strong(expected, v, order, order_of_failure(order));
    }
    WG_BOTH bool compare_exchange_weak(T &expected, T v, memory_order success, memory_order failure) const {
        return compare_exchange_strong(expected, v, success, failure);
    }
    WG_BOTH bool compare_exchange_weak(T &expected, T v, memory_order order = memory_order_seq_cst) const {
        return compare_exchange_strong(expected, v, order);
    }

    WG_BOTH void wait(T old, memory_order order = memory_order_seq_cst) const {
        for (unsigned looks = 0; bits_as<Word>(load(order)) == bits_as<Word>(old); looks++) pause(looks);
    }
    WG_BOTH void notify_one() const {}
    WG_BOTH void notify_all() const {}

    WG_BOTH T fetch_add(Difference v, memory_order order = memory_order_seq_cst) const {
        return added(v, order);
    }
    WG_BOTH T fetch_sub(Difference v, memory_order order = memory_order_seq_cst) const {
        return added((Difference)(0 - v), order);
    }
    WG_BOTH T fetch_min(T v, memory_order order = memory_order_seq_cst) const {
        WG_ON_DEVICE(
            if constexpr (whole_word && integer) return (T)device_min(number(), (Number)v, order, Scope);)
        return changed(order, [=](T old) { return v < old ? v : old; });
    }
    WG_BOTH T fetch_max(T v, memory_order order = memory_order_seq_cst) const {
        WG_ON_DEVICE(
            if constexpr (whole_word && integer) return (T)device_max(number(), (Number)v, order, Scope);)
        return changed(order, [=](T old) { return old < v ? v : old; });
    }
    WG_BOTH T fetch_and(T v, memory_order order = memory_order_seq_cst) const {
        WG_ON_DEVICE(if constexpr (whole_word) return (T)device_and(word(), (Word)v, order, Scope);)
        return changed(order, [=](T old) { return (T)(old & v); });
    }
    WG_BOTH T fetch_or(T v, memory_order order = memory_order_seq_cst) const {
        WG_ON_DEVICE(if constexpr (whole_word) return (T)device_or(word(), (Word)v, order, Scope);)
        return changed(order, [=](T old) { return (T)(old | v); });
    }
    WG_BOTH T fetch_xor(T v, memory_order order = memory_order_seq_cst) const {
        WG_ON_DEVICE(if constexpr (whole_word) return (T)device_xor(word(), (Word)v, order, Scope);)
        return changed(order, [=](T old) { return (T)(old ^ v); });
    }

    WG_BOTH T operator++() const { return fetch_add(1) + 1; }
    WG_BOTH T operator--() const { return fetch_sub(1) - 1; }
    WG_BOTH T operator++(int) const { return fetch_add(1); }
    WG_BOTH T operator--(int) const { return fetch_sub(1); }
    WG_BOTH T operator+=(Difference v) const { return fetch_add(v) + v; }
    WG_BOTH T operator-=(Difference v) const { return fetch_sub(v) - v; }
    WG_BOTH T operator&=(T v) const { return fetch_and(v) & v; }
    WG_BOTH T operator|=(T v) const { return fetch_or(v) | v; }
    WG_BOTH T operator^=(T v) const { return fetch_xor(v) ^ v; }

  private:
    WG_BOTH T *address() const { return static_cast<const Self *>(this)->wg_address(); }
    WG_BOTH Word *word() const { return (Word *)address(); }
    WG_BOTH Number *number() const { return (Number *)address(); }

    template <class Change> WG_BOTH T changed(memory_order order, Change change) const {
        static_assert(integer || (::std::is_floating_point_v<T> && !::std::is_same_v<T, bool>),
                      "cuda::atomic: values of this type are loaded, stored and exchanged, nothing else");
        return change_by(address(), order, Scope, change);
    }
    WG_BOTH T added(Difference v, memory_order order) const {
        if constexpr (::std::is_pointer_v<T>) {
            WG_ON_DEVICE(return (T)device_add(word(), (Word)(v * (Difference)sizeof(*T())), order, Scope);)
            return change_by(address(), order, Scope, [=](T old) { return old + v; });
        } else {
            WG_ON_DEVICE(
                if constexpr (whole_word && integer) return (T)device_add(word(), (Word)v, order, Scope);)
            WG_ON_DEVICE(
                if constexpr (::std::is_floating_point_v<T>) return device_add(address(), v, order, Scope);)
            return changed(order, [=](T old) { return (T)(old + v); });
        }
    }
};

} // namespace wg_details

template <class T, thread_scope Scope = thread_scope_system>
class alignas(sizeof(T)) atomic : public wg_details::atomic_operations<atomic<T, Scope>, T, Scope> {
  public:
    atomic() noexcept = default;
    constexpr WG_BOTH atomic(T v) noexcept : value_(v) {}
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    WG_BOTH T operator=(T v) {
        this->store(v);
        return v;
    }
    WG_BOTH T *wg_address() const { return const_cast<T *>(&value_); }

  private:
    T value_;
};

/* The same for a value that is an ordinary variable. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public wg_details::atomic_operations<atomic_ref<T, Scope>, T, Scope> {
  public:
    static constexpr size_t required_alignment = sizeof(T);
    WG_BOTH explicit atomic_ref(T &value) : value_(&value) {}
    atomic_ref(const atomic_ref &) = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    WG_BOTH T operator=(T v) const {
        this->store(v);
        return v;
    }
    WG_BOTH T *wg_address() const { return value_; }

  private:
    T *value_;
};

template <thread_scope Scope = thread_scope_system> class atomic_flag {
  public:
    atomic_flag() noexcept = default;
    constexpr WG_BOTH atomic_flag(bool set) noexcept : set_(set) {}
    WG_BOTH bool test(memory_order order = memory_order_seq_cst) const { return set_.load(order); }
    WG_BOTH bool test_and_set(memory_order order = memory_order_seq_cst) { return set_.exchange(1, order); }
    WG_BOTH void clear(memory_order order = memory_order_seq_cst) { set_.store(0, order); }
    WG_BOTH void wait(bool old, memory_order order = memory_order_seq_cst) const { set_.wait(old, order); }
    WG_BOTH void notify_one() {}
    WG_BOTH void notify_all() {}

  private:
    atomic<unsigned, Scope> set_;
};

namespace std {

template <class T> using atomic = cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
using atomic_flag = cuda::atomic_flag<thread_scope_system>;
using cuda::atomic_signal_fence;
WG_BOTH void atomic_thread_fence(memory_order order) { cuda::atomic_thread_fence(order); }

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
    template <class T, thread_scope Scope, class... Arguments>                                               \
    WG_BOTH auto NAME(const atomic<T, Scope> *object, Arguments... arguments) {                              \
        return object->METHOD(arguments...);                                                                 \
    }                                                                                                        \
    template <class T, thread_scope Scope, class... Arguments>                                               \
    WG_BOTH auto NAME##_explicit(const atomic<T, Scope> *object, Arguments... arguments) {                   \
        return object->METHOD(arguments...);                                                                 \
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
