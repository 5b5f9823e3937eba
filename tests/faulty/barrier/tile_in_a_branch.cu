// A tile of 32 votes in a branch that a third of its lanes do not take: they go on to the store.
// expect: mask-absent line 10
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void count(const int *x, int *odd) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = x[threadIdx.x], some = 0;
    if (v % 3) some = tile.any(v & 1);
    odd[threadIdx.x] = some;
}

int main() {
    int host[32], *x, *odd;
    for (int i = 0; i < 32; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&odd, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    count<<<1, 32>>>(x, odd);
    cudaMemcpy(host, odd, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(x);
    cudaFree(odd);
    return 0;
}
