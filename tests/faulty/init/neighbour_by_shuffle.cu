// A lane takes its neighbour's value, which was never written.
// expect: uninitialised-branch line 14
// options: --only init

#include <cstdio>

__global__ void edges(const int *x, int n, int *out) {
    int t = threadIdx.x, mine;
    __shared__ int line[32];
    if (t < n) line[t] = x[t];
    __syncwarp();
    mine = line[t];
    int right = __shfl_down_sync(0xffffffff, mine, 1);
    if (t < n && right > mine) out[t] = 1;
}

int main() {
    int *x, *out, result[32];
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMalloc(&out, sizeof result);
    cudaMemset(x, 0, 32 * sizeof(int));
    cudaMemset(out, 0, sizeof result);
    edges<<<1, 32>>>(x, 20, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[0]);
    cudaFree(x);
    cudaFree(out);
}
