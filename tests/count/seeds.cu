// The kernels whose counters were measured on an H200 (seeds.tsv): one for each way of reaching memory
// that the gallery teaches, small enough to follow every access by hand. nvcc made seeds.ptx of this file:
//     nvcc -arch=sm_90 -O3 -lineinfo -ptx seeds.cu
// seeds_test.c launches them as they were launched there.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
typedef unsigned char byte;

constexpr int N = 4096; // rows and columns of the transposed matrix

__global__ void vector_add(const int *a, const int *b, int *sum) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    sum[i] = a[i] + b[i];
}

// ---- transposes ----

__global__ void transpose_naive(int *in, int *out) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    out[y * N + x] = in[x * N + y];
}

template <int Padding> __global__ void transpose_shared(int *in, int *out) {
    __shared__ int tile[32][32 + Padding];
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    int to_x = threadIdx.x + blockIdx.y * blockDim.x, to_y = threadIdx.y + blockIdx.x * blockDim.y;
    tile[threadIdx.x][threadIdx.y] = in[y * N + x];
    __syncthreads();
    out[to_y * N + to_x] = tile[threadIdx.y][threadIdx.x];
}
template __global__ void transpose_shared<0>(int *, int *);
template __global__ void transpose_shared<1>(int *, int *);

// ---- an array of structures, a structure of arrays ----

struct Pixel {
    int r, g, b, hue, saturation, greatest, least, result;
};
struct Pixels {
    int *r, *g, *b, *hue, *saturation, *greatest, *least, *result;
};

__global__ void array_of_structures(Pixel *p) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int gray = (p[i].r + p[i].g + p[i].b) / 3;
    p[i].hue = gray * 10 / 4;
    p[i].saturation = gray % 15;
    p[i].greatest = max(max(p[i].r, p[i].g), p[i].b);
    p[i].least = min(min(p[i].r, p[i].g), p[i].b);
    p[i].result = gray * p[i].hue + p[i].saturation;
}

__global__ void structure_of_arrays(Pixels p) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int gray = (p.r[i] + p.g[i] + p.b[i]) / 3;
    p.hue[i] = gray * 10 / 4;
    p.saturation[i] = gray % 15;
    p.greatest[i] = max(max(p.r[i], p.g[i]), p.b[i]);
    p.least[i] = min(min(p.r[i], p.g[i]), p.b[i]);
    p.result[i] = gray * p.hue[i] + p.saturation[i];
}

// ---- reversal ----

__global__ void reverse_global(const int *in, int *out, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) out[n - 1 - i] = in[i];
}

__global__ void reverse_shared(const int *in, int *out, int n) {
    extern __shared__ int s[];
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    s[blockDim.x - 1 - threadIdx.x] = in[i];
    __syncthreads();
    out[(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x] = s[threadIdx.x];
}

// ---- reductions ----

__global__ void reduce_naive(int *a, int n) {
    for (int stride = 1; stride < (int)blockDim.x; stride *= 2) {
        int i = threadIdx.x, base = blockIdx.x * blockDim.x;
        if (i % (2 * stride) == 0) a[base + i] += a[base + i + stride];
        __syncthreads();
    }
}

__global__ void reduce_global(int *a, int n) {
    int base = blockIdx.x * blockDim.x;
    for (int stride = 1; stride < (int)blockDim.x; stride *= 2) {
        int i = 2 * stride * threadIdx.x;
        if (i < blockDim.x) a[base + i] += a[base + i + stride];
        __syncthreads();
    }
}

__global__ void reduce_coalesced(int *a, int n) {
    int base = blockIdx.x * blockDim.x;
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) a[base + threadIdx.x] += a[base + threadIdx.x + stride];
        __syncthreads();
    }
}

__global__ void reduce_shared_conflict(const int *a, int *out, int n) {
    extern __shared__ int s[];
    s[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int stride = 1; stride < (int)blockDim.x; stride *= 2) {
        int i = 2 * stride * threadIdx.x;
        if (i < blockDim.x) s[i] += s[i + stride];
        __syncthreads();
    }
    if (!threadIdx.x) out[blockIdx.x] = s[0];
}

__global__ void reduce_shared_sequential(const int *a, int *out, int n) {
    extern __shared__ int s[];
    s[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
        __syncthreads();
    }
    if (!threadIdx.x) out[blockIdx.x] = s[0];
}

