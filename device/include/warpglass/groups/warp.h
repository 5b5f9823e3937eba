/* warp.h: groups inside one warp: tiles, whose size is a power of two known to the compiler, and the lanes
 * that are here.
 *
 * Both are a mask of lanes. In a tile a member's rank is its lane modulo the size, so that shuffles need no
 * search; in a coalesced group ranks count the set bits of the mask.
 */
#ifndef WARPGLASS_GROUPS_WARP_H
#define WARPGLASS_GROUPS_WARP_H

#include "block.h"

namespace cooperative_groups {

template <unsigned int Size, class Parent = void> class thread_block_tile : public thread_group {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "tiles are of 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512 threads");

  public:
    static WG_GROUP_FN unsigned int size() { return Size; }
    static WG_GROUP_FN unsigned int num_threads() { return Size; }
    static WG_GROUP_FN unsigned int thread_rank() { return wg_lane() & (Size - 1); }
    WG_GROUP_FN unsigned int meta_group_rank() const { return meta_rank_; }
    WG_GROUP_FN unsigned int meta_group_size() const { return meta_size_; }
    WG_GROUP_FN void sync() const { __syncwarp(mask_); }

    template <class T> WG_GROUP_FN T shfl(T value, int rank) const {
        return wg_details::shuffle_words(value,
                                         [=](unsigned int w) { return __shfl_sync(mask_, w, rank, Size); });
    }
    template <class T> WG_GROUP_FN T shfl_up(T value, unsigned int delta) const {
        return wg_details::shuffle_words(
            value, [=](unsigned int w) { return __shfl_up_sync(mask_, w, delta, Size); });
    }
    template <class T> WG_GROUP_FN T shfl_down(T value, unsigned int delta) const {
        return wg_details::shuffle_words(
            value, [=](unsigned int w) { return __shfl_down_sync(mask_, w, delta, Size); });
    }
    template <class T> WG_GROUP_FN T shfl_xor(T value, int lanes) const {
        return wg_details::shuffle_words(
            value, [=](unsigned int w) { return __shfl_xor_sync(mask_, w, lanes, Size); });
    }
    WG_GROUP_FN int any(int predicate) const { return __any_sync(mask_, predicate); }
    WG_GROUP_FN int all(int predicate) const { return __all_sync(mask_, predicate); }
    WG_GROUP_FN unsigned int ballot(int predicate) const {
        return __ballot_sync(mask_, predicate) >> first_lane();
    }
    template <class T> WG_GROUP_FN unsigned int match_any(T value) const {
        return __match_any_sync(mask_, value) >> first_lane();
    }
    template <class T> WG_GROUP_FN unsigned int match_all(T value, int &predicate) const {
        return __match_all_sync(mask_, value, &predicate) >> first_lane();
    }
    /* See reduce.h. */
    template <class T, class Op> WG_GROUP_FN T wg_reduce(T value, Op op) const {
#pragma unroll
        for (unsigned int lanes = Size / 2; lanes > 0; lanes /= 2)
            value = op(value, shfl_xor(value, (int)lanes));
        return value;
    }
    /* The lanes of the warp that are members: for the functions of warp_intrinsics.h. */
    WG_GROUP_FN unsigned int wg_mask() const { return mask_; }

    WG_GROUP_FN thread_block_tile(unsigned int meta_rank, unsigned int meta_size)
        : thread_group((Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1) << first_lane()),
          meta_rank_(meta_rank), meta_size_(meta_size) {}
    /* A tile that has forgotten what it is a part of. */
    template <class Other>
    WG_GROUP_FN thread_block_tile(const thread_block_tile<Size, Other> &other)
        : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}

  private:
    static WG_GROUP_FN unsigned int first_lane() { return wg_lane() & ~(Size - 1) & 31; }
    unsigned int meta_rank_, meta_size_;
};

class coalesced_group : public thread_group {
  public:
    WG_GROUP_FN unsigned int size() const { return __popc(mask_); }
    WG_GROUP_FN unsigned int num_threads() const { return size(); }
    WG_GROUP_FN unsigned int thread_rank() const { return __popc(mask_ & wg_lanes_before()); }
    WG_GROUP_FN unsigned int meta_group_rank() const { return meta_rank_; }
    WG_GROUP_FN unsigned int meta_group_size() const { return meta_size_; }
    WG_GROUP_FN void sync() const { __syncwarp(mask_); }

    template <class T> WG_GROUP_FN T shfl(T value, unsigned int rank) const {
        return from_lane(value, wg_details::lane_of_rank(mask_, rank));
    }
    /* Like the hardware's: a member with nobody that far away gets its own value. */
    template <class T> WG_GROUP_FN T shfl_up(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        return from_lane(value, wg_details::lane_of_rank(mask_, rank >= delta ? rank - delta : rank));
    }
    template <class T> WG_GROUP_FN T shfl_down(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        return from_lane(value, wg_details::lane_of_rank(mask_, rank + delta < size() ? rank + delta : rank));
    }
    WG_GROUP_FN int any(int predicate) const { return __any_sync(mask_, predicate); }
    WG_GROUP_FN int all(int predicate) const { return __all_sync(mask_, predicate); }
    WG_GROUP_FN unsigned int ballot(int predicate) const {
        return wg_details::lanes_to_ranks(__ballot_sync(mask_, predicate), mask_);
    }
    template <class T> WG_GROUP_FN unsigned int match_any(T value) const {
        return wg_details::lanes_to_ranks(__match_any_sync(mask_, value), mask_);
    }
    template <class T> WG_GROUP_FN unsigned int match_all(T value, int &predicate) const {
        return wg_details::lanes_to_ranks(__match_all_sync(mask_, value, &predicate), mask_);
    }
    WG_GROUP_FN unsigned int wg_mask() const { return mask_; }

    WG_GROUP_FN explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0,
                                         unsigned int meta_size = 1)
        : thread_group(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
    template <unsigned int Size, class Parent>
    WG_GROUP_FN coalesced_group(const thread_block_tile<Size, Parent> &tile)
        : coalesced_group(tile.wg_mask(), tile.meta_group_rank(), tile.meta_group_size()) {}

  private:
    template <class T> WG_GROUP_FN T from_lane(const T &value, unsigned int lane) const {
        return wg_details::shuffle_words(value,
                                         [=](unsigned int w) { return __shfl_sync(mask_, w, (int)lane); });
    }
    unsigned int meta_rank_, meta_size_;
};

WG_GROUP_FN coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

} // namespace cooperative_groups

#endif
