// An assertion of a kernel fails, and nobody looks at what the wait for it gives.
// expect: assertion line 6
// says: Failed assertion: x[threadIdx.x] >= n.
#include <cassert>

__global__ void positive(const int *x, int n) { assert(x[threadIdx.x] >= n); }

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    positive<<<1, 64>>>(x, 1);
    cudaDeviceSynchronize();
    cudaFree(x);
}
