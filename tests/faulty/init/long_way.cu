// A value that nobody wrote goes from shared memory through three allocations, and to the host.
// expect: uninitialised-use line 25
// expect: uninitialised-copy line 39
// says: The address is at byte 12 of shared variable 'tile' (128 bytes).
// says: The value was read there at long_way.cu:18:14 in gather(int*), and came here
// says: A kernel copied it there: it was read at long_way.cu:18:14 in gather(int*), from byte 12 of 128 bytes
// says: bytes of shared memory, which was never written.
// options: --only init

#include <cstdio>

__global__ void gather(int *out) {
    __shared__ int tile[32];
    int t = threadIdx.x;
    if (t != 3) tile[t] = t;
    __syncthreads();
    int from = t % 2 ? 4 : 3;
    out[t] = tile[from] + t;
}

__global__ void twice(const int *x, long long *y) { y[threadIdx.x] = 2ll * x[threadIdx.x]; }

__global__ void add(const long long *x, int *sum) {
    int value = static_cast<int>(x[threadIdx.x] >> 1);
    if (threadIdx.x == 0) atomicAdd(sum, value);
}

int main() {
    int *a, *b, *sum, result[32];
    long long *y;
    cudaMalloc(&a, sizeof result);
    cudaMalloc(&b, sizeof result);
    cudaMalloc(&y, 2 * sizeof result);
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    gather<<<1, 32>>>(a);
    cudaMemcpy(b, a, sizeof result, cudaMemcpyDeviceToDevice);
    twice<<<1, 32>>>(b, y);
    cudaMemcpy(result, b, sizeof result, cudaMemcpyDeviceToHost);
    add<<<1, 32>>>(y, sum);
    cudaMemcpy(result, sum, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result[0] != 0);
    cudaFree(a);
    cudaFree(b);
    cudaFree(y);
    cudaFree(sum);
}
