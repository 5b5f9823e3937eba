/* hand_overs: blocks that wait for each other by flags, barriers of the grid's own making, and locks that
 * lanes, warps and blocks fight for. Each hand-over is small, so that what it costs to wait shows.
 */
#include "program.h"

/* Two blocks in turn, of `blockDim.x` threads each; the others wait at a barrier. */
__global__ void in_turn(volatile int *flag, int turns, int *sum) {
    int mine = 0;
    for (int k = 0; k < turns; k++) {
        if (threadIdx.x == 0) {
            while (flag[0] != 2 * k + (int)blockIdx.x) {
            }
            flag[1 + blockIdx.x] = flag[2 - blockIdx.x] + 1;
            __threadfence();
            flag[0] = 2 * k + blockIdx.x + 1;
        }
        __syncthreads();
        mine += flag[1 + blockIdx.x];
        __syncthreads();
    }
    sum[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

/* Each block waits for the one behind it, which begins later. */
__global__ void from_behind(volatile int *sums, volatile int *ready) {
    __shared__ int behind;
    if (threadIdx.x == 0) {
        int next = blockIdx.x + 1, x = 0;
        if (next < (int)gridDim.x) {
            while (!ready[next]) {
            }
            __threadfence();
            x = sums[next];
        }
        behind = x;
        sums[blockIdx.x] = x + blockIdx.x * 3 + 1;
        __threadfence();
        ready[blockIdx.x] = 1;
    }
    __syncthreads();
    if (behind < 0) ready[blockIdx.x] = 2;
}

__device__ void all_blocks_meet(unsigned *count, volatile unsigned *round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned now = *round;
        __threadfence();
        if (atomicAdd(count, 1) == gridDim.x - 1) {
            *count = 0;
            __threadfence();
            *round = now + 1;
        } else {
            while (*round == now) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void smooth(float *a, float *b, int n, int rounds, unsigned *meet) {
    for (int k = 0; k < rounds; k++) {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
            b[i] = i > 0 && i < n - 1 ? 0.5f * (a[i - 1] + a[i + 1]) : a[i];
        all_blocks_meet(meet, meet + 1);
        float *t = a;
        a = b;
        b = t;
    }
}

/* A lock for each bin, taken and given back inside of the loop. */
__global__ void locked_bins(const int *values, int n, volatile int *bins, int *locks) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int b = values[i];
        bool done = false;
        while (!done) {
            if (atomicCAS(&locks[b], 0, 1) == 0) {
                bins[b] = bins[b] + 1;
                __threadfence();
                atomicExch(&locks[b], 0);
                done = true;
            }
        }
    }
}

/* Two locks, taken in the order of their numbers, and a part of the way that only some lanes go. */
__global__ void moved(int *from, int *to, int n, volatile int *held, int *locks) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || from[i] == to[i]) return;
    int low = from[i] < to[i] ? from[i] : to[i], high = from[i] + to[i] - low;
    for (bool done = false; !done;) {
        if (atomicCAS(&locks[low], 0, 1) != 0) continue;
        if (atomicCAS(&locks[high], 0, 1) == 0) {
            held[from[i]] = held[from[i]] - i;
            if (i % 3 == 0) held[to[i]] = held[to[i]] + 1;
            held[to[i]] = held[to[i]] + i;
            __threadfence();
            atomicExch(&locks[high], 0);
            done = true;
        }
        atomicExch(&locks[low], 0);
    }
}

/* A warp of the block fills a ring for the others, by flags in shared memory. */
__global__ void ring_in_block(const int *in, int *out, int rounds) {
    __shared__ volatile int ring[4][32], head, tail[3];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 3) tail[threadIdx.x] = 0;
    if (threadIdx.x == 0) head = 0;
    __syncthreads();
    if (warp == 0) {
        for (int k = 0; k < rounds; k++) {
            for (int w = 0; w < 3; w++)
                while (k - tail[w] >= 4) {
                }
            ring[k % 4][lane] = in[k * 32 + lane] + blockIdx.x;
            __threadfence_block();
            __syncwarp();
            if (lane == 0) head = k + 1;
            __syncwarp();
        }
    } else {
        int sum = 0;
        for (int k = 0; k < rounds; k++) {
            while (head <= k) {
            }
            sum += ring[k % 4][lane] * warp;
            __syncwarp();
            if (lane == 0) tail[warp - 1] = k + 1;
            __syncwarp();
        }
        out[(blockIdx.x * 3 + warp - 1) * 32 + lane] = sum;
    }
}

int main() {
    for (int threads = 1; threads <= 256; threads *= 16) {
        Array<int> flag(4), sum(512);
        in_turn<<<2, threads>>>(flag, 300, sum);
        show("in turn", sum);
    }
    {
        Array<int> sums(60), ready(60);
        from_behind<<<60, 64>>>(sums, ready);
        show("from behind", sums);
    }
    {
        const int n = 4000;
        Array<float> a(n), b(n);
        Array<unsigned> meet(2);
        for (int i = 0; i < n; i++) a[i] = i * 7 % 100;
        smooth<<<30, 128>>>(a, b, n, 11, meet);
        show("smooth", b);
    }
    {
        const int n = 700;
        Array<int> values(n), bins(64), locks(64), from(n), to(n), held(64);
        for (int i = 0; i < n; i++) {
            values[i] = i % 16 * (i % 5);
            from[i] = i * 11 % 61;
            to[i] = i * 7 % 64;
        }
        locked_bins<<<2, 256>>>(values, n, bins, locks);
        show("bins", bins);
        moved<<<(n + 127) / 128, 128>>>(from, to, n, held, locks);
        show("moved", held);
        show("locks", locks);
    }
    {
        const int rounds = 20;
        Array<int> in(rounds * 32), out(3 * 96);
        for (int i = 0; i < rounds * 32; i++) in[i] = i * i % 1000;
        ring_in_block<<<3, 128>>>(in, out, rounds);
        show("ring", out);
    }
    return 0;
}
