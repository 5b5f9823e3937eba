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
namespace __v1 {

template <unsigned int __Size, class __Parent = void> class thread_block_tile : public thread_group {
    static_assert(__Size >= 1 && __Size <= 32 && (__Size & (__Size - 1)) == 0,
                  "tiles are of 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512 threads");

  public:
    static WG_GROUP_FN unsigned int size() { return __Size; }
    static WG_GROUP_FN unsigned int num_threads() { return __Size; }
    static WG_GROUP_FN unsigned int thread_rank() { return wg_lane() & (__Size - 1); }
    WG_GROUP_FN unsigned int meta_group_rank() const { return __meta_rank_; }
    WG_GROUP_FN unsigned int meta_group_size() const { return __meta_size_; }
    WG_GROUP_FN void sync() const { __syncwarp(__mask_); }

    template <class __T> WG_GROUP_FN __T shfl(__T __value, int __rank) const {
        return wg_details::__shuffle_words(
            __value, [=](unsigned int __w) { return __shfl_sync(__mask_, __w, __rank, __Size); });
    }
    template <class __T> WG_GROUP_FN __T shfl_up(__T __value, unsigned int __delta) const {
        return wg_details::__shuffle_words(
            __value, [=](unsigned int __w) { return __shfl_up_sync(__mask_, __w, __delta, __Size); });
    }
    template <class __T> WG_GROUP_FN __T shfl_down(__T __value, unsigned int __delta) const {
        return wg_details::__shuffle_words(
            __value, [=](unsigned int __w) { return __shfl_down_sync(__mask_, __w, __delta, __Size); });
    }
    template <class __T> WG_GROUP_FN __T shfl_xor(__T __value, int __lanes) const {
        return wg_details::__shuffle_words(
            __value, [=](unsigned int __w) { return __shfl_xor_sync(__mask_, __w, __lanes, __Size); });
    }
    WG_GROUP_FN int any(int __predicate) const { return __any_sync(__mask_, __predicate); }
    WG_GROUP_FN int all(int __predicate) const { return __all_sync(__mask_, __predicate); }
    WG_GROUP_FN unsigned int ballot(int __predicate) const {
        return __ballot_sync(__mask_, __predicate) >> __first_lane();
    }
    template <class __T> WG_GROUP_FN unsigned int match_any(__T __value) const {
        return __match_any_sync(__mask_, __value) >> __first_lane();
    }
    template <class __T> WG_GROUP_FN unsigned int match_all(__T __value, int &__predicate) const {
        return __match_all_sync(__mask_, __value, &__predicate) >> __first_lane();
    }
    /* See reduce.h. */
    template <class __T, class __Op> WG_GROUP_FN __T wg_reduce(__T __value, __Op __op) const {
#pragma unroll
        for (unsigned int __lanes = __Size / 2; __lanes > 0; __lanes /= 2)
            __value = __op(__value, shfl_xor(__value, (int)__lanes));
        return __value;
    }
    /* The lanes of the warp that are members: for the functions of warp_intrinsics.h. */
    WG_GROUP_FN unsigned int wg_mask() const { return __mask_; }

    WG_GROUP_FN thread_block_tile(unsigned int __meta_rank, unsigned int __meta_size)
        : thread_group((__Size == 32 ? 0xffffffffu : (1u << (__Size & 31)) - 1) << __first_lane()),
          __meta_rank_(__meta_rank), __meta_size_(__meta_size) {}
    /* A tile that has forgotten what it is a part of. */
    template <class __Other>
    WG_GROUP_FN thread_block_tile(const thread_block_tile<__Size, __Other> &__other)
        : thread_block_tile(__other.meta_group_rank(), __other.meta_group_size()) {}

  private:
    static WG_GROUP_FN unsigned int __first_lane() { return wg_lane() & ~(__Size - 1) & 31; }
    unsigned int __meta_rank_, __meta_size_;
};

class coalesced_group : public thread_group {
  public:
    WG_GROUP_FN unsigned int size() const { return __popc(__mask_); }
    WG_GROUP_FN unsigned int num_threads() const { return size(); }
    WG_GROUP_FN unsigned int thread_rank() const { return __popc(__mask_ & wg_lanes_before()); }
    WG_GROUP_FN unsigned int meta_group_rank() const { return __meta_rank_; }
    WG_GROUP_FN unsigned int meta_group_size() const { return __meta_size_; }
    WG_GROUP_FN void sync() const { __syncwarp(__mask_); }

    template <class __T> WG_GROUP_FN __T shfl(__T __value, unsigned int __rank) const {
        return __from_lane(__value, wg_details::__lane_of_rank(__mask_, __rank));
    }
    /* Like the hardware's: a member with nobody that far away gets its own value. */
    template <class __T> WG_GROUP_FN __T shfl_up(__T __value, unsigned int __delta) const {
        unsigned int __rank = thread_rank();
        return __from_lane(
            __value, wg_details::__lane_of_rank(__mask_, __rank >= __delta ? __rank - __delta : __rank));
    }
    template <class __T> WG_GROUP_FN __T shfl_down(__T __value, unsigned int __delta) const {
        unsigned int __rank = thread_rank();
        return __from_lane(__value, wg_details::__lane_of_rank(
                                        __mask_, __rank + __delta < size() ? __rank + __delta : __rank));
    }
    WG_GROUP_FN int any(int __predicate) const { return __any_sync(__mask_, __predicate); }
    WG_GROUP_FN int all(int __predicate) const { return __all_sync(__mask_, __predicate); }
    WG_GROUP_FN unsigned int ballot(int __predicate) const {
        return wg_details::__lanes_to_ranks(__ballot_sync(__mask_, __predicate), __mask_);
    }
    template <class __T> WG_GROUP_FN unsigned int match_any(__T __value) const {
        return wg_details::__lanes_to_ranks(__match_any_sync(__mask_, __value), __mask_);
    }
    template <class __T> WG_GROUP_FN unsigned int match_all(__T __value, int &__predicate) const {
        return wg_details::__lanes_to_ranks(__match_all_sync(__mask_, __value, &__predicate), __mask_);
    }
    WG_GROUP_FN unsigned int wg_mask() const { return __mask_; }

    WG_GROUP_FN explicit coalesced_group(unsigned int __mask, unsigned int __meta_rank = 0,
                                         unsigned int __meta_size = 1)
        : thread_group(__mask), __meta_rank_(__meta_rank), __meta_size_(__meta_size) {}
    template <unsigned int __Size, class __Parent>
    WG_GROUP_FN coalesced_group(const thread_block_tile<__Size, __Parent> &__tile)
        : coalesced_group(__tile.wg_mask(), __tile.meta_group_rank(), __tile.meta_group_size()) {}

  private:
    template <class __T> WG_GROUP_FN __T __from_lane(const __T &__value, unsigned int __lane) const {
        return wg_details::__shuffle_words(
            __value, [=](unsigned int __w) { return __shfl_sync(__mask_, __w, (int)__lane); });
    }
    unsigned int __meta_rank_, __meta_size_;
};

WG_GROUP_FN coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
