// Volatile stores that race with nobody: of one value, of a lock given back that is taken by an exchange, of a place of one's own,
// and of a count that its last one resets.
// expect: race-volatile line 8 other 8 benign
#include <cstdio>
__device__ int lock, sum;
__device__ unsigned count;

__global__ void blocks(volatile int *data) { data[0] = 7; }

__global__ void given_back(volatile int *data) {
    if (threadIdx.x) return;
    while (atomicExch(&lock, 1) != 0) {
    }
    __threadfence();
    sum++;
    __threadfence();
    *(volatile int *)&lock = 0;
    data[1 + blockIdx.x] = 2;
}

__global__ void last_resets(int *data) {
    data[3 + blockIdx.x] = 1;
    __threadfence();
    if (atomicInc(&count, 100) == gridDim.x - 1) *(volatile unsigned *)&count = 0;
}

int main() {
    int *p, host[8];
    cudaMalloc(&p, sizeof host);
    cudaMemset(p, 0, sizeof host);
    blocks<<<2, 1>>>(p);
    given_back<<<2, 32>>>(p);
    last_resets<<<4, 1>>>(p);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0] >= 0);
    cudaFree(p);
}
