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

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
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
        if constexpr (sizeof(Word) == 8)                                                                     \
            asm volatile("ld" WG_SEM(SEM, SCOPE) ".b64 %0, [%1];" : "=l"(word) : "l"(p) : "memory");         \
        else if constexpr (sizeof(Word) == 4)                                                                \
            asm volatile("ld" WG_SEM(SEM, SCOPE) ".b32 %0, [%1];" : "=r"(word) : "l"(p) : "memory");         \
        else if constexpr (sizeof(Word) == 2)                                                                \
            asm volatile("ld" WG_SEM(SEM, SCOPE) ".b16 %0, [%1];" : "=h"(word) : "l"(p) : "memory");         \
        else                                                                                                 \
            asm volatile("ld" WG_SEM(SEM, SCOPE) ".b8 %0, [%1];" : "=r"(byte) : "l"(p) : "memory");          \
    } while (0)
#define WG_STORE(SCOPE, SEM)                                                                                 \
    do {                                                                                                     \
        if constexpr (sizeof(Word) == 8)                                                                     \
            asm volatile("st" WG_SEM(SEM, SCOPE) ".b64 [%0], %1;" ::"l"(p), "l"(word) : "memory");           \
        else if constexpr (sizeof(Word) == 4)                                                                \
            asm volatile("st" WG_SEM(SEM, SCOPE) ".b32 [%0], %1;" ::"l"(p), "r"(word) : "memory");           \
        else if constexpr (sizeof(Word) == 2)                                                                \
            asm volatile("st" WG_SEM(SEM, SCOPE) ".b16 [%0], %1;" ::"l"(p), "h"(word) : "memory");           \
        else                                                                                                 \
            asm volatile("st" WG_SEM(SEM, SCOPE) ".b8 [%0], %1;" ::"l"(p), "r"((unsigned)word) : "memory");  \
    } while (0)

template <class Word> WG_DEVICE Word device_load(const Word *p, memory_order order, thread_scope scope) {
    Word word;
    [[maybe_unused]] unsigned byte;
    if (order == memory_order_seq_cst) fence_sc(scope);
    if (acquires(order)) {
        WG_EACH_SCOPE(scope, WG_LOAD, "acquire")
    } else {
        WG_EACH_SCOPE(scope, WG_LOAD, "relaxed")
    }
    if constexpr (sizeof(Word) == 1) word = (Word)byte;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    if (acquires(order)) fence_acq_rel(scope);
#endif
    return word;
}
template <class Word>
WG_DEVICE void device_store(Word *p, Word word, memory_order order, thread_scope scope) {
    if (order == memory_order_seq_cst) fence_sc(scope);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    if (releases(order)) fence_acq_rel(scope);
#endif
    if (order == memory_order_release) {
        WG_EACH_SCOPE(scope, WG_STORE, "release")
    } else {
        WG_EACH_SCOPE(scope, WG_STORE, "relaxed")
    }
}
#undef WG_LOAD
#undef WG_STORE
#undef WG_SEM

/* ---- Read, modify, write: words of four and eight bytes ---- */

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define WG_ATOM(SCOPE, SEM, OP, LETTER)                                                                      \
    asm volatile("atom." SEM "." SCOPE "." OP " %0, [%1], %2;"                                               \
                 : "=" LETTER(old)                                                                           \
                 : "l"(p), LETTER(v)                                                                         \
                 : "memory")
#define WG_CAS(SCOPE, SEM, BITS, LETTER)                                                                     \
    asm volatile("atom." SEM "." SCOPE ".cas." BITS " %0, [%1], %2, %3;"                                     \
                 : "=" LETTER(old)                                                                           \
                 : "l"(p), LETTER(expected), LETTER(v)                                                       \
                 : "memory")
#define WG_ORDERED(ACCESS, ...)                                                                              \
    if (order == memory_order_seq_cst) fence_sc(scope);                                                      \
    if (order == memory_order_acq_rel) {                                                                     \
        WG_EACH_SCOPE(scope, ACCESS, "acq_rel", __VA_ARGS__)                                                 \
    } else if (acquires(order)) {                                                                            \
        WG_EACH_SCOPE(scope, ACCESS, "acquire", __VA_ARGS__)                                                 \
    } else if (releases(order)) {                                                                            \
        WG_EACH_SCOPE(scope, ACCESS, "release", __VA_ARGS__)                                                 \
    } else {                                                                                                 \
        WG_EACH_SCOPE(scope, ACCESS, "relaxed", __VA_ARGS__)                                                 \
    }
#else
#define WG_ATOM(OP, LETTER)                                                                                  \
    asm volatile("atom." OP " %0, [%1], %2;" : "=" LETTER(old) : "l"(p), LETTER(v) : "memory")
#define WG_CAS(BITS, LETTER)                                                                                 \
    asm volatile("atom.cas." BITS " %0, [%1], %2, %3;"                                                       \
                 : "=" LETTER(old)                                                                           \
                 : "l"(p), LETTER(expected), LETTER(v)                                                       \
                 : "memory")
#define WG_ORDERED(ACCESS, ...)                                                                              \
    if (releases(order)) fence_acq_rel(scope);                                                               \
    ACCESS(__VA_ARGS__);                                                                                     \
    if (acquires(order)) fence_acq_rel(scope);
#endif

