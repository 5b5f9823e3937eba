// All columns are written; or those that are not are not looked at.
#include <cstdio>
#include <mma.h>
using namespace nvcuda;

template <typename Layout>
__global__ void columns(const half *a, const half *b, float *c, int filled, int first, int *n) {
    __shared__ alignas(32) half left[256], right[256];
    __shared__ alignas(32) float sums[256];
    int lane = threadIdx.x;
    for (int i = lane; i < 256; i += 32) {
        left[i] = a[i];
        if (i / 16 < filled) right[i] = b[i];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, Layout> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;
    wmma::fill_fragment(z, 0.0f);
    wmma::load_matrix_sync(x, left, 16);
    wmma::load_matrix_sync(y, right, 16);
    wmma::mma_sync(z, x, y, z);
    wmma::store_matrix_sync(sums, z, 16, wmma::mem_row_major);
    __syncthreads();
    for (int i = lane; i < 256; i += 32)
        if (i % 16 >= first && sums[i] > 100) atomicAdd(n, 1);
    if (lane < 16) c[lane] = sums[lane * 16];
}

int main() {
    half host[256], *a, *b;
    float *c;
    int *n;
    for (int i = 0; i < 256; i++) host[i] = __float2half(i % 5);
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&c, 16 * sizeof(float));
    cudaMalloc(&n, sizeof(int));
    cudaMemset(n, 0, sizeof(int));
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
    columns<wmma::col_major><<<1, 32>>>(a, b, c, 16, 0, n);
    columns<wmma::row_major><<<1, 32>>>(a, b, c, 16, 0, n);
    columns<wmma::col_major><<<1, 32>>>(a, b, c, 13, 16, n);
    float out[16];
    cudaMemcpy(out, c, sizeof out, cudaMemcpyDeviceToHost);
    int count;
    cudaMemcpy(&count, n, sizeof count, cudaMemcpyDeviceToHost);
    printf("%g %d\n", out[3], count);
    return 0;
}
