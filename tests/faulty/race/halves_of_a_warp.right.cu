// A tile of 16 threads waits for itself, and then reads what it wrote.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void swap(int *out) {
    __shared__ int x[64];
    const int t = threadIdx.x;
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    x[t] = t;
    tile.sync();
    out[t] = x[t ^ 8];
}

int main() {
    int *out;
    cudaMalloc(&out, 64 * sizeof(int));
    swap<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
