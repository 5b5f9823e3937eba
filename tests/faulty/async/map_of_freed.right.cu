// The right twin: without the fault.
#include "async.h"

__global__ void copy(const __grid_constant__ CUtensorMap from, int *out) {
    alignas(128) __shared__ int tile[8 * 32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile);
    }
    if (threadIdx.x == 0) LOAD_BOX(tile, &from, 0, 8, &full);
    __syncthreads();
    WAIT(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 32 * 32 * sizeof(int));
    cudaMalloc(&out, 256 * sizeof(int));
    cudaMemset(in, 1, 32 * 32 * sizeof(int));
    CUtensorMap map = map_of(in, 32, 32, 32, 8);
    copy<<<1, 256>>>(map, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    return 0;
}
