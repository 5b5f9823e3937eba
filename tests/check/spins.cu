// Threads that wait for each other by asking memory, in the ways that are right: none of them is a deadlock.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

__device__ void give(int *lock) {
    __threadfence();
    atomicExch(lock, 0);
}

// Lanes, warps and blocks, each lane in its turn.
__global__ void locked_lanes(int *lock, int *sum, int n) {
    for (int i = 0; i < n; i++) {
        bool done = false;
        while (!done) {
            if (atomicCAS(lock, 0, 1) == 0) {
                __threadfence();
                *(volatile int *)sum = *(volatile int *)sum + 1;
                give(lock);
                done = true;
            }
        }
    }
}
__global__ void locked_blocks(int *lock, int *sum, int n, unsigned most) {
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0) {
            unsigned ns = 8;
            while (atomicExch(lock, 1) != 0) {
                __nanosleep(ns);
                if (ns < most) ns *= 2;
            }
            __threadfence();
        }
        __syncthreads();
        if (threadIdx.x == blockDim.x - 1) *(volatile int *)sum = *(volatile int *)sum + 1;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) give(lock);
    }
}
__global__ void tickets(int *next, int *now, int *sum) {
    if (threadIdx.x % 32) return;
    int mine = atomicAdd(next, 1);
    while (atomicAdd(now, 0) != mine);
    __threadfence();
    *(volatile int *)sum = *(volatile int *)sum + 1;
    __threadfence();
    atomicAdd(now, 1);
}
// Until something is so, seen under the lock.
__global__ void under_lock(int *lock, volatile int *state, int *sum) {
    if (threadIdx.x) return;
    int me = blockIdx.x;
    for (bool mine = false; !mine;) {
        while (atomicCAS(lock, 0, 1) != 0);
        __threadfence();
        mine = *state == me;
        if (mine) *state = me + 1, atomicAdd(sum, 1);
        give(lock);
    }
}
// Each block waits for the one before it.
__global__ void look_back(volatile int *status, volatile int *value, int *out) {
    __shared__ int before;
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        value[b] = b;
        __threadfence();
        status[b] = 1;
        int all = 0;
        for (int k = b - 1; k >= 0;) {
            int s = status[k];
            if (!s) continue;
            __threadfence();
            if (s == 2) {
                all += value[k + gridDim.x];
                break;
            }
            all += value[k--];
        }
        value[b + gridDim.x] = all + b;
        __threadfence();
        status[b] = 2;
        before = all;
    }
    __syncthreads();
    out[b * blockDim.x + threadIdx.x] = before + threadIdx.x;
}
__global__ void grid_barrier(int *count, volatile int *sense, int *x, int rounds) {
    int n = gridDim.x;
    for (int r = 1; r <= rounds; r++) {
        if (threadIdx.x == 0) {
            __threadfence();
            if (atomicAdd(count, 1) == n - 1) {
                *count = 0;
                __threadfence();
                *sense = r;
            } else {
                while (*sense < r);
            }
            __threadfence();
        }
        __syncthreads();
        if (threadIdx.x == 0) atomicAdd(x, 1);
    }
}
// A ring between two warps.
__global__ void ring(int *out, int n) {
    __shared__ volatile int slot[4], head, tail;
    if (threadIdx.x == 0) head = tail = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < n; i++) {
            while (head - tail == 4);
            slot[i % 4] = i;
            __threadfence_block();
            head = i + 1;
        }
    } else if (threadIdx.x == 32) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            while (head == i) __nanosleep(10);
            __threadfence_block();
            sum += slot[i % 4];
            __threadfence_block();
            tail = i + 1;
        }
        out[blockIdx.x] = sum;
    }
}
// Not for ever: to a bound, or by the clock.
__global__ void bounded(volatile int *never, int *out, int most, long long ticks) {
    int tries = 0;
    while (*never == 0 && ++tries < most);
    long long begin = clock64();
    while (*never == 0 && clock64() - begin < ticks) __nanosleep(50);
    out[blockIdx.x * blockDim.x + threadIdx.x] = tries;
}
// All lanes at once, until each of them has seen it.
__global__ void all_see(volatile int *flags, int *out) {
    int lane = threadIdx.x % 32;
    if (blockIdx.x == 0) {
        while (!__all_sync(~0u, flags[lane] != 0));
        out[lane] = 1;
    } else if (threadIdx.x == 0) {
        for (int i = 0; i < 32; i++) {
            __threadfence();
            flags[31 - i] = 1;
        }
    }
}
// A stack without locks, pushed and popped.
__global__ void stack(int *head, int *next, int *sum) {
    int me = blockIdx.x * blockDim.x + threadIdx.x + 1, old = atomicAdd(head, 0), seen;
    do {
        seen = old;
        *(volatile int *)&next[me] = old;
        __threadfence();
        old = atomicCAS(head, old, me);
    } while (old != seen);
    atomicAdd(sum, 1);
}
__device__ bool over(uint32_t bar, uint32_t parity) {
    uint32_t is;
    asm volatile("{ .reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(is)
                 : "r"(bar), "r"(parity)
                 : "memory");
    return is;
}
__global__ void phases(int *out, int rounds) {
    __shared__ uint64_t bar;
    __shared__ int x;
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    if (threadIdx.x == 0) x = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        if (threadIdx.x == r % blockDim.x) x += r;
        asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(at) : "memory");
        while (!over(at, r & 1));
    }
    if (threadIdx.x == 0) out[blockIdx.x] = x;
}
// Two launches, or a launch and the host.
__global__ void ping(volatile int *f, int me, int rounds) {
    for (int r = 0; r < rounds; r++) {
        while (*f != 2 * r + me) __nanosleep(20);
        __threadfence_system();
        *f = 2 * r + me + 1;
    }
}

