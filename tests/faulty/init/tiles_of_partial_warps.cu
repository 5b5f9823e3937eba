// A tile of 32 lanes in a block of 16 threads, which reads lanes by hand.
// expect: uninitialised-use line 15
// says: lanes 16 to 31 of this warp do not exist
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void tiles(const int *in, int *out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[threadIdx.x];
    for (int o = 16; o; o >>= 1) v += tile.shfl_down(v, o);
    int w = cg::reduce(tile, in[threadIdx.x], cg::plus<int>()), u = cg::inclusive_scan(tile, in[threadIdx.x]);
    out[threadIdx.x] = (tile.thread_rank() == 0 ? v : 0) + w + u;
}
__global__ void scan(int *x) {
    int v = x[threadIdx.x];
    for (int o = 1; o < 32; o <<= 1) {
        int w = __shfl_up_sync(~0u, v, o);
        if (threadIdx.x % 32 >= o) v += w;
    }
    x[threadIdx.x] = v;
}
__global__ void group(int *x) {
    if (threadIdx.x % 3 == 0) return;
    auto some = cg::coalesced_threads();
    int v = cg::reduce(some, x[threadIdx.x], cg::plus<int>());
    x[threadIdx.x] = v + some.shfl(v, 0);
}
__global__ void last(int *x) {
    unsigned there = __activemask();
    x[threadIdx.x] += __shfl_sync(there, x[threadIdx.x], 31 - __clz(there));
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i;
    for (int n : {16, 48, 80}) {
        tiles<<<1, n>>>(in, out);
        scan<<<1, n>>>(out);
        group<<<1, n>>>(out);
        last<<<1, n>>>(out);
        cudaDeviceSynchronize();
        printf("%d\n", out[n - 1]);
    }
    cudaFree(in);
    cudaFree(out);
}
