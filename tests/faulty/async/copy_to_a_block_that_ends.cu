// A tile goes to both blocks of a cluster, and the second ends without waiting for it.
// expect: cluster-exit line 16
// says: Nobody waits for this copy, so block (1,0,0) may exit before it arrives there.
#include "async.h"

__global__ void __cluster_dims__(2, 1, 1) spread(const int *in, int *out) {
    alignas(128) __shared__ int tile[64];
    __shared__ uint64_t full;
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof tile);
    }
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
    if (rank == 0 && threadIdx.x == 0) LOAD_FOR(tile, in, sizeof tile, &full, 3);
    if (rank != 0) return;
    WAIT(&full, 0);
    out[threadIdx.x] = 2 * tile[threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i;
    spread<<<2, 64>>>(in, out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
