// The first warp arrives at a cuda::barrier that the second one initialises, and does not wait for that.
// expect: barrier-count line 10 other 9
// says: It was not initialised when it was used
// status: 3
#include <cuda/barrier>

__global__ void k(int *x) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 32) init(&bar, blockDim.x);
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
