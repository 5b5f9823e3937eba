// A barrier waits for all threads of the block.
#include <cuda/barrier>

__global__ void reverse(int *x) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    int mine = x[blockIdx.x * 64 + threadIdx.x];
    bar.arrive_and_wait();
    x[blockIdx.x * 64 + 63 - threadIdx.x] = mine;
}

int main() {
    int *x;
    cudaMalloc(&x, 5 * 64 * sizeof(int));
    cudaMemset(x, 0, 5 * 64 * sizeof(int));
    reverse<<<5, 64>>>(x);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(x);
}
