// Both take them in the same order.
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
    first = 0;
    if (threadIdx.x % 32 == 0) take(first);
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
