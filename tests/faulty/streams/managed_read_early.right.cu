// After a wait.
#include <cstdio>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x, sum = 0;
    cudaMallocManaged(&x, 256 * sizeof(int));
    x[7] = 1; // nothing runs yet
    fill<<<1, 256>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++) sum += x[i];
    cudaDeviceSynchronize();
    printf("%d\n", sum);
    return 0;
}
