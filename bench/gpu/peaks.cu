/*
 * peaks: what the GPU at hand can do, measured: the figures that model/ needs of a chip.
 *
 * bench/gpu/peaks builds and runs it, asks the profiler for what events cannot tell, and draws the curve.
 *
 * Lines of NAME, VALUE, UNIT, separated by tabs, medians of 15 after 3. docs/results/h200-peaks.tsv is what
 * an H200 gave; model/time.h takes its constants from there (tests/model/peaks_test.c).
 */
#include "../../kernels/matrix_product/tiles.cuh"
#include "../../kernels/matrix_product/wgmma_u8.cuh"
#include "measure.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

static const size_t bytes = size_t(1) << 30;
static char *a, *b;
static int sms;

template <class Run> static double milliseconds(Run run) { return measure(run).median; }
static void say(const char *name, double value, const char *unit) {
    printf("%s\t%.4g\t%s\n", name, value, unit);
    fflush(stdout);
}
/* ---- bandwidths ---- */

__global__ void copy_words(const int4 *from, int4 *to, size_t n) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) to[i] = from[i];
}
__global__ void write_words(int4 *to, size_t n) {
    const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) to[i] = make_int4(1, 2, 3, 4);
}
/* The same n words again and again: what lies in L2 stays there. */
__global__ void fill_words(int4 *to, size_t n) { __stcg(&to[each() % n], make_int4(1, 2, 3, 4)); }
__global__ void copy_again(const int4 *from, int4 *to, size_t n) {
    const size_t i = each() % n;
    __stcg(&to[i], __ldcg(&from[i]));
}
/* Each warp reads its own four words of 512 bytes, which L1 keeps; `turn` is 0, which the compiler cannot
 * know. */
__global__ void read_again(const int4 *from, int times, int turn, int *never) {
    const int4 *mine = from + blockIdx.x * 8192 + threadIdx.x / 32 % 8 * 128 + threadIdx.x % 32;
    int sum = 0;
    for (int t = 0; t < times; t++)
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int4 x = __ldca(mine + 32 * (k ^ (t & turn)));
            sum += x.x ^ x.y ^ x.z ^ x.w;
        }
    if (sum == 0x12345678) *never = sum;
}
/* `words` words are under way in each thread; the array is read `times` times. `never` keeps the loads. */
template <int words> __global__ void read_words(const int4 *from, size_t n, int times, int *never) {
    const size_t step = size_t(gridDim.x) * blockDim.x;
    int sum = 0;
    for (int t = 0; t < times; t++)
        for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i + (words - 1) * step < n;
             i += words * step) {
            int4 x[words];
#pragma unroll
            for (int k = 0; k < words; k++) x[k] = __ldcg(&from[i + k * step]);
#pragma unroll
            for (int k = 0; k < words; k++) sum += x[k].x ^ x[k].y ^ x[k].z ^ x[k].w;
        }
    if (sum == 0x12345678) *never = sum;
}

static void bandwidths() {
    const size_t n = bytes / sizeof(int4), cached = size_t(16) << 20, words = cached / sizeof(int4);
    const int blocks = int(n / 256);
    int *never = (int *)b;
    say("copy", 2e-6 * bytes / milliseconds([=] { copy_words<<<blocks, 256>>>((int4 *)a, (int4 *)b, n); }),
        "GB/s");
    say("cudaMemcpy",
        2e-6 * bytes / milliseconds([] { cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice); }), "GB/s");
    say("write", 1e-6 * bytes / milliseconds([=] { write_words<<<blocks, 256>>>((int4 *)b, n); }), "GB/s");
    char *large; /* of which L2 has little when it is read again */
    CHECK(cudaMalloc(&large, 4 * bytes));
    CHECK(cudaMemset(large, 3, 4 * bytes));
    say("read", 4e-6 * bytes / milliseconds([=] {
                    read_words<4><<<64 * sms, 256>>>((int4 *)large, 4 * n, 1, never);
                }),
        "GB/s");
    CHECK(cudaFree(large));
    say("read from L2",
        20e-6 * cached / milliseconds([=] { read_words<4><<<8 * sms, 256>>>((int4 *)a, words, 20, never); }),
        "GB/s");
    const int again = 20 * int(words / 256);
    say("write to L2", 20e-6 * cached / milliseconds([=] { fill_words<<<again, 256>>>((int4 *)b, words); }),
        "GB/s");
    say("copy in L2", 20e-6 * cached / milliseconds([=] {
                          copy_again<<<again / 2, 256>>>((int4 *)a, (int4 *)a + words / 2, words / 2);
                      }),
        "GB/s");
    say("lines of 128 bytes read from L1, an SM", 1e-6 * 2000 * 32 * 4 * 4 / milliseconds([=] {
                                                      read_again<<<sms, 1024>>>((int4 *)a, 2000, 0, never);
                                                  }),
        "10^9/s");
}

