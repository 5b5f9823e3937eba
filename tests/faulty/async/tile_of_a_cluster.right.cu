// The right twin: without the fault.
#include "async.h"

__global__ void __cluster_dims__(2, 1, 1) scale(const int *in, int *out) {
    alignas(128) __shared__ int tile[64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile);
    }
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (rank == 0 && threadIdx.x == 0) LOAD_FOR(tile, in, sizeof tile, &full, 3);
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
    WAIT(&full, 0);
    int v = tile[threadIdx.x];
    out[blockIdx.x * 64 + threadIdx.x] = 2 * v;
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i;
    scale<<<2, 64>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d\n", out[77]);
    return 0;
}
