// And a barrier.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void scale(const float4 *in, float4 *out, int tiles) {
    __shared__ float4 tile[2][64];
    int i = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][i], &in[i], 16);
    __pipeline_commit();
    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles) __pipeline_memcpy_async(&tile[(t + 1) & 1][i], &in[(t + 1) * 64 + i], 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = tile[t & 1][63 - i];
        out[t * 64 + i] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
        __syncthreads();
    }
}

int main() {
    const int tiles = 4;
    float4 *in, *out;
    cudaMallocManaged(&in, tiles * 64 * sizeof(float4));
    cudaMallocManaged(&out, tiles * 64 * sizeof(float4));
    for (int i = 0; i < tiles * 64; i++) in[i] = make_float4(i, i, i, i);
    scale<<<1, 64>>>(in, out, tiles);
    cudaDeviceSynchronize();
    printf("%g\n", out[65].x);
    return 0;
}
