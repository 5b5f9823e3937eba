// An array of which a kernel writes three quarters is copied back whole: mended.
// options: --only init

#include <cstdio>

__global__ void squares(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i * i;
}

int main() {
    static int result[1024];
    int *out;
    cudaMalloc(&out, sizeof result);
    squares<<<4, 256>>>(out, 1024);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[5]);
    cudaFree(out);
}
