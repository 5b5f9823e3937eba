// All lanes take part in the sum, those without a value with 0; the last of a segment get their own back.

#include <cstdio>

__global__ void positive(const int *x, int n, int *yes) {
    int t = threadIdx.x, sum = t < n ? x[t] : 0;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (t == 0 && sum > 0) *yes = 1;
    if (t < 16) {
        int least = x[t];
        for (int step = 8; step > 0; step /= 2) least = min(least, __shfl_xor_sync(0xffff, least, step));
        int next = __shfl_down_sync(0xffff, least, 1, 16), before = __shfl_up_sync(0xffff, least, 1, 8);
        if (next + before > 0) *yes = 2;
    }
}

/* The last warp of a block that is no multiple of 32 asks among its own. */
__global__ void odd(const int *x, int *yes) {
    unsigned all = __activemask();
    int last = 31 - __clz(all), value = __shfl_sync(all, x[threadIdx.x % 32], last % 32 - threadIdx.x % 4);
    if (value > 0) *yes = 3;
}

int main() {
    int *x, *yes, result;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMalloc(&yes, sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    cudaMemset(yes, 0, sizeof(int));
    positive<<<1, 32>>>(x, 24, yes);
    odd<<<1, 40>>>(x, yes);
    cudaMemcpy(&result, yes, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(x);
    cudaFree(yes);
}
