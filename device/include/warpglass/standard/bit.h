/* bit.h: cuda::std's bit operations, which the C++ library has from C++20 on. */
#ifndef WARPGLASS_STANDARD_BIT_H
#define WARPGLASS_STANDARD_BIT_H

#include "base.h"

#if __cplusplus >= 202002L
#include <bit>
#endif

#pragma clang attribute push(__attribute__((__nodebug__)), apply_to = hasType(functionType))
namespace cuda {
namespace std {

#if __cplusplus < 202002L
enum class endian { little = __ORDER_LITTLE_ENDIAN__, big = __ORDER_BIG_ENDIAN__, native = little };

template <class __To, class __From> constexpr WG_BOTH __To bit_cast(const __From &__from) {
    return __builtin_bit_cast(__To, __from);
}
template <class __T> constexpr WG_BOTH int popcount(__T __x) {
    return __builtin_popcountll((unsigned long long)__x);
}
template <class __T> constexpr WG_BOTH int countl_zero(__T __x) {
    return __x ? __builtin_clzll((unsigned long long)__x) - (64 - 8 * (int)sizeof(__T))
               : 8 * (int)sizeof(__T);
}
template <class __T> constexpr WG_BOTH int countr_zero(__T __x) {
    return __x ? __builtin_ctzll((unsigned long long)__x) : 8 * (int)sizeof(__T);
}
template <class __T> constexpr WG_BOTH int countl_one(__T __x) { return countl_zero((__T)~__x); }
template <class __T> constexpr WG_BOTH int countr_one(__T __x) { return countr_zero((__T)~__x); }
template <class __T> constexpr WG_BOTH bool has_single_bit(__T __x) { return __x && !(__x & (__T)(__x - 1)); }
template <class __T> constexpr WG_BOTH int bit_width(__T __x) {
    return 8 * (int)sizeof(__T) - countl_zero(__x);
}
template <class __T> constexpr WG_BOTH __T bit_floor(__T __x) {
    return __x ? (__T)((__T)1 << (bit_width(__x) - 1)) : (__T)0;
}
template <class __T> constexpr WG_BOTH __T bit_ceil(__T __x) {
    return __x <= 1 ? (__T)1 : (__T)((__T)1 << bit_width((__T)(__x - 1)));
}
template <class __T> constexpr WG_BOTH __T rotl(__T __x, int __n) {
    constexpr unsigned __bits = 8 * sizeof(__T), __mask = __bits - 1;
    return (__T)((__T)(__x << ((unsigned)__n & __mask)) | (__T)(__x >> ((0u - (unsigned)__n) & __mask)));
}
template <class __T> constexpr WG_BOTH __T rotr(__T __x, int __n) { return rotl(__x, -__n); }
#endif

template <class __T> constexpr WG_BOTH __T byteswap(__T __x) {
    if constexpr (sizeof(__T) == 1)
        return __x;
    else if constexpr (sizeof(__T) == 2)
        return (__T)__builtin_bswap16((unsigned short)__x);
    else if constexpr (sizeof(__T) == 4)
        return (__T)__builtin_bswap32((unsigned)__x);
    else
        return (__T)__builtin_bswap64((unsigned long long)__x);
}

} // namespace std
} // namespace cuda
#pragma clang attribute pop

#endif
