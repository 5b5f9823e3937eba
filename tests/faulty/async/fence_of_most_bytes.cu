// One byte of a tile is written by a thread without a fence.
// expect: proxy-fence line 13 other 9
// says: a write of 1 byte by block (0,0,0), thread (37,0,0)
// says: at byte 37 of shared variable 'tile'
#include "async.h"

__global__ void letters(char *out) {
    alignas(128) __shared__ char tile[64];
    tile[threadIdx.x] = (char)('a' + threadIdx.x % 26);
    if (threadIdx.x != 37) PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE(out, tile, sizeof tile);
        COMMIT();
        WAIT_ALL(0);
    }
}

int main() {
    char *out;
    cudaMallocManaged(&out, 64 * sizeof(char));
    letters<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", (int)out[7]);
    return 0;
}
