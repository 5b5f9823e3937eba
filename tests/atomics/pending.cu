/* pending: every way in which a program could tell that an addition was made later than it stands there.
 *
 * Additions to global memory whose old value nobody reads are kept by the worker that made them for a while
 * (warp/combine.h). Each scene below does such additions, more than enough that they are kept, and then
 * looks: in the same thread, from other threads of the block, from other blocks that wait, from the host. It
 * prints the scenes that are wrong and ends with their number.
 */
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CALL(x)                                                                                              \
    do {                                                                                                     \
        cudaError_t status_ = (x);                                                                           \
        if (status_ != cudaSuccess)                                                                          \
            printf("line %d: %s is %s\n", __LINE__, #x, cudaGetErrorName(status_)), exit(2);                 \
    } while (0)

static int wrong_scenes;
static void scene(const char *name, bool right) {
    if (!right) printf("wrong: %s\n", name), wrong_scenes++;
}

/* Managed memory of n zeros. */
template <typename T> static T *zeros(size_t n) {
    T *p;
    CALL(cudaMallocManaged(&p, n * sizeof(T)));
    memset((void *)p, 0, n * sizeof(T));
    return p;
}

/* What a scene finds wrong, it counts here. */
__device__ unsigned errors;
static bool no_errors() {
    unsigned n = 1, zero = 0;
    CALL(cudaDeviceSynchronize());
    CALL(cudaMemcpyFromSymbol(&n, errors, sizeof n));
    CALL(cudaMemcpyToSymbol(errors, &zero, sizeof zero));
    return n == 0;
}
__device__ void expect(bool right) {
    if (!right) atomicMax(&errors, 1u);
}

/* ---- the thread itself ---- */

__global__ void own_reads(unsigned *a, int rounds) {
    unsigned *mine = &a[blockIdx.x * blockDim.x + threadIdx.x];
    for (int i = 1; i <= rounds; i++) {
        atomicAdd(mine, 3);
        if (i % 16 == 0) expect(*mine == 3u * i);
    }
}

__global__ void other_widths(unsigned *a) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 40; k++) atomicAdd(&a[4 * i + k % 4], 0x10001u + k % 4);
    uint4 all = ((uint4 *)a)[i];
    expect(all.x == 0xa000a && all.y == 0xa0014 && all.z == 0xa001e && all.w == 0xa0028);
    atomicAdd(&a[4 * i + 1], 0x50000);
    expect(((unsigned short *)a)[8 * i + 3] == 0xf);
    atomicAdd(&a[4 * i + 2], 1);
    expect(((unsigned char *)a)[16 * i + 8] == 0x1f);
    atomicAdd(&a[4 * i + 3], 0x80000000u);
    expect(((unsigned long long *)a)[2 * i + 1] == 0x800a0028000a001full);
}

__global__ void own_stores(unsigned *a, int rounds) {
    unsigned *mine = &a[(blockIdx.x * blockDim.x + threadIdx.x) * 3];
    for (int i = 0; i < rounds; i++) {
        atomicAdd(mine, 100);
        atomicAdd(mine, 1);
        *mine = i; /* what was added is gone */
        atomicAdd(mine, 7);
        if (i % 7 == 3) expect(*mine == i + 7u);
    }
    expect(*mine == rounds + 6u);
}

/* Other atomics on the place: program order holds for one address. */
__global__ void other_atomics(unsigned *a, int *s, unsigned long long *l) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 20; k++) {
        atomicAdd(&a[i], 5);
        atomicMax(&a[i], 3u);
        atomicAdd(&a[i], 5);
        unsigned old = atomicAdd(&a[i], 1);
        expect(old == 11u * k + 10);
        atomicSub(&s[i], 4);
        expect(atomicExch(&s[i], 10) == -4);
        atomicSub(&s[i], 10);
        atomicAdd(&l[i], 1ull << 33);
        expect(atomicCAS(&l[i], 1ull << 33, 0ull) == 1ull << 33);
    }
}

/* The index that was counted is used at once: keeping does not pay here. */
__global__ void indices(unsigned *next, unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned k = 0; k < 200; k++) {
        atomicAdd(&next[i], 1);
        out[i] += next[i];
    }
}

