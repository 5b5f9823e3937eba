// The same launch with as many threads as there may be.
#include <cstdio>

__global__ void child(int *x) { x[threadIdx.x] = 1; }
__global__ void parent(int *x, int n) {
    child<<<1, n>>>(x);
    if (cudaGetLastError() != cudaSuccess) x[0] = 1;
}

int main() {
    int *x, host;
    cudaMalloc(&x, 32 * sizeof(int));
    parent<<<1, 1>>>(x, 32);
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    cudaFree(x);
}
