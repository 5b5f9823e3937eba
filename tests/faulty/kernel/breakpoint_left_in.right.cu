// Without the breakpoint.
#include <cstdio>

__global__ void half(int *x) {
    int v = x[threadIdx.x];
    x[threadIdx.x] = v / 2;
}

int main() {
    int host[32], *x;
    for (int i = 0; i < 32; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    half<<<1, 32>>>(x);
    if (cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess) printf("%d\n", host[31]);
    cudaFree(x);
    return 0;
}
