/* words.h: atomic accesses to one word: load, store, exchange, compare and exchange, read-modify-write, each
 * with an order and a scope.
 *
 * Words of four and eight bytes are PTX's own; those of one and two bytes are changed inside the word of four
 * that they lie in. In host code the same names are the compiler's atomics. Example: fetch_add of an unsigned
 * int with memory_order_release among the device's threads -> atom.release.gpu.add.u32
 */
#ifndef WARPGLASS_CONCURRENCY_WORDS_H
#define WARPGLASS_CONCURRENCY_WORDS_H

#include "order.h"

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {
namespace wg_details {

#define WG_DEVICE __device__ __forceinline__

/* ---- Loads and stores: words of one, two, four, eight bytes ---- */

/* Before compute capability 7.0 memory has no model: accesses are volatile, and order is made of fences. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define WG_SEM(SEM, SCOPE) "." SEM "." SCOPE
#else
#define WG_SEM(SEM, SCOPE) ".volatile"
#endif
#define WG_LOAD(SCOPE, SEM)                                                                                  \
    do {                                                                                                     \
        if constexpr (sizeof(__Word) == 8)                                                                   \
            asm volatile("ld" WG_SEM(SEM, SCOPE) ".b64 %0, [%1];" : "=l"(__word) : "l"(__p) : "memory");     \
        else if constexpr (sizeof(__Word) == 4)                                                              \
            asm volatile("ld" WG_SEM(SEM, SCOPE) ".b32 %0, [%1];" : "=r"(__word) : "l"(__p) : "memory");     \
        else if constexpr (sizeof(__Word) == 2)                                                              \
            asm volatile("ld" WG_SEM(SEM, SCOPE) ".b16 %0, [%1];" : "=h"(__word) : "l"(__p) : "memory");     \
        else                                                                                                 \
            asm volatile("ld" WG_SEM(SEM, SCOPE) ".b8 %0, [%1];" : "=r"(__byte) : "l"(__p) : "memory");      \
    } while (0)
#define WG_STORE(SCOPE, SEM)                                                                                 \
    do {                                                                                                     \
        if constexpr (sizeof(__Word) == 8)                                                                   \
            asm volatile("st" WG_SEM(SEM, SCOPE) ".b64 [%0], %1;" ::"l"(__p), "l"(__word) : "memory");       \
        else if constexpr (sizeof(__Word) == 4)                                                              \
            asm volatile("st" WG_SEM(SEM, SCOPE) ".b32 [%0], %1;" ::"l"(__p), "r"(__word) : "memory");       \
        else if constexpr (sizeof(__Word) == 2)                                                              \
            asm volatile("st" WG_SEM(SEM, SCOPE) ".b16 [%0], %1;" ::"l"(__p), "h"(__word) : "memory");       \
        else                                                                                                 \
            asm volatile("st" WG_SEM(SEM, SCOPE) ".b8 [%0], %1;" ::"l"(__p), "r"((unsigned)__word)           \
                         : "memory");                                                                        \
    } while (0)

template <class __Word>
WG_DEVICE __Word __device_load(const __Word *__p, memory_order __order, thread_scope __scope) {
    __Word __word;
    [[maybe_unused]] unsigned __byte;
    if (__order == memory_order_seq_cst) __fence_sc(__scope);
    if (__acquires(__order)) {
        WG_EACH_SCOPE(__scope, WG_LOAD, "acquire")
    } else {
        WG_EACH_SCOPE(__scope, WG_LOAD, "relaxed")
    }
    if constexpr (sizeof(__Word) == 1) __word = (__Word)__byte;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    if (__acquires(__order)) __fence_acq_rel(__scope);
#endif
    return __word;
}
template <class __Word>
WG_DEVICE void __device_store(__Word *__p, __Word __word, memory_order __order, thread_scope __scope) {
    if (__order == memory_order_seq_cst) __fence_sc(__scope);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    if (__releases(__order)) __fence_acq_rel(__scope);
#endif
    if (__order == memory_order_release) {
        WG_EACH_SCOPE(__scope, WG_STORE, "release")
    } else {
        WG_EACH_SCOPE(__scope, WG_STORE, "relaxed")
    }
}
#undef WG_LOAD
#undef WG_STORE
#undef WG_SEM

/* ---- Read, modify, write: words of four and eight bytes ---- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define WG_ATOM(SCOPE, SEM, OP, LETTER)                                                                      \
    asm volatile("atom." SEM "." SCOPE "." OP " %0, [%1], %2;"                                               \
                 : "=" LETTER(__old)                                                                         \
                 : "l"(__p), LETTER(__v)                                                                     \
                 : "memory")
#define WG_CAS(SCOPE, SEM, BITS, LETTER)                                                                     \
    asm volatile("atom." SEM "." SCOPE ".cas." BITS " %0, [%1], %2, %3;"                                     \
                 : "=" LETTER(__old)                                                                         \
                 : "l"(__p), LETTER(__expected), LETTER(__v)                                                 \
                 : "memory")
#define WG_ORDERED(ACCESS, ...)                                                                              \
    if (__order == memory_order_seq_cst) __fence_sc(__scope);                                                \
    if (__order == memory_order_acq_rel) {                                                                   \
        WG_EACH_SCOPE(__scope, ACCESS, "acq_rel", __VA_ARGS__)                                               \
    } else if (__acquires(__order)) {                                                                        \
        WG_EACH_SCOPE(__scope, ACCESS, "acquire", __VA_ARGS__)                                               \
    } else if (__releases(__order)) {                                                                        \
        WG_EACH_SCOPE(__scope, ACCESS, "release", __VA_ARGS__)                                               \
    } else {                                                                                                 \
        WG_EACH_SCOPE(__scope, ACCESS, "relaxed", __VA_ARGS__)                                               \
    }
#else
#define WG_ATOM(OP, LETTER)                                                                                  \
    asm volatile("atom." OP " %0, [%1], %2;" : "=" LETTER(__old) : "l"(__p), LETTER(__v) : "memory")
#define WG_CAS(BITS, LETTER)                                                                                 \
    asm volatile("atom.cas." BITS " %0, [%1], %2, %3;"                                                       \
                 : "=" LETTER(__old)                                                                         \
                 : "l"(__p), LETTER(__expected), LETTER(__v)                                                 \
                 : "memory")
#define WG_ORDERED(ACCESS, ...)                                                                              \
    if (__releases(__order)) __fence_acq_rel(__scope);                                                       \
    ACCESS(__VA_ARGS__);                                                                                     \
    if (__acquires(__order)) __fence_acq_rel(__scope);
#endif

#define WG_CHANGE(NAME, WORD, OP, LETTER)                                                                    \
    WG_DEVICE WORD NAME(WORD *__p, WORD __v, memory_order __order, thread_scope __scope) {                   \
        WORD __old;                                                                                          \
        WG_ORDERED(WG_ATOM, OP, LETTER)                                                                      \
        return __old;                                                                                        \
    }
WG_CHANGE(__device_exchange, uint32_t, "exch.b32", "r")
WG_CHANGE(__device_exchange, uint64_t, "exch.b64", "l")
WG_CHANGE(__device_add, uint32_t, "add.u32", "r")
WG_CHANGE(__device_add, uint64_t, "add.u64", "l")
WG_CHANGE(__device_add, float, "add.f32", "f")
WG_CHANGE(__device_add, double, "add.f64", "d")
WG_CHANGE(__device_and, uint32_t, "and.b32", "r")
WG_CHANGE(__device_and, uint64_t, "and.b64", "l")
WG_CHANGE(__device_or, uint32_t, "or.b32", "r")
WG_CHANGE(__device_or, uint64_t, "or.b64", "l")
WG_CHANGE(__device_xor, uint32_t, "xor.b32", "r")
WG_CHANGE(__device_xor, uint64_t, "xor.b64", "l")
WG_CHANGE(__device_min, int32_t, "min.s32", "r")
WG_CHANGE(__device_min, uint32_t, "min.u32", "r")
WG_CHANGE(__device_min, int64_t, "min.s64", "l")
WG_CHANGE(__device_min, uint64_t, "min.u64", "l")
WG_CHANGE(__device_max, int32_t, "max.s32", "r")
WG_CHANGE(__device_max, uint32_t, "max.u32", "r")
WG_CHANGE(__device_max, int64_t, "max.s64", "l")
WG_CHANGE(__device_max, uint64_t, "max.u64", "l")

#define WG_COMPARE(WORD, BITS, LETTER)                                                                       \
    WG_DEVICE WORD __device_cas(WORD *__p, WORD __expected, WORD __v, memory_order __order,                  \
                                thread_scope __scope) {                                                      \
        WORD __old;                                                                                          \
        WG_ORDERED(WG_CAS, BITS, LETTER)                                                                     \
        return __old;                                                                                        \
    }
WG_COMPARE(uint32_t, "b32", "r")
WG_COMPARE(uint64_t, "b64", "l")
#undef WG_CHANGE
#undef WG_COMPARE
#undef WG_ORDERED
#undef WG_CAS
#undef WG_ATOM

/* One or two bytes of a word of four. */
template <class __Small>
WG_DEVICE __Small __device_cas(__Small *__p, __Small __expected, __Small __v, memory_order __order,
                               thread_scope __scope) {
    uint32_t *__word = (uint32_t *)((uintptr_t)__p & ~(uintptr_t)3);
    unsigned __shift = 8 * (unsigned)((uintptr_t)__p & 3);
    uint32_t __mask = (uint32_t)(__Small)~0 << __shift;
    uint32_t __seen = __device_load(__word, memory_order_relaxed, __scope);
    for (;;) {
        __Small __old = (__Small)(__seen >> __shift);
        /* What is found otherwise is still to be read with the order that was asked for. */
        uint32_t __wanted = __old == __expected ? (__seen & ~__mask) | (uint32_t)__v << __shift : __seen;
        uint32_t __now = __device_cas(__word, __seen, __wanted, __order, __scope);
        if (__now == __seen) return __old;
        __seen = __now;
    }
}
#undef WG_DEVICE

/* ---- Host and device: any type of one, two, four or eight bytes, as its bits ---- */

template <size_t __Bytes> struct __word_of;
template <> struct __word_of<1> {
    using type = uint8_t;
};
template <> struct __word_of<2> {
    using type = uint16_t;
};
template <> struct __word_of<4> {
    using type = uint32_t;
};
template <> struct __word_of<8> {
    using type = uint64_t;
};

template <class __To, class __From> WG_BOTH __To __bits_as(const __From &__from) {
    static_assert(sizeof(__To) == sizeof(__From), "the same bits");
    __To __to;
    __builtin_memcpy(&__to, &__from, sizeof __to);
    return __to;
}

template <class __Word>
WG_BOTH __Word __load_word(const __Word *__p, memory_order __order, thread_scope __scope) {
#if defined(__CUDA_ARCH__)
    return __device_load(__p, __order, __scope);
#else
    (void)__scope;
    return __atomic_load_n(__p, __host_order(__order));
#endif
}
template <class __Word>
WG_BOTH void __store_word(__Word *__p, __Word __v, memory_order __order, thread_scope __scope) {
#if defined(__CUDA_ARCH__)
    __device_store(__p, __v, __order, __scope);
#else
    (void)__scope;
    __atomic_store_n(__p, __v, __host_order(__order));
#endif
}
/* What was there: `v` is now there if that is `expected`. */
template <class __Word>
WG_BOTH __Word __compare_exchange_word(__Word *__p, __Word __expected, __Word __v, memory_order __order,
                                       thread_scope __scope) {
#if defined(__CUDA_ARCH__)
    return __device_cas(__p, __expected, __v, __order, __scope);
#else
    (void)__scope;
    __atomic_compare_exchange_n(__p, &__expected, __v, false, __host_order(__order),
                                __host_order(__order_of_failure(__order)));
    return __expected;
#endif
}
/* `change` may be called more than once; the last call's result is stored. */
template <class __T, class __Change>
WG_BOTH __T __change_by(__T *__p, memory_order __order, thread_scope __scope, __Change __change) {
    using __Word = typename __word_of<sizeof(__T)>::type;
    __Word __seen = __load_word((const __Word *)__p, memory_order_relaxed, __scope);
    for (;;) {
        __T __old = __bits_as<__T>(__seen);
        __Word __now = __compare_exchange_word((__Word *)__p, __seen, __bits_as<__Word>((__T)__change(__old)),
                                               __order, __scope);
        if (__now == __seen) return __old;
        __seen = __now;
    }
}

} // namespace wg_details
} // namespace cuda
#pragma clang attribute pop

#endif
