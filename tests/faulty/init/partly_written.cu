// An array of which a kernel writes three quarters is copied back whole.
// expect: uninitialised-copy line 18
// says: 1024 of the 4096 bytes copied were never written, the first of them at byte 3072
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
    squares<<<3, 256>>>(out, 1024);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[5]);
    cudaFree(out);
}
