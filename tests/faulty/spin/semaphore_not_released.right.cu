// Two permits for eight blocks, each of which gives its own back.
#include <cuda/semaphore>

__device__ cuda::counting_semaphore<cuda::thread_scope_device> permits(2);

__global__ void work(int *done) {
    permits.acquire();
    atomicAdd(done, 1);
    permits.release();
}

int main() {
    int *done;
    cudaMalloc(&done, sizeof(int));
    cudaMemset(done, 0, sizeof(int));
    work<<<8, 1>>>(done);
    return cudaDeviceSynchronize() != cudaSuccess;
}
