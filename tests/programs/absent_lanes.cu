/* absent_lanes: warps of which some lanes are not there, because the block is no multiple of 32 threads,
 * because they have left, or because they are elsewhere. A shuffle from such a lane gives 0; votes, matches
 * and reductions go without it. Each kernel is modelled on the host, lane by lane. */
#include "program.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

enum { MOST = 1024, WORDS = 8 };

static int wrong;
static void report(const char *name) {
    printf("%s: %s\n", name, wrong ? "WRONG" : "right");
    wrong = 0;
}
template <typename T> static void compare(const char *what, int block, int thread, T got, T want) {
    if (memcmp(&got, &want, sizeof got) == 0) return;
    if (!wrong++)
        printf("%s, block of %d, thread %d: %g, not %g\n", what, block, thread, (double)got, (double)want);
}

/* ---- sums and scans by shuffles ---- */

template <typename T> __global__ void down(const T *in, T *out) {
    T v = in[threadIdx.x];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}
template <typename T> __global__ void down_in_all(const T *in, T *out) {
    T v = in[threadIdx.x];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    out[threadIdx.x] = v;
}
template <typename T> __global__ void butterfly(const T *in, T *out) {
    T v = in[threadIdx.x];
    for (int o = 1; o < 32; o *= 2) v = v + __shfl_xor_sync(~0u, v, o);
    out[threadIdx.x] = v;
}
/* Only what is there is asked for: the usual mask of a partial warp. */
template <typename T> __global__ void butterfly_of_active(const T *in, T *out) {
    T v = in[threadIdx.x];
    unsigned m = __activemask();
    for (int o = 16; o; o /= 2) v = v + __shfl_xor_sync(m, v, o);
    out[threadIdx.x] = v;
}
template <typename T> __global__ void rotated(const T *in, T *out) {
    T v = in[threadIdx.x];
    out[threadIdx.x] = v + __shfl_sync(~0u, v, threadIdx.x + 5) + __shfl_sync(~0u, v, 3 * threadIdx.x, 16);
}
template <typename T> __global__ void segments(const T *in, T *out) {
    T v = in[threadIdx.x];
    v = v + __shfl_down_sync(~0u, v, 3, 8);
    v = v + __shfl_up_sync(~0u, v, 2, 16);
    v = v + __shfl_xor_sync(~0u, v, 5, 8);
    out[threadIdx.x] = v;
}
template <typename T> struct Warp {
    T v[32];
    bool there[32];
    T of(int from, int self) const { return there[from] ? v[from] : (from == self ? v[self] : (T)0); }
};
template <typename T> static T down_from(const Warp<T> &w, int l, int o, int width) {
    return w.of(l % width + o < width ? l + o : l, l);
}
template <typename T> static T up_from(const Warp<T> &w, int l, int o, int width) {
    return w.of(l % width >= o ? l - o : l, l);
}
template <typename T> static T xor_from(const Warp<T> &w, int l, int o, int width) {
    return w.of((l ^ o) <= (l | (width - 1)) ? l ^ o : l, l);
}
template <typename T> static T at_from(const Warp<T> &w, int l, int at, int width) {
    return w.of(l / width * width + (at & (width - 1)), l);
}
template <typename T, typename F> static void step(Warp<T> &w, F f) {
    Warp<T> old = w;
    for (int l = 0; l < 32; l++)
        if (w.there[l]) w.v[l] = f(old, l);
}
template <typename T> static Warp<T> warp_of(const T *in, int block, int first) {
    Warp<T> w;
    for (int l = 0; l < 32; l++) {
        w.there[l] = first + l < block;
        w.v[l] = w.there[l] ? in[first + l] : (T)0;
    }
    return w;
}
template <typename T> static void summed(Warp<T> &w) {
    for (int o = 16; o; o /= 2)
        step(w, [o](const Warp<T> &x, int l) { return (T)(x.v[l] + down_from(x, l, o, 32)); });
}
template <typename T> static void spread(Warp<T> &w, bool large_first) {
    for (int k = 0; k < 5; k++) {
        int o = large_first ? 16 >> k : 1 << k;
        step(w, [o](const Warp<T> &x, int l) { return (T)(x.v[l] + xor_from(x, l, o, 32)); });
    }
}

