/* long_branches: much work behind a condition that parts the lanes of a few warps, at an image's edge or in a
 * tile's halo, with more to do behind it: the kernel's end, barriers, loops; and indices that wrap round at
 * the edge. Every result is checked against the host's.
 */
#include "program.h"

/* More than a hundred instructions, none of which is the other's double. */
__host__ __device__ static unsigned stir(unsigned x, unsigned y) {
    unsigned h = x * 2654435761u + y;
#pragma unroll
    for (int i = 1; i <= 24; i++) {
        h ^= h >> (i % 13 + 3);
        h = h * (2u * i + 2654435769u) + (x ^ i);
        h += (h << 5) & y;
    }
    return h;
}

__host__ __device__ static unsigned around(const unsigned *in, int x, int y, int w) {
    unsigned sum = 0;
#pragma unroll
    for (int dy = -2; dy <= 2; dy++)
#pragma unroll
        for (int dx = -2; dx <= 2; dx++) sum = sum * 5 + in[(y + dy) * w + x + dx];
    return sum;
}

/* The same index is worked out on either side of the condition, and wanted behind it. */
__global__ void image(const unsigned *in, unsigned *out, unsigned *half, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned r = 7;
    if (x >= 2 && y >= 2 && x < w - 2 && y < h - 2) r = around(in, x, y, w);
    if (x < w && y < h) {
        out[y * w + x] = r;
        half[y * w + x] = r / 2;
    }
}

/* Two ways, both long, a value of each of them wanted behind; some lanes have left before. */
__global__ void either(const unsigned *in, unsigned *out, int n, int border) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a = in[i], b = i;
    if (i % 50 < border) {
        a = stir(a, b);
        b = a >> 7;
    } else {
        b = stir(b, a + 1);
        a ^= b >> 3;
    }
    out[i] = stir(a, b);
}

/* A barrier behind it, then what the whole block has made; `scale` is the same for all warps, and made behind
 * the condition's block in each of them. */
template <int THREADS> __global__ void tiles(const unsigned *in, unsigned *out, int n, int turns) {
    __shared__ unsigned tile[THREADS + 8];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    unsigned sum = 0;
    for (int turn = 0; turn < turns; turn++) {
        tile[t + 4] = i < n ? in[i] + turn : 0;
        if (t < 4) {
            int left = i - 4, right = i + THREADS;
            tile[t] = left >= 0 ? stir(in[left], turn) : 1;
            tile[t + THREADS + 4] = right < n ? stir(in[right], turn + 1) : 2;
        }
        int scale = n / (turn + 1) + blockIdx.x;
        __syncthreads();
        for (int k = 0; k <= 8; k++) sum = sum * 3 + tile[t + k] * (scale | 1);
        __syncthreads();
    }
    if (i < n) out[i] = sum;
}

/* A condition that parts lanes among those that a condition has parted. */
__global__ void nested(const unsigned *in, unsigned *out, int n, int a, int b) {
    __shared__ unsigned seen[4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = i < n ? in[i] : 0;
    if (threadIdx.x < 4) seen[threadIdx.x] = 0;
    __syncthreads();
    if (i > a) {
        x = stir(x, i);
        if (x & 64) x += stir(i, x);
        if (i > b) x = x * 17 + stir(x, x);
        x ^= in[i % n];
    }
    atomicAdd(&seen[x & 3], 1);
    __syncthreads();
    if (i < n) out[i] = x + seen[threadIdx.x & 3];
}

/* Loops behind it, whose lanes part as well. */
__global__ void loops(const unsigned *in, unsigned *out, int n, int a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = in[i % n];
    if (i > a && i < n - a) x = stir(x, i);
    for (unsigned k = 0; k < x % 7; k++) x = x * 5 + k;
    if (i < n) out[i] = x;
}

/* Neighbours round the edges. */
__global__ void torus(const unsigned char *in, unsigned char *out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) n += in[(y + dy + h) % h * w + (x + dx + w) % w];
    out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}

