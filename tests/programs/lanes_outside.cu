/* lanes_outside: additions of a warp of which one lane's lies elsewhere than the others', each lane in turn. */
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { VALUES = 1 << 12, SHARE = 64, WORDS = 1 << 20 };

/* In global memory, far from the rest. */
__global__ void far_away(unsigned *bins, const int *at) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < VALUES; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[at[i]], 1 + i % 3);
}

/* In another block of the cluster. */
__global__ void other_block(unsigned *bins, int share, const int *at) {
    extern __shared__ unsigned part[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < share; i += blockDim.x) part[i] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < VALUES; i += gridDim.x * blockDim.x) {
        const int value = at[i];
        atomicAdd(&cluster.map_shared_rank(part, value / share)[value % share], 1);
    }
    cluster.sync();
    const int first = cluster.block_rank() * share;
    for (int i = threadIdx.x; i < share; i += blockDim.x) atomicAdd(&bins[first + i], part[i]);
}

/* In global memory, where the others' are shared. */
__global__ void other_space(unsigned *bins, const int *at) {
    __shared__ unsigned mine[SHARE];
    if (threadIdx.x < SHARE) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < VALUES; i += blockDim.x) {
        const int value = at[i];
        atomicAdd(value >= 0 ? &mine[value % SHARE] : &bins[-value % SHARE], i + 1);
    }
    __syncthreads();
    if (threadIdx.x < SHARE) bins[SHARE + threadIdx.x] = mine[threadIdx.x];
}

static void launch(int kind, unsigned *bins, const int *at) {
    if (kind == 0) far_away<<<4, 128>>>(bins, at);
    if (kind == 2) other_space<<<1, 128>>>(bins, at);
    if (kind != 1) return;
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};
    config.gridDim = 16, config.blockDim = 128, config.dynamicSmemBytes = SHARE * sizeof(unsigned);
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 8, cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.attrs = &cluster, config.numAttrs = 1;
    cudaLaunchKernelEx(&config, other_block, bins, static_cast<int>(SHARE), at);
}

int main() {
    int *at;
    unsigned *bins;
    cudaMallocManaged(&at, VALUES * sizeof *at);
    cudaMallocManaged(&bins, WORDS * sizeof *bins);
    for (int kind = 0; kind < 3; kind++) {
        for (int lane = -1; lane < 32; lane++) {
            for (int i = 0; i < WORDS; i++) bins[i] = 0;
            for (int i = 0; i < VALUES; i++) {
                const int warp = i / 32, other[] = {WORDS - 1 - warp, SHARE + warp, -1 - warp % 60};
                at[i] = i % 32 == lane && warp % 5 == 3 ? other[kind] : i * 7919 % SHARE;
            }
            launch(kind, bins, at);
            const cudaError_t error = cudaDeviceSynchronize();
            unsigned long long hash = 0;
            for (int i = 0; i < WORDS; i++) hash = hash * 31 + bins[i];
            printf("%d, lane %d: %s, %llu\n", kind, lane, cudaGetErrorName(error), hash);
        }
    }
    return 0;
}
