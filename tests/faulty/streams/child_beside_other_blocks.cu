// A block launches what reads the work of all blocks, and has waited for none of them.
// expect: race-stream line 7 other 10
// says: launched by parent(int*, int*) at child_beside_other_blocks.cu:12
// says: not after what other blocks do, unless the block has waited for them
#include <cstdio>

__global__ void sum(const int *x, int *y) { y[threadIdx.x] = x[threadIdx.x] + x[64 + threadIdx.x]; }

__global__ void parent(int *x, int *y) {
    x[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (blockIdx.x == 1 && threadIdx.x == 0) sum<<<1, 64>>>(x, y);
}

int main() {
    int *x, *y, h[64];
    cudaMalloc(&x, 128 * sizeof(int));
    cudaMalloc(&y, sizeof h);
    parent<<<2, 64>>>(x, y);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[63] >= 0);
    return 0;
}
