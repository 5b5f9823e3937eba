// A histogram whose bins nobody sets to zero: mended.
// options: --only init

#include <cstdio>

__global__ void histogram(const unsigned char *values, unsigned *bins) {
    atomicAdd(&bins[values[threadIdx.x]], 1u);
}

int main() {
    unsigned char *values;
    unsigned *bins, result[16];
    cudaMalloc(&values, 128);
    cudaMalloc(&bins, sizeof result);
    cudaMemset(values, 3, 128);
    cudaMemset(bins, 0, sizeof result);
    histogram<<<1, 128>>>(values, bins);
    cudaMemcpy(result, bins, sizeof result, cudaMemcpyDeviceToHost);
    printf("%u\n", result[3]);
    cudaFree(values);
    cudaFree(bins);
}