/* Words of 4 and of 8 bytes in one array, differences, sums that come out as zero. */
__global__ void mixed(unsigned long long *l, int n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) {
        atomicAdd(&l[i % 50], 0xffffffffull);
        atomicAdd((unsigned *)&l[i % 50] + 1, 2u);
        atomicSub((int *)&l[50 + i % 9], 5);
        atomicAdd((int *)&l[50 + i % 9], 5);
        atomicAdd(&l[60], ~0ull);
    }
}

/* ---- other threads of the block ---- */

__global__ void after_barrier(unsigned *a, int rounds) {
    unsigned t = threadIdx.x, *mine = a + blockIdx.x * blockDim.x;
    for (int i = 1; i <= rounds; i++) {
        atomicAdd(&mine[(t + i) % blockDim.x], 2);
        __syncthreads();
        expect(mine[t] == 2u * i);
        __syncthreads();
    }
}

__global__ void after_warp_barrier(unsigned *a, int rounds) {
    unsigned t = threadIdx.x, *mine = a + blockIdx.x * blockDim.x, warp = t & ~31u;
    for (int i = 1; i <= rounds; i++) {
        if (t % 2) atomicAdd(&mine[warp + (t + i) % 32 / 2], 2);
        __syncwarp();
        if (t % 32 < 16) expect(mine[t] == 2u * i);
        __syncwarp();
    }
}

/* The reader never comes by the addition: they meet at a barrier of two places. */
__global__ void two_places(unsigned *a) {
    unsigned t = threadIdx.x % 32, *mine = a + blockIdx.x * 32;
    if (threadIdx.x < 32) {
        for (int k = 0; k < 20; k++) atomicAdd(&mine[(t + k) % 32], 1);
        asm volatile("bar.arrive 3, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 3, 64;" ::: "memory");
        expect(mine[t] == 20);
    }
}

__global__ void by_a_flag(unsigned *a) {
    __shared__ volatile int flag;
    unsigned t = threadIdx.x % 32, *mine = a + blockIdx.x * 32;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < 20; k++) atomicAdd(&mine[(t + k) % 32], 1);
        __syncwarp();
        __threadfence_block();
        if (t == 0) flag = 1;
    } else {
        while (!flag);
        __threadfence_block();
        expect(mine[t] == 20);
    }
}

/* ---- other blocks ---- */

__device__ unsigned ticket;

/* The block that comes last adds up what all of them counted. */
__global__ void last_block(unsigned *bins, unsigned *out, bool fence) {
    __shared__ bool last;
    for (int k = 0; k < 10; k++) atomicAdd(&bins[(threadIdx.x * 7 + k) % 64], 1);
    if (fence)
        __threadfence();
    else
        __syncthreads(); /* programs do without a fence: atomics meet in one place */
    __syncthreads();
    if (threadIdx.x == 0) last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x < 64) out[threadIdx.x] = *(volatile unsigned *)&bins[threadIdx.x];
}

/* Block `who` waits until all have added; nobody makes a fence. */
__global__ void wait_for_all(unsigned *count, unsigned who, bool by_atomic) {
    for (int k = 0; k < 8; k++) atomicAdd(count, 1);
    if (blockIdx.x != who || threadIdx.x) return;
    unsigned all = gridDim.x * blockDim.x * 8;
    if (by_atomic)
        while (atomicAdd(count, 0) != all);
    else
        while (*(volatile unsigned *)count != all);
    count[1] = 1;
}

/* Each block adds, then waits for an answer to its addition. */
__global__ void answers(unsigned *count, volatile unsigned *answer) {
    unsigned b = blockIdx.x / 2;
    if (blockIdx.x % 2 == 0) {
        for (int k = 0; k < 6; k++) atomicAdd(&count[b], 1);
        while (!answer[b]);
    } else {
        while (((volatile unsigned *)count)[b] != 6 * blockDim.x);
        answer[b] = 1;
    }
}

