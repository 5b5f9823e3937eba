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
namespace __v1 {

template <unsigned int __Size> class wg_wide_tile {
  public:
    static WG_GROUP_FN unsigned int size() { return __Size; }
    static WG_GROUP_FN unsigned int num_threads() { return __Size; }
    static WG_GROUP_FN unsigned int thread_rank() { return wg_details::__rank_in_block() % __Size; }
    WG_GROUP_FN unsigned int meta_group_rank() const { return __meta_rank_; }
    WG_GROUP_FN unsigned int meta_group_size() const { return __meta_size_; }
    static WG_GROUP_FN bool is_valid() { return true; }

    /* There are 16 barriers, and 0 is __syncthreads': the last 64 of 1024 threads have none. */
    static WG_GROUP_FN void sync() {
        unsigned int __barrier = 1 + __first_warp() / 2;
        if (__barrier > 15) __trap();
        __barrier_sync_count(__barrier, 32 * __warps());
    }
    template <class __T> WG_GROUP_FN __T shfl(__T __value, unsigned int __rank) const {
        if (thread_rank() == __rank) __put(__value, __first_warp());
        sync();
        __T __told = __got<__T>(__first_warp());
        sync();
        return __told;
    }
    WG_GROUP_FN int any(int __predicate) const { return wg_reduce(__predicate != 0, bit_or<int>()); }
    WG_GROUP_FN int all(int __predicate) const { return wg_reduce(__predicate != 0, bit_and<int>()); }

    /* Each warp by itself, then warp after warp. */
    template <class __T, class __Op> WG_GROUP_FN __T wg_reduce(__T __value, __Op __op) const {
        __T __of_warp = thread_block_tile<32>(0, 1).wg_reduce(__value, __op);
        if (wg_lane() == 0) __put(__of_warp, wg_details::__rank_in_block() / 32);
        sync();
        __T __all = __got<__T>(__first_warp());
        for (unsigned int __w = 1; __w < __warps(); __w++)
            __all = __op(__all, __got<__T>(__first_warp() + __w));
        sync();
        return __all;
    }
    static WG_GROUP_FN unsigned int wg_mask() { return 0xffffffffu; }

    WG_GROUP_FN wg_wide_tile(unsigned int __meta_rank, unsigned int __meta_size)
        : __meta_rank_(__meta_rank), __meta_size_(__meta_size) {}

  private:
    static constexpr unsigned int __slot = 8; /* bytes */
    static WG_GROUP_FN unsigned int __first_warp() {
        return wg_details::__rank_in_block() / __Size * (__Size / 32);
    }
    /* Fewer where the block ends. */
    static WG_GROUP_FN unsigned int __warps() {
        unsigned int __left = (wg_details::__block_size() + 31) / 32 - __first_warp();
        return __left < __Size / 32 ? __left : __Size / 32;
    }
    static WG_GROUP_FN char *__slots() {
        __shared__ char __bytes[1024 / 32 * __slot] __attribute__((__aligned__(__slot)));
        return __bytes;
    }
    template <class __T> static WG_GROUP_FN void __put(const __T &__value, unsigned int __warp) {
        static_assert(std::is_trivially_copy_constructible<__T>::value && sizeof(__T) <= __slot,
                      "a tile of more than 32 threads hands over trivially copyable types of up to 8 bytes");
        __builtin_memcpy(__slots() + __slot * __warp, &__value, sizeof(__T));
    }
    template <class __T> static WG_GROUP_FN __T __got(unsigned int __warp) {
        __T __value;
        __builtin_memcpy(&__value, __slots() + __slot * __warp, sizeof(__T));
        return __value;
    }
    unsigned int __meta_rank_, __meta_size_;
};

#define WG_WIDE_TILE(SIZE)                                                                                   \
    template <class __Parent> class thread_block_tile<SIZE, __Parent> : public wg_wide_tile<SIZE> {          \
      public:                                                                                                \
        using wg_wide_tile<SIZE>::wg_wide_tile;                                                              \
        template <class __Other>                                                                             \
        WG_GROUP_FN thread_block_tile(const thread_block_tile<SIZE, __Other> &__other)                       \
            : wg_wide_tile<SIZE>(__other.meta_group_rank(), __other.meta_group_size()) {}                    \
    };
WG_WIDE_TILE(64)
WG_WIDE_TILE(128)
WG_WIDE_TILE(256)
WG_WIDE_TILE(512)
#undef WG_WIDE_TILE

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

#endif
