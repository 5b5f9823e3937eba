// Each block launches what adds to one sum: in streams of their own.
// expect: race-stream line 5 other 5
#include <cstdio>

__global__ void add(int *sum, int x) { *sum += x; }

__global__ void parent(int *sum) { add<<<1, 1>>>(sum, blockIdx.x); }

int main() {
    int *sum;
    cudaMallocManaged(&sum, sizeof(int));
    *sum = 0;
    parent<<<4, 1>>>(sum);
    cudaDeviceSynchronize();
    printf("%d\n", *sum > 0);
    return 0;
}
