// A __syncthreads() between the two.
// options: --only memory --schedules 2
// says: output is the same in 4 other orders
#include <cstdio>
__global__ void shift(int *x) {
    __shared__ volatile int tile[256];
    int i = threadIdx.x;
    tile[i] = 0;
    __syncthreads();
    tile[i] = x[i];
    __syncthreads();
    x[i] = tile[(i + 255) % 256];
}
int main() {
    int h[256], *x, sum = 0;
    for (int i = 0; i < 256; i++) h[i] = i + 1;
    cudaMalloc(&x, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    shift<<<1, 256>>>(x);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++) sum += i * h[i];
    printf("%d\n", sum);
    return 0;
}
