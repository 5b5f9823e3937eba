// The lock is given back in between.

__device__ int lock;
__device__ void take() { while (atomicCAS(&lock, 0, 1) != 0); }

__global__ void twice(int *x) {
    take();
    x[0] = 1;
    atomicExch(&lock, 0);
    take();
    x[0]++;
    atomicExch(&lock, 0);
}

int main() {
    int *x;
    cudaMalloc(&x, sizeof *x);
    twice<<<1, 1>>>(x);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(x);
}
