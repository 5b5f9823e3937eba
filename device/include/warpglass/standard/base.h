/* base.h: namespace cuda::std. What the C++ library has as constexpr is the C++ library's own, which clang
 * lets kernels call; what it would have to change in kernels (pair, tuple, array, optional, swap) has a form
 * here.
 */
#ifndef WARPGLASS_STANDARD_BASE_H
#define WARPGLASS_STANDARD_BASE_H

#if __cplusplus < 201703L
#error "the headers of cuda/ need C++17 or newer: compile with -std=c++17"
#endif

#include "../../cuda_runtime.h"

#include <cstddef>
#include <type_traits>
#include <utility>

#define WG_BOTH __host__ __device__ __forceinline__

namespace cuda {
namespace std {

using namespace ::std;

template <class __T> constexpr WG_BOTH void swap(__T &__a, __T &__b) {
    __T __c = static_cast<__T &&>(__a);
    __a = static_cast<__T &&>(__b);
    __b = static_cast<__T &&>(__c);
}
template <class __T, size_t __Num> constexpr WG_BOTH void swap(__T (&__a)[__Num], __T (&__b)[__Num]) {
    for (size_t __i = 0; __i < __Num; __i++) swap(__a[__i], __b[__i]);
}
template <class __T, class __U = __T> constexpr WG_BOTH __T exchange(__T &__place, __U &&__v) {
    __T __old = static_cast<__T &&>(__place);
    __place = static_cast<__U &&>(__v);
    return __old;
}

} // namespace std
} // namespace cuda

#endif
