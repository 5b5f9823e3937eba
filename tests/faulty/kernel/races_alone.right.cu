// All addresses are within the allocation.
// options: --only race
#include <cstdio>
__global__ void fill(int *x, int stride) { x[threadIdx.x * stride] = 1; }

int main() {
    int *x;
    cudaMalloc(&x, 32 * sizeof(int));
    fill<<<1, 32>>>(x, 1);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
    cudaFree(x);
    return 0;
}
