// Threads that write, meet, read what others wrote, and meet again, in many ways, by seeds: right as they are
// made, and with one of the meetings left out.
//
//     orders WAY FROM COUNT [fault]
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
namespace cg = cooperative_groups;

/* Meetings are numbered from 0 on; `gap` is not there. `other` says whose value a thread reads. */
struct plan {
    unsigned seed, rounds, gap;
    __host__ __device__ unsigned roll(unsigned k, unsigned n) const {
        unsigned x = (seed * 2654435761u) ^ (k * 40503u + 977u);
        x ^= x >> 15, x *= 2246822519u, x ^= x >> 13, x *= 3266489917u, x ^= x >> 16;
        return x % n;
    }
    __device__ unsigned other(unsigned k, unsigned n) const { return 1 + roll(k, n - 1); }
    __device__ bool meets(unsigned k) const { return k != gap; }
};

#define ROUNDS(p) for (unsigned k = 0; k < (p).rounds; k++)

// ---- a warp ----

__global__ void warps(plan p, int *out) {
    __shared__ int x[128];
    int t = threadIdx.x, v = t;
    ROUNDS(p) {
        x[t] = v;
        if (p.meets(2 * k)) __syncwarp();
        v += x[t ^ p.other(k, 32)];
        if (!p.meets(2 * k + 1)) continue;
        if (p.roll(k + 100, 2))
            v += __shfl_xor_sync(~0u, v, 1);
        else
            v += __any_sync(~0u, v == 77);
    }
    out[blockIdx.x * blockDim.x + t] = v;
}

__global__ void warps_in_global(plan p, int *out) {
    int *x = out + blockIdx.x * blockDim.x, t = threadIdx.x, v = t;
    ROUNDS(p) {
        x[t] = v;
        if (p.meets(2 * k)) __syncwarp();
        v += x[t ^ p.other(k, 32)];
        if (p.meets(2 * k + 1)) __syncwarp();
    }
}

// ---- a block ----

__global__ void blocks(plan p, int *out) {
    __shared__ int x[128];
    int t = threadIdx.x, v = t;
    ROUNDS(p) {
        x[t] = v;
        if (p.meets(2 * k)) __syncthreads();
        v += x[t ^ p.other(k, 128)];
        if (p.meets(2 * k + 1)) v += __syncthreads_or(v == 77);
    }
    out[blockIdx.x * blockDim.x + t] = v;
}

__global__ void halves(plan p, int *out) {
    __shared__ int x[128];
    int t = threadIdx.x, v = t, half = t / 64;
    ROUNDS(p) {
        x[t] = v;
        if (p.meets(2 * k)) asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
        v += x[t ^ p.other(k, 64)];
        if (p.meets(2 * k + 1)) asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
    }
    out[blockIdx.x * blockDim.x + t] = v;
}

// ---- copies of threads ----

__device__ void copy(int *to, const int *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4; cp.async.commit_group;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(from)
                 : "memory");
}

__global__ void copies(plan p, int *out) {
    __shared__ int x[2][128];
    const int *in = out + gridDim.x * blockDim.x;
    int t = threadIdx.x, v = 0;
    copy(&x[0][t], in + t);
    ROUNDS(p) {
        copy(&x[(k + 1) % 2][t], in + (k + 1) * 128 + t);
        if (p.meets(3 * k)) asm volatile("cp.async.wait_group 1;" ::: "memory");
        if (p.meets(3 * k + 1)) __syncthreads();
        v += x[k % 2][t ^ p.other(k, 128)];
        if (p.meets(3 * k + 2)) __syncthreads();
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[blockIdx.x * blockDim.x + t] = v;
}

// ---- mbarriers ----

__device__ void arrive(uint64_t *b) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"((unsigned)__cvta_generic_to_shared(b))
                 : "memory");
}
__device__ void wait(uint64_t *b, unsigned parity) {
    asm volatile("{ .reg .pred p; again_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra "
                 "again_%=; }" ::"r"((unsigned)__cvta_generic_to_shared(b)),
                 "r"(parity)
                 : "memory");
}

