/* A program of two files that share an inlined function. What is counted was worked out by hand: sums.budget.
 */
#include <cstdio>
#include "tile.cuh"
void launch(const float *m, float *out);
void launch(const double *m, double *out);
__global__ void column_sums(const float *m, float *out) {
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < 256; r++) sum += pick(m, r, 64, threadIdx.x);
    out[threadIdx.x] = sum;
}
int main() {
    float *m, *out;
    double *d, *o;
    cudaMallocManaged(&m, 256 * 64 * 4);
    cudaMallocManaged(&out, 256 * 4);
    cudaMallocManaged(&d, 256 * 64 * 8);
    cudaMallocManaged(&o, 256 * 8);
    launch(m, out);
    launch(d, o);
    column_sums<<<1, 64>>>(m, out);
    return cudaDeviceSynchronize();
}
