// Memory from malloc in a kernel is used as if it were zero.
// expect: uninitialised-branch line 11
// options: --only init

#include <cstdio>

__global__ void tally(const int *x, int n, int *out) {
    int *counts = (int *)malloc(4 * sizeof(int));
    if (!counts) return;
    for (int i = 0; i < n; i++) counts[x[i] & 3]++;
    if (counts[1] > 2) *out = 1;
    free(counts);
}

int main() {
    int *x, *out, result;
    cudaMalloc(&x, 8 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(x, 1, 8 * sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    tally<<<1, 1>>>(x, 8, out);
    cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(x);
    cudaFree(out);
}
