/* histograms: bins counted as users do it. Values are bytes, words with and without a sign, fields of
 * vectors, numbers made of floats; bins lie in global memory, in shared memory, in a part for each warp, or
 * before the pointer; what is added is one, a weight, a wide number, a float. And kernels whose values are
 * changed by somebody between their load and the addition. Sums are exact in any order; the host says which.
 */
#include "program.h"

#include <algorithm>

enum { BINS = 128, THREADS = 192, BLOCKS = 5, N = 20000 + 77 };

#define EACH(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += gridDim.x * blockDim.x)

template <typename Value> __global__ void in_global(const Value *v, int n, unsigned *bins) {
    EACH(i, n) atomicAdd(&bins[v[i]], 1);
}

template <typename Value, int centre> __global__ void in_shared(const Value *v, int n, unsigned *bins) {
    __shared__ unsigned mine[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) mine[k] = 0;
    __syncthreads();
    EACH(i, n) atomicAdd(&mine[centre + v[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) atomicAdd(&bins[k], mine[k]);
}

/* Indices that only an unsigned number of 32 bits holds: by `bins`, 2^31 elements before the bins. */
__global__ void high(const unsigned *v, int n, unsigned *bins) {
    EACH(i, n) atomicAdd(&bins[v[i] | 1u << 31], 1);
}
__global__ void high_read(const unsigned *v, int n, const unsigned *from, unsigned *out) {
    EACH(i, n) out[i] = from[v[i] | 1u << 31];
}

/* Turns that the compiler unrolls: several additions to one array, and to two arrays. */
__global__ void unrolled(const unsigned *v, int n, unsigned *bins, unsigned *odd) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (; i + 3 * step < n; i += 4 * step)
#pragma unroll
        for (int k = 0; k < 4; k++) {
            atomicAdd(&bins[v[i + k * step]], 1);
            if (k % 2) atomicAdd(&odd[v[i + k * step]], 1);
        }
    for (; i < n; i += step) atomicAdd(&bins[v[i]], 1);
}

__global__ void of_floats(const float *v, int n, unsigned *bins) {
    EACH(i, n) {
        int bin = (int)(v[i] * BINS);
        atomicAdd(&bins[min(max(bin, 0), BINS - 1)], 1);
    }
}

__global__ void for_each_warp(const int *v, int n, unsigned *bins) {
    __shared__ unsigned all[THREADS / 32 * BINS];
    for (int k = threadIdx.x; k < THREADS / 32 * BINS; k += blockDim.x) all[k] = 0;
    __syncthreads();
    unsigned warp = threadIdx.x / 32;
    EACH(i, n) atomicAdd(&all[warp * BINS + v[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) {
        unsigned sum = 0;
        for (int w = 0; w < THREADS / 32; w++) sum += all[w * BINS + k];
        atomicAdd(&bins[k], sum);
    }
}

template <typename Sum, typename Weight>
__global__ void weighted(const int *v, const Weight *w, int n, Sum *sums) {
    EACH(i, n) atomicAdd(&sums[v[i]], (Sum)w[i]);
}

template <typename Sum> __global__ void weighted_shared(const int *v, const Sum *w, int n, Sum *sums) {
    __shared__ Sum mine[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) mine[k] = 0;
    __syncthreads();
    EACH(i, n) atomicAdd(&mine[v[i]], w[i]);
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) atomicAdd(&sums[k], mine[k]);
}

__global__ void of_int4(const int4 *v, int n, unsigned *bins) {
    EACH(i, n) {
        int4 x = v[i];
        atomicAdd(&bins[x.x], 1), atomicAdd(&bins[x.y], 1), atomicAdd(&bins[x.z], 1),
            atomicAdd(&bins[x.w], 1);
    }
}

__global__ void of_uchar4(const uchar4 *v, int n, unsigned *bins) {
    __shared__ unsigned mine[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) mine[k] = 0;
    __syncthreads();
    EACH(i, n) {
        uchar4 x = v[i];
        atomicAdd(&mine[x.x], 1), atomicAdd(&mine[x.y], 1), atomicAdd(&mine[x.z], 1),
            atomicAdd(&mine[x.w], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) atomicAdd(&bins[k], mine[k]);
}

/* Fields of structures, some of the lanes, and a weight that is a field. */
struct Event {
    int kind, cost, of;
};
__global__ void of_events(const Event *v, int n, int *sums) {
    EACH(i, n) if (v[i].of & 1) atomicAdd(&sums[v[i].kind], v[i].cost);
}

/* One warp: all lanes load before any adds, and what is stored in between is not what was loaded. */
__global__ void to_itself(unsigned *a, unsigned *bins) {
    __shared__ unsigned s[32];
    unsigned lane = threadIdx.x;
    s[lane] = a[lane];
    __syncwarp();
    atomicAdd(&a[a[lane]], 1);
    __syncwarp();
    atomicAdd(&s[s[lane]], 1);
    __syncwarp();
    bins[lane] = s[lane];
    unsigned x = a[lane];
    a[lane] = x + 7;
    atomicAdd(&bins[32 + (x & 63)], x);
}

/* Bins that are worked out: loops of few and of many turns, left early by some, and inside another loop. */
__device__ unsigned bin_of(unsigned x) { return x * 2654435761u >> 25; }

__global__ void worked_out(const unsigned *v, int n, unsigned last, unsigned *bins, unsigned *sums) {
    __shared__ unsigned mine[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) mine[k] = 0;
    __syncthreads();
    for (int begin = 0; begin < n; begin += 4096)
        for (int i = begin + blockIdx.x * blockDim.x + threadIdx.x; i < min(n, begin + 4096);
             i += gridDim.x * blockDim.x) {
            unsigned x = v[i];
            if (x == last) break;
            atomicAdd(&mine[bin_of(x)], 1);
            atomicAdd(&sums[bin_of(x)], x);
        }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x) atomicAdd(&bins[k], mine[k]);
}

/* Who added sees it, in the loop or behind it; lanes go in step. */
__global__ void seen_at_once(const unsigned *v, int n, unsigned *seen, unsigned *global) {
    __shared__ unsigned mine[BINS];
    for (int k = threadIdx.x; k < BINS; k += 32) mine[k] = 0;
    __syncwarp();
    unsigned lane = threadIdx.x, x = lane;
    for (int i = lane; i < n; i += 32) atomicAdd(&mine[x = bin_of(v[i])], 1);
    __syncwarp();
    seen[lane] = mine[x];
    __syncwarp();
    for (int i = lane; i < n; i += 32) {
        atomicAdd(&mine[x = bin_of(v[i] + 1)], 1);
        seen[32 + lane] += mine[x];
    }
    for (int i = lane; i < n; i += 32) {
        atomicAdd(&global[x = bin_of(v[i])], 2);
        seen[64 + lane] += global[(x + i) % BINS];
    }
}

static int wrong;
template <typename T> static void compare(const char *name, Array<T> &a, const std::vector<T> &expected) {
    CALL(cudaDeviceSynchronize());
    int bad = 0;
    for (size_t i = 0; i < expected.size(); i++) bad += a[i] != expected[i];
    if (bad) printf("%s: %d of %zu are wrong\n", name, bad, expected.size());
    wrong += bad;
    for (size_t i = 0; i < a.n; i++) a[i] = 0;
}

template <typename Value>
static void of_values(const char *name, const std::vector<int> &bin, Array<unsigned> &bins,
                      const std::vector<unsigned> &expected) {
    Array<Value> v(N);
    for (int i = 0; i < N; i++) v[i] = (Value)bin[i];
    in_global<<<BLOCKS, THREADS>>>(v.p, N, bins.p);
    compare(name, bins, expected);
    in_shared<Value, 0><<<BLOCKS, THREADS>>>(v.p, N, bins.p);
    compare(name, bins, expected);
    if ((Value)-1 > 0) return;
    for (int i = 0; i < N; i++) v[i] = (Value)(bin[i] - BINS / 2);
    in_global<<<BLOCKS, THREADS>>>(v.p, N, bins.p + BINS / 2);
    compare(name, bins, expected);
    in_shared<Value, BINS / 2><<<BLOCKS, THREADS>>>(v.p, N, bins.p);
    compare(name, bins, expected);
}

int main() {
    std::vector<int> bin(N), weight(N);
    std::vector<unsigned> counts(BINS), twice(BINS);
    std::vector<int> sums(BINS);
    std::vector<float> float_sums(BINS);
    std::vector<unsigned long long> wide(BINS);
    uint32_t state = 5;
    for (int i = 0; i < N; i++) {
        uint32_t x = next_random(state);
        bin[i] = x & 1 << 20 && i / 1000 % 3 ? x % BINS : i / 100 % BINS; /* and runs of one bin */
        weight[i] = (int)(x >> 8) % 1000 - 500;
        counts[bin[i]]++;
        sums[bin[i]] += weight[i];
        float_sums[bin[i]] += (float)weight[i];
        wide[bin[i]] += (unsigned long long)weight[i];
    }

    Array<unsigned> bins(BINS), odd(BINS);
    of_values<unsigned char>("bytes", bin, bins, counts);
    of_values<signed char>("signed bytes", bin, bins, counts);
    of_values<short>("shorts", bin, bins, counts);
    of_values<unsigned short>("unsigned shorts", bin, bins, counts);
    of_values<int>("ints", bin, bins, counts);
    of_values<unsigned>("unsigned ints", bin, bins, counts);
    of_values<long long>("long ints", bin, bins, counts);

    Array<unsigned> v(N), read(N);
    for (int i = 0; i < N; i++) v[i] = bin[i];
    high<<<BLOCKS, THREADS>>>(v.p, N, bins.p - (1ull << 31));
    compare("high indices", bins, counts);
    for (int k = 0; k < BINS; k++) odd[k] = k * 3 + 1;
    high_read<<<BLOCKS, THREADS>>>(v.p, N, odd.p - (1ull << 31), read.p);
    std::vector<unsigned> expected(N);
    for (int i = 0; i < N; i++) expected[i] = bin[i] * 3 + 1;
    compare("high indices, read", read, expected);
    for (int k = 0; k < BINS; k++) odd[k] = 0;

    const int step = BLOCKS * THREADS;
    for (int i = 0; i < N; i++) {
        int first = i % step, turn = i / step, turns = (N - first + step - 1) / step;
        if (turn % 2 && turn < turns / 4 * 4) twice[bin[i]]++;
    }
    unrolled<<<BLOCKS, THREADS>>>(v.p, N, bins.p, odd.p);
    compare("unrolled", bins, counts);
    compare("unrolled, odd", odd, twice);

    Array<float> f(N), float_weights(N), float_bins(BINS);
    Array<int> values(N), weights(N), int_bins(BINS);
    Array<unsigned long long> wide_bins(BINS);
    for (int i = 0; i < N; i++) {
        f[i] = (bin[i] + 0.5f) / BINS;
        values[i] = bin[i];
        weights[i] = weight[i];
        float_weights[i] = (float)weight[i];
    }
    of_floats<<<BLOCKS, THREADS>>>(f.p, N, bins.p);
    compare("floats", bins, counts);
    for_each_warp<<<BLOCKS, THREADS>>>(values.p, N, bins.p);
    compare("for each warp", bins, counts);
    weighted<<<BLOCKS, THREADS>>>(values.p, weights.p, N, int_bins.p);
    compare("weights", int_bins, sums);
    weighted_shared<<<BLOCKS, THREADS>>>(values.p, weights.p, N, int_bins.p);
    compare("weights, shared", int_bins, sums);
    weighted<<<BLOCKS, THREADS>>>(values.p, weights.p, N, wide_bins.p);
    compare("wide sums", wide_bins, wide);
    weighted<<<BLOCKS, THREADS>>>(values.p, float_weights.p, N, float_bins.p);
    compare("float sums", float_bins, float_sums);
    weighted_shared<<<BLOCKS, THREADS>>>(values.p, float_weights.p, N, float_bins.p);
    compare("float sums, shared", float_bins, float_sums);

    const int quarter = N / 4;
    std::vector<unsigned> of_quarters(BINS);
    for (int i = 0; i < quarter * 4; i++) of_quarters[bin[i]]++;
    Array<unsigned char> bytes(N);
    for (int i = 0; i < N; i++) bytes[i] = (unsigned char)bin[i];
    of_int4<<<BLOCKS, THREADS>>>((const int4 *)values.p, quarter, bins.p);
    compare("int4", bins, of_quarters);
    of_uchar4<<<BLOCKS, THREADS>>>((const uchar4 *)bytes.p, quarter, bins.p);
    compare("uchar4", bins, of_quarters);

    Array<Event> events(N);
    std::vector<int> costs(BINS);
    for (int i = 0; i < N; i++) {
        events[i].kind = bin[i], events[i].cost = weight[i], events[i].of = i / 3;
        if (i / 3 & 1) costs[bin[i]] += weight[i];
    }
    of_events<<<BLOCKS, THREADS>>>(events.p, N, int_bins.p);
    compare("events", int_bins, costs);

    Array<unsigned> a(32), seen(96);
    std::vector<unsigned> before(32), after(32), own(96);
    for (int l = 0; l < 32; l++) a[l] = before[l] = l * 7 % 32;
    after = before;
    for (int l = 0; l < 32; l++) after[before[l]]++;
    for (int l = 0; l < 32; l++) {
        own[l] = after[l];
        own[32 + (after[l] & 63)] += after[l];
    }
    for (int l = 0; l < 32; l++) after[l] += 7;
    to_itself<<<1, 32>>>(a.p, seen.p);
    compare("to itself, seen", seen, own);
    compare("to itself", a, after);
    const unsigned stop = 77;
    std::vector<unsigned> found(BINS), found_sums(BINS);
    for (int begin = 0; begin < N; begin += 4096)
        for (int t = 0; t < step; t++)
            for (int i = begin + t; i < std::min<int>(N, begin + 4096) && v[i] != stop; i += step) {
                unsigned k = v[i] * 2654435761u >> 25;
                found[k]++;
                found_sums[k] += v[i];
            }
    worked_out<<<BLOCKS, THREADS>>>(v.p, N, stop, bins.p, odd.p);
    compare("worked out", bins, found);
    compare("worked out, sums", odd, found_sums);
    const int few = 32 * 40;
    std::vector<unsigned> mine(BINS), all(BINS), looked(96);
    for (int turn = 0; turn < few; turn += 32) {
        for (int l = 0; l < 32; l++) mine[v[turn + l] * 2654435761u >> 25]++;
        if (turn + 32 < few) continue;
        for (int l = 0; l < 32; l++) looked[l] = mine[v[turn + l] * 2654435761u >> 25];
    }
    for (int turn = 0; turn < few; turn += 32) {
        for (int l = 0; l < 32; l++) mine[(v[turn + l] + 1) * 2654435761u >> 25]++;
        for (int l = 0; l < 32; l++) looked[32 + l] += mine[(v[turn + l] + 1) * 2654435761u >> 25];
        for (int l = 0; l < 32; l++) all[v[turn + l] * 2654435761u >> 25] += 2;
        for (int l = 0; l < 32; l++)
            looked[64 + l] += all[((v[turn + l] * 2654435761u >> 25) + turn + l) % BINS];
    }
    seen_at_once<<<1, 32>>>(v.p, few, seen.p, odd.p);
    compare("seen at once", seen, looked);
    compare("seen at once, sums", odd, all);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
