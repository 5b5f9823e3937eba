// Volatile stores of two blocks, of two warps, and one beside an exchange of which nobody takes what it finds.
// expect: race-volatile line 7 other 7
// expect: race-grid line 13 other 11
// expect: race-block line 19 other 17
#include <cstdio>

__global__ void blocks(volatile int *data) { data[0] = blockIdx.x; }

__global__ void exchanged(volatile int *data) {
    if (blockIdx.x == 0)
        atomicExch((int *)&data[1], 1);
    else
        data[1] = 2;
}
__global__ void of_a_block(volatile int *data) {
    if (threadIdx.x == 0)
        atomicExch_block((int *)&data[2], 1);
    else if (threadIdx.x == 32)
        data[2] = 2;
}

int main() {
    int *p, host[3];
    cudaMalloc(&p, sizeof host);
    cudaMemset(p, 0, sizeof host);
    blocks<<<2, 1>>>(p);
    exchanged<<<2, 1>>>(p);
    of_a_block<<<1, 64>>>(p);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0] >= 0);
    cudaFree(p);
}
