// Every way out gives it back.
__device__ int lock, sum;

__global__ void add(int least) {
    while (atomicExch(&lock, 1)) __nanosleep(100);
    __threadfence();
    if (sum >= least) {
        __threadfence();
        atomicExch(&lock, 0);
        return;
    }
    sum += blockIdx.x + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

int main() {
    add<<<4, 1>>>(0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
