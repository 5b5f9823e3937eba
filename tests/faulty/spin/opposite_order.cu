// Two warps take two locks in opposite order, and each has one of them by then.
// expect: deadlock line 16 other 16
// says: 2 threads, the first (0,0,0), wait at opposite_order.cu:16

__device__ int locks[2];

__device__ void give(int i) {
    __threadfence();
    atomicExch(&locks[i], 0);
}
__device__ void pause() { __nanosleep(1000); }
__device__ int held;

__device__ void take(int i) {
    int tries = 0;
    while (atomicCAS(&locks[i], 0, 1) != 0) tries++;
    __threadfence();
    atomicAdd(&held, tries >= 0);
}

__global__ void both() {
    int first = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) take(first);
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        take(1 - first);
        give(1 - first);
        give(first);
    }
}

int main() {
    both<<<1, 64>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
