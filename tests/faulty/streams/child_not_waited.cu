// The parent reads what its child writes, and does not wait for it: nothing can.
// expect: race-stream line 5 other 9
#include <cstdio>

__global__ void child(int *x) { x[threadIdx.x] = threadIdx.x; }

__global__ void parent(int *x, int *sum) {
    child<<<1, 32>>>(x);
    *sum = x[31];
}

int main() {
    int *x;
    cudaMallocManaged(&x, 33 * sizeof(int));
    cudaMemset(x, 0, 33 * sizeof(int));
    parent<<<1, 1>>>(x, x + 32);
    cudaDeviceSynchronize();
    printf("%d\n", x[32] >= 0);
    return 0;
}
