// The thread announces the bytes of both tiles, and asks for one.
// expect: deadlock line 16
// says: which waits for 256 bytes that no copy brings to end its phase of parity 0
// says: 64 threads, (0,0,0) to (63,0,0), wait at the mbarrier at byte 0 of 'full'
#include "async.h"

__global__ void sum(const int *in, int *out) {
    alignas(128) __shared__ int tile[2][64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile);
        LOAD(tile[0], in, sizeof tile[0], &full);
    }
    __syncthreads();
    WAIT(&full, 0);
    out[threadIdx.x] = tile[0][threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i;
    sum<<<1, 64>>>(in, out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("%d\n", out[7]);
    return 0;
}
