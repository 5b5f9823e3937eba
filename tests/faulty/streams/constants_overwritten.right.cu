// The next coefficients are copied to the other half of the variable meanwhile.
#include <cstdio>
enum { N = 64, NEXT = 1 };
__constant__ float coefficients[2][N];

__global__ void sum(float *y, int set) {
    for (int i = 0; i < N; i++) y[threadIdx.x] += coefficients[set][(threadIdx.x + i) % N];
}

int main() {
    cudaStream_t compute, copy;
    float *host, *y, result;
    cudaMallocHost(&host, N * sizeof(float));
    for (int i = 0; i < N; i++) host[i] = 1;
    cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&copy, cudaStreamNonBlocking);
    cudaMalloc(&y, N * sizeof(float));
    cudaMemset(y, 0, N * sizeof(float));
    cudaDeviceSynchronize();
    sum<<<1, N, 0, compute>>>(y, 0);
    cudaMemcpyToSymbolAsync(coefficients, host, sizeof *coefficients, NEXT * sizeof *coefficients,
                            cudaMemcpyHostToDevice, copy);
    cudaDeviceSynchronize();
    sum<<<1, N, 0, compute>>>(y, NEXT);
    cudaDeviceSynchronize();
    cudaMemcpy(&result, y, sizeof result, cudaMemcpyDeviceToHost);
    printf("%g\n", result);
    cudaFree(y);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(copy);
    cudaFreeHost(host);
}
