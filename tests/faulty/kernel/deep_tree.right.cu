// The stack is as large as the tree is deep.
#include <cstdio>

__device__ __noinline__ int depth_below(const int *left, const int *right, int node) {
    if (node < 0) return 0;
    int l = depth_below(left, right, left[node]);
    int r = depth_below(left, right, right[node]);
    return 1 + (l > r ? l : r);
}
__global__ void depth(const int *left, const int *right, int *out) { *out = depth_below(left, right, 0); }

int main() {
    const int nodes = 1000;
    static int chain[nodes], none[nodes];
    for (int i = 0; i < nodes; i++) chain[i] = i + 1 < nodes ? i + 1 : -1, none[i] = -1;
    int *left, *right, *out, result = 0;
    cudaMalloc(&left, sizeof chain);
    cudaMalloc(&right, sizeof chain);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(left, none, sizeof chain, cudaMemcpyHostToDevice);
    cudaMemcpy(right, chain, sizeof chain, cudaMemcpyHostToDevice);
    cudaDeviceSetLimit(cudaLimitStackSize, 500 * 1024);
    depth<<<1, 1>>>(left, right, out);
    cudaError_t error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%s\n", error == cudaSuccess ? "done" : cudaGetErrorName(error));
    return 0;
}
