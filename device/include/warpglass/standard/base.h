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

template <class T> constexpr WG_BOTH void swap(T &a, T &b) {
    T c = static_cast<T &&>(a);
    a = static_cast<T &&>(b);
    b = static_cast<T &&>(c);
}
template <class T, size_t N> constexpr WG_BOTH void swap(T (&a)[N], T (&b)[N]) {
    for (size_t i = 0; i < N; i++) swap(a[i], b[i]);
}
template <class T, class U = T> constexpr WG_BOTH T exchange(T &place, U &&v) {
    T old = static_cast<T &&>(place);
    place = static_cast<U &&>(v);
    return old;
}

} // namespace std
} // namespace cuda

#endif