template <int words> static void curve_point(int threads, std::vector<std::pair<int, double>> *curve) {
    const int blocks_an_sm = threads > 1024 ? 2 : 1, in_flight = threads * words * 16;
    const double ms = milliseconds([=] {
        read_words<words><<<blocks_an_sm * sms, threads / blocks_an_sm>>>((int4 *)a, bytes / 16, 1, (int *)b);
    });
    curve->push_back({in_flight, 1e-6 * bytes / ms});
}

/* Bandwidth over the bytes of loads that each SM has under way. */
static void curve() {
    std::vector<std::pair<int, double>> points;
    for (int threads = 32; threads <= 2048; threads *= 2) curve_point<1>(threads, &points);
    for (int threads = 768; threads <= 2048; threads += 256) curve_point<2>(threads, &points);
    for (int threads = 1024; threads <= 2048; threads += 512) curve_point<4>(threads, &points);
    std::sort(points.begin(), points.end());
    double most = 0;
    for (const auto &p : points) most = std::max(most, p.second);
    bool there = false;
    for (const auto &p : points) {
        char name[64];
        snprintf(name, sizeof name, "read with %d bytes under way in an SM", p.first);
        say(name, p.second, "GB/s");
        if (!there && p.second >= 0.9 * most)
            say("bytes under way in an SM for 90 %", p.first, "bytes"), there = true;
    }
}

/* ---- launches ---- */

__global__ void nothing() {}

static void launches() {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    const int many = 100;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < many; i++) nothing<<<1, 32, 0, stream>>>();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    say("an empty launch between two events", 1e3 * milliseconds([] { nothing<<<1, 32>>>(); }), "us");
    say("empty launches one after the other, each", 1e3 / many * milliseconds([=] {
                                                        for (int i = 0; i < many; i++) nothing<<<1, 32>>>();
                                                    }),
        "us");
    say("empty launches of a graph, each", 1e3 / many * milliseconds([=] { cudaGraphLaunch(exec, 0); }),
        "us");
    say("an empty launch of a block on each SM", 1e3 * milliseconds([] { nothing<<<sms, 1024>>>(); }), "us");
    const int blocks = 1 << 21;
    say("blocks handed out",
        1e-6 * blocks / (milliseconds([=] { nothing<<<2 * blocks, 32>>>(); }) - milliseconds([=] {
                             nothing<<<blocks, 32>>>();
                         })),
        "10^9/s");
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

/* ---- cycles: of one warp ---- */

__device__ inline long long cycles() {
    long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
    return t;
}
__device__ inline long long nanoseconds() {
    long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}
/* out[0]: cycles, out[1]: nanoseconds, of `hops` loads, each of the address that the one before found. */
template <bool l1> __global__ void follow(const uint64_t *at, int hops, long long *out) {
    uint64_t p = reinterpret_cast<uint64_t>(at);
    for (int round = 0; round < (l1 ? 2 : 1); round++) { /* the first fills L1 */
        const long long t = nanoseconds(), c = cycles();
        for (int i = 0; i < hops; i++)
            if (l1)
                asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(p) : "l"(p) : "memory");
            else
                asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(p) : "l"(p) : "memory");
        out[0] = cycles() - c, out[1] = nanoseconds() - t;
    }
    out[2] = static_cast<long long>(p);
}
/* `chains` multiplications with addition in turns; those of a chain wait for each other. */
template <int chains> __global__ void calculate(int times, float y, long long *out) {
    float x[chains];
    for (int k = 0; k < chains; k++) x[k] = k + y;
    const long long c = cycles();
    for (int i = 0; i < times; i++)
#pragma unroll
        for (int k = 0; k < 32; k++)
            asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[k % chains]) : "f"(y));
    out[0] = cycles() - c;
    float sum = 0;
    for (int k = 0; k < chains; k++) sum += x[k];
    out[1] = static_cast<long long>(sum);
}
__global__ void meet(int times, long long *out) {
    __syncthreads();
    const long long c = cycles();
    for (int i = 0; i < times; i++) __syncthreads();
    if (threadIdx.x == 0) out[0] = cycles() - c;
}

