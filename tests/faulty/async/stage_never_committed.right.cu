// A producer fetches into a pipeline and commits the stage that consumers wait for.
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void copy(const int *in, int *out) {
    __shared__ int tile[64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
    bool produces = threadIdx.x < 32;
    auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, role);
    if (produces) {
        pipe.producer_acquire();
        for (int i = threadIdx.x; i < 64; i += 32) cuda::memcpy_async(&tile[i], &in[i], sizeof(int), pipe);
        pipe.producer_commit();
    } else {
        pipe.consumer_wait();
        for (int i = threadIdx.x - 32; i < 64; i += 32) out[i] = tile[i];
        pipe.consumer_release();
    }
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    copy<<<1, 64>>>(in, out);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(in), cudaFree(out);
}
