// The tile meets after reading as well.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void rotate(int *x) {
    __shared__ int box[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int *mine = box + 16 * tile.meta_group_rank(), r = tile.thread_rank();
    int v = x[threadIdx.x];
    for (int step = 1; step < 16; step *= 2) {
        mine[r] = v;
        tile.sync();
        v += mine[(r + step) % 16];
        tile.sync();
    }
    x[threadIdx.x] = v;
}

int main() {
    int host[64], *x;
    for (int i = 0; i < 64; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    rotate<<<1, 64>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(x);
    return 0;
}
