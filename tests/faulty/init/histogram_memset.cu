// A histogram whose bins nobody sets to zero.
// expect: uninitialised-use line 10
// expect: uninitialised-copy line 20
// says: 60 of the 64 bytes copied
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
    histogram<<<1, 128>>>(values, bins);
    cudaMemcpy(result, bins, sizeof result, cudaMemcpyDeviceToHost);
    printf("%u\n", result[3]);
    cudaFree(values);
    cudaFree(bins);
}