/* Warp 0 fills two stages, the others read them. Of those that wait one thread does not. */
__global__ void stages(plan p, int *out) {
    __shared__ int x[2][32];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x, v = 0;
    if (t < 4)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(t < 2 ? &full[t] : &empty[t - 2])),
                     "r"(t < 2 ? 32 : 96)
                     : "memory");
    __syncthreads();
    ROUNDS(p) {
        unsigned s = k % 2, parity = k / 2 % 2;
        if (t < 32) {
            if (k >= 2 && (t != 7 || p.meets(2 * k + 1 - 4))) wait(&empty[s], parity ^ 1);
            x[s][t] = k + t;
            arrive(&full[s]);
        } else {
            if (t != 39 || p.meets(2 * k)) wait(&full[s], parity);
            v += x[s][(t ^ p.other(k, 32)) % 32];
            arrive(&empty[s]);
        }
    }
    out[blockIdx.x * blockDim.x + t] = v;
}

// ---- clusters, grids ----

__global__ void __cluster_dims__(2, 1, 1) clusters(plan p, int *out) {
    __shared__ int x[128];
    cg::cluster_group c = cg::this_cluster();
    int t = threadIdx.x, v = t, *far = c.map_shared_rank(x, c.block_rank() ^ 1);
    ROUNDS(p) {
        x[t] = v;
        if (p.meets(2 * k)) c.sync();
        v += far[t ^ p.roll(k, 128)];
        if (p.meets(2 * k + 1)) c.sync();
    }
    c.sync();
    out[blockIdx.x * blockDim.x + t] = v;
}

__global__ void grids(plan p, int *out) {
    cg::grid_group g = cg::this_grid();
    int t = (int)g.thread_rank(), v = t;
    ROUNDS(p) {
        out[t] = v;
        if (p.meets(2 * k)) g.sync();
        v += out[t ^ p.other(k, 512)];
        if (p.meets(2 * k + 1)) g.sync();
    }
}

/* Each block reads what the one before it wrote, when its flag says so. */
__global__ void flags(plan p, int *out, volatile unsigned *flag) {
    int t = threadIdx.x, b = blockIdx.x, v = t;
    ROUNDS(p) {
        int *x = out + k * 512;
        x[b * 128 + t] = v;
        if (p.meets(2 * k)) __syncthreads();
        if (t == 0) {
            if (p.meets(2 * k + 1)) __threadfence();
            if (p.roll(k, 2))
                flag[k * 4 + b] = p.seed;
            else
                atomicExch((unsigned *)flag + k * 4 + b, p.seed);
            while (b && flag[k * 4 + b - 1] != p.seed);
            __threadfence();
        }
        __syncthreads();
        if (b) v += x[(b - 1) * 128 + (t ^ p.roll(k + 50, 128))];
    }
    out[8192 + b * 128 + t] = v;
}

// ---- streams ----

