// Blocks keep a maximum with atomicMax, and one block resets it with a plain store.
// expect: race-block line 9 other 8
// says: also 31 times between lanes of a warp, 6 times between blocks of the grid
#include <cstdio>

__global__ void maximum(const int *x, int *most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) *most = 0;
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
