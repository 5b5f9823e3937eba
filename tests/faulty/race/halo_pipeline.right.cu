// A barrier makes the copies of all threads visible to all.
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void neighbours(const int *in, int *out) {
    __shared__ int tile[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(tile + t, in + t, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = tile[t] + tile[(t + 40) % 128];
}

int main() {
    int host[128], *in, *out;
    for (int i = 0; i < 128; i++) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    neighbours<<<1, 128>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