/* ... and the one that is waited for goes on for a long time without a fence. */
__global__ void busy(unsigned *count, volatile unsigned *answer, float *out) {
    if (blockIdx.x == 0) {
        for (int k = 0; k < 6; k++) atomicAdd(count, 1);
        float x = threadIdx.x;
        for (int k = 0; k < 200000; k++) x = x * 0.999f + 1;
        out[threadIdx.x] = x;
    } else if (threadIdx.x == 0) {
        while (*(volatile unsigned *)count != 6 * blockDim.x);
        *answer = 1;
    }
}

__global__ void grid_barrier(unsigned *a, int rounds) {
    cg::grid_group grid = cg::this_grid();
    unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 1; r <= rounds; r++) {
        for (int k = 0; k < 5; k++) atomicAdd(&a[(i * 7 + k) % n], 1);
        grid.sync();
        expect(a[(i + n / 2) % n] == 5u * r);
        grid.sync();
    }
}

/* ---- where additions go ---- */

__global__ void scatter(unsigned *a, unsigned n, int rounds) {
    unsigned state = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++) {
        state = state * 1664525u + 1013904223u;
        atomicAdd(&a[(state >> 8) % n], 1);
    }
}

__global__ void many_arrays(unsigned *a, unsigned *b, unsigned *c, unsigned *d, unsigned long long *e,
                            int *f) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 10; k++) {
        atomicAdd(&a[i % 100], 1);
        atomicAdd(&b[i % 10], 2);
        atomicAdd(&c[0], 3);
        atomicAdd(&d[i], 4);
        atomicAdd(&e[i % 3], 5ull);
        atomicSub(&f[i % 64], 6);
    }
}

__device__ unsigned in_module[33];
/* Half of the lanes in shared, half in global memory, through one pointer. */
__global__ void generic(unsigned *a, unsigned *out, int guard) {
    __shared__ unsigned s[64];
    if (threadIdx.x < 64) s[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 9; k++) {
        unsigned *p = (threadIdx.x + k) % 3 ? &a[(threadIdx.x + k) % 64] : &s[threadIdx.x % 64];
        if (guard || threadIdx.x % 5) atomicAdd(p, 1);
        unsigned *q = k % 2 ? s : in_module;
        atomicAdd(q + threadIdx.x % 33, 2);
    }
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x], s[threadIdx.x]);
}

__device__ __host__ int around(unsigned &state, int n) {
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % n) - n / 2;
}

/* Indices below and above 0, in global and shared memory, of both widths, what is added differs; some lanes
 * are off. */
__global__ void signed_indices(unsigned *a, unsigned long long *b, unsigned *c, int n, int rounds) {
    __shared__ unsigned s[256];
    __shared__ unsigned long long t[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = t[i] = 0;
    __syncthreads();
    unsigned state = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++) {
        int i = around(state, n);
        atomicAdd(a + n / 2 + i, threadIdx.x + 1);
        if (k % 3) atomicAdd(b + n / 2 + i, (1ull << 33) + threadIdx.x);
        atomicAdd(s + 128 + i % 128, threadIdx.x);
        if (threadIdx.x % 5) atomicAdd(t + 128 + i % 128, (1ull << 40) + k);
        if (threadIdx.x & 1) atomicSub(a + n / 2 - i, 7u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        atomicAdd(&c[i], s[i] + (unsigned)t[i] + (unsigned)(t[i] >> 32));
}

static void signed_indices_on_host(unsigned *a, unsigned long long *b, unsigned *c, int n, int rounds,
                                   unsigned threads, unsigned block) {
    for (unsigned x = 0; x < threads; x++) {
        unsigned state = x, lane = x % block;
        for (int k = 0; k < rounds; k++) {
            int i = around(state, n);
            a[n / 2 + i] += lane + 1;
            if (k % 3) b[n / 2 + i] += (1ull << 33) + lane;
            c[128 + i % 128] += lane;
            if (lane % 5) c[128 + i % 128] += 256 + k;
            if (lane & 1) a[n / 2 - i] -= 7;
        }
    }
}

/* Each turn somewhere else, up and down again, and much is read between. */
__global__ void wander(unsigned *a, int n, int rounds) {
    for (int k = 0; k < rounds; k++) {
        int at = (k < rounds / 2 ? k : rounds - 1 - k) * 977 % n;
        atomicAdd(&a[(at + threadIdx.x * 31) % n], 1);
        if (k % 50 == 49) expect(a[(at + threadIdx.x * 31) % n] != 0);
    }
}

/* Others change the indices all the time: each addition is made somewhere, and only once. */
__global__ void count_what_changes(volatile int *v, unsigned *a, int n, int rounds) {
    if (blockIdx.x % 2) {
        for (int k = 0; k < rounds; k++)
            for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&a[((int *)v)[i]], 1);
    } else {
        for (int k = 0; k < 60 * rounds; k++)
            for (int i = threadIdx.x; i < n; i += blockDim.x) v[i] = k % 2 ? i % 37 : 900000 + i;
    }
}

/* Counting in each other's shared memory, of which each lane means another part. */
__global__ void __cluster_dims__(4) cluster_bins(unsigned *out, int rounds) {
    __shared__ unsigned s[96];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 96; i += blockDim.x) s[i] = 0;
    cluster.sync();
    unsigned state = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++) {
        int i = around(state, 4 * 32);
        int rank = (i + 64) % 4;
        unsigned *other = cluster.map_shared_rank(s + 40, rank);
        atomicAdd(other + i / 4, 1u);
        if (threadIdx.x % 3) atomicAdd(other + 20 + rank, threadIdx.x);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < 96; i += blockDim.x) atomicAdd(&out[cluster.block_rank() * 96 + i], s[i]);
}

