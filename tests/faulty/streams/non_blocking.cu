// A stream that does not wait for the default stream: neither its launch for what came before, nor the copy
// for it. expect: race-stream line 11 other 7 expect: race-stream line 22 other 11
#include <cstdio>

__global__ void fill(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

__global__ void scale(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

int main() {
    const int n = 512;
    float *x, host[n];
    cudaMalloc(&x, n * sizeof(float));
    fill<<<n / 64, 64>>>(x);
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    scale<<<n / 64, 64, 0, s>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g\n", host[n - 1]);
    return 0;
}