enum { KERNELS = 6 };
template <typename T>
static void shuffles_of(const char *name, Array<T> &in, Array<T> &out, int n, int kernels = KERNELS) {
    for (int kernel = 0; kernel < kernels; kernel++) {
        for (int i = 0; i < MOST; i++) out[i] = (T)0;
        switch (kernel) {
        case 0: down<T><<<1, n>>>(in, out); break;
        case 1: down_in_all<T><<<1, n>>>(in, out); break;
        case 2: butterfly<T><<<1, n>>>(in, out); break;
        case 3: butterfly_of_active<T><<<1, n>>>(in, out); break;
        case 4: rotated<T><<<1, n>>>(in, out); break;
        default: segments<T><<<1, n>>>(in, out); break;
        }
        CALL(cudaDeviceSynchronize());
        for (int first = 0; first < n; first += 32) {
            Warp<T> w = warp_of(in.p, n, first);
            switch (kernel) {
            case 0:
            case 1: summed(w); break;
            case 2: spread(w, false); break;
            case 3: spread(w, true); break;
            case 4:
                step(w, [](const Warp<T> &x, int l) {
                    return (T)(x.v[l] + at_from(x, l, l + 5, 32) + at_from(x, l, 3 * l, 16));
                });
                break;
            default:
                step(w, [](const Warp<T> &x, int l) { return (T)(x.v[l] + down_from(x, l, 3, 8)); });
                step(w, [](const Warp<T> &x, int l) { return (T)(x.v[l] + up_from(x, l, 2, 16)); });
                step(w, [](const Warp<T> &x, int l) { return (T)(x.v[l] + xor_from(x, l, 5, 8)); });
            }
            if (kernel == 0)
                compare(name, n, first, out[first / 32], w.v[0]);
            else
                for (int l = 0; l < 32 && first + l < n; l++)
                    compare(name, n, first + l, out[first + l], w.v[l]);
        }
    }
}

/* Every size up to two warps, and last warps of greater blocks. */
template <typename F> static void each_size(F f) {
    for (int n = 1; n <= 64; n++) f(n);
    for (int n : {65, 71, 95, 100, 129, 255, 500, 777, 1023, 1024}) f(n);
}
template <typename F> static void some_sizes(F f) {
    for (int n : {1, 5, 7, 13, 24, 31, 33, 48, 64, 1023}) f(n);
}
template <typename F> static void few_sizes(F f) {
    for (int n : {7, 24, 40}) f(n);
}

template <typename T> static void shuffles(const char *name) {
    Array<T> in(MOST), out(MOST);
    for (int i = 0; i < MOST; i++) in[i] = (T)(i * 3 + 1);
    few_sizes([&](int n) { shuffles_of(name, in, out, n); });
    report(name);
}
static void shuffles_of_int() {
    Array<int> in(MOST), out(MOST);
    for (int i = 0; i < MOST; i++) in[i] = i * 3 + 1;
    each_size([&](int n) { shuffles_of("int", in, out, n, 1); });
    some_sizes([&](int n) { shuffles_of("int", in, out, n); });
    report("int");
}

__global__ void pairs_of_halves(__half2 *out) {
    __half2 v = __floats2half2_rn(threadIdx.x % 16 + 1, threadIdx.x % 8);
    for (int o = 16; o; o >>= 1) v = __hadd2(v, __shfl_down_sync(~0u, v, o));
    out[threadIdx.x] = v;
}
static void halves() {
    Array<__half2> out(MOST);
    few_sizes([&](int n) {
        pairs_of_halves<<<1, n>>>(out);
        CALL(cudaDeviceSynchronize());
        for (int first = 0; first < n; first += 32) {
            Warp<float> x, y;
            for (int l = 0; l < 32; l++) {
                x.there[l] = y.there[l] = first + l < n;
                x.v[l] = (first + l) % 16 + 1, y.v[l] = (first + l) % 8;
            }
            summed(x), summed(y);
            for (int l = 0; l < 32 && first + l < n; l++) {
                compare("half2", n, first + l, __low2float(out[first + l]), x.v[l]);
                compare("half2", n, first + l, __high2float(out[first + l]), y.v[l]);
            }
        }
    });
    report("half2");
}

/* ---- lanes that have left, or are elsewhere ---- */

