/* arrivals: lanes of a warp at mbarriers, all at one, each at its own, some of them, more than a phase waits
 * for; what each is told, and when they go on.
 */
#include "program.h"

__device__ void begin(uint64_t *bar, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(bar)),
                 "r"(count));
}
__device__ uint64_t arrive(uint64_t *bar) {
    uint64_t token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"((unsigned)__cvta_generic_to_shared(bar)));
    return token;
}
__device__ uint64_t arrive(uint64_t *bar, unsigned count) {
    uint64_t token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;"
                 : "=l"(token)
                 : "r"((unsigned)__cvta_generic_to_shared(bar)), "r"(count));
    return token;
}
__device__ uint64_t arrive_and_drop(uint64_t *bar) {
    uint64_t token;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                 : "=l"(token)
                 : "r"((unsigned)__cvta_generic_to_shared(bar)));
    return token;
}
__device__ bool over(uint64_t *bar, uint64_t token) {
    unsigned yes;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(yes)
                 : "r"((unsigned)__cvta_generic_to_shared(bar)), "l"(token)
                 : "memory");
    return yes;
}
__device__ bool over_parity(uint64_t *bar, unsigned parity) {
    unsigned yes;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(yes)
                 : "r"((unsigned)__cvta_generic_to_shared(bar)), "r"(parity)
                 : "memory");
    return yes;
}
__device__ unsigned pending(uint64_t token) {
    unsigned n;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(token));
    return n;
}

/* One warp: how many each lane was told are missing, and whether its phase is over then. */
__global__ void one_warp(const int *which, unsigned count, unsigned *told, unsigned *ended) {
    __shared__ uint64_t bar[32];
    int t = threadIdx.x;
    begin(&bar[t], count);
    __syncwarp();
    for (int turn = 0; turn < 5; turn++) {
        uint64_t *mine = &bar[which[turn * 32 + t]];
        uint64_t token = 0;
        if (turn < 3 || t % 3 == turn % 3) token = arrive(mine);
        __syncwarp();
        told[turn * 32 + t] = token ? pending(token) : 1000;
        ended[turn * 32 + t] = (token ? over(mine, token) : 2) * 16 + over_parity(mine, t & 1);
        __syncwarp();
    }
}

/* Several warps: the phases are counted, and what was stored before an arrival is there behind it. */
__global__ void rounds(int *out, int n, unsigned each) {
    __shared__ uint64_t full[2], left;
    __shared__ int s[2][128];
    int t = threadIdx.x, sum = 0;
    if (t < 2) begin(&full[t], blockDim.x * each);
    if (t == 2) begin(&left, blockDim.x);
    __syncthreads();
    for (int k = 0; k < n; k++) {
        s[k & 1][t] = t * k + 1;
        uint64_t token = each == 1 ? arrive(&full[k & 1]) : arrive(&full[k & 1], each);
        if (k % 2) {
            while (!over(&full[k & 1], token)) {
            }
        } else {
            while (!over_parity(&full[k & 1], k / 2 % 2)) {
            }
        }
        sum += s[k & 1][(t * 7 + k) % blockDim.x];
    }
    uint64_t token = t % 2 ? arrive_and_drop(&left) : arrive(&left);
    while (!over(&left, token)) {
    }
    if (t % 2 == 0) {
        token = arrive(&left); /* the other half is not waited for any more */
        while (!over(&left, token)) {
        }
    }
    out[blockIdx.x * blockDim.x + t] = sum;
}

int main() {
    Array<int> which(5 * 32), out(4 * 128);
    Array<unsigned> told(5 * 32), ended(5 * 32);
    for (unsigned count : {1u, 7u, 31u, 32u, 33u, 64u, 100u}) {
        for (int apart : {1, 2, 32}) {
            /* A warp's arrivals at one mbarrier are one. More than are pending end the launch: tests/faulty/barrier. */
            unsigned most = apart == 1 ? 3 * 32 + 11 : 3 * 16 + 6, together = 32 / apart;
            if (apart < 32 && count % together && count < most) continue;
            for (int i = 0; i < 5 * 32; i++) which[i] = i * 5 % 32 % apart;
            one_warp<<<1, 32>>>(which, count, told, ended);
            show("told", told);
            show("ended", ended);
        }
    }
    for (int threads : {32, 33, 100, 128}) {
        for (unsigned each : {1u, 3u}) {
            rounds<<<4, threads>>>(out, 20, each);
            show("rounds", out);
        }
    }
    return 0;
}
