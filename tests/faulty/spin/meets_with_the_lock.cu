// The lane that has the lock waits for lanes that wait for the lock.
// expect: deadlock line 8 other 8
// says: 31 threads, (1,0,0) to (31,0,0), wait at meets_with_the_lock.cu:8 for 'lock'
// says: thread (0,0,0) waits at a warp-wide operation (all lanes of its mask)

__device__ int lock, sum;
__global__ void add() {
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
    sum += threadIdx.x;
    __threadfence();
    __syncwarp();
    atomicExch(&lock, 0);
}

int main() {
    add<<<1, 32>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
