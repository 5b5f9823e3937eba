// The rows of a matrix are 16 elements apart, and the tile is stored as if they were 32.
// expect: out-of-bounds line 10
#include <cstdio>
#include <mma.h>
using namespace nvcuda;

__global__ void ones(float *out, int stride) {
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 1.0f);
    wmma::store_matrix_sync(out, c, stride, wmma::mem_row_major);
}

int main() {
    float *out;
    cudaMallocManaged(&out, 256 * sizeof(float));
    ones<<<1, 32>>>(out, 32);
    cudaDeviceSynchronize();
    printf("%g\n", out[0]);
    return 0;
}
