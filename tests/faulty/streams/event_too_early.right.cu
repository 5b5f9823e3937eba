// The event is recorded behind it.
#include <cstdio>

__global__ void produce(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

__global__ void consume(const int *x, int *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}

int main() {
    const int n = 1024;
    int *x, *y, *host;
    cudaStream_t a, b;
    cudaEvent_t made;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&y, n * sizeof(int));
    cudaMallocHost(&host, n * sizeof(int));
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&made);
    produce<<<n / 128, 128, 0, a>>>(x);
    cudaEventRecord(made, a);
    cudaStreamWaitEvent(b, made);
    consume<<<n / 128, 128, 0, b>>>(x, y);
    cudaMemcpyAsync(host, y, n * sizeof(int), cudaMemcpyDeviceToHost, b);
    cudaDeviceSynchronize();
    printf("%d\n", host[n - 1]);
    return 0;
}
