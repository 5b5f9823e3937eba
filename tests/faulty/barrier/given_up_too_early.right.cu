// The mbarrier ends when all have waited for it.
#include <cuda_awbarrier_primitives.h>

__global__ void hand_over(int *out) {
    __shared__ __mbarrier_t barrier;
    __shared__ int value;
    if (threadIdx.x == 0) __mbarrier_init(&barrier, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) value = 7;
        __mbarrier_arrive(&barrier);
    } else {
        while (!__mbarrier_try_wait_parity(&barrier, 0, 1000)) {
        }
        out[threadIdx.x - 32] = value;
    }
    __syncthreads();
    if (threadIdx.x == 0) __mbarrier_inval(&barrier);
}

int main() {
    int *out;
    cudaMallocManaged(&out, 128);
    hand_over<<<1, 64>>>(out);
    return cudaDeviceSynchronize() || out[5] != 7;
}
