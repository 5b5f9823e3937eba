/* Cooperative groups: ranks, shuffles, reductions, scans and partitions give what plain loops give. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "check.h"
namespace cg = cooperative_groups;

const int N = 96;

__global__ void tiles(const int *in, int *sum32, int *sum8, int *most, int *before, int *upto, double *wide,
                      int *meta) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto tile = cg::tiled_partition<8>(warp);
    int r = block.thread_rank();
    sum32[r] = cg::reduce(warp, in[r], cg::plus<int>());
    sum8[r] = cg::reduce(tile, in[r], [](int a, int b) { return a + b; });
    most[r] = cg::reduce(tile, in[r], cg::greater<int>());
    before[r] = cg::exclusive_scan(tile, in[r]);
    upto[r] = cg::inclusive_scan(warp, in[r], cg::plus<int>());
    struct Pair {
        double a;
        int b;
    } p = {r + 0.5, r};
    wide[r] = tile.shfl(p, 3).a;
    meta[r] = warp.meta_group_rank() * 1000 + tile.meta_group_rank() * 100 + tile.meta_group_size() * 10 +
              tile.thread_rank();
}

__global__ void coalesced(int *size, int *rank, int *sum, int *ballot, int *label) {
    int i = threadIdx.x;
    if (i % 3 == 0) {
        cg::coalesced_group here = cg::coalesced_threads();
        size[i] = here.size(), rank[i] = here.thread_rank();
        sum[i] = cg::reduce(here, (float)i, cg::plus<float>());
        ballot[i] = here.ballot(i >= 15);
        label[i] = cg::labeled_partition(here, i % 2).size();
    }
}

__global__ void copied(const int *in, int *out) {
    __shared__ int tile[N];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof tile);
    cg::wait(block);
    out[block.thread_rank()] = tile[N - 1 - block.thread_rank()];
}

__global__ void steps(int *data, int n, int rounds) {
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    for (int r = 0; r < rounds; r++) {
        int other = data[(i + 1) % n];
        grid.sync();
        data[i] = other;
        grid.sync();
    }
    if (!grid.is_valid()) data[i] = -1;
}

int main() {
    int *in = array<int>(N), *sum32 = array<int>(N), *sum8 = array<int>(N), *most = array<int>(N),
        *before = array<int>(N), *upto = array<int>(N), *meta = array<int>(N), *out = array<int>(N);
    double *wide = array<double>(N);
    for (int i = 0; i < N; i++) in[i] = (i * 37) % 41 - 20;
    tiles<<<1, N>>>(in, sum32, sum8, most, before, upto, wide, meta);
    copied<<<1, N>>>(in, out);
    wait();
    for (int i = 0; i < N; i++) {
        int s32 = 0, s8 = 0, m = -100, b = 0, u = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; j++) s32 += in[j], u += j <= i ? in[j] : 0;
        for (int j = i / 8 * 8; j < i / 8 * 8 + 8; j++)
            s8 += in[j], m = max(m, in[j]), b += j < i ? in[j] : 0;
        CHECK(sum32[i] == s32 && sum8[i] == s8 && most[i] == m && before[i] == b && upto[i] == u);
        CHECK(wide[i] == i / 8 * 8 + 3.5);
        CHECK(meta[i] == i / 32 * 1000 + i % 32 / 8 * 100 + 40 + i % 8);
        CHECK(out[i] == in[N - 1 - i]);
    }
    int *a[5];
    for (int *&p : a) p = array<int>(32);
    coalesced<<<1, 32>>>(a[0], a[1], a[2], a[3], a[4]);
    wait();
    for (int i = 0; i < 32; i += 3)
        CHECK(a[0][i] == 11 && a[1][i] == i / 3 && a[2][i] == 165 && a[3][i] == 0x7e0 &&
              a[4][i] == (i % 2 ? 5 : 6));
    int n = 8 * 64, rounds = 5, *data = array<int>(n);
    for (int i = 0; i < n; i++) data[i] = i;
    void *arguments[] = {&data, &n, &rounds};
    CHECK(cudaLaunchCooperativeKernel(steps, 8, 64, arguments) == cudaSuccess);
    wait();
    for (int i = 0; i < n; i++) CHECK(data[i] == (i + rounds) % n);
    return finish();
}
