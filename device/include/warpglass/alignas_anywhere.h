/* alignas_anywhere.h: alignas wherever an attribute of GNU's may stand.
 *
 * C++ wants alignas before all other words of a declaration. nvcc takes it behind __shared__ as well, and
 * programs have it there. Included by the command, and only into what clang has refused without it.
 */
#ifndef WARPGLASS_ALIGNAS_ANYWHERE_H
#define WARPGLASS_ALIGNAS_ANYWHERE_H

#include <stddef.h>

/* Of a number, or of types. */
template <size_t Alignment> constexpr size_t warpglass_alignment() { return Alignment; }
template <typename First, typename... Rest> constexpr size_t warpglass_alignment() {
    size_t most = alignof(First);
    for (size_t next : {most, alignof(Rest)...})
        if (next > most) most = next;
    return most;
}

#define alignas(...) __attribute__((aligned(::warpglass_alignment<__VA_ARGS__>())))

#endif
