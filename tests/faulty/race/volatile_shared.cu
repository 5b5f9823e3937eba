// Threads of two warps read each other's volatile elements, without a barrier between.
// expect: race-volatile line 7 other 8
#include <cstdio>

__global__ void exchange(const int *in, int *out) {
    __shared__ volatile int x[64];
    x[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = x[(threadIdx.x + 32) % 64];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    exchange<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
