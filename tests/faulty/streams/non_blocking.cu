// A stream that does not wait for the default stream, nor that for it.
// expect: race-stream line 18 other 8
// expect: race-stream line 8 other 6
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
