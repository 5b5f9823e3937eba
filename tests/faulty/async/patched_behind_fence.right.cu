// Two of 16 bytes are written again, and have a fence of their own.
#include "async.h"

__global__ void patched(short *out) {
    alignas(128) __shared__ short tile[64];
    for (int i = threadIdx.x; i < 8; i += 64) reinterpret_cast<int4 *>(tile)[i] = make_int4(i, i, i, i);
    PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 9) tile[11] = 77;
    if (threadIdx.x == 9) PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 0) {
        STORE(out, tile, sizeof tile);
        COMMIT();
        WAIT_ALL(0);
    }
}

int main() {
    short *out;
    cudaMallocManaged(&out, 64 * sizeof(short));
    patched<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", (int)out[7]);
    return 0;
}
