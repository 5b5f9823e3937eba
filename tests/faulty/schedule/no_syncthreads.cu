// What the warp above has written is read without a __syncthreads(); volatile does not order it.
// options: --only memory --schedules 2
// expect: order-dependent line 12
// says: With --schedule reverse, line 1 of the output
#include <cstdio>
__global__ void shift(int *x) {
    __shared__ volatile int tile[256];
    int i = threadIdx.x;
    tile[i] = 0;
    __syncthreads();
    tile[i] = x[i];
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
