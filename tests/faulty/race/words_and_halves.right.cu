// Blocks go to one line of memory by words, halves and bytes, but each to places of its own.
#include <cuda_runtime.h>

__global__ void halves(int *out) {
    const int first = out[0];
    __syncthreads();
    reinterpret_cast<short *>(out)[2 + blockIdx.x * blockDim.x + threadIdx.x] = first;
}

__global__ void bytes(int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 1) atomicAdd(&out[8], 2);
    if (blockIdx.x != 1) reinterpret_cast<unsigned char *>(out)[i] = i;
}

int main() {
    int *out;
    cudaMalloc(&out, 4096);
    cudaMemset(out, 0, 4096);
    halves<<<3, 32>>>(out);
    bytes<<<3, 32>>>(out);
    return cudaDeviceSynchronize() != cudaSuccess;
}
