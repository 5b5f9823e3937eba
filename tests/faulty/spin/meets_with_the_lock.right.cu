// It gives the lock back before it waits.
__device__ int lock, sum;
__global__ void add() {
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
    sum += threadIdx.x;
    __threadfence();
    atomicExch(&lock, 0);
    __syncwarp();
}

int main() {
    add<<<1, 32>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
