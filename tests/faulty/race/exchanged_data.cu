// Volatile data that goes on by an exchange: the fence before the flag reaches the block alone.
// expect: race-volatile line 15 other 8
#include <cstdio>
__device__ int flag;

__global__ void pass(volatile int *data, int *out) {
    if (blockIdx.x == 0) {
        data[0] = 5;
        __threadfence_block();
        atomicExch(&flag, 1);
    } else {
        while (atomicAdd(&flag, 0) == 0) {
        }
        __threadfence();
        atomicExch(out, data[0]);
    }
}

int main() {
    int *p, host;
    cudaMalloc(&p, 2 * sizeof host);
    cudaMemset(p, 0, 2 * sizeof host);
    pass<<<2, 1>>>(p, p + 1);
    cudaMemcpy(&host, p + 1, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    cudaFree(p);
}
