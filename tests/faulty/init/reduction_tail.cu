// A reduction over a tile whose tail the last block does not fill.
// expect: uninitialised-branch line 13
// options: --only init

#include <cstdio>

__global__ void largest(const int *x, int n, int *out) {
    __shared__ int tile[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (i < n) tile[t] = x[i];
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step && tile[t + step] > tile[t]) tile[t] = tile[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = tile[0];
}

int main() {
    int *x, *out, result[2];
    cudaMalloc(&x, 200 * sizeof(int));
    cudaMalloc(&out, sizeof result);
    cudaMemset(x, 0, 200 * sizeof(int));
    largest<<<2, 128>>>(x, 200, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[1]);
    cudaFree(x);
    cudaFree(out);
}
