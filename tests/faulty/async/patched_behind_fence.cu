// Two of 16 bytes are written again behind the fence.
// expect: proxy-fence line 15 other 12
// says: a write of 2 bytes by block (0,0,0), thread (9,0,0)
// says: at byte 22 of shared variable 'tile'
#include "async.h"

__global__ void patched(short *out) {
    alignas(128) __shared__ short tile[64];
    for (int i = threadIdx.x; i < 8; i += 64) reinterpret_cast<int4 *>(tile)[i] = make_int4(i, i, i, i);
    PROXY_FENCE();
    __syncthreads();
    if (threadIdx.x == 9) tile[11] = 77;
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