/* Quotient and remainder by what only the launch knows, signed and not, down to zero and through it; then a
 * barrier. */
template <class T> __global__ void rows(T *out, T first, T by) {
    __shared__ T all[96];
    T i = first + (T)(blockIdx.x * blockDim.x + threadIdx.x);
    all[threadIdx.x] = by ? i / by * 1000 + i % by : 5;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = all[threadIdx.x] + all[blockDim.x - 1 - threadIdx.x];
}

/* Numbers that wrap round 2^32 within a warp, and indices that a divisor was added to. */
__global__ void remainders(unsigned *out, unsigned first, unsigned by, int n, int step) {
    unsigned i = first + blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.x, x = threadIdx.x;
    unsigned *to = out + (blockIdx.x * blockDim.x + threadIdx.x) * 6;
    to[0] = i / by, to[1] = i % by, to[2] = (i + by) % by;
    to[3] = (x + step + n) % n, to[4] = (y + n - step) % n, to[5] = (x + (unsigned)n + step) % (unsigned)n;
}

static bool is_right_image(const unsigned *in, const unsigned *out, const unsigned *half, int w, int h) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            unsigned r = x >= 2 && y >= 2 && x < w - 2 && y < h - 2 ? around(in, x, y, w) : 7;
            if (out[y * w + x] != r || half[y * w + x] != r / 2) return false;
        }
    return true;
}

static void images() {
    const int w = 203, h = 37;
    Array<unsigned> in(w * h), out(w * h), half(w * h);
    Array<unsigned char> cells(w * h), next(w * h);
    uint32_t state = 9;
    for (int i = 0; i < w * h; i++) in[i] = next_random(state), cells[i] = in[i] >> 9 & 1;
    const dim3 shapes[] = {{32, 4}, {64, 2}, {16, 16}, {96, 1}, {7, 5}, {128, 1}, {8, 8}, {32, 32}};
    for (dim3 s : shapes) {
        dim3 grid((w + s.x - 1) / s.x, (h + s.y - 1) / s.y);
        image<<<grid, s>>>(in, out, half, w, h);
        torus<<<grid, s>>>(cells, next, w, h);
        CALL(cudaDeviceSynchronize());
        int wrong = !is_right_image(in, out, half, w, h);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                int n = 0;
                for (int k = 0; k < 9; k++)
                    if (k != 4) n += cells[(y + k / 3 - 1 + h) % h * w + (x + k % 3 - 1 + w) % w];
                wrong += next[y * w + x] != (n == 3 || (n == 2 && cells[y * w + x]));
            }
        printf("images in blocks of %ux%u: %016llx %016llx, %d wrong\n", s.x, s.y,
               (unsigned long long)hash_of(out.p, w * h), (unsigned long long)hash_of(next.p, w * h), wrong);
    }
}

template <int THREADS> static void tile(const unsigned *in, int n) {
    Array<unsigned> out(n);
    int wrong = 0;
    tiles<THREADS><<<(n + THREADS - 1) / THREADS, THREADS>>>(in, out, n, 3);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        unsigned sum = 0;
        int block = i / THREADS, first = block * THREADS;
        for (int turn = 0; turn < 3; turn++)
            for (int k = -4; k <= 4; k++) {
                int j = i + k, from = j < first ? j : j - THREADS;
                unsigned x = j < n ? in[j < 0 ? 0 : j] + turn : 0;
                if (j < first) x = j >= 0 ? stir(in[j], turn) : 1;
                if (j >= first + THREADS) x = from + THREADS < n ? stir(in[j], turn + 1) : 2;
                sum = sum * 3 + x * ((n / (turn + 1) + block) | 1);
            }
        wrong += out[i] != sum;
    }
    printf("tiles of %d: %016llx, %d wrong\n", THREADS, (unsigned long long)hash_of(out.p, n), wrong);
}

