// A lock is taken by functions that are called in a loop, and a thread ends with it in hand.
// expect: deadlock line 8 other 10
// says: wait at lock_taken_by_calls.cu:8 for 'lock', which is 1
// says: in is_free(int*), kernel add(int const*)

__device__ int lock, sum;

__device__ __noinline__ bool is_free(int *where) { return atomicAdd(where, 0) == 0; }

__device__ __noinline__ bool try_lock(int *where) { return is_free(where) && atomicCAS(where, 0, 1) == 0; }

__device__ __noinline__ void take(int *where) {
    while (!try_lock(where)) __nanosleep(50);
}

__global__ void add(const int *x) {
    take(&lock);
    if (x[threadIdx.x] == 0) return;
    sum += x[threadIdx.x];
    __threadfence();
    atomicExch(&lock, 0);
}

int main() {
    int *x;
    cudaMalloc(&x, 4 * sizeof(int));
    cudaMemset(x, 0, 4 * sizeof(int));
    add<<<1, 4>>>(x);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (good) cudaFree(x);
}
