// A thread does work of its own between its arrival at the barrier of the cluster and the wait for the
// others.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(int *out) {
    __shared__ int x[64];
    const int t = threadIdx.x;
    auto cluster = cg::this_cluster();
    x[t] = blockIdx.x * 64 + t;
    cluster.barrier_arrive();
    out[blockIdx.x * 64 + t] = 0;
    cluster.barrier_wait();
    out[blockIdx.x * 64 + t] += cluster.map_shared_rank(x, cluster.block_rank() ^ 1)[t];
    cluster.sync();
}

int main() {
    int *out;
    cudaMalloc(&out, 4 * 64 * sizeof(int));
    swap<<<4, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