static void lines() {
    const int n = 3001;
    Array<unsigned> in(n), out(n);
    uint32_t state = 3;
    for (int i = 0; i < n; i++) in[i] = next_random(state);
    for (int border : {0, 1, 17, 49, 50}) {
        either<<<(n + 127) / 128, 128>>>(in, out, n, border);
        CALL(cudaDeviceSynchronize());
        int wrong = 0;
        for (int i = 0; i < n; i++) {
            unsigned a = in[i], b = i;
            if (i % 50 < border)
                a = stir(a, b), b = a >> 7;
            else
                b = stir(b, a + 1), a ^= b >> 3;
            wrong += out[i] != stir(a, b);
        }
        printf("either, %d of 50: %016llx, %d wrong\n", border, (unsigned long long)hash_of(out.p, n), wrong);
    }
    tile<32>(in, n), tile<64>(in, n), tile<96>(in, n), tile<50>(in, n);
    for (int a : {-1, 40, 1000, 5000}) {
        nested<<<(n + 95) / 96, 96>>>(in, out, n, a, a + 777);
        show("nested", out);
        loops<<<(n + 95) / 96, 96>>>(in, out, n, a);
        CALL(cudaDeviceSynchronize());
        int wrong = 0;
        for (int i = 0; i < n; i++) {
            unsigned x = in[i];
            if (i > a && i < n - a) x = stir(x, i);
            for (unsigned k = 0; k < x % 7; k++) x = x * 5 + k;
            wrong += out[i] != x;
        }
        printf("loops from %d: %016llx, %d wrong\n", a, (unsigned long long)hash_of(out.p, n), wrong);
    }
}

template <class T> static void quotients(const char *name) {
    const unsigned long long least = 1ull << (sizeof(T) * 8 - 1);
    const unsigned long long firsts[] = {0, 5, 0ull - 300, 0ull - 100, least - 200, least + 1, 100000},
                             divisors[] = {0, 1, 2, 7, 33, 96, 1000, 0ull - 1, 0ull - 7, least - 1, least};
    Array<T> out(288);
    uint64_t hash = 0;
    for (unsigned long long first : firsts)
        for (unsigned long long by : divisors) {
            rows<T><<<3, 96>>>(out, (T)first, (T)by);
            CALL(cudaDeviceSynchronize());
            hash = hash * 31 + hash_of(out.p, 288);
        }
    printf("quotients, %s: %016llx\n", name, (unsigned long long)hash);
}

static void wrapping() {
    const unsigned half = 1u << 31, firsts[] = {0, 7, 0u - 100, half - 50},
                   bys[] = {1, 7, 1000, half, half + 3, 0u - 1};
    const int sizes[] = {1, 31, 64, 96, 1000, INT32_MAX}, steps[] = {-1, 0, 1, 100, -2000};
    const int threads = 96, blocks = 3;
    Array<unsigned> out(threads * blocks * 6);
    int wrong = 0;
    for (unsigned first : firsts)
        for (unsigned by : bys)
            for (int n : sizes)
                for (int step : steps) {
                    remainders<<<blocks, threads>>>(out, first, by, n, step);
                    CALL(cudaDeviceSynchronize());
                    for (int k = 0; k < threads * blocks; k++) {
                        unsigned i = first + k, m = n;
                        int x = k % threads, y = k / threads;
                        int a = (int)((unsigned)(x + step) + m), b = (int)((unsigned)y + m - (unsigned)step);
                        const unsigned want[6] = {i / by,
                                                  i % by,
                                                  (i + by) % by,
                                                  (unsigned)(a % n),
                                                  (unsigned)(b % n),
                                                  (x + m + (unsigned)step) % m};
                        for (int j = 0; j < 6; j++) wrong += out[k * 6 + j] != want[j];
                    }
                }
    printf("wrapping: %d wrong\n", wrong);
}

int main() {
    images();
    lines();
    wrapping();
    quotients<int>("int");
    quotients<unsigned>("unsigned");
    quotients<long long>("long long");
    return 0;
}