static void cluster_bins_on_host(unsigned *out, int rounds, unsigned threads, unsigned block) {
    for (unsigned x = 0; x < threads; x++) {
        unsigned state = x;
        for (int k = 0; k < rounds; k++) {
            int i = around(state, 4 * 32), rank = (i + 64) % 4;
            out[rank * 96 + 40 + i / 4]++;
            if (x % block % 3) out[rank * 96 + 60 + rank] += x % block;
        }
    }
}

/* Rows that end with the array, and lanes that are off. */
__global__ void rows(unsigned *a, unsigned n) {
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&a[i], i);
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        if (i % 3 == 0) atomicAdd(&a[n - 1 - i], 1);
    if (threadIdx.x % 2) atomicAdd(&a[n], threadIdx.x);
}

__global__ void bump(unsigned *a, int rounds) {
    for (int k = 0; k < rounds; k++) atomicAdd(&a[threadIdx.x], 1);
}

__global__ void heap(unsigned *out) {
    unsigned *p = (unsigned *)malloc(64);
    p[0] = 0;
    for (int k = 0; k < 30; k++) atomicAdd(p, 1);
    atomicAdd(&out[0], *p);
    free(p);
}

__global__ void beyond(unsigned *a) {
    for (int k = 0; k < 100; k++) atomicAdd(&a[threadIdx.x], 1);
    atomicAdd(&a[threadIdx.x + (1 << 28)], 1);
}

/* ---- */

template <typename T> static bool all_are(const T *a, size_t n, T x) {
    CALL(cudaDeviceSynchronize());
    for (size_t i = 0; i < n; i++)
        if (a[i] != x) return false;
    return true;
}

