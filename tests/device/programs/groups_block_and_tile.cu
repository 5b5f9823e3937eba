/* Cooperative groups inside a block: tiles, their shuffles and votes, coalesced threads, partitions. */
// PTX: shfl\.sync
// PTX: bar\.warp\.sync
// PTX: redux\.sync|shfl\.sync\.bfly
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
template <class Group> __device__ int sum(Group g, int v) {
    for (int i = g.size() / 2; i > 0; i /= 2) v += g.shfl_down(v, i);
    g.sync();
    return v;
}
__device__ unsigned any_group(const cg::thread_group &g) {
    g.sync();
    return g.size() * 100 + g.thread_rank();
}
struct Wide {
    double a, b;
    int c;
};
__global__ void kernel(int *data, double *d, unsigned *u) {
    extern __shared__ int shared[];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<4> quad = cg::tiled_partition<4>(warp);
    int r = block.thread_rank();
    data[r] = sum(warp, data[r]) + sum(quad, r) + warp.shfl_xor(r, 3) + warp.shfl_up(r, 1) + quad.shfl(r, 0);
    data[r] += warp.any(r) + warp.all(r) + warp.ballot(r) + warp.match_any(r) + warp.meta_group_rank() +
               quad.meta_group_size();
    data[r] += cg::reduce(warp, data[r], cg::plus<int>()) + cg::reduce(quad, r, cg::greater<int>());
    d[r] = cg::reduce(warp, d[r], cg::plus<double>()) + cg::inclusive_scan(warp, d[r]) +
           cg::exclusive_scan(quad, d[r], cg::plus<double>());
    d[r] += cg::reduce(warp, d[r], [](double x, double y) { return x > y ? x : y; });
    Wide w = {1, 2, r};
    d[r] += warp.shfl(w, 5).b;
    if (r % 3) {
        cg::coalesced_group here = cg::coalesced_threads();
        u[r] = here.size() + here.thread_rank() + here.shfl(r, 0) + here.ballot(r > 4) +
               cg::reduce(here, r, cg::plus<int>());
        if (here.thread_rank() == 0) atomicAdd(u, here.size());
        auto same = cg::labeled_partition(here, r % 5);
        auto half = cg::binary_partition(here, r & 1);
        u[r] += same.size() + half.meta_group_rank() + cg::reduce(same, 1.5f, cg::plus<float>());
    }
    u[r] += any_group(block) + any_group(warp) + any_group(cg::tiled_partition(block, 16));
    cg::memcpy_async(block, shared, data, sizeof(int) * block.size());
    cg::wait(block);
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
    cg::sync(block);
    cg::invoke_one(block, [&] { data[0] = shared[1]; });
    dim3 index = block.group_index(), thread = block.thread_index(), dim = block.dim_threads();
    u[r] += index.x + thread.y + dim.z;
}
int main() { kernel<<<1, 128, 512>>>(0, 0, 0); }
