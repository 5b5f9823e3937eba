// The host waits for both devices before it reads what they wrote.
// options: --devices 2
#include <cstdio>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
    int *x, sum = 0;
    cudaMallocManaged(&x, 512 * sizeof(int));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        fill<<<1, 256>>>(x + d * 256);
        cudaDeviceSynchronize();
    }
    for (int i = 0; i < 512; i++) sum += x[i];
    printf("%d\n", sum);
    return 0;
}
