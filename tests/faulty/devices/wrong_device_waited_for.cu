// The host waits for the device that is current, which is not the one that works.
// expect: race-stream line 7 other 6
// options: --devices 2
#include <cstdio>

__global__ void make(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void twice(const int *x, int *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

int main() {
    int *x, *y, got;
    cudaSetDevice(0);
    cudaMalloc(&x, 256 * sizeof(int));
    cudaSetDevice(1);
    cudaMalloc(&y, 256 * sizeof(int));
    cudaDeviceEnablePeerAccess(0, 0);
    cudaSetDevice(0);
    make<<<1, 256>>>(x);
    cudaSetDevice(1);
    cudaDeviceSynchronize();
    twice<<<1, 256>>>(x, y);
    cudaMemcpy(&got, y + 255, sizeof got, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    printf("%d\n", got);
    return 0;
}
