// Two devices write halves of managed memory, one of them an element too many.
// expect: race-stream line 9 other 9
// says: 1028 bytes of managed memory, allocated by
// options: --devices 2
#include <cstdio>

__global__ void fill(int *x, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) x[i] = value;
}

int main() {
    int *x;
    cudaMallocManaged(&x, 257 * sizeof(int));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        fill<<<2, 128>>>(x + d * 128, 128, d);
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
    printf("%d %d\n", x[0], x[255]);
    return 0;
}
