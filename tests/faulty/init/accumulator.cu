// A sum in a register that begins with whatever was there.
// expect: uninitialised-copy line 21
// says: 128 of the 128 bytes copied
// options: --only init

#include <cstdio>

__global__ void sum_rows(const int *x, int *out, int n) {
    int sum;
    asm volatile("{\n .reg .u32 start;\n  add.u32 %0, start, %1;\n}" : "=r"(sum) : "r"(x[threadIdx.x]));
    for (int i = 1; i < n; i++) sum += x[i * 32 + threadIdx.x];
    out[threadIdx.x] = sum;
}

int main() {
    int *x, *out, result[32];
    cudaMalloc(&x, 32 * 4 * sizeof(int));
    cudaMalloc(&out, sizeof result);
    cudaMemset(x, 1, 32 * 4 * sizeof(int));
    sum_rows<<<1, 32>>>(x, out, 4);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[0]);
    cudaFree(x);
    cudaFree(out);
}
