// Half of a buffer was never written, and goes through shared memory to where it came to the host.
// expect: uninitialised-copy line 27
// says: from byte 256 of 512 bytes of device memory
#include "async.h"

__global__ void copy(const int *in, int *out) {
    alignas(128) __shared__ int tile[128];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile);
        LOAD(tile, in, sizeof tile, &full);
        WAIT(&full, 0);
        STORE(out, tile, sizeof tile);
        COMMIT();
        WAIT_ALL(0);
    }
}

int main() {
    int *in, *out, host[128];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemset(in, 1, sizeof host / 2);
    copy<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[7]);
    return 0;
}
