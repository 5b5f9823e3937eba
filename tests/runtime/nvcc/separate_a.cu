// Separate compilation (nvcc -rdc=true): the kernel is here, what it calls and changes is in separate_b.cu.
#include "separate.h"
#include <cstdio>

static __device__ int scale() { return 3; } // also in the other file, and another
__global__ void kernel(int *out) {
    out[threadIdx.x] = twice((int)threadIdx.x) * scale() + offsets[threadIdx.x & 3];
    atomicAdd(&total, 1);
}
int launch_b(int *out);

int main() {
    int *p, h[64], t = 0, o[4] = {100, 200, 300, 400};
    cudaMalloc(&p, sizeof h);
    cudaMemcpyToSymbol(offsets, o, sizeof o);
    kernel<<<1, 64>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&t, total, sizeof t);
    bool good = t == 64 + 5;
    for (int i = 0; i < 64; i++) good = good && h[i] == 2 * i * 3 + o[i & 3];
    good = good && launch_b(p) == 7 * 64;
    printf("separate compilation: %s (%s)\n", good ? "right" : "WRONG", cudaGetErrorName(cudaGetLastError()));
    return !good;
}
