// A warp that loads and warps that add up what it loaded, in a ring of two buffers with four named barriers:
// who fills waits until a buffer is empty, and ends when the last is full.
#include "program.h"

static __device__ void wait_at(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
static __device__ void arrive_at(int barrier, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

enum { FULL = 1, EMPTY = 3 }; // and the next

__global__ void ring(const int *in, int *sums, int steps) {
    __shared__ int buffer[2][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, all = blockDim.x;
    if (warp == 0) {
        for (int i = 0; i < steps; i++) {
            if (i >= 2) wait_at(EMPTY + i % 2, all);
            buffer[i % 2][lane] = in[i * 32 + lane];
            arrive_at(FULL + i % 2, all);
        }
        return;
    }
    int sum = 0;
    for (int i = 0; i < steps; i++) {
        wait_at(FULL + i % 2, all);
        sum += buffer[i % 2][(lane + warp) % 32];
        if (i + 2 < steps) arrive_at(EMPTY + i % 2, all);
    }
    sums[(warp - 1) * 32 + lane] = sum;
}

int main() {
    const int steps = 17;
    Array<int> in(steps * 32), sums(3 * 32);
    for (int i = 0; i < steps * 32; i++) in[i] = i * i % 101;
    for (int warps = 2; warps <= 4; warps++) {
        ring<<<1, warps * 32>>>(in, sums, steps);
        CALL(cudaDeviceSynchronize());
        printf("%d warps: %d %d %d\n", warps, sums[0], sums[31], sums[(warps - 1) * 32 - 1]);
    }
    return 0;
}
