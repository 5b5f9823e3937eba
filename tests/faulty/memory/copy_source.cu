// An asynchronous copy reads one element behind the end.
// expect: out-of-bounds line 10
// says: just past the end
#include <cstdio>
#include <cuda_pipeline.h>

__global__ void shift(const int *in, int *out, int n) {
    __shared__ int tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) __pipeline_memcpy_async(&tile[threadIdx.x], &in[i + 1], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (i < n) out[i] = tile[threadIdx.x];
}

int main() {
    const int n = 100;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) in[i] = i;
    shift<<<2, 64>>>(in, out, n);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
