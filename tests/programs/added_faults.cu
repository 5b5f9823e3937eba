/* added_faults: blocks that add to one place follow each other without the machine; one of them faults, and
 * what came before it was right. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int *sum, const int *in, const int *of_one) {
    __shared__ int part[64];
    const int t = threadIdx.x;
    const int *from = blockIdx.x == 7777 ? of_one : in;
    part[t] = in[blockIdx.x * 64 + t] + (from[t] & 0x10000);
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d) part[t] += part[t + d];
        __syncthreads();
    }
    if (t == 0) atomicAdd(sum, part[0]);
}

int main() {
    const int blocks = 16384;
    int *sum, *in, result;
    cudaMalloc(&sum, 4);
    cudaMalloc(&in, blocks * 64 * sizeof(int));
    cudaMemset(in, 0, blocks * 64 * sizeof(int));
    cudaMemset(in, 3, blocks * 64);
    cudaMemset(sum, 0, 4);
    for (int i = 0; i < 3; i++) add<<<blocks, 64>>>(sum, in, in);
    cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost);
    printf("%#x\n", result);
    add<<<blocks, 64>>>(sum, in, (const int *)0x1000);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%s\n", cudaGetErrorName(cudaFree(in)));
    return 0;
}
