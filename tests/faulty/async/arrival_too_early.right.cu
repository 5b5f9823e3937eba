// The right twin: all know of the barrier before they arrive at it.
#include <cstdio>
#include <cuda/barrier>

__global__ void twice(int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> meeting;
    for (int turn = 0; turn < 2; turn++) {
        if (threadIdx.x == 0) init(&meeting, blockDim.x);
        __syncthreads();
        out[threadIdx.x] = turn;
        meeting.arrive_and_wait();
        __syncthreads();
        if (threadIdx.x == 0) meeting.~barrier();
    }
}

int main() {
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    twice<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
