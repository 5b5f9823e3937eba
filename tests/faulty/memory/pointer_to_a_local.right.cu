// The values that neighbours add to are in shared memory.
#include <cstdio>

__global__ void through(int *x) {
    __shared__ int mine[32];
    mine[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    mine[threadIdx.x ^ 1] += 100;
    __syncthreads();
    x[threadIdx.x] = mine[threadIdx.x];
}

int main() {
    int host[32], *x;
    for (int i = 0; i < 32; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    through<<<1, 32>>>(x);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(x);
    return 0;
}
