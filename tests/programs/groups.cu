/* groups: cooperative groups of every kind: blocks, tiles, coalesced lanes, partitions, and a grid that
 * meets. */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <int N> __global__ void tiles(int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<N> tile = cg::tiled_partition<N>(block);
    int v = block.thread_rank() * 3 + 1, *o = out + block.thread_rank() * 12;
    o[0] = tile.thread_rank() + 100 * tile.size() + 10000 * tile.meta_group_rank() +
           1000000 * tile.meta_group_size();
    o[1] = tile.shfl(v, tile.size() - 1);
    o[2] = tile.shfl_up(v, 1);
    o[3] = tile.shfl_down(v, 1);
    o[4] = tile.shfl_xor(v, tile.size() / 2);
    o[5] = tile.any(v % 11 == 0) * 2 + tile.all(v % 3 == 1);
    o[6] = tile.ballot(v & 2);
    o[7] = tile.match_any(v & 4);
    o[8] = cg::reduce(tile, v, cg::plus<int>());
    o[9] = cg::reduce(tile, v ^ 5, cg::less<int>());
    o[10] = cg::inclusive_scan(tile, v);
    o[11] = cg::exclusive_scan(tile, v, cg::plus<int>());
    tile.sync();
}

__global__ void coalesced(int *out, int *next) {
    int i = threadIdx.x, *o = out + i * 8;
    if (i % 3 == 1) {
        cg::coalesced_group group = cg::coalesced_threads();
        o[0] = group.thread_rank();
        o[1] = group.size();
        o[2] = group.shfl(i, 0);
        o[3] = cg::reduce(group, i, cg::plus<int>());
        o[4] = cg::reduce(group, i, cg::greater<int>());
        o[5] = group.ballot(i & 1);
        if (group.thread_rank() == 0) o[6] = atomicAdd(next, group.size()) >= 0;
        o[7] = group.any(i == 4) * 2 + group.all(i > 0);
    }
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::coalesced_group kind = cg::labeled_partition(warp, i % 5);
    o[0] += 1000 * kind.thread_rank() + 100000 * kind.size();
    cg::coalesced_group half = cg::binary_partition(warp, i % 32 < 12);
    o[1] += 1000 * cg::reduce(half, 1, cg::plus<int>());
}

__global__ void block_group(unsigned *out) {
    cg::thread_block block = cg::this_thread_block();
    __shared__ unsigned turn[24];
    turn[block.thread_rank()] = block.thread_rank();
    block.sync();
    dim3 index = block.group_index(), place = block.thread_index(), shape = block.dim_threads();
    unsigned i = blockIdx.x * block.size() + block.thread_rank();
    out[i] = turn[block.size() - 1 - block.thread_rank()] + 100 * index.x + 1000 * place.x + 10000 * place.y +
             100000 * place.z + 1000000 * (shape.x + shape.y + shape.z);
}

/* Each round every block reads what its neighbour wrote in the round before. */
__global__ void ring(int *a, int *b, int rounds) {
    cg::grid_group grid = cg::this_grid();
    for (int r = 0; r < rounds; r++) {
        int i = grid.thread_rank(), n = grid.size();
        b[(i + blockDim.x) % n] = a[i] + 1;
        grid.sync();
        int *t = a;
        a = b, b = t;
    }
    if (grid.thread_rank() == 0)
        printf("%d threads in %d blocks\n", (int)grid.size(), (int)grid.num_blocks());
}

int main() {
    Array<int> out(96 * 12), next(1), a(20 * 33), b(20 * 33);
    tiles<32><<<1, 96>>>(out);
    show("tiles of 32", out, 12);
    tiles<16><<<1, 96>>>(out);
    show("tiles of 16", out, 12);
    tiles<8><<<1, 96>>>(out);
    show("tiles of 8", out, 12);
    tiles<4><<<1, 96>>>(out);
    show("tiles of 4", out, 12);
    tiles<2><<<1, 96>>>(out);
    show("tiles of 2", out, 12);
    tiles<1><<<1, 96>>>(out);
    show("tiles of 1", out, 12);
    memset(out.p, 0, out.n * sizeof(int));
    coalesced<<<1, 64>>>(out, next);
    show("coalesced", out, 16);
    printf("%d took part\n", next[0]);
    Array<unsigned> places(48);
    block_group<<<2, dim3(2, 3, 4)>>>(places);
    show("block", places, 24);
    for (size_t i = 0; i < a.n; i++) a[i] = i;
    int rounds = 7, *pa = a, *pb = b;
    void *args[] = {&pa, &pb, &rounds};
    CALL(cudaLaunchCooperativeKernel((const void *)ring, dim3(20), dim3(33), args, 0, 0));
    show("ring", b, 4);
    return 0;
}
