// A block waits for a flag by relaxed loads, and a fence orders what follows behind the last of them.
#include <cuda/atomic>
using flag_t = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void hand_over(flag_t *ready, int *value, int *out) {
    if (threadIdx.x) return;
    if (blockIdx.x) {
        *value = blockIdx.x;
        ready->store(1, cuda::memory_order_release);
    } else {
        while (!ready->load(cuda::memory_order_relaxed)) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        *out = *value;
    }
}

int main() {
    flag_t *ready;
    int *value, *out;
    cudaMalloc(&ready, sizeof(flag_t));
    cudaMalloc(&value, sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(ready, 0, sizeof(flag_t));
    hand_over<<<2, 32>>>(ready, value, out);
    cudaDeviceSynchronize();
}
