// Who has the lock returns without giving it back.
// expect: deadlock line 9 other 9
// says: 3 threads of 3 blocks, the first (0,0,0) of block (1,0,0), wait at
// says: for 'lock', which is 1 since thread (0,0,0) of block (0,0,0) wrote it

__device__ int lock, sum;

__global__ void add(int least) {
    while (atomicExch(&lock, 1)) __nanosleep(100);
    __threadfence();
    if (sum >= least) return;
    sum += blockIdx.x + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

int main() {
    add<<<4, 1>>>(0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
