/* bit.h: cuda::std's bit operations, which the C++ library has from C++20 on. */
#ifndef WARPGLASS_STANDARD_BIT_H
#define WARPGLASS_STANDARD_BIT_H

#include "base.h"

#if __cplusplus >= 202002L
#include <bit>
#endif

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

#if __cplusplus < 202002L
enum class endian { little = __ORDER_LITTLE_ENDIAN__, big = __ORDER_BIG_ENDIAN__, native = little };

template <class To, class From> constexpr WG_BOTH To bit_cast(const From &from) {
    return __builtin_bit_cast(To, from);
}
template <class T> constexpr WG_BOTH int popcount(T x) { return __builtin_popcountll((unsigned long long)x); }
template <class T> constexpr WG_BOTH int countl_zero(T x) {
    return x ? __builtin_clzll((unsigned long long)x) - (64 - 8 * (int)sizeof(T)) : 8 * (int)sizeof(T);
}
template <class T> constexpr WG_BOTH int countr_zero(T x) {
    return x ? __builtin_ctzll((unsigned long long)x) : 8 * (int)sizeof(T);
}
template <class T> constexpr WG_BOTH int countl_one(T x) { return countl_zero((T)~x); }
template <class T> constexpr WG_BOTH int countr_one(T x) { return countr_zero((T)~x); }
template <class T> constexpr WG_BOTH bool has_single_bit(T x) { return x && !(x & (T)(x - 1)); }
template <class T> constexpr WG_BOTH int bit_width(T x) { return 8 * (int)sizeof(T) - countl_zero(x); }
template <class T> constexpr WG_BOTH T bit_floor(T x) { return x ? (T)((T)1 << (bit_width(x) - 1)) : (T)0; }
template <class T> constexpr WG_BOTH T bit_ceil(T x) {
    return x <= 1 ? (T)1 : (T)((T)1 << bit_width((T)(x - 1)));
}
template <class T> constexpr WG_BOTH T rotl(T x, int n) {
    constexpr unsigned bits = 8 * sizeof(T), mask = bits - 1;
    return (T)((T)(x << ((unsigned)n & mask)) | (T)(x >> ((0u - (unsigned)n) & mask)));
}
template <class T> constexpr WG_BOTH T rotr(T x, int n) { return rotl(x, -n); }
#endif

template <class T> constexpr WG_BOTH T byteswap(T x) {
    if constexpr (sizeof(T) == 1)
        return x;
    else if constexpr (sizeof(T) == 2)
        return (T)__builtin_bswap16((unsigned short)x);
    else if constexpr (sizeof(T) == 4)
        return (T)__builtin_bswap32((unsigned)x);
    else
        return (T)__builtin_bswap64((unsigned long long)x);
}

} // namespace std
} // namespace cuda
#pragma clang attribute pop

#endif
