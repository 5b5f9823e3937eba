/* Kernels of many access patterns, each launched once: what a profiler counts of them on a GPU is held
 * against what Warpglass counts (bench/gpu/counters runs the profiler, docs/accuracy.md has the table).
 *
 * None of them is an example of how to write a kernel: they are there for their strides, widths, offsets,
 * masks, and for what the assembler makes of them (joined loads, unrolled loops, divisions by constants).
 */
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t e_ = (call);                                                                             \
        if (e_ != cudaSuccess) {                                                                             \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));                      \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

constexpr int n = 1 << 16;

/* ---- global memory ---- */

__global__ void copy_float4(const float4 *in, float4 *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) out[i] = in[i];
}
__global__ void copy_bytes(const unsigned char *in, unsigned char *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}
__global__ void copy_offset(const int *in, int *out, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + by < n) out[i] = in[i + by];
}
__global__ void every_third(const double *in, double *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i * 3 < n) out[i * 3] = in[i * 3] * 2.0;
}
struct Particle {
    float x, y, z, mass;
    int id;
};
__global__ void move_particles(Particle *p, float dt) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 8) {
        p[i].x += dt * p[i].mass;
        p[i].y -= dt;
        p[i].id++;
    }
}
__global__ void gather(const int *index, const float *in, float *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[index[i]];
}
__global__ void odd_threads(const int *in, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i & 1) out[i] = in[i] * 3;
}
__global__ void stencil(const float *in, float *out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const float *at = in + y * width + x;
    out[y * width + x] = 0.2f * (at[0] + at[-1] + at[1] + at[-width] + at[width]);
}
__global__ void rows_times_vector(const float *m, const float *v, float *out, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int c = 0; c < columns; c++) sum += m[row * columns + c] * v[c];
    out[row] = sum;
}
__global__ void four_in_a_row(const int *in, int *out) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int sum = 0;
    for (int k = 0; k < 4; k++) sum += in[i + k];
    out[i / 4] = sum;
}
__global__ void grid_stride(const int *in, int *out, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = in[i] ^ 0x55;
}

/* ---- shared memory ---- */

__global__ void shared_stride(int *out, int stride) {
    __shared__ int s[1024];
    const int t = threadIdx.x;
    for (int k = t; k < 1024; k += blockDim.x) s[k] = k;
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = s[t * stride & 1023];
}
__global__ void shared_doubles(double *out) {
    __shared__ double s[256];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    out[blockIdx.x * 256 + t] = s[255 - t] + s[(t * 2) & 255];
}
__global__ void shared_float4(float4 *out) {
    __shared__ float4 s[128];
    const int t = threadIdx.x;
    s[t] = make_float4(t, t + 1, t + 2, t + 3);
    __syncthreads();
    float4 a = s[(t * 5) & 127];
    a.x += s[t ^ 1].w;
    out[blockIdx.x * 128 + t] = a;
}
__global__ void shared_bytes(unsigned char *out) {
    __shared__ unsigned char s[256];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    out[blockIdx.x * 256 + t] = s[t * 3 & 255];
}
__global__ void shared_half_warp(int *out) {
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t % 32 < 16) out[blockIdx.x * 256 + t] = s[t * 2 & 255];
}
template <int width> __global__ void tile_sum(const float *in, float *out) {
    __shared__ float tile[32][width];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.x * 32 + y) * 32 + x];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) sum += tile[x][k];
    out[(blockIdx.x * 32 + y) * 32 + x] = sum;
}
__global__ void scan_block(const int *in, int *out) {
    __shared__ int s[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = in[i];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        const int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[i] = s[t];
}

/* ---- atomics ---- */

__global__ void count_even(const int *in, int *count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[i] % 2 == 0) atomicAdd(count, 1);
}
__global__ void histogram_shared(const int *in, int *bins) {
    __shared__ int mine[64];
    if (threadIdx.x < 64) mine[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&mine[in[i] & 63], 1);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
__global__ void take_tickets(unsigned *next, unsigned *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = atomicAdd(&next[i & 7], 2u);
}
__global__ void greatest(const int *in, int *result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    for (int d = 16; d; d /= 2) v = max(v, __shfl_xor_sync(0xffffffffu, v, d));
    if (threadIdx.x % 32 == 0) atomicMax(result, v);
}
__global__ void float_sum(const int *in, float *result) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&result[i % 48], 0.5f * in[i]);
}

