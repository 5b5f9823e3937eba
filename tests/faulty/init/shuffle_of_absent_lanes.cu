// The sums of eight warps are added by lanes that name each other in their mask, and read lanes beyond it.
// expect: uninitialised-copy line 29
// says: 4 of the 4 bytes copied are undefined, the first of them at byte 0. The value is what the shuffle at shuffle_of_absent_lanes.cu:18:
// says: took from lane 8, which does not take part in it.
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
        for (int o = 16; o; o >>= 1) v += __shfl_down_sync(first, v, o);
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
