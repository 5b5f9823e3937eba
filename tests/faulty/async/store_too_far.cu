// Each block sends its tile to where it belongs, and one block more than there is room for does so, too.
// expect: out-of-bounds line 12
// says: a write of 256 bytes
#include "async.h"

__global__ void squares(int *out) {
    alignas(128) __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x * threadIdx.x;
    PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE(out + blockIdx.x * 64, tile, sizeof tile);
        COMMIT();
        WAIT_ALL(0);
    }
}

int main() {
    int *out;
    cudaMallocManaged(&out, 2 * 64 * sizeof(int));
    squares<<<3, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
