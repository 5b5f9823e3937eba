// CCCL's headers declare groups before they are defined, in the namespace in which CUDA's header defines them.
namespace cooperative_groups {
namespace __v1 {
class thread_block;
template <unsigned int Size, typename Parent> class thread_block_tile;
} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups

template <typename T> constexpr bool is_block = false;
template <> constexpr bool is_block<cooperative_groups::thread_block> = true;
template <typename T> constexpr bool is_warp = false;
template <typename Parent> constexpr bool is_warp<cooperative_groups::thread_block_tile<32, Parent>> = true;

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void kernel(unsigned *rank) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    static_assert(is_block<decltype(block)> && !is_block<decltype(warp)>, "the block is the class declared");
    static_assert(is_warp<decltype(warp)> && !is_warp<decltype(cg::tiled_partition<16>(block))>,
                  "so is the tile");
    rank[block.thread_rank()] = warp.thread_rank();
}
// PTX: st.global
