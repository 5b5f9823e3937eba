// Two devices add to one sum with atomics that are atomic within a device only.
// expect: race-stream line 7 other 7
// says: atomicAdd_system
// options: --devices 2
#include <cstdio>

__global__ void add(const int *x, int *sum) { atomicAdd(sum, x[threadIdx.x]); }

int main() {
    int *x[2], *sum, got;
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&x[d], 256 * sizeof(int));
        cudaMemset(x[d], 0, 256 * sizeof(int));
        if (d == 0) cudaMalloc(&sum, sizeof(int));
        if (d == 0) cudaMemset(sum, 0, sizeof(int));
        if (d == 1) cudaDeviceEnablePeerAccess(0, 0);
        cudaDeviceSynchronize();
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        add<<<1, 256>>>(x[d], sum);
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
    cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
    printf("%d\n", got);
    return 0;
}
