// A tile goes out by a tensor copy before all of its rows have been written.
// expect: race-block line 12 other 8
#include "async.h"

__global__ void rows(const __grid_constant__ CUtensorMap to) {
    alignas(128) __shared__ int tile[4][32];
    int row = threadIdx.x / 32, column = threadIdx.x % 32;
    tile[3 - row][column] = row * 100 + column;
    PROXY_FENCE();
    __syncwarp();
    if (threadIdx.x == 96) {
        STORE_BOX(&to, 0, blockIdx.x * 4, tile);
        COMMIT();
        WAIT_ALL(0);
    }
}

int main() {
    int *out;
    cudaMallocManaged(&out, 8 * 32 * sizeof(int));
    rows<<<2, 128>>>(map_of(out, 32, 8, 32, 4));
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