/* ---- local memory, constant memory, divergence ---- */

__constant__ float weights[64];
__global__ void filter_constant(const float *in, float *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 64 && i + k < n; k++) sum += weights[k] * in[i + k];
    out[i] = sum;
}
__global__ void local_array(const int *in, int *out, int turns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int a[16];
    for (int k = 0; k < 16; k++) a[k] = in[(i + k) % n];
    for (int k = 0; k < turns; k++) a[(in[i] + k) & 15] += a[k & 15];
    out[i] = a[in[i] & 15];
}
__global__ void steps_of_collatz(const int *in, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = in[i] % 97 + 1, steps = 0;
    while (x != 1 && steps < 200) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        steps++;
    }
    out[i] = steps;
}

int main() {
    int *ints, *result, *host = new int[n];
    char *a, *b;
    CHECK(cudaMalloc(&ints, n * sizeof(int)));
    CHECK(cudaMalloc(&result, n * sizeof(int)));
    CHECK(cudaMalloc(&a, n * 16));
    CHECK(cudaMalloc(&b, n * 16));
    CHECK(cudaMemset(a, 0, n * 16));
    CHECK(cudaMemset(b, 0, n * 16));
    CHECK(cudaMemset(result, 0, n * sizeof(int)));
    uint32_t seed = 12345;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        host[i] = (seed >> 8) % n;
    }
    CHECK(cudaMemcpy(ints, host, n * sizeof(int), cudaMemcpyHostToDevice));

    const int blocks = n / 256;
    float *fa = reinterpret_cast<float *>(a), *fb = reinterpret_cast<float *>(b);
    int *ia = reinterpret_cast<int *>(a), *ib = reinterpret_cast<int *>(b);
    copy_float4<<<blocks / 4, 256>>>(reinterpret_cast<float4 *>(a), reinterpret_cast<float4 *>(b));
    copy_bytes<<<blocks, 256>>>(reinterpret_cast<unsigned char *>(a), reinterpret_cast<unsigned char *>(b));
    copy_offset<<<blocks, 256>>>(ia, ib, 1);
    copy_offset<<<blocks, 256>>>(ia, ib, 7);
    every_third<<<blocks, 256>>>(reinterpret_cast<double *>(a), reinterpret_cast<double *>(b));
    move_particles<<<blocks / 8, 256>>>(reinterpret_cast<Particle *>(a), 0.5f);
    gather<<<blocks, 256>>>(ints, fa, fb);
    odd_threads<<<blocks, 256>>>(ia, ib);
    stencil<<<dim3(8, 32), dim3(32, 8)>>>(fa, fb, 250, 250);
    rows_times_vector<<<4, 64>>>(fa, fa, fb, 256);
    four_in_a_row<<<blocks / 4, 256>>>(ia, ib);
    grid_stride<<<40, 192>>>(ia, ib, n - 5);
    for (int stride = 1; stride <= 33; stride = stride < 4 ? stride + 1 : stride * 2 + (stride > 30))
        shared_stride<<<16, 128>>>(ib, stride);
    shared_doubles<<<16, 256>>>(reinterpret_cast<double *>(b));
    shared_float4<<<16, 128>>>(reinterpret_cast<float4 *>(b));
    shared_bytes<<<16, 256>>>(reinterpret_cast<unsigned char *>(b));
    shared_half_warp<<<16, 256>>>(ib);
    tile_sum<32><<<16, dim3(32, 32)>>>(fa, fb);
    tile_sum<33><<<16, dim3(32, 32)>>>(fa, fb);
    tile_sum<36><<<16, dim3(32, 32)>>>(fa, fb);
    scan_block<<<blocks, 256>>>(ints, ib);
    count_even<<<blocks, 256>>>(ints, result);
    histogram_shared<<<blocks, 256>>>(ints, result);
    take_tickets<<<blocks, 256>>>(reinterpret_cast<unsigned *>(result), reinterpret_cast<unsigned *>(b));
    greatest<<<blocks, 256>>>(ints, result);
    float_sum<<<blocks, 256>>>(ints, fb);
    filter_constant<<<blocks, 256>>>(fa, fb);
    local_array<<<blocks, 256>>>(ints, ib, 5);
    steps_of_collatz<<<blocks, 256>>>(ints, ib);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    printf("patterns: all launched\n");
    return 0;
}
