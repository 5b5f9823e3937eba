// Arrivals at mbarriers of a block that is not there, behind what blocks have, at an odd place, too late.
// options: --only memory
// expect: cluster-rank line 23
// expect: shared-bounds line 24
// expect: misaligned line 25
// expect: cluster-ended line 40
#include <cstdint>
#include <cstdio>

#define AT(p)            ((unsigned)__cvta_generic_to_shared(p))
#define MAP(to, p, rank) asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(AT(p)), "r"(rank))
#define ARRIVE(at)                                                                                           \
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at) : "memory")
#define MEET() asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory")

__global__ void __cluster_dims__(2, 1, 1) neighbours(int way) {
    __shared__ uint64_t full[2];
    unsigned to;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 100;" ::"r"(AT(full)) : "memory");
    MEET();
    MAP(to, full, (blockIdx.x % 2) ^ 1);
    if (threadIdx.x == 0) ARRIVE(to);
    if (way == 1 && threadIdx.x < 3 && blockIdx.x == 0) ARRIVE(to + 0x2000000 * (threadIdx.x & 1));
    if (way == 2 && threadIdx.x == 1) ARRIVE(to + 0x8000);
    if (way == 3 && threadIdx.x == 2) ARRIVE(to + 4);
    MEET();
}

__global__ void __cluster_dims__(2, 1, 1) late() {
    __shared__ uint64_t full[2];
    unsigned to;
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 100;" ::"r"(AT(full)) : "memory");
    MEET();
    MAP(to, full, 0);
    if (blockIdx.x == 1) {
        for (int i = 0; i < 1000; i++) __nanosleep(100);
    } else {
        return;
    }
    if (threadIdx.x == 0) ARRIVE(to);
}

int main() {
    for (int way = 0; way < 4; way++) neighbours<<<2, 32>>>(way);
    late<<<2, 32>>>();
    printf("%d\n", (int)cudaDeviceSynchronize());
    return 0;
}
