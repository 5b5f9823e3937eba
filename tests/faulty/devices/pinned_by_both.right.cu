// Two devices write their results into page-locked memory, each into its own part.
// options: --devices 2
#include <cstdio>

__global__ void sum(const int *x, int *result) {
    int all = 0;
    for (int i = 0; i < 64; i++) all += x[i];
    *result = all;
}

int main() {
    int *x[2], *results;
    cudaHostAlloc(&results, 2 * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&x[d], 64 * sizeof(int));
        cudaMemset(x[d], d, 64 * sizeof(int));
        sum<<<1, 1>>>(x[d], results + d);
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
    printf("%d\n", results[0]);
    return 0;
}
