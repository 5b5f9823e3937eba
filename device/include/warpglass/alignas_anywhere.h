/* alignas_anywhere.h: alignas wherever an attribute of GNU's may stand.
 *
 * C++ wants alignas before all other words of a declaration. nvcc takes it behind __shared__ as well, and
 * programs have it there. Included by the command, and only into what clang has refused without it.
 */
#ifndef WARPGLASS_ALIGNAS_ANYWHERE_H
#define WARPGLASS_ALIGNAS_ANYWHERE_H

#include <stddef.h>

/* Of a number, or of types. */
template <size_t __Alignment> constexpr size_t warpglass_alignment() { return __Alignment; }
template <typename __First, typename... __Rest> constexpr size_t warpglass_alignment() {
    size_t __most = alignof(__First);
    for (size_t __next : {__most, alignof(__Rest)...})
        if (__next > __most) __most = __next;
    return __most;
}

#define alignas(...) __attribute__((__aligned__(::warpglass_alignment<__VA_ARGS__>())))

#endif
