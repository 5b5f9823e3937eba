// What the host reads was made of what was written, or was written since: by the host, by a library, by a copy, by a kernel.
#include <cstdio>
#include <cstring>

__global__ void scale(const float *in, float *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = 2 * in[i] + 1;
}

int main() {
    const int n = 32;
    float *in, *never, *x[5], four[n];
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&never, n * sizeof *never);
    for (int k = 0; k < 5; k++) cudaMallocManaged(&x[k], n * sizeof(float));
    for (int k = 0; k < 5; k++) scale<<<1, 32>>>(never, x[k], n);
    cudaMemset(in, 0, n * sizeof *in);
    scale<<<1, 32>>>(in, x[0], n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) x[1][i] = 2, four[i] = 4;
    memset(x[2], 65, n * sizeof(float));
    cudaMemcpy(x[3], four, n * sizeof(float), cudaMemcpyDefault);
    cudaMemcpy(x[4], in, n * sizeof(float), cudaMemcpyDefault);
    int ones = 0;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < n; i++) ones += x[k][i] == 1;
    printf("%d\n", ones);
}
