/* blocks: what tells one block of a launch from the next, over the edges of a grid of three dimensions;
 * blocks that end early, go another way than those before them, print, or fail, in the middle of a launch.
 */
#include "program.h"
#include <cassert>
#include <sys/wait.h>
#include <unistd.h>

__device__ unsigned clusterid_y() {
    unsigned y;
    asm volatile("mov.u32 %0, %%clusterid.y;" : "=r"(y));
    return y;
}

__device__ unsigned special(int which) {
    unsigned x;
    if (which)
        asm volatile("mov.u32 %0, %%nsmid;" : "=r"(x));
    else
        asm volatile("mov.u32 %0, %%smid;" : "=r"(x));
    return x;
}

__device__ int block_number() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }

/* Each block, once. */
__global__ void places(unsigned *out, unsigned *wrong) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, threadIdx.x + 1);
    __syncthreads();
    if (threadIdx.x) return;
    const int b = block_number();
    out[b] += blockIdx.x + 100 * blockIdx.y + 10000 * blockIdx.z + 1000000 * sum;
    if (clusterid_y() != blockIdx.y || special(0) >= special(1)) atomicAdd(wrong, 1u);
}

/* What a block finds in registers that it has not written is not the block's before it. */
__global__ void counters(int *out, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (blockIdx.x % 3 == 1) count += 1 + (int)threadIdx.x;
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

/* Indices wrap round in some lanes of the blocks that say so; they still know who they are. */
__global__ void wrapping(const unsigned *in, unsigned *out, unsigned far, unsigned which) {
    __shared__ unsigned part[96];
    const unsigned from = blockIdx.x == which ? far : 0, t = threadIdx.x;
    const unsigned i = from + t;
    part[t] = in[i % 64];
    __syncthreads();
    out[blockIdx.x * 96 + t] = part[95 - t] + (i > 40 ? in[i + (0u - far)] : 0) + 1000 * clusterid_y() +
                               10000 * blockIdx.x + (special(0) >= special(1));
}

__global__ void early(int *out, int n) {
    const int b = block_number();
    if (b % 5 == 2) return;
    __syncthreads();
    if (b * 64 + (int)threadIdx.x < n) out[b * 64 + threadIdx.x] = b;
}

__global__ void speaking() {
    if (blockIdx.x % 40 == 39 && threadIdx.x == 33) printf("block %d of row %d\n", blockIdx.x, blockIdx.y);
}

__global__ void failing(int *out, int which) {
    if (block_number() == which && threadIdx.x == 3) *(volatile int *)8 = 1;
    if (threadIdx.x == 0) out[block_number()] = 1;
}

/* In a process of its own: the code, and that blocks before the one that failed have run. */
static void in_child(int which) {
    fflush(stdout);
    if (fork() == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        Array<int> out(210);
        failing<<<dim3(7, 6, 5), 64>>>(out, which);
        const cudaError_t e = cudaDeviceSynchronize();
        bool all = true;
        for (int i = 0; i < which; i++) all &= out[i] == 1;
        printf("block %d fails: %s, those before it %s\n", which, cudaGetErrorName(e),
               all ? "ran" : "did not");
        fflush(stdout);
        _exit(0);
    }
    wait(nullptr);
}

int main() {
    in_child(0);
    in_child(100);
    in_child(209);
    Array<unsigned> out(7 * 6 * 5), wrong(1), far(128), near(300 * 96);
    places<<<dim3(7, 6, 5), 96>>>(out, wrong);
    places<<<dim3(7, 6, 5), 32>>>(out, wrong);
    places<<<dim3(210, 1, 1), 45>>>(out, wrong);
    show("places", out);
    show("wrong", wrong);
    Array<int> count(300 * 64), some(300 * 64);
    counters<<<300, 64>>>(count, 7);
    show("counters", count, 70);
    for (int i = 0; i < 128; i++) far[i] = i * i;
    wrapping<<<300, 96>>>(far, near, 0xffffffe0u, 171);
    show("wrapping", near);
    early<<<dim3(20, 3, 5), 64>>>(some, 300 * 64 - 7);
    show("early", some);
    speaking<<<dim3(130, 3), 64>>>();
    CALL(cudaDeviceSynchronize());
    return 0;
}
