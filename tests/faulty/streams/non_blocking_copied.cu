// The host waits for the stream, but the stream for nobody.
// expect: race-stream line 7 other 5
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
    cudaStreamSynchronize(s);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g\n", host[n - 1]);
    return 0;
}
