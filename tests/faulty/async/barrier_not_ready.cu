// A warp waits at an mbarrier that another one may not have begun yet.
// expect: race-block line 14 other 9
#include "async.h"

__global__ void scale(const int *in, int *out) {
    alignas(128) __shared__ int tile[32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile);
        LOAD(tile, in, sizeof tile, &full);
    }
    if (threadIdx.x < 32) return;
    WAIT(&full, 0);
    out[threadIdx.x - 32] = 2 * tile[threadIdx.x - 32];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 32 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) in[i] = i;
    scale<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
