// The other half of separate_a.cu.
#include "separate.h"

__device__ int total = 5;
__constant__ int offsets[4];
static __device__ int scale() { return 7; }
__device__ __noinline__ int twice(int x) { return 2 * x; }
__global__ void seven(int *out) { out[threadIdx.x] = scale(); }

int launch_b(int *out) {
    int h[64], sum = 0;
    seven<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h) sum += v;
    return sum;
}