static void threads_and_blocks() {
    unsigned *a = zeros<unsigned>(1 << 16), *b = zeros<unsigned>(1 << 16);
    unsigned long long *l = zeros<unsigned long long>(4096);
    int *s = zeros<int>(4096);
    own_reads<<<20, 128>>>(a, 100);
    scene("own reads", no_errors());
    memset(a, 0, 1 << 18);
    other_widths<<<20, 128>>>(a);
    scene("other widths", no_errors());
    memset(a, 0, 1 << 18);
    own_stores<<<20, 128>>>(a, 50);
    scene("own stores", no_errors());
    memset(a, 0, 1 << 18);
    other_atomics<<<20, 128>>>(a, s, l);
    scene("other atomics", no_errors() && all_are(a, 2560, 220u) && all_are(s, 2560, 0));
    memset(a, 0, 1 << 18);
    indices<<<8, 96>>>(a, b);
    scene("indices", all_are(b, 768, 200u * 201 / 2));
    mixed<<<30, 100>>>(l, 20);
    CALL(cudaDeviceSynchronize());
    bool right = l[60] == 0ull - 60000;
    for (int i = 0; i < 50; i++) right &= l[i] == 60 * 20 * 0xffffffffull + (60ull * 20 * 2 << 32);
    for (int i = 50; i < 59; i++) right &= l[i] == 0;
    scene("mixed widths", right);
    memset(a, 0, 1 << 18);
    after_barrier<<<20, 256>>>(a, 40);
    scene("after a barrier", no_errors());
    memset(a, 0, 1 << 18);
    after_warp_barrier<<<20, 256>>>(a, 40);
    scene("after a barrier of the warp", no_errors());
    memset(a, 0, 1 << 18);
    two_places<<<100, 64>>>(a);
    scene("a barrier of two places", no_errors());
    memset(a, 0, 1 << 18);
    by_a_flag<<<100, 64>>>(a);
    scene("a flag in shared memory", no_errors());
}

static void blocks_that_wait() {
    unsigned *a = zeros<unsigned>(4096), *b = zeros<unsigned>(4096);
    float *f = zeros<float>(1024);
    for (int fence = 0; fence < 2; fence++) {
        memset(a, 0, 16384), memset(b, 0, 16384);
        last_block<<<300, 128>>>(a, b, fence);
        scene(fence ? "the last block" : "the last block, no fence", all_are(b, 64, 300u * 128 * 10 / 64));
    }
    for (unsigned k = 0; k < 4; k++) {
        memset(a, 0, 16384);
        wait_for_all<<<50, 64>>>(a, k % 2 ? 49 : 0, k / 2);
        CALL(cudaDeviceSynchronize());
        scene("a block that waits for all", a[1] == 1);
    }
    memset(a, 0, 16384), memset(b, 0, 16384);
    answers<<<40, 32>>>(a, b);
    scene("answers", all_are(b, 20, 1u));
    memset(a, 0, 16384), memset(b, 0, 16384);
    busy<<<2, 64>>>(a, b, f);
    scene("a busy block", all_are(b, 1, 1u));
    memset(a, 0, 16384);
    int rounds = 6;
    void *args[] = {&a, &rounds};
    CALL(cudaLaunchCooperativeKernel((void *)grid_barrier, dim3(12), dim3(96), args, 0, 0));
    scene("the grid's barrier", no_errors());
}

