// The right twin: without the fault.
#include "async.h"

__global__ void squares(int *out, int tiles) {
    alignas(128) __shared__ int tile[64];
    for (int t = 0; t < tiles; t++) {
        tile[threadIdx.x] = (t + threadIdx.x) * (t + threadIdx.x);
        PROXY_FENCE();
        __syncthreads();
        if (threadIdx.x == 0) {
            STORE(out + t * 64, tile, sizeof tile);
            COMMIT();
            WAIT_READ(0);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) WAIT_ALL(0);
}

int main() {
    const int tiles = 3;
    int *out;
    cudaMallocManaged(&out, tiles * 64 * sizeof(int));
    squares<<<1, 64>>>(out, tiles);
    cudaDeviceSynchronize();
    printf("%d\n", out[70]);
    return 0;
}
