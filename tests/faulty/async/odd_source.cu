// Bulk copies take whole pieces of 16 bytes; this one begins in the middle of one.
// expect: misaligned line 10
#include "async.h"

__global__ void shift(const int *in, int *out) {
    alignas(128) __shared__ int tile[64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) INIT(&full, 1);
    if (threadIdx.x == 0) EXPECT(&full, sizeof tile);
    if (threadIdx.x == 0) LOAD(tile, in + 1, sizeof tile, &full);
    __syncthreads();
    WAIT(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i;
    shift<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
