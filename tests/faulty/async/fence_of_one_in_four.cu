// Four threads write 16 bytes, and the last of them has a fence.
// expect: proxy-fence line 13 other 9
// says: a write of 4 bytes by block (0,0,0), thread (0,0,0)
// says: at byte 0 of shared variable 'tile'
#include "async.h"

__global__ void squares(int *out) {
    alignas(128) __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x * threadIdx.x;
    if (threadIdx.x % 4 == 3) PROXY_FENCE();
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
