// The consumer waits for the barrier first.
#include <cstdio>
#include <cuda/barrier>

__global__ void hand_over(const int *in, int *out) {
    __shared__ int data[32];
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    if (threadIdx.x == 0) init(&filled, 64);
    __syncthreads();
    if (threadIdx.x < 32) {
        data[threadIdx.x] = in[threadIdx.x] * 2;
        (void)filled.arrive();
    } else {
        auto token = filled.arrive();
        filled.wait(std::move(token));
        int sum = data[threadIdx.x - 32];
        out[threadIdx.x - 32] = sum;
    }
}

int main() {
    int host[32], *in, *out;
    for (int i = 0; i < 32; i++) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    hand_over<<<1, 64>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[31]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
