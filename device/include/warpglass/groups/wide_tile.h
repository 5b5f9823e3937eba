/* wide_tile.h: tiles of 64 to 512 threads: some warps of a block.
 *
 * They wait at a barrier of PTX's own, the one that their first two warps give the number of; a kernel that
 * has "bar.sync" with numbers of its own beside them is not supported. Values go through shared memory: a
 * slot of 8 bytes for each warp.
 */
#ifndef WARPGLASS_GROUPS_WIDE_TILE_H
#define WARPGLASS_GROUPS_WIDE_TILE_H

#include "warp.h"

namespace cooperative_groups {

template <unsigned int Size> class wg_wide_tile {
  public:
    static WG_GROUP_FN unsigned int size() { return Size; }
    static WG_GROUP_FN unsigned int num_threads() { return Size; }
    static WG_GROUP_FN unsigned int thread_rank() { return wg_details::rank_in_block() % Size; }
    WG_GROUP_FN unsigned int meta_group_rank() const { return meta_rank_; }
    WG_GROUP_FN unsigned int meta_group_size() const { return meta_size_; }
    static WG_GROUP_FN bool is_valid() { return true; }

    /* There are 16 barriers, and 0 is __syncthreads': the last 64 of 1024 threads have none. */
    static WG_GROUP_FN void sync() {
        unsigned int barrier = 1 + first_warp() / 2;
        if (barrier > 15) __trap();
        __barrier_sync_count(barrier, 32 * warps());
    }
    template <class T> WG_GROUP_FN T shfl(T value, unsigned int rank) const {
        if (thread_rank() == rank) put(value, first_warp());
        sync();
        T told = got<T>(first_warp());
        sync();
        return told;
    }
    WG_GROUP_FN int any(int predicate) const { return wg_reduce(predicate != 0, bit_or<int>()); }
    WG_GROUP_FN int all(int predicate) const { return wg_reduce(predicate != 0, bit_and<int>()); }

    /* Each warp by itself, then warp after warp. */
    template <class T, class Op> WG_GROUP_FN T wg_reduce(T value, Op op) const {
        T of_warp = thread_block_tile<32>(0, 1).wg_reduce(value, op);
        if (wg_lane() == 0) put(of_warp, wg_details::rank_in_block() / 32);
        sync();
        T all = got<T>(first_warp());
        for (unsigned int w = 1; w < warps(); w++) all = op(all, got<T>(first_warp() + w));
        sync();
        return all;
    }
    static WG_GROUP_FN unsigned int wg_mask() { return 0xffffffffu; }

    WG_GROUP_FN wg_wide_tile(unsigned int meta_rank, unsigned int meta_size)
        : meta_rank_(meta_rank), meta_size_(meta_size) {}

  private:
    static constexpr unsigned int slot = 8; /* bytes */
    static WG_GROUP_FN unsigned int first_warp() { return wg_details::rank_in_block() / Size * (Size / 32); }
    /* Fewer where the block ends. */
    static WG_GROUP_FN unsigned int warps() {
        unsigned int left = (wg_details::block_size() + 31) / 32 - first_warp();
        return left < Size / 32 ? left : Size / 32;
    }
    static WG_GROUP_FN char *slots() {
        __shared__ char bytes[1024 / 32 * slot] __attribute__((aligned(slot)));
        return bytes;
    }
    template <class T> static WG_GROUP_FN void put(const T &value, unsigned int warp) {
        static_assert(std::is_trivially_copy_constructible<T>::value && sizeof(T) <= slot,
                      "a tile of more than 32 threads hands over trivially copyable types of up to 8 bytes");
        __builtin_memcpy(slots() + slot * warp, &value, sizeof(T));
    }
    template <class T> static WG_GROUP_FN T got(unsigned int warp) {
        T value;
        __builtin_memcpy(&value, slots() + slot * warp, sizeof(T));
        return value;
    }
    unsigned int meta_rank_, meta_size_;
};

#define WG_WIDE_TILE(SIZE)                                                                                   \
    template <class Parent> class thread_block_tile<SIZE, Parent> : public wg_wide_tile<SIZE> {              \
      public:                                                                                                \
        using wg_wide_tile<SIZE>::wg_wide_tile;                                                              \
        template <class Other>                                                                               \
        WG_GROUP_FN thread_block_tile(const thread_block_tile<SIZE, Other> &other)                           \
            : wg_wide_tile<SIZE>(other.meta_group_rank(), other.meta_group_size()) {}                        \
    };
WG_WIDE_TILE(64)
WG_WIDE_TILE(128)
WG_WIDE_TILE(256)
WG_WIDE_TILE(512)
#undef WG_WIDE_TILE

} // namespace cooperative_groups

#endif
