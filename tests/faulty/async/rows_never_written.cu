// A kernel decides by rows of a matrix that were never written, and come by a tensor copy.
// expect: uninitialised-branch line 16
#include "async.h"

__global__ void count(const __grid_constant__ CUtensorMap from, int *out) {
    alignas(128) __shared__ int tile[8 * 32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile);
    }
    if (threadIdx.x == 0) LOAD_BOX(tile, &from, 0, 8, &full);
    __syncthreads();
    WAIT(&full, 0);
    int v = tile[threadIdx.x];
    if (v > 3) atomicAdd(out, 1);
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 16 * 32 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int)), *out = 0;
    cudaMemset(in, 1, 12 * 32 * sizeof(int));
    count<<<1, 256>>>(map_of(in, 32, 16, 32, 8), out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    return 0;
}