/* A ring through `size` bytes, a place every `apart`, in random order. */
static void ring(size_t size, size_t apart) {
    const size_t n = size / apart;
    std::vector<uint64_t> words(size / 8), order(n);
    for (size_t i = 0; i < n; i++) order[i] = i;
    for (size_t i = n - 1; i > 0; i--) std::swap(order[i], order[mix(uint32_t(i)) % (i + 1)]);
    for (size_t i = 0; i < n; i++)
        words[order[i] * apart / 8] = reinterpret_cast<uint64_t>(a) + order[(i + 1) % n] * apart;
    CHECK(cudaMemcpy(a, words.data(), size, cudaMemcpyHostToDevice));
}
template <class Run> static std::vector<long long> counted(Run run) {
    std::vector<std::vector<long long>> all;
    for (int i = 0; i < 15; i++) {
        std::vector<long long> out(2);
        run();
        CHECK(cudaMemcpy(out.data(), b, 16, cudaMemcpyDeviceToHost));
        all.push_back(out);
    }
    std::sort(all.begin(), all.end());
    return all[7];
}

static void latencies() {
    long long *out = reinterpret_cast<long long *>(b);
    const uint64_t *at = reinterpret_cast<const uint64_t *>(a);
    ring(16 << 10, 128);
    say("a load that L1 has", counted([=] { follow<true><<<1, 1>>>(at, 1024, out); })[0] / 1024.0, "cycles");
    ring(4 << 20, 128);
    for (int i = 0; i < 2; i++) follow<false><<<1, 1>>>(at, 1 << 15, out); /* into L2 */
    say("a load that L2 has", counted([=] { follow<false><<<1, 1>>>(at, 1 << 15, out); })[0] / 32768.0,
        "cycles");
    ring(bytes / 2, 4096);
    const std::vector<long long> far = counted([=] {
        CHECK(cudaMemsetAsync(b, 1, bytes));
        follow<false><<<1, 1>>>(at, 1 << 14, out);
    });
    say("a load from memory", far[1] / 16384.0, "ns");
    say("the clock of an SM", double(far[0]) / far[1], "GHz");
    say("an instruction that waits for the one before",
        counted([=] { calculate<1><<<1, 32>>>(100, 0.5f, out); })[0] / 3200.0, "cycles");
    say("an instruction that waits for none",
        counted([=] { calculate<8><<<1, 32>>>(100, 0.5f, out); })[0] / 3200.0, "cycles");
    for (int threads : {32, 256, 1024}) {
        char name[64];
        snprintf(name, sizeof name, "a barrier of %d threads", threads);
        say(name, counted([=] { meet<<<1, threads>>>(1000, out); })[0] / 1000.0, "cycles");
    }
    CHECK(cudaMemset(a, 1, bytes));
}

/* ---- atomics ---- */

/* Each thread makes `times` additions, to one of `places` counters, warps at random; lanes `apart` from each
 * other. */
__global__ void add_global(unsigned *counters, unsigned places, unsigned apart, int times) {
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * 2654435761u;
    for (int i = 0; i < times; i++) {
        x = x * 1664525u + 1013904223u;
        atomicAdd(&counters[((x >> 8) + threadIdx.x % 32 * apart) % places], 1);
    }
}
/* Each lane adds to a sector of its own, of 32: to one of its words at random. */
__global__ void add_to_sectors(unsigned *counters, int times) {
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
    for (int i = 0; i < times; i++) {
        x = x * 1664525u + 1013904223u;
        atomicAdd(&counters[(threadIdx.x + i) % 32 * 8 + (x >> 29)], 1);
    }
}
/* Each lane adds to a word at random, of `places` that are so far apart. */
__global__ void add_anywhere(unsigned *counters, unsigned places, unsigned apart, int times) {
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
    for (int i = 0; i < times; i++) {
        x = x * 1664525u + 1013904223u;
        atomicAdd(&counters[(x >> 8) % places * apart], 1);
    }
}
__global__ void add_shared(unsigned apart, int times, unsigned *never) {
    __shared__ unsigned counters[1024];
    counters[threadIdx.x] = 0;
    __syncthreads();
    const unsigned at = threadIdx.x / 32 * 32 + threadIdx.x % 32 * apart;
    for (int i = 0; i < times; i++) atomicAdd(&counters[(at + 32 * i) % 1024], 1);
    __syncthreads();
    if (counters[threadIdx.x] == 0x12345678) *never = 1;
}

