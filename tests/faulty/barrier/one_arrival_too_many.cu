// A barrier waits for one thread more than the block has.
// expect: deadlock line 14
// says: 64 threads, (0,0,0) to (63,0,0) of block (0,0,0), wait at the mbarrier at byte 0 of 'bar',
// says: one_arrival_too_many.cu:14,
// says: which waits for 1 of 65 arrivals to end its phase of parity 0
// says: The address is at byte 0 of shared variable 'bar' (8 bytes).
#include <cuda/barrier>

__global__ void reverse(int *x) {
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) init(&bar, blockDim.x + 1);
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
