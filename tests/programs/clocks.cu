/* clocks: time goes forward, sleeping takes as long as it says, and special registers make sense. */
#include "program.h"

__device__ unsigned long long global_timer() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

#define READ(name)                                                                                           \
    [] {                                                                                                     \
        unsigned v;                                                                                          \
        asm volatile("mov.u32 %0, %%" #name ";" : "=r"(v));                                                  \
        return v;                                                                                            \
    }()

__global__ void times(int *ok, int n) {
    long long a = clock64();
    clock_t b = clock();
    unsigned long long g = global_timer();
    volatile int s = 0;
    for (int i = 0; i < n; i++) s = s + i;
    ok[0] = clock64() > a;
    ok[1] = clock() != b;
    __nanosleep(100000);
    ok[2] = global_timer() > g;
    ok[3] = clock64() - a > 1000;
}

__global__ void registers(int *ok) {
    unsigned warps = (blockDim.x + 31) / 32;
    bool all[] = {READ(tid.x) == threadIdx.x,
                  READ(ntid.y) == 1,
                  READ(ctaid.x) == blockIdx.x,
                  READ(nctaid.x) == gridDim.x,
                  READ(laneid) == (threadIdx.x & 31),
                  READ(warpid) < 64,
                  READ(nwarpid) >= warps,
                  READ(smid) < READ(nsmid),
                  warpSize == 32,
                  READ(clusterid.x) == blockIdx.x,
                  READ(cluster_nctarank) == 1,
                  READ(cluster_ctarank) == 0,
                  READ(total_smem_size) >= 512,
                  READ(dynamic_smem_size) == 512,
                  READ(aggr_smem_size) >= READ(total_smem_size)};
    for (int i = 0; i < 15; i++)
        if (!__syncthreads_and(all[i]) && threadIdx.x == 0) atomicOr(&ok[0], 1 << i);
}

int main() {
    Array<int> ok(4), wrong(1);
    times<<<1, 1>>>(ok, 1000);
    show("times", ok);
    registers<<<3, 100, 512>>>(wrong);
    show("registers", wrong);
    return 0;
}
