// The box of a tensor copy is larger than the variable that it is for.
// expect: shared-bounds line 14
// options: --only memory
// says: a write of 2048 bytes
#include "async.h"

__global__ void copy(const __grid_constant__ CUtensorMap from, int *out) {
    alignas(128) __shared__ int tile[8 * 32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, 16 * 32 * 4);
    }
    if (threadIdx.x == 0) LOAD_BOX(tile, &from, 0, 0, &full);
    __syncthreads();
    WAIT(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 32 * 32 * sizeof(int));
    cudaMallocManaged(&out, 256 * sizeof(int));
    for (int i = 0; i < 1024; i++) in[i] = i;
    for (int i = 0; i < 256; i++) out[i] = 0;
    copy<<<1, 256>>>(map_of(in, 32, 32, 32, 16), out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
