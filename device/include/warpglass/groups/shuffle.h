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
namespace wg_details {

/* `move` takes one word from the lane it is about; it is called once a word, by all lanes of the mask
 * together. */
template <class T, class Move> WG_GROUP_FN T shuffle_words(const T &value, Move move) {
    static_assert(std::is_trivially_copy_constructible<T>::value && sizeof(T) <= 32,
                  "a group shuffles trivially copyable types of up to 32 bytes");
    unsigned int words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
    for (unsigned int &word : words) word = move(word);
    T moved;
    __builtin_memcpy(&moved, words, sizeof(T));
    return moved;
}

/* The lane of the (rank + 1)-th set bit of a mask: from a member's rank to its lane. */
WG_GROUP_FN unsigned int lane_of_rank(unsigned int mask, unsigned int rank) {
    return mask == 0xffffffffu ? rank : __fns(mask, 0, (int)rank + 1);
}
/* The bits of `word` at the places of `mask`, moved together: from lanes to ranks. */
WG_GROUP_FN unsigned int lanes_to_ranks(unsigned int word, unsigned int mask) {
    if (mask == 0xffffffffu) return word;
    unsigned int packed = 0;
    for (unsigned int rank = 0; mask; rank++, mask &= mask - 1)
        packed |= (word >> __ffs((int)mask) - 1 & 1) << rank;
    return packed;
}

} // namespace wg_details

/* What reduce and scan combine with. */
template <class T> struct plus {
    WG_GROUP_FN T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    WG_GROUP_FN T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    WG_GROUP_FN T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    WG_GROUP_FN T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    WG_GROUP_FN T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    WG_GROUP_FN T operator()(T a, T b) const { return a ^ b; }
};

} // namespace cooperative_groups

#endif
