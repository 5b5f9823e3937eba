// A bulk copy brings whole tiles, of which the last one is not all there.
// expect: out-of-bounds line 13
// says: a read of 256 bytes
#include "async.h"

__global__ void sum(const int *in, int *out, int tiles) {
    alignas(128) __shared__ int tile[64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile);
    }
    if (threadIdx.x == 0) LOAD(tile, in + blockIdx.x * 64, sizeof tile, &full);
    __syncthreads();
    WAIT(&full, 0);
    if (blockIdx.x < tiles) atomicAdd(out, tile[threadIdx.x]);
}

int main() {
    const int n = 160;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, sizeof(int)), *out = 0;
    for (int i = 0; i < n; i++) in[i] = i;
    sum<<<3, 64>>>(in, out, 2);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    return 0;
}
