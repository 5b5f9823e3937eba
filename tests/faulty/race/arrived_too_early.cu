// A thread writes behind its arrival at the barrier of the cluster what others read behind their wait.
// expect: race-cluster line 13 other 11
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(int *out) {
    __shared__ int x[64];
    const int t = threadIdx.x;
    auto cluster = cg::this_cluster();
    cluster.barrier_arrive();
    x[t] = blockIdx.x * 64 + t;
    cluster.barrier_wait();
    out[blockIdx.x * 64 + t] = cluster.map_shared_rank(x, cluster.block_rank() ^ 1)[t];
    cluster.sync();
}

int main() {
    int *out;
    cudaMalloc(&out, 4 * 64 * sizeof(int));
    swap<<<4, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
