// Steps of the ladders that courses teach: each with what the next step mends, and none with what it has mended. What the
// lines before a kernel's head mean: pairs.py.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    if (cudaError_t e = (call)) {                                                                            \
        printf("%s: %s\n", #call, cudaGetErrorString(e));                                                    \
        exit(1);                                                                                             \
    }

const int n = 1 << 18, side = 256;

/* ---- A sum over blocks ---- */

/* Every second thread, then every fourth ... */
//! says divergent_branches "whole warps take the same path"
__global__ void sum_interleaved(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        if (t % (2 * d) == 0) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
/* The first threads, with words ever further apart. */
//! says bank_conflicts "s"
__global__ void sum_by_first_threads(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int i = 2 * d * t;
        if (i < 256) s[i] += s[i + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
/* The first threads, and words side by side. */
//! not bank_conflicts
//! not divergent_branches
__global__ void sum_sequential(const int *in, int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
/* Many words a thread, and shuffles. */
//! silent
__global__ void sum_by_shuffles(const int *in, int *out) {
    __shared__ int s[8];
    int t = threadIdx.x, v = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) v += in[i];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (t % 32 == 0) s[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = t < 8 ? s[t] : 0;
        for (int d = 4; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
        if (t == 0) out[blockIdx.x] = v;
    }
}

/* ---- A matrix product ---- */

/* Threads of a warp in different rows. */
//! says transposed_access "a"
__global__ void product_by_columns(const float *a, const float *b, float *c) {
    int row = blockIdx.x * 16 + threadIdx.x, column = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < side; k++) sum += a[row * side + k] * b[k * side + column];
    c[row * side + column] = sum;
}
//! says repeated_loads "a, b"
//! not transposed_access
__global__ void product_by_rows(const float *a, const float *b, float *c) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < side; k++) sum += a[row * side + k] * b[k * side + column];
    c[row * side + column] = sum;
}
//! silent
__global__ void product_by_tiles(const float *a, const float *b, float *c) {
    __shared__ float at[16][16], bt[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < side; t += 16) {
        at[threadIdx.y][threadIdx.x] = a[row * side + t + threadIdx.x];
        bt[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * side + column];
        __syncthreads();
        for (int k = 0; k < 16; k++) sum += at[threadIdx.y][k] * bt[k][threadIdx.x];
        __syncthreads();
    }
    c[row * side + column] = sum;
}

/* ---- A matrix times a vector ---- */

//! says transposed_access "Transposed load: a"
__global__ void gemv_row_a_thread(const float *a, const float *x, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < side; k++) sum += a[row * side + k] * x[k];
    y[row] = sum;
}
//! silent
__global__ void gemv_row_a_warp(const float *a, const float *x, float *y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int k = lane; k < side; k += 32) sum += a[row * side + k] * x[k];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
}

/* ---- Copies and strides ---- */

//! says strided_access "Let neighbouring lanes access neighbouring elements"
__global__ void chunk_a_thread(const float *in, float *out) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    for (int k = 0; k < 16; k++) out[i + k] = in[i + k] + 1;
}
//! silent
__global__ void grid_stride(const float *in, float *out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] + 1;
}
//! silent
__global__ void grey_by_words(const uchar4 *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uchar4 p = in[i];
    out[i] = 0.3f * p.x + 0.6f * p.y + 0.1f * p.z;
}

/* ---- Prefix sums ---- */

/* Each step needs two barriers: one before what it reads is overwritten. */
//! not needless_barrier
//! not bank_conflicts
__global__ void scan_in_place(int *v) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = v[i];
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
    }
    v[i] = s[t];
}
//! silent
__global__ void scan_by_warps(int *v) {
    __shared__ int sums[8];
    int t = threadIdx.x, lane = t % 32, i = blockIdx.x * 256 + t, mine = v[i];
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(~0u, mine, d);
        if (lane >= d) mine += left;
    }
    if (lane == 31) sums[t / 32] = mine;
    __syncthreads();
    for (int w = 0; w < t / 32; w++) mine += sums[w];
    v[i] = mine;
}

/* ---- Counting ---- */

//! says contended_atomics "copy in shared memory"
__global__ void histogram_in_memory(const int *in, int *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i]], 1);
}
//! not contended_atomics
__global__ void histogram_in_blocks(const int *in, int *bins) {
    __shared__ int mine[64];
    if (threadIdx.x < 64) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

template <class T> T *memory(size_t count) {
    T *p;
    CHECK(cudaMalloc(&p, count * sizeof(T)));
    CHECK(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

int main() {
    int *words = memory<int>(n), *sums = memory<int>(n);
    float *a = memory<float>(n), *b = memory<float>(n), *c = memory<float>(n);
    int *random = static_cast<int *>(malloc(n * sizeof(int)));
    unsigned z = 1;
    for (int i = 0; i < n; i++) random[i] = (z = z * 1664525u + 1013904223u) >> 26;
    CHECK(cudaMemcpy(words, random, n * sizeof(int), cudaMemcpyHostToDevice));
    free(random);
    histogram_in_memory<<<n / 256, 256>>>(words, memory<int>(64));
    histogram_in_blocks<<<132, 256>>>(words, memory<int>(64));
    sum_interleaved<<<n / 256, 256>>>(words, sums);
    sum_by_first_threads<<<n / 256, 256>>>(words, sums);
    sum_sequential<<<n / 256, 256>>>(words, sums);
    sum_by_shuffles<<<264, 256>>>(words, sums);
    product_by_columns<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c);
    product_by_rows<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c);
    product_by_tiles<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c);
    gemv_row_a_thread<<<n / side / 64, 64>>>(a, b, c);
    gemv_row_a_warp<<<n / side / 8, 256>>>(a, b, c);
    chunk_a_thread<<<n / 16 / 256, 256>>>(a, b);
    grid_stride<<<132, 256>>>(a, b);
    grey_by_words<<<n / 256, 256>>>(reinterpret_cast<uchar4 *>(words), c);
    scan_in_place<<<n / 256, 256>>>(words);
    scan_by_warps<<<n / 256, 256>>>(words);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
