// The bytes of a bulk copy have been read, which does not say that they have been written.
// expect: copy-pending line 16 other 11
#include "async.h"

__global__ void squares(int *out, int *last) {
    alignas(128) __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x * threadIdx.x;
    PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE(out, tile, sizeof tile);
        COMMIT();
        WAIT_READ(0);
    }
    __syncthreads();
    if (threadIdx.x == 32) *last = out[63];
}

int main() {
    int *out, *last;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&last, sizeof(int));
    squares<<<1, 64>>>(out, last);
    cudaDeviceSynchronize();
    printf("%d\n", *last);
    return 0;
}
