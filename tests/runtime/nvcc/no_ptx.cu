// A program with machine code only: there is nothing in it that could be run on another device.
#include <cstdio>
__global__ void kernel(int *p) { *p = 1; }
__device__ int variable = 3;
int main() {
    int v = 0, *p = nullptr;
    printf("malloc %d\n", (int)cudaMalloc(&p, 4));
    kernel<<<1, 1>>>(p);
    printf("launch %d\n", (int)cudaGetLastError());
    printf("sync %d\n", (int)cudaDeviceSynchronize());
    cudaFuncAttributes a;
    printf("attributes %d\n", (int)cudaFuncGetAttributes(&a, kernel));
    printf("symbol %d\n", (int)cudaMemcpyFromSymbol(&v, variable, 4));
    printf("last %d\n", (int)cudaGetLastError());
    return 0;
}