// ---- matrix products: c (n x l) = a (n x m) * b (m x l) ----

__global__ void matmul_naive(int *a, int *b, int *c, int n, int m, int l) {
    int t = threadIdx.x + blockIdx.x * blockDim.x;
    if (t < n * l) {
        int column = t % l, row = t / l, sum = 0;
        for (int i = 0; i < m; i++) sum += a[i + row * m] * b[column + i * l];
        c[column + row * l] = sum;
    }
}

template <int Tile> __global__ void matmul_tiled(int *a, int *b, int *c, int n, int m, int l) {
    __shared__ int of_a[Tile][Tile], of_b[Tile][Tile];
    int x = threadIdx.x, y = threadIdx.y, sum = 0;
    int column = x + blockIdx.x * Tile, row = y + blockIdx.y * Tile;
    for (int i = 0; i < m / Tile; i++) {
        of_a[y][x] = a[i * Tile + x + row * m];
        of_b[y][x] = b[column + (i * Tile + y) * l];
        __syncthreads();
        for (int j = 0; j < Tile; j++) sum += of_a[y][j] * of_b[j][x];
        __syncthreads();
    }
    c[column + row * l] = sum;
}
template __global__ void matmul_tiled<16>(int *, int *, int *, int, int, int);
template __global__ void matmul_tiled<32>(int *, int *, int *, int, int, int);

// ---- mean filters of radius R ----

template <int R> __global__ void mean_noshared(byte *in, byte *out, int width, int height) {
    int x = blockDim.x * blockIdx.x + threadIdx.x, y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x < R || y < R || x >= width - R || y >= height - R) return;
    unsigned sum = 0;
    for (int j = -R; j <= R; j++)
        for (int i = -R; i <= R; i++) sum += in[(y + j) * width + x + i];
    out[y * width + x] = sum / ((2 * R + 1) * (2 * R + 1));
}
template __global__ void mean_noshared<1>(byte *, byte *, int, int);
template __global__ void mean_noshared<2>(byte *, byte *, int, int);

template <int R> __global__ void mean_shared(byte *in, byte *out, int width, int height) {
    __shared__ int rows[2 * R + 1][128];
    int t = threadIdx.x, x = (blockDim.x - 2 * R) * blockIdx.x + t, y = blockIdx.y;
    bool inside = y >= R && y < height - R && x < width;
    if (inside)
        for (int j = 0; j <= 2 * R; j++) rows[j][t] = in[(y + j - R) * width + x];
    __syncthreads();
    if (!inside || t < R || t >= 128 - R || x >= width - R) return;
    unsigned sum = 0;
    for (int j = 0; j <= 2 * R; j++)
        for (int i = -R; i <= R; i++) sum += rows[j][t + i];
    out[y * width + x] = sum / ((2 * R + 1) * (2 * R + 1));
}
template __global__ void mean_shared<1>(byte *, byte *, int, int);
template __global__ void mean_shared<2>(byte *, byte *, int, int);

// ---- histograms ----

__device__ int bin_of(int value, int bins) { return value < 0 ? 0 : value >= bins ? bins - 1 : value; }

__global__ void hist_global(int *bins, int nbins, const int *in, size_t n) {
    for (size_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[bin_of(in[i], nbins)], 1);
}

__global__ void hist_shared(int *bins, int nbins, const int *in, size_t n) {
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < nbins; i += blockDim.x) s[i] = 0;
    __syncthreads();
    for (size_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&s[bin_of(in[i], nbins)], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < nbins; i += blockDim.x) atomicAdd(&bins[i], s[i]);
}

__global__ void hist_cluster(int *bins, int nbins, int bins_per_block, const int *in, size_t n) {
    extern __shared__ int s[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) s[i] = 0;
    cluster.sync();
    for (size_t i = cg::this_grid().thread_rank(); i < n; i += (size_t)blockDim.x * gridDim.x) {
        int bin = bin_of(in[i], nbins);
        int *there = cluster.map_shared_rank(s, bin / bins_per_block);
        atomicAdd(there + bin % bins_per_block, 1);
    }
    cluster.sync();
    int *mine = bins + cluster.block_rank() * bins_per_block;
    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(&mine[i], s[i]);
}