static void atomics() {
    const double additions = 8.0 * sms * 256 * 64;
    unsigned *counters = (unsigned *)b;
    auto rate = [&](unsigned places, unsigned apart) {
        return 1e-6 * additions /
               milliseconds([=] { add_global<<<8 * sms, 256>>>(counters, places, apart, 64); });
    };
    say("additions to one word of global memory", rate(1, 0), "10^9/s");
    say("additions to 32 neighbouring words", rate(32, 1), "10^9/s");
    say("additions to rows of 1 Mi words", rate(1 << 20, 1), "10^9/s");
    say("additions all over 1 Mi words", rate(1 << 20, 12345), "10^9/s");
    say("additions to 32 sectors, each lane to another",
        1e-6 * additions / milliseconds([=] { add_to_sectors<<<8 * sms, 256>>>(counters, 64); }), "10^9/s");
    for (unsigned apart : {1, 32}) {
        const double ms = milliseconds([=] { add_anywhere<<<8 * sms, 256>>>(counters, 8192, apart, 64); });
        say(apart == 1 ? "additions at random to 8192 words side by side"
                       : "additions at random to 8192 words, a line each",
            1e-6 * additions / ms, "10^9/s");
    }
    auto shared = [&](unsigned apart) {
        return 1e-6 * 2 * sms * 1024 * 1000 /
               milliseconds([=] { add_shared<<<2 * sms, 1024>>>(apart, 1000, (unsigned *)b); });
    };
    say("additions to shared memory, lanes in 32 banks", shared(1), "10^9/s");
    say("additions to shared memory, lanes at one word", shared(0), "10^9/s");
}

/* ---- arithmetic ---- */

__global__ void multiply_add(int times, float *never) {
    float x[8], y = threadIdx.x * 1e-6f;
#pragma unroll
    for (int k = 0; k < 8; k++) x[k] = k + threadIdx.x;
    for (int i = 0; i < times; i++)
#pragma unroll
        for (int k = 0; k < 8; k++) x[k] = fmaf(x[k], y, 0.5f);
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += x[k];
    if (sum == 0.12345f) *never = sum;
}

#ifdef WGK_SM90A
__global__ void __launch_bounds__(128) multiply_matrices(int times, int *never) {
    __shared__ __align__(1024) char a[64 * 128], b[256 * 128];
    int d[128] = {};
    for (unsigned i = threadIdx.x; i < sizeof a / 4; i += 128) reinterpret_cast<int *>(a)[i] = mix(i);
    for (unsigned i = threadIdx.x; i < sizeof b / 4; i += 128) reinterpret_cast<int *>(b)[i] = mix(~i);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const uint64_t how = 1ull << 16 | 64ull << 32 | 1ull << 62;
    const uint64_t tile_a = (wgk::shared_address(a) & 0x3ffff) >> 4 | how;
    const uint64_t tile_b = (wgk::shared_address(b) & 0x3ffff) >> 4 | how;
    for (int i = 0; i < times; i++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < 4; k++) wgk::wgmma_u8(d, tile_a + 2 * k, tile_b + 2 * k);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }
    int sum = 0;
    for (int i = 0; i < 128; i++) sum += d[i];
    if (sum == 0x12345678) *never = sum;
}
#endif

static void arithmetic() {
    const int times = 4000;
    say("multiplications with addition of float",
        8e-6 * times * 2048 * sms / milliseconds([=] { multiply_add<<<2 * sms, 1024>>>(times, (float *)b); }),
        "10^9/s");
#ifdef WGK_SM90A
    say("multiplications with addition of bytes by wgmma",
        1e-6 * 64 * 256 * 32 * 4.0 * times * 2 * sms /
            milliseconds([=] { multiply_matrices<<<2 * sms, 128>>>(times, (int *)b); }),
        "10^9/s");
#endif
}

/* ---- distributed shared memory ---- */

enum { READ, ADD };
/* Each block works on the next block's shared memory (`distance` 1) or its own (0). */
__global__ void reach(int what, int distance, int times, unsigned *never) {
    __shared__ unsigned words[4096];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = i;
    cluster.sync();
    volatile unsigned *there =
        cluster.map_shared_rank(words, (cluster.block_rank() + distance) % cluster.num_blocks());
    unsigned sum = 0;
    for (int i = 0; i < times; i += 4)
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const unsigned at = (threadIdx.x + (i + k) * 1024) % 4096;
            if (what == READ)
                sum += there[at];
            else
                atomicAdd(const_cast<unsigned *>(&there[at]), 1);
        }
    cluster.sync();
    if (sum == 0x12345678) *never = sum;
}

