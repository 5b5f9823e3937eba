// The right twin: without the fault.
#include "async.h"

__global__ void scale(const int *in, int *out) {
    alignas(128) __shared__ int tile[64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile);
        LOAD(tile, in, sizeof tile, &full);
        WAIT(&full, 0);
    }
    __syncthreads();
    int v = tile[threadIdx.x];
    out[threadIdx.x] = 2 * v;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i;
    scale<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
