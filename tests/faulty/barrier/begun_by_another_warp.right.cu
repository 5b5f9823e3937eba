// All warps wait until the second one has initialised the cuda::barrier.
#include <cuda/barrier>

__global__ void k(int *x) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 32) init(&bar, blockDim.x);
    __syncthreads();
    bar.arrive_and_wait();
    x[threadIdx.x] = 1;
}

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    k<<<1, 64>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    cudaFree(x);
}
