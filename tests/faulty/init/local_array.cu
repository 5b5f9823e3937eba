// An element of a local array that no path sets.
// expect: uninitialised-address line 13
// options: --only init

#include <cstdio>

__global__ void most_frequent(const int *x, int *out, int n) {
    int counts[8];
    for (int i = 1; i < 8; i++) counts[i] = 0;
    for (int i = 0; i < n; i++) counts[x[threadIdx.x * n + i] & 7]++;
    int best = 7;
    for (int i = 0; i < 8; i++)
        if (counts[i] > counts[best]) best = i;
    out[threadIdx.x] = best;
}

int main() {
    int *x, *out, result[32];
    cudaMalloc(&x, 32 * 16 * sizeof(int));
    cudaMalloc(&out, sizeof result);
    cudaMemset(x, 1, 32 * 16 * sizeof(int));
    most_frequent<<<1, 32>>>(x, out, 16);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[0]);
    cudaFree(x);
    cudaFree(out);
}
