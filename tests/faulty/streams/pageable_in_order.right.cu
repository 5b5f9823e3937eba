// Copies of pageable memory that come behind the functions of their stream: one that waits, one to the host, and one that
// was asked for before the function.
#include <cstdio>
#include <cstdlib>
static unsigned seed = 1;
static void fill(void *user) {
    int *x = (int *)user;
    for (int i = 0; i < 256; i++) x[i] = (seed = seed * 1664525 + 1013904223) >> 16;
}
int main() {
    const size_t bytes = 256 * sizeof(int);
    int *a = (int *)calloc(256, sizeof(int)), *b = (int *)calloc(256, sizeof(int)), *x;
    cudaStream_t s;
    cudaMalloc(&x, bytes);
    cudaStreamCreate(&s);
    cudaLaunchHostFunc(s, fill, a);
    cudaMemcpy(x, a, bytes, cudaMemcpyHostToDevice);
    cudaLaunchHostFunc(s, fill, b);
    cudaMemcpyAsync(b, x, bytes, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    cudaMemcpyAsync(x, b, bytes, cudaMemcpyHostToDevice, s);
    cudaLaunchHostFunc(s, fill, b);
    cudaStreamSynchronize(s);
    return 0;
}
