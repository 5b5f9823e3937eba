/* Loops that the grid goes through together, with all that makes a turn of a block different from one of a
 * warp: bounds that end inside a block, a warp, or before the first turn; counters that wrap round; counters,
 * sums and largest values that are wanted behind the loop, of little data and of much; branches, early exits
 * and barriers around it; shapes of blocks that are no whole warps. What comes out is compared with what the
 * host makes of it. */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define EACH(T, i, n) for (T i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)

enum { MOST = (1 << 19) + 4096, CELLS = 1 << 16 };

__global__ void saxpy(int n, float a, const float *x, float *y) { EACH(int, i, n) y[i] = a * x[i] + y[i]; }

__global__ void bytes(const unsigned char *x, unsigned *bins, size_t n) {
    __shared__ unsigned mine[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    EACH(size_t, i, n) atomicAdd(&mine[x[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}

/* The counter and two sums are wanted behind the loop. */
__global__ void sums(const int *x, int *out, int n) {
    int sum = 0, odd = 0, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += gridDim.x * blockDim.x) {
        sum += x[i];
        if (x[i] & 1) odd++;
    }
    atomicAdd(&out[0], sum);
    atomicAdd(&out[1], odd);
    atomicMax(&out[2], i);
}

__global__ void tree(const int *x, int *out, int n) {
    __shared__ int part[1024];
    int sum = 0;
    EACH(int, i, n) sum += x[i] * 3;
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

/* Some threads are gone before the loop, and some have nothing to do in it. */
__global__ void early(const int *x, int *out, int n, int first) {
    if (threadIdx.x < first) return;
    EACH(int, i, n) {
        const int v = x[i];
        if (v < 100)
            atomicMin(&out[v], i);
        else if (v > 900)
            atomicXor(&out[v], v * 7);
    }
}

/* Each thread has another bound. */
__global__ void own_bound(const int *x, int *out, int n) {
    const int mine = n - threadIdx.x % 3 * 1000;
    EACH(int, i, mine) out[i] = x[i] + 1;
}

/* A bound of 64 bits, from constant memory. */
__constant__ int limits[2];
__global__ void constant_bound(const int *x, int *out) {
    EACH(size_t, i, (size_t)limits[1] * limits[0]) out[i] = x[i] + 1;
}

/* Counters that wrap round, or come near it: which cells they visit is all that is seen. */
__global__ void wraps(unsigned *out, unsigned start, unsigned n, unsigned times) {
    for (unsigned i = start + blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x * times)
        atomicXor(&out[(i >> 8 ^ i) % CELLS], out[CELLS + i % 7] + 1);
}
__global__ void wraps_signed(unsigned *out, int start, int n, int times) {
    for (int i = start + blockIdx.x * blockDim.x + threadIdx.x; i <= n; i += gridDim.x * blockDim.x * times)
        atomicXor(&out[(unsigned)(i >> 8 ^ i) % CELLS], out[CELLS + (unsigned)i % 7] + 1);
}

/* Numbers of 32 bits that wrap round before they are extended. */
template <class From, class To>
__global__ void wraps_extended(unsigned *out, From start, To n, unsigned times) {
    for (To i = (From)(start + blockIdx.x * blockDim.x + threadIdx.x); i < n;
         i += gridDim.x * blockDim.x * times)
        atomicXor(&out[(i >> 8 ^ i) & (CELLS - 1)], out[CELLS + (i & 7) % 7] + 1);
}

/* Blocks of two rows; every other element, from behind. */
__global__ void rows(const int *x, int *out, int n) {
    const int t = threadIdx.y * blockDim.x + threadIdx.x, all = blockDim.x * blockDim.y;
    for (int i = blockIdx.x * all + t; i < n / 2; i += gridDim.x * all) out[n - 1 - 2 * i] = x[2 * i] ^ i;
}

/* The old value is wanted: the order of all turns is seen, and added up away. */
__global__ void tickets(const int *x, int *out, int n) { EACH(int, i, n) out[1 + atomicAdd(out, 1)] = 1; }

static int x[MOST], failures;
static int *device_x, *device_out;

template <class Launch>
static void expect(const char *what, const std::vector<int> &right, int n, const Launch &launch) {
    std::vector<int> out(right.size());
    cudaMemset(device_out, 0, right.size() * 4);
    launch();
    cudaMemcpy(out.data(), device_out, right.size() * 4, cudaMemcpyDeviceToHost);
    if (out == right) return;
    failures++;
    printf("%s of %d: wrong\n", what, n);
}

template <class T> static std::vector<int> visits(T start, T n, T step, int threads, bool or_equal) {
    std::vector<int> cells(CELLS + 7);
    for (int t = 0; t < threads; t++)
        for (T i = (T)(start + (T)t); i < n || (or_equal && i == n); i = (T)((unsigned)i + (unsigned)step))
            cells[(unsigned)(i >> 8 ^ i) % CELLS] ^= 1;
    return cells;
}

template <class From, class To> static void extended(From start, To n) {
    const unsigned times = 0x30000000 / 512;
    std::vector<int> cells(CELLS + 7);
    for (unsigned t = 0; t < 512; t++)
        for (To i = (From)(start + t); i < n; i += 512 * times) cells[(i >> 8 ^ i) & (CELLS - 1)] ^= 1;
    expect("wraps_extended", cells, (int)n,
           [&] { wraps_extended<From, To><<<2, 256>>>((unsigned *)device_out, start, n, times); });
}

static void all_of(int n, int blocks, int block) {
    std::vector<int> right(MOST);
    for (int i = 0; i < n; i++) right[i] = x[i] + 1;
    const int both[2] = {n, 1};
    cudaMemcpyToSymbol(limits, both, sizeof both);
    expect("constant_bound", right, n, [&] { constant_bound<<<blocks, block>>>(device_x, device_out); });
    for (int i = 0; i < n; i++)
        if (i >= n - i % (blocks * block) % block % 3 * 1000) right[i] = 0;
    expect("own_bound", right, n, [&] { own_bound<<<blocks, block>>>(device_x, device_out, n); });

    std::vector<float> y(MOST), z(MOST);
    for (int i = 0; i < n; i++) memcpy(&y[i], &x[i], 4), y[i] = 2 * y[i] + 0;
    memcpy(right.data(), y.data(), MOST * 4);
    expect("saxpy", right, n,
           [&] { saxpy<<<blocks, block>>>(n, 2, (float *)device_x, (float *)device_out); });

    std::vector<int> bins(256), three(3), one(1), cells(CELLS);
    for (int i = 0; i < n; i++) bins[((unsigned char *)x)[i]]++;
    expect("bytes", bins, n,
           [&] { bytes<<<blocks, block>>>((unsigned char *)device_x, (unsigned *)device_out, n); });

    for (int i = 0; i < n; i++) three[0] += x[i], three[1] += x[i] & 1, one[0] += x[i] * 3;
    for (int i = 0; i < blocks * block; i++) {
        int end = i;
        while (end < n) end += blocks * block;
        if (end > three[2]) three[2] = end;
    }
    expect("sums", three, n, [&] { sums<<<blocks, block>>>(device_x, device_out, n); });
    if ((block & (block - 1)) == 0)
        expect("tree", one, n, [&] { tree<<<blocks, block>>>(device_x, device_out, n); });

    for (int i = 0; i < n; i++) {
        if (i % (blocks * block) % block < 40) continue;
        if (x[i] > 900) cells[x[i]] ^= x[i] * 7;
    }
    expect("early", cells, n, [&] { early<<<blocks, block>>>(device_x, device_out, n, 40); });

    std::vector<int> back(MOST);
    for (int i = 0; i < n / 2; i++) back[n - 1 - 2 * i] = x[2 * i] ^ i;
    if (block % 2 == 0)
        expect("rows", back, n, [&] { rows<<<blocks, dim3(block / 2, 2)>>>(device_x, device_out, n); });

    std::vector<int> drawn(MOST + 1);
    for (int i = 0; i < n; i++) drawn[1 + i] = 1;
    drawn[0] = n;
    expect("tickets", drawn, n, [&] { tickets<<<blocks, block>>>(device_x, device_out, n); });
}

static void all_wraps() {
    const unsigned starts[] = {0, 5, 0x7fffff80, 0x80000000, 0xffffff80, 0xfffff000};
    const unsigned bounds[] = {0, 100, 0xa0000000, 0xefffffff};
    for (unsigned start : starts)
        for (unsigned n : bounds) {
            const unsigned times = 0x90000000 / 512; /* 512 threads */
            expect("wraps", visits<unsigned>(start, n, 512 * times, 512, false), n,
                   [&] { wraps<<<2, 256>>>((unsigned *)device_out, start, n, times); });
        }
    for (int start : {-2147483647, -300, 2147483647 - 511, 2147483647 - 4000})
        for (int n : {-2147483647, 0, 0x6fffffff}) {
            const int times = 0x30000000 / 512;
            expect("wraps_signed", visits<int>(start, n, 512 * times, 512, true), n,
                   [&] { wraps_signed<<<2, 256>>>((unsigned *)device_out, start, n, times); });
        }
    for (unsigned start : {0u, 5u, 0xffffffffu - 700, 0xffffffffu - 511, 0xffffffffu - 300, 0xffffffffu - 100,
                           0x7fffffffu - 300})
        for (long long n : {0ll, 100ll, 300ll, 0x70000000ll, 0xffffff00ll, 0x1ffffff00ll}) {
            extended<unsigned, unsigned long long>(start, n);
            extended<unsigned, long long>(start, n);
            extended<int, long long>((int)start, n);
            extended<int, long long>((int)start, -n);
        }
}

int main() {
    unsigned random = 1;
    for (int i = 0; i < MOST; i++) random = random * 1664525 + 1013904223, x[i] = random >> 8 & 1023;
    cudaMalloc(&device_x, MOST * 4);
    cudaMalloc(&device_out, (MOST + 1) * 4);
    cudaMemcpy(device_x, x, MOST * 4, cudaMemcpyHostToDevice);
    for (int n : {0, 1, 33, 1000, 4096, 4097, 5001, 20000, 65536, 100003})
        for (int block : {64, 100, 512}) all_of(n, 5, block);
    all_of(MOST, 3, 1024); /* more than the caches hold */
    all_of(MOST - 777, 5, 100);
    all_wraps();
    printf("%d wrong, %s\n", failures, cudaGetErrorString(cudaDeviceSynchronize()));
    return failures != 0;
}
