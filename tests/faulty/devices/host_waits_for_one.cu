// The host reads managed memory while the other device may still write it.
// expect: race-host line 17 other 7
// says: cudaDeviceSynchronize, which waits for the current device alone
// options: --devices 2
#include <cstdio>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x, sum = 0;
    cudaMallocManaged(&x, 512 * sizeof(int));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        fill<<<1, 256>>>(x + d * 256);
    }
    cudaDeviceSynchronize(); // of the device that is current
    for (int i = 0; i < 512; i++) sum += x[i];
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    printf("%d\n", sum);
    return 0;
}
