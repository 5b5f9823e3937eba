/* shuffle.h: shuffles of values of any size, for the groups of a warp.
 *
 * CUDA lets a group shuffle any trivially copyable type up to 32 bytes. A value is moved as 32-bit words; for
 * the usual types the copies to and from words vanish.
 */
#ifndef WARPGLASS_GROUPS_SHUFFLE_H
#define WARPGLASS_GROUPS_SHUFFLE_H

#include <type_traits>

#include "../../host_defines.h"

#define WG_GROUP_FN __device__ __forceinline__

namespace cooperative_groups {
namespace __v1 {
namespace wg_details {

/* `__move` takes one word from the lane it is about; it is called once a word, by all lanes of the mask
 * together. */
template <class __T, class __Move> WG_GROUP_FN __T __shuffle_words(const __T &__value, __Move __move) {
    static_assert(std::is_trivially_copy_constructible<__T>::value && sizeof(__T) <= 32,
                  "a group shuffles trivially copyable types of up to 32 bytes");
    unsigned int __words[(sizeof(__T) + 3) / 4] = {};
    __builtin_memcpy(__words, &__value, sizeof(__T));
#pragma unroll
    for (unsigned int &__word : __words) __word = __move(__word);
    __T __moved;
    __builtin_memcpy(&__moved, __words, sizeof(__T));
    return __moved;
}

/* The lane of the (rank + 1)-th set bit of a mask: from a member's rank to its lane. */
WG_GROUP_FN unsigned int __lane_of_rank(unsigned int __mask, unsigned int __rank) {
    return __mask == 0xffffffffu ? __rank : __fns(__mask, 0, (int)__rank + 1);
}
/* The bits of `word` at the places of `mask`, moved together: from lanes to ranks. */
WG_GROUP_FN unsigned int __lanes_to_ranks(unsigned int __word, unsigned int __mask) {
    if (__mask == 0xffffffffu) return __word;
    unsigned int __pack = 0;
    for (unsigned int __rank = 0; __mask; __rank++, __mask &= __mask - 1)
        __pack |= (__word >> __ffs((int)__mask) - 1 & 1) << __rank;
    return __pack;
}

} // namespace wg_details

/* What reduce and scan combine with. */
template <class __T> struct plus {
    WG_GROUP_FN __T operator()(__T __a, __T __b) const { return __a + __b; }
};
template <class __T> struct less {
    WG_GROUP_FN __T operator()(__T __a, __T __b) const { return __b < __a ? __b : __a; }
};
template <class __T> struct greater {
    WG_GROUP_FN __T operator()(__T __a, __T __b) const { return __a < __b ? __b : __a; }
};
template <class __T> struct bit_and {
    WG_GROUP_FN __T operator()(__T __a, __T __b) const { return __a & __b; }
};
template <class __T> struct bit_or {
    WG_GROUP_FN __T operator()(__T __a, __T __b) const { return __a | __b; }
};
template <class __T> struct bit_xor {
    WG_GROUP_FN __T operator()(__T __a, __T __b) const { return __a ^ __b; }
};

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