__global__ void combine(int *to, const int *a, const int *b) {
    to[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

/* Launches on three streams that read two of six buffers and write a third; events order them. */
static void streams(const plan &p, int *out) {
    enum { STREAMS = 3, BUFFERS = 6, MOST = 64 };
    static cudaStream_t stream[STREAMS];
    static cudaEvent_t done[MOST];
    int writer[BUFFERS], readers[BUFFERS][MOST], nreaders[BUFFERS] = {}, in[MOST];
    unsigned n = p.rounds * 4, waits = 0;
    for (int i = 0; i < STREAMS && !stream[i]; i++)
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    for (int i = 0; i < MOST && !done[i]; i++) cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
    for (int i = 0; i < BUFFERS; i++) writer[i] = -1;
    bool before[MOST][MOST] = {};
    for (unsigned k = 0; k < n; k++) {
        int s = in[k] = (int)p.roll(3 * k, STREAMS), to = (int)p.roll(3 * k + 1, BUFFERS);
        int a = (int)p.roll(3 * k + 2, BUFFERS), b = (a + 1) % BUFFERS, needed[3 * MOST], m = 0;
        for (unsigned j = 0; j < k; j++) /* what its stream knows of */
            for (unsigned i = 0; in[j] == s && i < k; i++) before[k][i] |= i == j || before[j][i];
        for (int r : {to, a, b})
            if (writer[r] >= 0) needed[m++] = writer[r];
        for (int i = 0; i < nreaders[to]; i++) needed[m++] = readers[to][i];
        int missing = -1;
        for (int i = m - 1; i >= 0; i--) {
            int e = needed[i];
            if (before[k][e]) continue;
            if (waits++ == p.gap) {
                missing = e;
                continue;
            }
            cudaStreamWaitEvent(stream[s], done[e], 0);
            for (int j = 0; j < (int)k; j++) before[k][j] |= j == e || before[e][j];
        }
        if (missing >= 0 && before[k][missing]) printf("ordered by other waits\n");
        combine<<<1, 64, 0, stream[s]>>>(out + to * 64, out + a * 64, out + b * 64);
        cudaEventRecord(done[k], stream[s]);
        writer[to] = (int)k;
        nreaders[to] = 0;
        for (int r : {a, b})
            if (r != to) readers[r][nreaders[r]++] = (int)k;
    }
    cudaDeviceSynchronize();
}

// ---- all of them ----

static void launch(const char *way, plan p, int *out, unsigned *flag) {
    void *args[] = {&p, &out};
    if (!strcmp(way, "warps")) warps<<<2, 128>>>(p, out);
    if (!strcmp(way, "warps_in_global")) warps_in_global<<<2, 128>>>(p, out);
    if (!strcmp(way, "blocks")) blocks<<<2, 128>>>(p, out);
    if (!strcmp(way, "halves")) halves<<<2, 128>>>(p, out);
    if (!strcmp(way, "copies")) copies<<<2, 128>>>(p, out);
    if (!strcmp(way, "stages")) stages<<<2, 128>>>(p, out);
    if (!strcmp(way, "clusters")) clusters<<<4, 128>>>(p, out);
    if (!strcmp(way, "grids")) cudaLaunchCooperativeKernel((void *)grids, dim3(4), dim3(128), args, 0, 0);
    if (!strcmp(way, "flags")) flags<<<4, 128>>>(p, out, flag);
    if (!strcmp(way, "streams")) streams(p, out);
}

/* Meetings behind which something follows. */
static unsigned meetings(const char *way, unsigned rounds) {
    if (!strcmp(way, "copies")) return 3 * rounds - 1;
    if (!strcmp(way, "stages")) return 2 * rounds - 4;
    if (!strcmp(way, "flags")) return 2 * rounds;
    return 2 * rounds - 1;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    unsigned from = atoi(argv[2]), count = atoi(argv[3]), *flag;
    int *out;
    cudaMalloc(&out, 16384 * sizeof(int));
    cudaMalloc(&flag, 64 * sizeof(unsigned));
    cudaMemset(out, 0, 16384 * sizeof(int));
    cudaMemset(flag, 0, 64 * sizeof(unsigned));
    cudaDeviceSynchronize();
    for (unsigned seed = from; seed < from + count; seed++) {
        plan p = {seed, 0, ~0u};
        p.rounds = 3 + p.roll(1000, 4);
        if (argc > 4) p.gap = p.roll(1001, strcmp(argv[1], "streams") ? meetings(argv[1], p.rounds) : 4);
        if (argc > 4) printf("seed %u: %u rounds, without %u\n", seed, p.rounds, p.gap);
        launch(argv[1], p, out, flag);
        cudaError_t e = cudaDeviceSynchronize();
        if (e != cudaSuccess) return printf("seed %u: %s\n", seed, cudaGetErrorString(e)), 1;
    }
    return 0;
}
