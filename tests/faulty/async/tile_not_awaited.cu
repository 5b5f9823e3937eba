// A block reads a tile behind a barrier of the block, which says nothing of the copy that brings it.
// expect: copy-pending line 16 other 13
// says: its mbarrier is the one at byte
#include "async.h"

__global__ void scale(const int *in, int *out) {
    alignas(128) __shared__ int tile[128];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) INIT(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        EXPECT(&full, sizeof tile);
        LOAD(tile, in + blockIdx.x * 128, sizeof tile, &full);
    }
    __syncthreads();
    int v = tile[threadIdx.x];
    WAIT(&full, 0);
    out[blockIdx.x * 128 + threadIdx.x] = 2 * v;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 256 * sizeof(int));
    cudaMallocManaged(&out, 256 * sizeof(int));
    for (int i = 0; i < 256; i++) in[i] = i;
    scale<<<2, 128>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d\n", out[77]);
    return 0;
}
