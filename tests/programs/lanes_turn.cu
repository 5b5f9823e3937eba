/* lanes_turn: lanes that wait for other lanes of their warp, or for other warps: locks, hand-overs, meetings
 * of parts of a warp, barriers where lanes have parted. All others wait for them where their ways join, and
 * each of the waiting ones has its turn.
 */
#include <cstdio>
#include <vector>

/* Every lane takes the lock by itself; the others spin. */
__global__ void locks(int *lock, volatile int *sum, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (atomicCAS(lock, 0, 1) != 0) continue;
    sum[0] = sum[0] + i;
    if (i % 3 == 0) sum[1] = sum[1] + 1;
    __threadfence();
    atomicExch(lock, 0);
    out[i] = i * 2;
}

/* A lock for each lane's word, of few words, given back in the loop that takes it. */
__global__ void cells(int *lock, volatile int *sum, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, w = i * 7 % 5, tries = 0;
    for (bool done = false; !done; tries++) {
        if (atomicCAS(&lock[w], 0, 1) != 0) continue;
        sum[w] = sum[w] + i;
        __threadfence();
        atomicExch(&lock[w], 0);
        done = true;
    }
    out[i] = tries > 0;
}

/* Lane hands over to lane, downwards, and meets the others at the end. */
__global__ void lanes(int *out) {
    __shared__ volatile int turn, log[64];
    int t = threadIdx.x;
    if (t == 0) turn = 63;
    __syncthreads();
    while (turn != t) continue;
    log[63 - t] = t;
    __threadfence_block();
    turn = t - 1;
    __syncwarp();
    out[t] = log[63 - t];
}

/* Two halves of a warp hand over to each other, round after round. */
__global__ void halves(int *out, int rounds) {
    __shared__ volatile int whose, sum;
    int t = threadIdx.x, half = t / 16, mine = 0;
    unsigned part = half ? 0xffff0000u : 0xffffu;
    if (t == 0) whose = sum = 0;
    __syncwarp();
    for (int r = 0; r < rounds; r++) {
        while (whose != half) continue;
        __syncwarp(part);
        mine = __reduce_add_sync(part, t + r);
        if (t % 16 == 0) {
            sum = sum + mine;
            __threadfence_block();
            whose = 1 - half;
        }
        __syncwarp(part);
    }
    __syncwarp();
    out[t] = sum;
}

/* Each way of a branch has meetings of its own, at different places. */
__global__ void parts(int *out) {
    int t = threadIdx.x, x = t;
    if (t % 4 == 0) {
        x += __shfl_sync(0x11111111u, x, (t + 4) % 32);
        __syncwarp(0x11111111u);
        for (int k = 0; k < t / 4; k++) x = x * 3 + k;
        x += __reduce_max_sync(0x11111111u, x);
    } else if (t % 4 == 1) {
        for (int k = 0; k < t; k++) x = x * 5 + k;
        x += __shfl_sync(0x22222222u, x, (t + 8) % 32);
    } else {
        __syncwarp(0xccccccccu);
        x += __popc(__ballot_sync(0xccccccccu, x % 3 == 0));
    }
    __syncwarp();
    out[t] = x;
}

/* Warps wait for warps: those behind are let on first. */
__global__ void warps(int *out) {
    __shared__ volatile int next, sum;
    int t = threadIdx.x, last = blockDim.x / 32 - 1;
    if (t == 0) next = last, sum = 0;
    __syncthreads();
    if (t % 32 == 7) {
        while (next != t / 32) continue;
        sum = sum * 3 + t;
        __threadfence_block();
        next = next - 1;
    } else {
        out[t] = t;
    }
    __syncwarp();
    __syncthreads();
    out[t] += sum;
}

/* Lanes of a warp come to a barrier by two ways; the machine holds those that came first. */
__global__ void barriers(int *out) {
    __shared__ int words[64];
    int t = threadIdx.x, x = t, n;
    words[t] = t;
    __syncthreads();
    if (t % 3 == 0) {
        for (int k = 0; k < t % 7; k++) x = x * 3 + words[(t + k) % 64];
        asm volatile("{ .reg .pred p;\n setp.gt.s32 p, %1, 40;\n barrier.red.popc.u32 %0, 0, p; }"
                     : "=r"(n)
                     : "r"(t)
                     : "memory");
        x += n;
    } else {
        if (t % 3 == 1) x ^= 21;
        asm volatile("{ .reg .pred p;\n setp.gt.s32 p, %1, 40;\n barrier.red.popc.u32 %0, 0, p; }"
                     : "=r"(n)
                     : "r"(t)
                     : "memory");
        x -= n;
    }
    words[t] = x;
    __syncthreads();
    out[t] = words[63 - t];
}

/* The last that all do is to meet; a lane of the first warp waits for one of the second before. */
__global__ void ends(volatile int *flag, int *out) {
    int t = threadIdx.x;
    out[t] = t + 1;
    if (t == 40) flag[0] = 5;
    if (t == 3)
        while (flag[0] == 0) continue;
    __syncthreads();
}

/* A lane that has asked often enough gives up. */
__global__ void tries(int *flag, int *out) {
    int t = threadIdx.x, k = 0;
    if (t == 31) {
        __threadfence();
        atomicExch(flag, 1);
    } else {
        while (k < 1000 && atomicAdd(flag, 0) == 0) k++;
    }
    out[t] = k < 1000;
}

static void print(const char *what, const int *out, int n) {
    cudaError_t status = cudaDeviceSynchronize();
    unsigned long long sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 1000003 + (unsigned)out[i];
    printf("%s: %s %llx\n", what, cudaGetErrorName(status), sum);
}

int main() {
    int *out, *words;
    cudaMallocManaged(&out, 256 * sizeof *out);
    cudaMallocManaged(&words, 16 * sizeof *words);
    for (int i = 0; i < 16; i++) words[i] = 0;
    locks<<<2, 64>>>(&words[0], &words[1], out);
    print("locks", out, 128);
    printf("%d %d\n", words[1], words[2]);
    for (int i = 0; i < 16; i++) words[i] = 0;
    cells<<<1, 64>>>(words, words + 8, out);
    print("cells", out, 64);
    printf("%d %d %d %d %d\n", words[8], words[9], words[10], words[11], words[12]);
    lanes<<<1, 64>>>(out);
    print("lanes", out, 64);
    halves<<<1, 32>>>(out, 9);
    print("halves", out, 32);
    parts<<<1, 32>>>(out);
    print("parts", out, 32);
    warps<<<1, 128>>>(out);
    print("warps", out, 128);
    barriers<<<1, 64>>>(out);
    print("barriers", out, 64);
    words[0] = 0;
    ends<<<1, 64>>>(words, out);
    print("ends", out, 64);
    words[0] = 0;
    tries<<<1, 32>>>(words, out);
    print("tries", out, 32);
    return 0;
}
