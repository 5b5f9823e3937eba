// An illegal address ends a kernel of which only races are looked for.
// expect: kernel-failed line 6
// says: Illegal address: it is
// options: --only race
#include <cstdio>
__global__ void fill(int *x, int stride) { x[threadIdx.x * stride] = 1; }

int main() {
    int *x;
    cudaMalloc(&x, 32 * sizeof(int));
    fill<<<1, 32>>>(x, 100000000);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
    cudaFree(x);
    return 0;
}
