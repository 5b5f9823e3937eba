/*
 * peaks: what the GPU at hand can do, measured: the figures that model/ needs of a chip.
 *
 *     nvcc -O3 -std=c++17 -arch=native -o peaks bench/gpu/peaks.cu && ./peaks > peaks.tsv
 *
 * (Hopper: -gencode=arch=compute_90a,code=sm_90a -DWGK_SM90A, for the rate of its matrix instructions.)
 *
 * Lines of NAME, VALUE, UNIT, separated by tabs, medians of 15 after 3; then the curve of bandwidth over the
 * bytes that each SM has under way, drawn on standard error. docs/results/ holds what an H200 gave.
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
    const size_t n = bytes / sizeof(int4), cached = size_t(16) << 20;
    const int blocks = int(n / 256);
    int *never = (int *)b;
    say("copy", 2e-6 * bytes / milliseconds([=] { copy_words<<<blocks, 256>>>((int4 *)a, (int4 *)b, n); }),
        "GB/s");
    say("cudaMemcpy",
        2e-6 * bytes / milliseconds([] { cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice); }), "GB/s");
    say("write", 1e-6 * bytes / milliseconds([=] { write_words<<<blocks, 256>>>((int4 *)b, n); }), "GB/s");
    say("read",
        1e-6 * bytes / milliseconds([=] { read_words<4><<<64 * sms, 256>>>((int4 *)a, n, 1, never); }),
        "GB/s");
    say("read from L2", 20e-6 * cached / milliseconds([=] {
                            read_words<4><<<8 * sms, 256>>>((int4 *)a, cached / sizeof(int4), 20, never);
                        }),
        "GB/s");
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
        fprintf(stderr, "%7d bytes %6.0f GB/s  ", p.first, p.second);
        for (int i = 0; i < int(50 * p.second / most); i++) fputc('#', stderr);
        fputc('\n', stderr);
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
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
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

static void distributed() {
    for (int size : {1, 2, 4, 8}) {
        cudaLaunchConfig_t config = {};
        cudaLaunchAttribute cluster;
        const int blocks = sms / 8 * 8 / 2, times = 4000;
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim = {unsigned(size), 1, 1};
        config.gridDim = dim3(blocks), config.blockDim = dim3(1024), config.attrs = &cluster,
        config.numAttrs = 1;
        for (int what : {READ, ADD}) {
            char name[96];
            const double ms = milliseconds([&] {
                CHECK(cudaLaunchKernelEx(&config, reach, what, size > 1 ? 1 : 0, times, (unsigned *)b));
            });
            snprintf(name, sizeof name, "%s %s, clusters of %d, an SM",
                     what == READ ? "words read from" : "additions to",
                     size > 1 ? "another block's shared memory" : "a block's own shared memory", size);
            say(name, 1e-6 * times * 1024 / ms, "10^9/s");
        }
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
    atomics();
    distributed();
    arithmetic();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
