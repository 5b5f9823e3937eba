// With it.
#include <cstdio>

__global__ void work(volatile int *flag, int *x) {
    x[threadIdx.x] = 2 * threadIdx.x;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
}

int main() {
    volatile int *flag;
    int *x;
    cudaHostAlloc((void **)&flag, sizeof(int), cudaHostAllocMapped);
    cudaHostAlloc(&x, 64 * sizeof(int), cudaHostAllocMapped);
    *flag = 0;
    work<<<1, 64>>>(flag, x);
    while (!*flag) {
    }
    printf("%d\n", x[9]);
    cudaDeviceSynchronize();
    return 0;
}
