// The sums of eight warps are added by eight lanes.
#include <cstdio>

__global__ void total(const int *in, int *out) {
    __shared__ int of_warp[8];
    int t = threadIdx.x, v = in[t];
#pragma unroll 1
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (t % 32 == 0) of_warp[t / 32] = v;
    __syncthreads();
    unsigned first = __ballot_sync(~0u, t < 8);
    if (t < 8) {
        v = of_warp[t];
#pragma unroll 1
        for (int o = 4; o; o >>= 1) v += __shfl_down_sync(first, v, o);
    }
    if (t == 0) *out = v;
}

int main() {
    int *in, *out, result;
    cudaMalloc(&in, 256 * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(in, 1, 256 * sizeof(int));
    total<<<1, 256>>>(in, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(in);
    cudaFree(out);
}
