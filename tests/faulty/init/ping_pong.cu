// The second buffer of a stencil is read where the first step wrote nothing.
// expect: uninitialised-copy line 21
// says: 16 of the 2048 bytes copied are undefined, the first of them at byte 8
// options: --only init

#include <cstdio>

__global__ void smooth(const double *from, double *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
}

int main() {
    static double result[256];
    double *a, *b;
    cudaMalloc(&a, sizeof result);
    cudaMalloc(&b, sizeof result);
    cudaMemset(a, 0, sizeof result);
    smooth<<<1, 256>>>(a, b, 256);
    smooth<<<1, 256>>>(b, a, 256);
    cudaMemcpy(result, a, sizeof result, cudaMemcpyDeviceToHost);
    printf("%g\n", result[0]);
    cudaFree(a);
    cudaFree(b);
}
