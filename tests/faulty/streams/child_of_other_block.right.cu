// Each thread of a block launches into the block's stream: one after the other.
#include <cstdio>

__global__ void add(int *sum, int x) { *sum += x; }

__global__ void parent(int *sum) { add<<<1, 1>>>(sum, threadIdx.x); }

int main() {
    int *sum;
    cudaMallocManaged(&sum, sizeof(int));
    *sum = 0;
    parent<<<1, 4>>>(sum);
    cudaDeviceSynchronize();
    printf("%d\n", *sum);
    return 0;
}
