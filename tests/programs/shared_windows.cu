/* shared_windows: where shared memory lies. The low 24 bits of a generic address are the offset in the
 * block's window, as on an H100; a public library takes the low 18 of them for a shared address. Whatever a
 * block stores at a shared address, it never comes to another block. */
#include "program.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

enum { LOW = (1 << 24) - 1, WORDS = 1024 };

/* [block] how many words are not as they should be. */
__global__ void __cluster_dims__(2) places(unsigned *wrong) {
    __shared__ unsigned fixed[64];
    extern __shared__ unsigned moving[];
    cg::cluster_group cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank(), there = rank ^ 1, t = threadIdx.x;
    unsigned bad = 0;
    unsigned *all[2] = {fixed + t, moving + t};
    for (unsigned *p : all) {
        const unsigned long long generic = reinterpret_cast<unsigned long long>(p);
        const unsigned near = static_cast<unsigned>(__cvta_generic_to_shared(p));
        bad += (generic & LOW) != (near & LOW);
        const unsigned *far = cluster.map_shared_rank(p, there);
        bad += (reinterpret_cast<unsigned long long>(far) & LOW) != (near & LOW);
        bad += cluster.query_shared_rank(far) != there || cluster.query_shared_rank(p) != rank;
        *p = rank * 1000 + t;
    }
    cluster.sync();
    bad += *cluster.map_shared_rank(fixed + t, there) != there * 1000 + t;
    bad += *cluster.map_shared_rank(moving + t, there) != there * 1000 + t;
    cluster.sync();
    atomicAdd(&wrong[blockIdx.x], bad);
}

__device__ volatile int met, done;
__device__ unsigned long long bases[2];

/* Two blocks at a time: the first one stores where the other's memory would be, seen from its own. */
__global__ void stray(int *seen, int by) {
    __shared__ int words[WORDS];
    const int t = threadIdx.x;
    for (int i = t; i < WORDS; i += blockDim.x) words[i] = 7;
    __syncthreads();
    if (t == 0) bases[blockIdx.x] = reinterpret_cast<unsigned long long>(static_cast<void *>(words));
    __threadfence();
    if (t == 0) atomicAdd((int *)&met, 1);
    while (met < 2) continue;
    const long long apart = static_cast<long long>(bases[1] - bases[0]);
    if (blockIdx.x == 0) {
        if (t == 0) words[static_cast<int>(apart / 4) + by] = 666;
        __threadfence();
        done = 1;
    } else {
        while (!done) continue;
        for (int i = t; i < WORDS; i += blockDim.x) seen[i] = ((volatile int *)words)[i];
    }
}

/* As a public library makes the descriptors of its products. */
__global__ void low_bits(unsigned *out) {
    __shared__ unsigned words[128];
    words[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    const unsigned long long generic = reinterpret_cast<unsigned long long>(words + (threadIdx.x ^ 1));
    asm volatile("ld.shared.u32 %0, [%1];"
                 : "=r"(out[threadIdx.x])
                 : "r"(static_cast<unsigned>(generic & 0x3ffff)));
}

int main() {
    unsigned *wrong;
    int *seen;
    unsigned *out;
    cudaMallocManaged(&wrong, 8 * sizeof *wrong);
    cudaMallocManaged(&seen, WORDS * sizeof *seen);
    cudaMallocManaged(&out, 128 * sizeof *out);
    memset(wrong, 0, 8 * sizeof *wrong);
    places<<<8, 64, 256>>>(wrong);
    printf("clusters: %s", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 8; i++) printf(" %u", wrong[i]);
    low_bits<<<1, 128>>>(out);
    printf("\nlow 18 bits: %s", cudaGetErrorName(cudaDeviceSynchronize()));
    unsigned bad = 0;
    for (unsigned i = 0; i < 128; i++) bad += out[i] != (i ^ 1) * 3;
    printf(" %u\n", bad);
    stray<<<2, 32>>>(seen, 5);
    cudaDeviceSynchronize(); /* an error, or what its own block had there: as the machine has it */
    for (int i = 0; i < WORDS; i++) bad += seen[i] != 7 && seen[i] != 0;
    printf("strays in another block's memory: %u\n", bad);
    return 0;
}
