/* NVIDIA's own cooperative groups: grid.sync meets in memory that %envreg1 and %envreg2 name, groups wider
 * than a warp in shared memory that %reserved_smem_offset_1 names. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

static int failures;
#define CHECK(CONDITION)                                                                                     \
    do {                                                                                                     \
        if (!(CONDITION)) printf("line %d: not so: %s\n", __LINE__, #CONDITION), failures++;                 \
    } while (0)

__global__ void rounds(int *a, int *sum, int n) {
    cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < 5; round++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) a[i] += 1;
        grid.sync();
        int s = 0;
        for (int i = grid.thread_rank(); i < n; i += grid.size()) s += a[(i + 777) % n];
        atomicAdd(sum + round, s);
        grid.sync();
    }
    if (grid.thread_rank() == 0) sum[5] = grid.is_valid(), sum[6] = grid.num_blocks();
}

__global__ void wide(int *out) {
    __shared__ int filler[100];
    auto block = cg::this_thread_block();
    auto pair = cg::tiled_partition<64>(block);
    auto warp = cg::tiled_partition<32>(block);
    int t = block.thread_rank();
    filler[t % 100] = -1;
    block.sync();
    for (int i = 0; i < 3; i++) pair.sync();
    out[t] = cg::reduce(pair, t, cg::plus<int>());
    out[256 + t] = cg::exclusive_scan(warp, t);
    out[512 + t] = pair.meta_group_rank() * 1000 + pair.thread_rank();
    out[768 + t] = filler[t % 100];
}

int main() {
    const int n = 20000;
    int *a, *sum, *out;
    cudaMallocManaged(&a, n * sizeof *a);
    cudaMallocManaged(&sum, 7 * sizeof *sum);
    cudaMallocManaged(&out, 1024 * sizeof *out);
    void *arguments[] = {&a, &sum, (void *)&n};
    for (int again = 1; again <= 2; again++) {
        for (int i = 0; i < 7; i++) sum[i] = 0;
        CHECK(!cudaLaunchCooperativeKernel((void *)rounds, dim3(40), dim3(64), arguments, 0, 0));
        CHECK(!cudaDeviceSynchronize());
        for (int i = 0; i < 5; i++) CHECK(sum[i] == n * (i + 1 + 5 * (again - 1)));
        CHECK(sum[5] == 1 && sum[6] == 40);
    }
    for (int again = 0; again < 2; again++) {
        wide<<<4, 256>>>(out);
        CHECK(!cudaDeviceSynchronize());
        for (int t = 0; t < 256; t++) {
            CHECK(out[t] == 64 * (t / 64 * 64) + 63 * 64 / 2);
            CHECK(out[256 + t] == (t % 32) * (t / 32 * 32) + (t % 32) * (t % 32 - 1) / 2);
            CHECK(out[512 + t] == t / 64 * 1000 + t % 64 && out[768 + t] == -1);
        }
    }
    puts(failures ? "groups: wrong" : "groups: right");
    return failures != 0;
}
