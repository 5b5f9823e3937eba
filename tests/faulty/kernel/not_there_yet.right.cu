// All instructions are there.
#include <cstdio>

__global__ void fence(int *x) {
    if (*x == 1) asm volatile("fence.acq_rel.gpu;");
    *x = 1;
}

int main() {
    int *x;
    cudaMalloc(&x, sizeof(int));
    cudaMemset(x, 0, sizeof(int));
    fence<<<1, 1>>>(x);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
    cudaFree(x);
    return 0;
}
