// The stage is released after the block has read it.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>

__global__ void sums(const int *in, int *out, int tiles) {
    __shared__ int stage[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, sum = 0;
    for (int next = 0, tile = 0; tile < tiles; tile++) {
        for (; next < tiles && next < tile + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[next % 2], in + 64 * next, sizeof stage[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[tile % 2][63 - t];
        pipe.consumer_release();
    }
    out[t] = sum;
}

int main() {
    int host[512], *in, *out;
    for (int i = 0; i < 512; i++) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, 64>>>(in, out, 8);
    cudaMemcpy(host, out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[3]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
