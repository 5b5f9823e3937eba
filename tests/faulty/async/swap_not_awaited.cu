// Blocks send each other what they have, and neither waits for what it gets.
// expect: cluster-exit line 19
// expect: cluster-ended line 19
#include "async.h"

__global__ void __cluster_dims__(2, 1, 1) swap(int *out) {
    alignas(128) __shared__ int mine[64], theirs[64];
    __shared__ uint64_t full;
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    mine[threadIdx.x] = theirs[threadIdx.x] = (int)(rank * 64 + threadIdx.x);
    PROXY_FENCE();
    if (threadIdx.x == 0) {
        INIT(&full, 1);
        EXPECT(&full, sizeof theirs);
    }
    asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0)
        asm volatile(
            "{ .reg .b32 to, bar; mapa.shared::cluster.u32 to, %0, %3; mapa.shared::cluster.u32 bar, %2, %3;"
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [%1], 256, [bar]; "
            "}" ::"r"(AT(theirs)),
            "r"(AT(mine)), "r"(AT(&full)), "r"(rank ^ 1)
            : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = mine[threadIdx.x];
}

int main() {
    int *out;
    cudaMallocManaged(&out, 128 * sizeof(int));
    swap<<<2, 64>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", out[7]);
    return 0;
}
