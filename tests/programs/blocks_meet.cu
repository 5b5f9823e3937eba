/* blocks_meet: blocks that wait for each other by memory: a barrier of the whole grid that its last arrival
 * resets, a chain of flags, and a queue of tickets.
 */
#include "program.h"

__device__ int arrived;
__device__ volatile int generation;

__device__ void meet(int blocks) {
    __syncthreads();
    if (threadIdx.x == 0) {
        int now = generation;
        __threadfence();
        if (atomicAdd(&arrived, 1) == blocks - 1) {
            arrived = 0;
            __threadfence();
            generation = now + 1;
        } else {
            while (generation == now) __nanosleep(20);
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void turn(int *a, int *b, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (int k = 0; k < turns; k++) {
        b[i] = a[(i + 1) % n] + 1;
        meet(gridDim.x);
        a[i] = b[(i + n - 3) % n] * 3;
        meet(gridDim.x);
    }
}

__device__ volatile int done[64];

__global__ void chain(volatile int *sums) {
    int b = blockIdx.x;
    if (b > 0) {
        if (threadIdx.x == 0)
            while (done[b - 1] == 0) continue;
        __threadfence();
        __syncthreads();
    }
    int before = b > 0 ? sums[(b - 1) * 32 + threadIdx.x] : 0;
    sums[b * 32 + threadIdx.x] = before * 2 + threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) done[b] = 1;
}

__device__ unsigned next_ticket, now_serving;

__global__ void queue(volatile int *sum) {
    if (threadIdx.x != 0) return;
    unsigned mine = atomicAdd(&next_ticket, 1);
    while (atomicAdd(&now_serving, 0) != mine) __nanosleep(10);
    __threadfence();
    *sum = *sum * 3 % 10007 + 1;
    __threadfence();
    atomicAdd(&now_serving, 1);
}

int main() {
    Array<int> a(512), b(512), sums(64 * 32), sum(1);
    for (int i = 0; i < 512; i++) a[i] = i;
    turn<<<8, 64>>>(a, b, 5);
    show("turn", a);
    chain<<<64, 32>>>(sums);
    show("chain", sums);
    queue<<<30, 32>>>(sum);
    show("queue", sum);
    return 0;
}
