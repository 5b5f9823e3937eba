// All lanes of the tile vote; some of them count as no.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void count(const int *x, int *odd) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = x[threadIdx.x], some = 0;
    int voted = tile.any(v % 3 && (v & 1));
    if (v % 3) some = voted;
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