/* Each lane works on a word at random of another block at random. */
__global__ void __launch_bounds__(512) reach_anywhere(int what, int times, unsigned *never) {
    __shared__ unsigned words[4096];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = i;
    cluster.sync();
    const unsigned others = cluster.num_blocks() - 1;
    unsigned sum = 0, x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
    for (int i = 0; i < times; i++) {
        x = x * 1664525u + 1013904223u;
        const unsigned rank = (cluster.block_rank() + 1 + (x >> 20) % others) % cluster.num_blocks();
        unsigned *there = cluster.map_shared_rank(words, rank);
        if (what == READ)
            sum += *const_cast<volatile unsigned *>(&there[x >> 8 & 4095]);
        else
            atomicAdd(&there[x >> 8 & 4095], 1);
    }
    cluster.sync();
    if (sum == 0x12345678) *never = sum;
}

/* The same as a histogram does it: where to is read from memory, and a block's own words are among them. */
__global__ void __launch_bounds__(512) reach_as_read(const unsigned *places, int times, unsigned *never) {
    __shared__ unsigned words[4096];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = i;
    cluster.sync();
    const unsigned *at = places + blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < times; i++, at += gridDim.x * blockDim.x) {
        const unsigned x = mix(*at);
        atomicAdd(&cluster.map_shared_rank(words, (x >> 12) % cluster.num_blocks())[x % 4096], 1);
    }
    cluster.sync();
    if (words[threadIdx.x] == 0x12345678) *never = 1;
}

template <class... Arguments>
static double clusters(int size, int blocks, int threads, void (*kernel)(Arguments...),
                       Arguments... arguments) {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {unsigned(size), 1, 1};
    config.gridDim = dim3(blocks), config.blockDim = dim3(threads), config.attrs = &cluster,
    config.numAttrs = 1;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    return milliseconds([&] { CHECK(cudaLaunchKernelEx(&config, kernel, arguments...)); });
}

static void distributed() {
    unsigned *never = (unsigned *)b;
    for (int size : {1, 2, 4, 8})
        for (int what : {READ, ADD}) {
            char name[96];
            const int blocks = sms / 8 * 8 / 2, times = 4000;
            const double ms = clusters(size, blocks, 1024, reach, what, size > 1 ? 1 : 0, times, never);
            snprintf(name, sizeof name, "%s %s, clusters of %d, an SM",
                     what == READ ? "words read from" : "additions to",
                     size > 1 ? "another block's shared memory" : "a block's own shared memory", size);
            say(name, 1e-6 * times * 1024 / ms, "10^9/s");
        }
    /* The whole chip at once: 4 blocks an SM. */
    for (int size : {2, 4, 8, 16})
        for (int what : {READ, ADD}) {
            char name[96];
            const int blocks = 4 * sms / size * size, times = 128;
            const char *verb = what == READ ? "words read" : "additions";
            double ms = clusters(size, blocks, 512, reach, what, 1, times, never);
            snprintf(name, sizeof name, "rows of %s, clusters of %d on all SMs, an SM", verb, size);
            say(name, 1e-6 * times * 512 * blocks / sms / ms, "10^9/s");
            ms = clusters(size, blocks, 512, reach_anywhere, what, times, never);
            snprintf(name, sizeof name, "%s anywhere, clusters of %d on all SMs, an SM", verb, size);
            say(name, 1e-6 * times * 512 * blocks / sms / ms, "10^9/s");
            if (what == READ) continue;
            ms = clusters(size, blocks, 512, reach_as_read, (const unsigned *)a, times, never);
            snprintf(name, sizeof name, "%s as read from memory, clusters of %d on all SMs, an SM", verb,
                     size);
            say(name, 1e-6 * times * 512 * blocks / sms * (size - 1) / size / ms, "10^9/s");
        }
}

int main() {
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    sms = p.multiProcessorCount;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMemset(a, 1, bytes));
    CHECK(cudaMemset(b, 2, bytes));
    printf("# %s, %d SMs, %d MB of L2\n", p.name, sms, p.l2CacheSize >> 20);
    bandwidths();
    curve();
    launches();
    latencies();
    draw_values<<<4 * sms, 512>>>((int32_t *)a, bytes / 4, 1, 0);
    atomics();
    distributed();
    arithmetic();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