/* All threads from n on, or every third one, have gone. */
__global__ void after_exit(const int *in, int n, int third, int *out) {
    int t = threadIdx.x, v = in[t];
    if (t >= n || (third && t % 3 == 1)) return;
    int x = t + 1;
    for (int o = 16; o; o >>= 1) x += __shfl_down_sync(~0u, x, o);
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
    out[t] = v * 64 + x;
}
/* The even lanes ask the odd ones, which are in the other branch. */
__global__ void elsewhere(const int *in, int *out) {
    int t = threadIdx.x, v = in[t], r;
    if (t & 1) {
        v += 1000;
        r = v + __shfl_down_sync(0xaaaaaaaa, v, 2);
    } else {
        r = __shfl_down_sync(0x55555555, v, 1) + 2 * __shfl_up_sync(0x55555555, v, 2);
    }
    __syncwarp();
    out[t] = r + __shfl_xor_sync(~0u, r, 1);
}
static void gone() {
    Array<int> in(MOST), out(MOST);
    for (int i = 0; i < MOST; i++) in[i] = i * 7 + 3;
    some_sizes([&](int n) {
        for (int form = 0; form < 4; form++) {
            int stay = form & 1 ? n * 2 / 3 : n, third = form / 2;
            for (int i = 0; i < MOST; i++) out[i] = 0;
            after_exit<<<1, n>>>(in, stay, third, out);
            CALL(cudaDeviceSynchronize());
            for (int first = 0; first < n; first += 32) {
                Warp<int> w = warp_of(in.p, stay, first), x;
                for (int l = 0; l < 32; l++) w.there[l] &= !(third && (first + l) % 3 == 1);
                x = w;
                for (int l = 0; l < 32; l++) x.v[l] = first + l + 1;
                summed(x), spread(w, true);
                for (int l = 0; l < 32 && first + l < n; l++)
                    compare("lanes that left", n, first + l, out[first + l],
                            w.there[l] ? w.v[l] * 64 + x.v[l] : 0);
            }
        }
    });
    report("lanes that left");
    some_sizes([&](int n) {
        elsewhere<<<1, n>>>(in, out);
        CALL(cudaDeviceSynchronize());
        for (int first = 0; first < n; first += 32) {
            Warp<int> w = warp_of(in.p, n, first), even = w, odd = w, r = w;
            for (int l = 0; l < 32; l++) {
                if (l & 1) odd.v[l] += 1000;
                (l & 1 ? even : odd).there[l] = false;
            }
            step(r, [&](const Warp<int> &, int l) {
                return l & 1 ? odd.v[l] + down_from(odd, l, 2, 32)
                             : down_from(even, l, 1, 32) + 2 * up_from(even, l, 2, 32);
            });
            step(r, [](const Warp<int> &x, int l) { return x.v[l] + xor_from(x, l, 1, 32); });
            for (int l = 0; l < 32 && first + l < n; l++)
                compare("elsewhere", n, first + l, out[first + l], r.v[l]);
        }
    });
    report("lanes elsewhere");
}

/* ---- votes, matches, reductions ---- */

__global__ void counted(unsigned *out) {
    unsigned t = threadIdx.x, lane = t & 31, v = t * 2654435761u, *o = out + t * WORDS;
    int all;
    o[0] = __ballot_sync(~0u, lane % 3 != 0);
    o[1] = __activemask();
    o[2] = __all_sync(~0u, t < blockDim.x) + 2 * __any_sync(~0u, t >= blockDim.x) + 4 * __all_sync(~0u, lane);
    o[3] = __match_any_sync(~0u, lane / 3);
    o[4] = __match_all_sync(~0u, 7, &all) + all;
    o[5] = __reduce_add_sync(~0u, v) ^ __reduce_xor_sync(~0u, v) ^ __reduce_and_sync(~0u, v | 0xf0f);
    o[6] = __reduce_min_sync(~0u, v) ^ __reduce_or_sync(~0u, v & 0xff00ff);
    o[7] = __reduce_max_sync(~0u, (int)v) ^ __reduce_min_sync(~0u, (int)v);
}
static void votes() {
    Array<unsigned> out(MOST * WORDS);
    some_sizes([&](int n) {
        counted<<<1, n>>>(out);
        CALL(cudaDeviceSynchronize());
        for (int t = 0; t < n; t++) {
            unsigned want[WORDS] = {}, add = 0, x = 0, a = ~0u, o = 0, least = ~0u;
            int high = INT32_MIN, low = INT32_MAX, first = t & ~31, nonzero = 1;
            for (int l = 0; l < 32 && first + l < n; l++) {
                unsigned v = (first + l) * 2654435761u;
                want[0] |= (unsigned)(l % 3 != 0) << l;
                want[1] |= 1u << l;
                want[3] |= (unsigned)(l / 3 == (t & 31) / 3) << l;
                nonzero &= l != 0;
                add += v, x ^= v, a &= v | 0xf0f, o |= v & 0xff00ff;
                least = v < least ? v : least;
                high = (int)v > high ? (int)v : high, low = (int)v < low ? (int)v : low;
            }
            want[2] = 1 + 4 * nonzero;
            want[4] = want[1] + 1;
            want[5] = add ^ x ^ a, want[6] = least ^ o, want[7] = high ^ low;
            for (int k = 0; k < WORDS; k++) compare("votes", n, t, out[t * WORDS + k], want[k]);
        }
    });
    report("votes");
}

