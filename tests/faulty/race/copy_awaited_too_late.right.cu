// A tile is read between two barriers, behind the waits of all that copied.
#include <cuda_pipeline.h>

__global__ void reverse(int4 *out, const int4 *in) {
    __shared__ int4 tile[128];
    const int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[t], &in[blockIdx.x * 128 + t], sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * 128 + t] = tile[127 - t];
    __syncthreads();
}

int main() {
    int4 *in, *out;
    cudaMalloc(&in, 512 * sizeof(int4));
    cudaMalloc(&out, 512 * sizeof(int4));
    cudaMemset(in, 0, 512 * sizeof(int4));
    reverse<<<4, 128>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
