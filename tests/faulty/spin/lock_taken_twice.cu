// A thread takes a lock that it has already.
// expect: deadlock line 7 other 7
// says: which is 1 since the same thread wrote it at
// says: (called at lock_taken_twice.cu:10)

__device__ int lock;
__device__ void take() { while (atomicCAS(&lock, 0, 1) != 0); }

__global__ void twice(int *x) {
    take();
    x[0] = 1;
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
