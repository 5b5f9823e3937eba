// Warps fill a tile together, and each multiplies it before the others have written their rows.
// expect: race-block line 10 other 11
#include <cstdio>
#include <mma.h>
using namespace nvcuda;

__global__ void product(const half *in, float *out) {
    __shared__ __align__(32) half tile[16 * 16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    for (int i = threadIdx.x; i < 256; i += blockDim.x) tile[i] = in[i];
    wmma::load_matrix_sync(a, tile, 16);
    float sum = 0;
    for (int i = 0; i < a.num_elements; i++) sum += __half2float(a.x[i]);
    out[threadIdx.x] = sum;
}

int main() {
    half *in;
    float *out;
    cudaMallocManaged(&in, 256 * sizeof(half));
    cudaMallocManaged(&out, 64 * sizeof(float));
    for (int i = 0; i < 256; i++) in[i] = __float2half(i % 7);
    product<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    printf("%g\n", out[0] + out[33]);
    return 0;
}