static int failed;
static void expect(const char *what, int seed, int is, int should) {
    if (is == should) return;
    printf("%s, seed %d: %d, not %d\n", what, seed, is, should);
    failed = 1;
}
static int *zeros(int n) {
    int *p;
    cudaMallocManaged(&p, n * sizeof(int));
    for (int i = 0; i < n; i++) p[i] = 0;
    return p;
}

int main(int argc, char **argv) {
    int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 2 ? atoi(argv[2]) : 4;
    for (int seed = first; seed < last; seed++) {
        srand(seed);
        int blocks = 1 + rand() % 12, warps = 1 + rand() % 4, threads = 32 * warps - rand() % 31,
            n = 1 + rand() % 5;
        int *a = zeros(4096), *b = zeros(4096), *c = zeros(4096);
        switch (seed % 12) {
        case 0: locked_lanes<<<blocks, threads>>>(a, c, n); break;
        case 1: locked_blocks<<<blocks, threads>>>(a, c, n, 8 << rand() % 8); break;
        case 2: tickets<<<blocks, threads>>>(a, b, c); break;
        case 3: under_lock<<<blocks, threads>>>(a, b, c); break;
        case 4: look_back<<<blocks, threads>>>(a, b, c); break;
        case 5: grid_barrier<<<blocks, threads>>>(a, b, c, n); break;
        case 6: ring<<<blocks, 64>>>(c, 3 * n); break;
        case 7: bounded<<<blocks, threads>>>(a, c, 100 * n * n * n, 100000); break;
        case 8: all_see<<<2, 32>>>(a, c); break;
        case 9: stack<<<blocks, threads>>>(a, b, c); break;
        case 10: phases<<<blocks, threads>>>(c, n); break;
        case 11: {
            cudaStream_t s[2];
            int *f;
            cudaHostAlloc(&f, sizeof *f, 0);
            *f = 0;
            for (auto &x : s) cudaStreamCreate(&x);
            bool host = rand() % 2;
            ping<<<1, 1, 0, s[0]>>>(f, 1, n);
            if (!host) ping<<<1, 1, 0, s[1]>>>(f, 0, n);
            for (int r = 0; host && r < n; r++) {
                std::this_thread::sleep_for(std::chrono::milliseconds(rand() % 20));
                while (*(volatile int *)f != 2 * r);
                *(volatile int *)f = 2 * r + 1;
            }
            cudaDeviceSynchronize();
            *c = *f;
            cudaFreeHost(f);
            for (auto x : s) cudaStreamDestroy(x);
        }
        }
        if (cudaDeviceSynchronize() != cudaSuccess) return printf("seed %d failed\n", seed), 1;
        int round = seed % 12, all = blocks * threads;
        if (round == 0) expect("locked_lanes", seed, *c, all * n);
        if (round == 1) expect("locked_blocks", seed, *c, blocks * n);
        if (round == 2) expect("tickets", seed, *c, blocks * warps);
        if (round == 3) expect("under_lock", seed, *c, blocks);
        if (round == 4)
            expect("look_back", seed, c[all - 1], blocks * (blocks - 1) / 2 - blocks + 1 + threads - 1);
        if (round == 5) expect("grid_barrier", seed, *c, blocks * n);
        if (round == 6) expect("ring", seed, *c, 3 * n * (3 * n - 1) / 2);
        if (round == 7) expect("bounded", seed, c[all - 1], 100 * n * n * n);
        if (round == 8) expect("all_see", seed, c[31], 1);
        if (round == 9) expect("stack", seed, *c, all);
        if (round == 10) expect("phases", seed, *c, n * (n - 1) / 2);
        if (round == 11) expect("ping", seed, *c, 2 * n);
        cudaFree(a), cudaFree(b), cudaFree(c);
    }
    if (!failed) printf("all right\n");
    return failed;
}