static void places() {
    unsigned n = 3 << 20, *a = zeros<unsigned>(n);
    std::vector<unsigned> expected(n);
    scatter<<<64, 128>>>(a, n, 60);
    CALL(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 64 * 128; t++) {
        unsigned state = t;
        for (int k = 0; k < 60; k++) state = state * 1664525u + 1013904223u, expected[(state >> 8) % n]++;
    }
    scene("scattered over much memory", memcmp(a, expected.data(), n * 4ull) == 0);

    unsigned *b = zeros<unsigned>(64), *c = zeros<unsigned>(64), *d = zeros<unsigned>(10000);
    unsigned long long *e = zeros<unsigned long long>(64);
    int *f = zeros<int>(64);
    memset(a, 0, 4096);
    many_arrays<<<60, 100>>>(a, b, c, d, e, f);
    scene("many arrays", all_are(a, 100, 600u) && all_are(b, 10, 12000u) && c[0] == 180000 &&
                             all_are(d, 6000, 40u) && all_are(e, 3, 100000ull));
    memset(a, 0, 4096), memset(b, 0, 256);
    generic<<<50, 96>>>(a, b, 1);
    CALL(cudaDeviceSynchronize());
    unsigned sum = 0, module[33];
    CALL(cudaMemcpyFromSymbol(module, in_module, sizeof module));
    for (int i = 0; i < 64; i++) sum += a[i] + b[i];
    for (int i = 0; i < 33; i++) sum += module[i];
    scene("shared and global through one pointer", sum == 50 * 96 * 9 * 3);

    unsigned *row;
    CALL(cudaMalloc(&row, 1001 * 4));
    CALL(cudaMemset(row, 0, 1001 * 4));
    rows<<<10, 160>>>(row, 1000);
    std::vector<unsigned> got(1001);
    CALL(cudaMemcpy(got.data(), row, 1001 * 4, cudaMemcpyDeviceToHost));
    bool right = got[1000] == 10 * 80 * 80;
    for (unsigned i = 0; i < 1000; i++) right &= got[i] == 10 * (i + ((999 - i) % 3 == 0));
    scene("rows", right);

    unsigned long long *wide = zeros<unsigned long long>(1000);
    unsigned *small = zeros<unsigned>(256), *near = zeros<unsigned>(1000);
    signed_indices<<<24, 100>>>(near, wide, small, 999, 50);
    std::vector<unsigned> near_expected(1000), small_expected(256);
    std::vector<unsigned long long> wide_expected(1000);
    signed_indices_on_host(near_expected.data(), wide_expected.data(), small_expected.data(), 999, 50, 2400,
                           100);
    CALL(cudaDeviceSynchronize());
    scene("signed indices", memcmp(near, near_expected.data(), 4000) == 0 &&
                                memcmp(wide, wide_expected.data(), 8000) == 0 &&
                                memcmp(small, small_expected.data(), 1024) == 0);

    memset(a, 0, n * 4ull);
    wander<<<3, 96>>>(a, n, 2000);
    bool seen = no_errors();
    unsigned long long total = 0;
    for (unsigned i = 0; i < n; i++) total += a[i];
    scene("additions that wander", seen && total == 3 * 96 * 2000ull);

    const int range = 1 << 20;
    int *changing = zeros<int>(1024);
    unsigned *many = zeros<unsigned>(range);
    count_what_changes<<<2, 128>>>(changing, many, 1024, 4000);
    seen = no_errors();
    total = 0;
    for (int i = 0; i < range; i++) total += many[i];
    scene("indices that change", seen && total == 1024 * 4000ull);

    unsigned *parts = zeros<unsigned>(4 * 96);
    cluster_bins<<<12, 160>>>(parts, 40);
    std::vector<unsigned> parts_expected(4 * 96);
    cluster_bins_on_host(parts_expected.data(), 40, 12 * 160, 160);
    CALL(cudaDeviceSynchronize());
    scene("shared memory of a cluster", memcmp(parts, parts_expected.data(), 4 * 96 * 4) == 0);

    memset(a, 0, 4);
    heap<<<10, 64>>>(a);
    scene("memory from malloc", all_are(a, 1, 10u * 64 * 30));
}

/* What follows in the stream, and kernels beside each other. */
static void streams() {
    unsigned *a = zeros<unsigned>(256), *copy;
    CALL(cudaMalloc(&copy, 1024));
    cudaStream_t s[4];
    for (int i = 0; i < 4; i++) CALL(cudaStreamCreate(&s[i]));
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < 4; i++) bump<<<7, 256, 0, s[i]>>>(a, 10);
    scene("kernels beside each other", all_are(a, 256, 20u * 4 * 7 * 10));
    unsigned last = 0;
    bool right = true;
    for (int round = 1; round < 20; round++) {
        bump<<<7, 256, 0, s[0]>>>(a, 10);
        CALL(cudaMemcpyAsync(copy, a, 1024, cudaMemcpyDeviceToDevice, s[0]));
        CALL(cudaMemcpyAsync(&last, copy + 255, 4, cudaMemcpyDeviceToHost, s[0]));
        CALL(cudaStreamSynchronize(s[0]));
        right &= last == 20u * 4 * 7 * 10 + round * 70;
    }
    scene("copies behind kernels", right);
}

int main() {
    threads_and_blocks();
    blocks_that_wait();
    places();
    streams();
    unsigned *a;
    CALL(cudaMalloc(&a, 4096));
    beyond<<<4, 256>>>(a);
    scene("an address beyond", cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    printf(wrong_scenes ? "%d wrong\n" : "all right\n", wrong_scenes);
    return wrong_scenes != 0;
}
