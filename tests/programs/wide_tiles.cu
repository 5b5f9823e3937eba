/* Tiles of 64 to 512 threads, in blocks that they fill and blocks that end in one: sums of several types,
 * votes, a value that one thread tells, tiles of tiles, and tiles that do not wait for each other. */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

struct Pair {
    int low;
    float high;
};
struct Wider {
    __device__ Pair operator()(Pair a, Pair b) const {
        return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    }
};

template <unsigned Size> __global__ void sums(long long *out) {
    __shared__ cg::block_tile_memory<512> scratch;
    auto block = cg::this_thread_block(scratch);
    auto tile = cg::tiled_partition<Size>(block);
    auto warp = cg::tiled_partition<32>(tile);
    int t = block.thread_rank() + blockIdx.x;
    int sum = cg::reduce(tile, t, cg::plus<int>());
    int least = cg::reduce(tile, t ^ 0x55, cg::less<int>());
    double product = cg::reduce(tile, 1 + t % 3 * 0.5, [](double a, double b) { return a > b ? a : b; });
    Pair pair = cg::reduce(tile, Pair{t * 7 % 101, t * 13 % 89 * 0.25f}, Wider());
    int votes = tile.any(t == 70) + 2 * tile.all(t < 200);
    long long told = tile.shfl((long long)t * t, tile.meta_group_rank() % Size);
    /* Each tile as often as it likes. */
    long long rounds = 0;
    for (unsigned k = 0; k <= tile.meta_group_rank(); k++)
        rounds += cg::reduce(tile, (unsigned)k, cg::plus<unsigned>());
    long long of_warp = cg::reduce(warp, t, cg::plus<int>());
    out += (blockIdx.x * block.size() + block.thread_rank()) * 8;
    out[0] = sum, out[1] = least, out[2] = (long long)(product * 8),
    out[3] = pair.low * 1000 + (long long)(pair.high * 4);
    out[4] = votes, out[5] = told, out[6] = rounds * 1000 + of_warp;
    out[7] = tile.thread_rank() + 1000 * tile.meta_group_rank() + 1000000ll * tile.meta_group_size() +
             100000000ll * tile.num_threads() + 100000000000ll * warp.meta_group_rank();
}

/* A tile's threads see what its others wrote. */
__global__ void shifts(int *out) {
    __shared__ int values[512];
    auto tile = cg::tiled_partition<128>(cg::this_thread_block());
    int t = threadIdx.x;
    for (int k = 0; k < 5; k++) {
        values[t] = t * (k + 1);
        tile.sync();
        out[t] += values[t / 128 * 128 + (t + 37 * k) % 128];
        tile.sync();
    }
}

int main() {
    const int n = 512, blocks = 2;
    Array<long long> out(n * blocks * 8);
    sums<64><<<blocks, 512>>>(out.p);
    show("64", out);
    sums<128><<<blocks, dim3(32, 12)>>>(out.p);
    show("128", out);
    sums<256><<<blocks, 256>>>(out.p);
    show("256", out);
    sums<512><<<blocks, 512>>>(out.p);
    show("512", out);
    Array<int> moved(512);
    shifts<<<1, 512>>>(moved.p);
    show("shifts", moved);
    return 0;
}
