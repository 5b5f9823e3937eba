// A stream that does, and for which the default stream waits.
#include <cstdio>

__global__ void fill(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

__global__ void scale(float *x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

int main() {
    const int n = 512;
    float *x, host[n];
    cudaMalloc(&x, n * sizeof(float));
    fill<<<n / 64, 64>>>(x);
    cudaStream_t s;
    cudaStreamCreate(&s);
    scale<<<n / 64, 64, 0, s>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g\n", host[n - 1]);
    return 0;
}
