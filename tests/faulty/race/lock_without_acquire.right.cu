// A lock of all blocks is taken with a fence behind it.
#include <cstdio>

__device__ int lock, sum;

__global__ void add(const int *x) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    sum += x[blockIdx.x];
    __threadfence();
    atomicExch(&lock, 0);
}

int main() {
    int host[8], result = 0, *x;
    for (int i = 0; i < 8; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    add<<<8, 1>>>(x);
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    printf("%d\n", result);
    cudaFree(x);
}
