// Each thread that writes has a fence.
#include "async.h"

__global__ void squares(int *out) {
    alignas(128) __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x * threadIdx.x;
    if (threadIdx.x < 64) PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE(out, tile, sizeof tile);
        COMMIT();
        WAIT_ALL(0);
    }
}

int main() {
    int *out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    squares<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", (int)out[7]);
    return 0;
}
