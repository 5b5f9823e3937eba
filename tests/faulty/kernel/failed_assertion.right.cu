// The assertion holds.
#include <cassert>

__global__ void positive(const int *x, int n) { assert(x[threadIdx.x] >= n); }

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    positive<<<1, 64>>>(x, 0);
    cudaDeviceSynchronize();
    cudaFree(x);
}