/* The lowest of the lanes that are still there. */
__global__ void elected(int *out) {
    if (threadIdx.x % 32 < 3) return;
    unsigned leader, is;
    asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(leader), "=r"(is));
    out[threadIdx.x] = leader * 2 + is;
}
static void elections() {
    Array<int> out(MOST);
    some_sizes([&](int n) {
        for (int i = 0; i < n; i++) out[i] = 0;
        elected<<<1, n>>>(out);
        CALL(cudaDeviceSynchronize());
        for (int t = 0; t < n; t++) compare("elections", n, t, out[t], t % 32 < 3 ? 0 : 6 + (t % 32 == 3));
    });
    report("elections");
}

/* ---- blocks of two and three dimensions, sums of blocks, cooperative groups ---- */

__global__ void in_planes(const int *in, int *out) {
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, v = in[t];
    int x = threadIdx.x, y = threadIdx.y;
    for (int o = 16; o; o >>= 1) {
        v += __shfl_down_sync(~0u, v, o);
        x += __shfl_xor_sync(~0u, x, o), y += __shfl_xor_sync(~0u, y, o);
    }
    out[t] = v + x * 1000 + y * 100000;
}
static void planes() {
    static const int shapes[][3] = {{1, 1, 1}, {2, 3, 1}, {3, 5, 1},  {8, 3, 1}, {16, 1, 3}, {5, 5, 5},
                                    {7, 1, 2}, {4, 4, 4}, {33, 2, 1}, {6, 8, 1}, {1, 40, 1}, {1, 1, 50}};
    Array<int> in(MOST), out(MOST);
    for (int i = 0; i < MOST; i++) in[i] = i + 1;
    for (auto &s : shapes) {
        int n = s[0] * s[1] * s[2];
        in_planes<<<1, dim3(s[0], s[1], s[2])>>>(in, out);
        CALL(cudaDeviceSynchronize());
        for (int first = 0; first < n; first += 32) {
            Warp<int> v = warp_of(in.p, n, first), x = v, y = v;
            for (int l = 0; l < 32; l++) x.v[l] = (first + l) % s[0], y.v[l] = (first + l) / s[0] % s[1];
            summed(v), spread(x, true), spread(y, true);
            for (int l = 0; l < 32 && first + l < n; l++)
                compare("planes", n, first + l, out[first + l], v.v[l] + x.v[l] * 1000 + y.v[l] * 100000);
        }
    }
    report("planes");
}

template <typename T> __global__ void block_sums(const T *in, T *out) {
    __shared__ T part[32];
    int t = threadIdx.x, warps = (blockDim.x + 31) / 32;
    T v = in[blockIdx.x * blockDim.x + t];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (t % 32 == 0) part[t / 32] = v;
    __syncthreads();
    unsigned who = __ballot_sync(~0u, t < warps);
    if (t < warps) {
        v = part[t];
        for (int o = 16; o; o >>= 1) v += __shfl_down_sync(who, v, o);
    }
    if (t == 0) out[blockIdx.x] = v;
}
template <typename T> static void sums_of_blocks(const char *name) {
    Array<T> in(3 * MOST), out(3);
    for (int i = 0; i < 3 * MOST; i++) in[i] = (T)(i % 91 + 1);
    some_sizes([&](int n) {
        block_sums<T><<<3, n>>>(in, out);
        CALL(cudaDeviceSynchronize());
        for (int b = 0; b < 3; b++) {
            T want = 0;
            for (int i = 0; i < n; i++) want += in[b * n + i];
            compare(name, n, b, out[b], want);
        }
    });
    report(name);
}

/* What an H100 gives for tiles of which a part is not there. */
__global__ void tiles(unsigned *out) {
    unsigned v = 100 + threadIdx.x % 32;
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto here = cg::coalesced_threads();
    out[threadIdx.x * 4] = cg::reduce(tile, v, cg::plus<unsigned>());
    out[threadIdx.x * 4 + 1] = tile.shfl_down(v, 3);
    out[threadIdx.x * 4 + 2] = (unsigned)cg::reduce(warp, (float)v, cg::plus<float>());
    out[threadIdx.x * 4 + 3] = here.shfl_down(v, 1) + 1000 * here.size();
}
static void groups() {
    Array<unsigned> out(256);
    for (int n : {7, 13, 24, 32, 39}) {
        tiles<<<1, n>>>(out);
        CALL(cudaDeviceSynchronize());
        printf("tiles of %d:", n);
        for (int k = 0; k < 4; k++)
            for (int l = n < 32 ? 0 : n - 7; l < n; l += 3) printf(" %u", out[l * 4 + k]);
        puts("");
    }
}

int main() {
    shuffles_of_int();
    shuffles<float>("float");
    shuffles<long long>("long long");
    shuffles<double>("double");
    halves();
    gone();
    votes();
    elections();
    planes();
    sums_of_blocks<int>("sums of blocks");
    sums_of_blocks<double>("sums of blocks, double");
    groups();
    return 0;
}
