// The host alone clears the maximum, before the launch.
#include <cstdio>

__global__ void maximum(const int *x, int *most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(most, x[i]);
}

int main() {
    int host[256], *x, *most;
    for (int i = 0; i < 256; i++) host[i] = i * 7 % 256;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&most, sizeof(int));
    cudaMemset(most, 0, sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    maximum<<<4, 64>>>(x, most);
    cudaMemcpy(host, most, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(x);
    cudaFree(most);
    return 0;
}
