// A page-locked buffer is filled again while it may still be copied from.
// expect: race-host line 14 other 15
// says: cudaMemcpyAsync, which reads it
#include <cstdio>

int main() {
    const int n = 1 << 12;
    int *pinned, *x, host[2];
    cudaStream_t s;
    cudaMallocHost(&pinned, n * sizeof(int));
    cudaMalloc(&x, 2 * n * sizeof(int));
    cudaStreamCreate(&s);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < n; i++) pinned[i] = k;
        cudaMemcpyAsync(x + k * n, pinned, n * sizeof(int), cudaMemcpyHostToDevice, s);
    }
    cudaStreamSynchronize(s);
    for (int k = 0; k < 2; k++) cudaMemcpy(&host[k], x + k * n, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0], host[1]);
    return 0;
}
