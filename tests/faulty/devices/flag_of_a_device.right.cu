// A device waits for another's flag by atomics of the whole system.
// options: --devices 2
#include <cstdio>
#include <cuda/atomic>

__global__ void make(int *x, int *flag) {
    *x = 42;
    cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release);
}

__global__ void use(const int *x, int *flag, int *y) {
    while (!cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).load(cuda::memory_order_acquire)) {
    }
    *y = *x;
}

int main() {
    int *x, *flag, *y, got;
    cudaSetDevice(1);
    cudaMalloc(&y, sizeof(int));
    cudaDeviceEnablePeerAccess(0, 0);
    cudaSetDevice(0);
    cudaMalloc(&x, sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    cudaDeviceSynchronize();
    make<<<1, 1>>>(x, flag);
    cudaSetDevice(1);
    use<<<1, 1>>>(x, flag, y);
    cudaMemcpy(&got, y, sizeof got, cudaMemcpyDeviceToHost);
    printf("%d\n", got);
    return 0;
}
