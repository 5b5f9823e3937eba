// One thread's fence, before the barrier, is for what that thread has written alone.
// expect: proxy-fence line 11 other 7
#include "async.h"

__global__ void squares(int *out) {
    alignas(128) __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x * threadIdx.x;
    if (threadIdx.x == 0) PROXY_FENCE();
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
    printf("%d\n", out[7]);
    return 0;
}