#define WG_CHANGE(NAME, WORD, OP, LETTER)                                                                    \
    WG_DEVICE WORD NAME(WORD *p, WORD v, memory_order order, thread_scope scope) {                           \
        WORD old;                                                                                            \
        WG_ORDERED(WG_ATOM, OP, LETTER)                                                                      \
        return old;                                                                                          \
    }
WG_CHANGE(device_exchange, uint32_t, "exch.b32", "r")
WG_CHANGE(device_exchange, uint64_t, "exch.b64", "l")
WG_CHANGE(device_add, uint32_t, "add.u32", "r")
WG_CHANGE(device_add, uint64_t, "add.u64", "l")
WG_CHANGE(device_add, float, "add.f32", "f")
WG_CHANGE(device_add, double, "add.f64", "d")
WG_CHANGE(device_and, uint32_t, "and.b32", "r")
WG_CHANGE(device_and, uint64_t, "and.b64", "l")
WG_CHANGE(device_or, uint32_t, "or.b32", "r")
WG_CHANGE(device_or, uint64_t, "or.b64", "l")
WG_CHANGE(device_xor, uint32_t, "xor.b32", "r")
WG_CHANGE(device_xor, uint64_t, "xor.b64", "l")
WG_CHANGE(device_min, int32_t, "min.s32", "r")
WG_CHANGE(device_min, uint32_t, "min.u32", "r")
WG_CHANGE(device_min, int64_t, "min.s64", "l")
WG_CHANGE(device_min, uint64_t, "min.u64", "l")
WG_CHANGE(device_max, int32_t, "max.s32", "r")
WG_CHANGE(device_max, uint32_t, "max.u32", "r")
WG_CHANGE(device_max, int64_t, "max.s64", "l")
WG_CHANGE(device_max, uint64_t, "max.u64", "l")

#define WG_COMPARE(WORD, BITS, LETTER)                                                                       \
    WG_DEVICE WORD device_cas(WORD *p, WORD expected, WORD v, memory_order order, thread_scope scope) {      \
        WORD old;                                                                                            \
        WG_ORDERED(WG_CAS, BITS, LETTER)                                                                     \
        return old;                                                                                          \
    }
WG_COMPARE(uint32_t, "b32", "r")
WG_COMPARE(uint64_t, "b64", "l")
#undef WG_CHANGE
#undef WG_COMPARE
#undef WG_ORDERED
#undef WG_CAS
#undef WG_ATOM

/* One or two bytes of a word of four. */
template <class Small>
WG_DEVICE Small device_cas(Small *p, Small expected, Small v, memory_order order, thread_scope scope) {
    uint32_t *word = (uint32_t *)((uintptr_t)p & ~(uintptr_t)3);
    unsigned shift = 8 * (unsigned)((uintptr_t)p & 3);
    uint32_t mask = (uint32_t)(Small)~0 << shift;
    uint32_t seen = device_load(word, memory_order_relaxed, scope);
    for (;;) {
        Small old = (Small)(seen >> shift);
        /* What is found otherwise is still to be read with the order that was asked for. */
        uint32_t wanted = old == expected ? (seen & ~mask) | (uint32_t)v << shift : seen;
        uint32_t now = device_cas(word, seen, wanted, order, scope);
        if (now == seen) return old;
        seen = now;
    }
}
#undef WG_DEVICE

/* ---- Host and device: any type of one, two, four or eight bytes, as its bits ---- */

template <size_t Bytes> struct word_of;
template <> struct word_of<1> {
    using type = uint8_t;
};
template <> struct word_of<2> {
    using type = uint16_t;
};
template <> struct word_of<4> {
    using type = uint32_t;
};
template <> struct word_of<8> {
    using type = uint64_t;
};

template <class To, class From> WG_BOTH To bits_as(const From &from) {
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

template <class Word> WG_BOTH Word load_word(const Word *p, memory_order order, thread_scope scope) {
#if defined(__CUDA_ARCH__)
    return device_load(p, order, scope);
#else
    (void)scope;
    return __atomic_load_n(p, host_order(order));
#endif
}
template <class Word> WG_BOTH void store_word(Word *p, Word v, memory_order order, thread_scope scope) {
#if defined(__CUDA_ARCH__)
    device_store(p, v, order, scope);
#else
    (void)scope;
    __atomic_store_n(p, v, host_order(order));
#endif
}
/* What was there: `v` is now there if that is `expected`. */
template <class Word>
WG_BOTH Word compare_exchange_word(Word *p, Word expected, Word v, memory_order order, thread_scope scope) {
#if defined(__CUDA_ARCH__)
    return device_cas(p, expected, v, order, scope);
#else
    (void)scope;
    __atomic_compare_exchange_n(p, &expected, v, false, host_order(order),
                                host_order(order_of_failure(order)));
    return expected;
#endif
}
/* `change` may be called more than once; the last call's result is stored. */
template <class T, class Change>
WG_BOTH T change_by(T *p, memory_order order, thread_scope scope, Change change) {
    using Word = typename word_of<sizeof(T)>::type;
    Word seen = load_word((const Word *)p, memory_order_relaxed, scope);
    for (;;) {
        T old = bits_as<T>(seen);
        Word now = compare_exchange_word((Word *)p, seen, bits_as<Word>((T)change(old)), order, scope);
        if (now == seen) return old;
        seen = now;
    }
}

} // namespace wg_details
} // namespace cuda
#pragma clang attribute pop

#endif
