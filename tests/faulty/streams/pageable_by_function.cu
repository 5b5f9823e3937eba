// A function of the stream fills an array, and a copy behind it is to take that to the device: of pageable memory, which
// is read before the call returns.
// expect: race-host line 11 other 19
// says: the memory must be page-locked
#include <cstdio>
#include <cstdlib>
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
static unsigned seed = 1;
static void fill(void *user) {
    int *x = (int *)user;
    for (int i = 0; i < 256; i++) x[i] = (seed = seed * 1664525 + 1013904223) >> 16;
}
int main() {
    int *host = (int *)calloc(256, sizeof(int)), *x;
    cudaStream_t s;
    cudaMalloc(&x, 256 * sizeof(int));
    cudaStreamCreate(&s);
    cudaLaunchHostFunc(s, fill, host);
    cudaMemcpyAsync(x, host, 256 * sizeof(int), cudaMemcpyHostToDevice, s);
    twice<<<1, 256, 0, s>>>(x);
    cudaStreamSynchronize(s);
    return 0;
}
