// The right twin: without the fault.
#include "async.h"

__global__ void sum(const int *in, int *out) {
    alignas(128) __shared__ int tile[2][64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile[0]);
        LOAD(tile[0], in, sizeof tile[0], &full);
    }
    __syncthreads();
    WAIT(&full, 0);
    out[threadIdx.x] = tile[0][threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i;
    sum<<<1, 64>>>(in, out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("%d\n", out[7]);
    return 0;
}
