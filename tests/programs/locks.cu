/* locks: lanes, warps and blocks that wait for each other: spin locks, tickets, producers and consumers,
 * flags. */
#include "program.h"

__device__ int lock;
__device__ unsigned ticket, serving;

/* The form that always was safe: whoever has the lock leaves the loop after it gave it back. */
__global__ void try_lock(int *count) {
    bool done = false;
    while (!done)
        if (atomicCAS(&lock, 0, 1) == 0) {
            *(volatile int *)count = *(volatile int *)count + 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
}

/* The form that needs independent threads. */
__global__ void spin_lock(int *count) {
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
    *(volatile int *)count = *(volatile int *)count + 1;
    __threadfence();
    atomicExch(&lock, 0);
}

__global__ void tickets(int *order, int *count) {
    unsigned mine = atomicAdd(&ticket, 1);
    while (*(volatile unsigned *)&serving != mine) __nanosleep(20);
    order[mine] = (*(volatile int *)count)++;
    __threadfence();
    *(volatile unsigned *)&serving = mine + 1;
}

/* Inside a warp: lane after lane, backwards. */
__global__ void lanes(int *out) {
    __shared__ volatile int turn;
    if (threadIdx.x == 0) turn = 31;
    __syncwarp();
    while (turn != threadIdx.x);
    out[threadIdx.x] = 100 + 31 - turn;
    turn = turn - 1;
}

/* Warp 0 makes, warp 1 takes, through a ring of 8 slots. */
__global__ void ring(int *out, int n) {
    __shared__ volatile int slots[8], made, taken;
    if (threadIdx.x == 0) made = taken = 0;
    __syncthreads();
    if (threadIdx.x == 5)
        for (int i = 0; i < n; i++) {
            while (i - taken >= 8);
            slots[i % 8] = i * i;
            __threadfence_block();
            made = i + 1;
        }
    else if (threadIdx.x == 40)
        for (int i = 0; i < n; i++) {
            while (made <= i);
            __threadfence_block();
            out[i] = slots[i % 8] + 1;
            __threadfence_block();
            taken = i + 1;
        }
}

/* Block 0 waits for all others, which come after it. */
__global__ void gather(int *flags, int *parts, int *sum) {
    if (blockIdx.x == 0) {
        int s = 0;
        if (threadIdx.x > 0 && threadIdx.x < gridDim.x) {
            while (((volatile int *)flags)[threadIdx.x] == 0);
            __threadfence();
            s = ((volatile int *)parts)[threadIdx.x];
        }
        atomicAdd(sum, s);
    } else if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x * 3;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
    }
}

/* Each bank account has its lock; two are taken in order. */
__global__ void transfers(int *locks, int *accounts, int n, int each) {
    uint32_t state = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < each; k++) {
        int from = next_random(state) % n, to = next_random(state) % n;
        if (from == to) continue;
        int first = min(from, to), second = max(from, to);
        bool done = false;
        while (!done)
            if (atomicCAS(&locks[first], 0, 1) == 0) {
                if (atomicCAS(&locks[second], 0, 1) == 0) {
                    ((volatile int *)accounts)[from] -= 1;
                    ((volatile int *)accounts)[to] += 1;
                    __threadfence();
                    atomicExch(&locks[second], 0);
                    done = true;
                }
                atomicExch(&locks[first], 0);
            }
    }
}

int main() {
    Array<int> count(1), order(128), out(100), flags(40), parts(40), sum(1), locks(10), accounts(10);
    try_lock<<<20, 100>>>(count);
    show("try lock", count);
    count[0] = 0;
    spin_lock<<<6, 64>>>(count);
    show("spin lock", count);
    count[0] = 0;
    tickets<<<4, 32>>>(order, count);
    show("tickets", order);
    lanes<<<1, 32>>>(out);
    show("lanes", out);
    ring<<<1, 64>>>(out, 100);
    show("ring", out);
    gather<<<40, 64>>>(flags, parts, sum);
    show("gather", sum);
    for (int i = 0; i < 10; i++) accounts[i] = 1000;
    transfers<<<4, 64>>>(locks, accounts, 10, 10);
    show("transfers", accounts);
    int all = 0;
    for (int i = 0; i < 10; i++) all += accounts[i];
    printf("%d in all\n", all);
    return 0;
}
