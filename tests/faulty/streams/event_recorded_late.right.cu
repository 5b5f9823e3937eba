// The event is recorded before the other stream is told to wait for it.
#include <cstdio>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void twice(const int *x, int *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

int main() {
    int host[64], *x, *y;
    cudaStream_t a, b;
    cudaEvent_t filled;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&filled);
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    fill<<<1, 64, 0, a>>>(x);
    cudaEventRecord(filled, a);
    cudaStreamWaitEvent(b, filled, 0);
    twice<<<1, 64, 0, b>>>(x, y);
    cudaMemcpyAsync(host, y, sizeof host, cudaMemcpyDeviceToHost, b);
    cudaDeviceSynchronize();
    printf("%d\n", host[63]);
    cudaFree(x);
    cudaFree(y);
    cudaEventDestroy(filled);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    return 0;
}
