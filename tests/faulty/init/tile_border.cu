// A tile of shared memory whose border nobody loads.
// expect: uninitialised-branch line 12
// options: --only init

#include <cstdio>

__global__ void count_rises(const int *x, int *rises, int n) {
    __shared__ int tile[66];
    int i = blockIdx.x * 64 + threadIdx.x, t = threadIdx.x + 1;
    tile[t] = x[i];
    __syncthreads();
    if (tile[t] > tile[t - 1]) atomicAdd(rises, 1);
}

int main() {
    int *x, *rises, result;
    cudaMalloc(&x, 256 * sizeof(int));
    cudaMalloc(&rises, sizeof(int));
    cudaMemset(x, 0, 256 * sizeof(int));
    cudaMemset(rises, 0, sizeof(int));
    count_rises<<<4, 64>>>(x, rises, 256);
    cudaMemcpy(&result, rises, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(x);
    cudaFree(rises);
}
