// A block reads shared memory of its neighbour, having waited for its own threads alone.
// expect: race-cluster line 13 other 10
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
const int N = 1024;

__global__ void __cluster_dims__(2, 1, 1) swap(int *out, const int *in) {
    __shared__ int part[64];
    cg::cluster_group cluster = cg::this_cluster();
    part[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    int *other = cluster.map_shared_rank(part, cluster.block_rank() ^ 1);
    out[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];
    cluster.sync();
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    swap<<<N / 64, 64>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
