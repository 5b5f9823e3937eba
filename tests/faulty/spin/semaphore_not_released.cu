// Two permits for eight blocks, and nobody gives one back.
// expect: deadlock line 9 other 9
// says: wait at semaphore_not_released.cu:9 for 'permits', which is 0
#include <cuda/semaphore>

__device__ cuda::counting_semaphore<cuda::thread_scope_device> permits(2);

__global__ void work(int *done) {
    permits.acquire();
    atomicAdd(done, 1);
}

int main() {
    int *done;
    cudaMalloc(&done, sizeof(int));
    cudaMemset(done, 0, sizeof(int));
    work<<<8, 1>>>(done);
    return cudaDeviceSynchronize() != cudaSuccess;
}
