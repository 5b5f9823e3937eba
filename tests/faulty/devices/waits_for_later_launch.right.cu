// A device waits for another's flag, and is asked to before the other is: by atomics of the system.
// options: --devices 2
#include <cstdio>
#include <cuda/atomic>

__global__ void make(int *x, int *flag) {
    *x = 42;
    cuda::atomic_ref<int>(*flag).store(1, cuda::memory_order_release);
}

__global__ void use(const int *x, int *flag, int *y) {
    while (!cuda::atomic_ref<int>(*flag).load(cuda::memory_order_acquire)) {
    }
    *y = *x;
}

int main() {
    int *x, *y, *flag;
    cudaMallocManaged(&x, sizeof(int));
    cudaMallocManaged(&y, sizeof(int));
    cudaMallocManaged(&flag, sizeof(int));
    *flag = 0;
    cudaSetDevice(1);
    use<<<1, 1>>>(x, flag, y);
    cudaSetDevice(0);
    make<<<1, 1>>>(x, flag);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    cudaSetDevice(1);
    if (cudaDeviceSynchronize() != cudaSuccess || !good) return 1;
    printf("%d\n", *y);
    cudaFree(x);
    cudaFree(y);
    cudaFree(flag);
    return 0;
}
