// What an expert sees at once, each with a twin that must not hear of it. What the lines before a kernel's head mean: pairs.py.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                          \
    if (cudaError_t e = (call)) {                                                                            \
        printf("%s: %s\n", #call, cudaGetErrorString(e));                                                    \
        exit(1);                                                                                             \
    }

const int n = 1 << 16;

/* ---- Launches ---- */

__device__ float polynomial(float x, int turns) {
    for (int t = 0; t < turns; t++) x = x * 0.5f + 1;
    return x;
}
//! says block_size "Blocks of 16 threads"
//! says block_size "16 are idle: half of the lanes"
__global__ void small_blocks(float *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = polynomial(v[i], turns);
}
//! says block_size "multiple of 32"
__global__ void blocks_of_100(float *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = polynomial(v[i], turns);
}
//! silent
//! not block_size
__global__ void whole_blocks(float *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = polynomial(v[i], turns);
}
/* One lane in forty is missing: not worth a word. */
//! not block_size
__global__ void blocks_of_500(float *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = polynomial(v[i], turns);
}

//! says few_blocks "1 block uses 1 of 132 SMs"
__global__ void one_block(const float *in, float *out) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = polynomial(in[i], 20);
}
//! not few_blocks
__global__ void many_blocks(const float *in, float *out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = polynomial(in[i], 20);
}
/* There is no more to do than a block can. */
//! silent
//! not few_blocks
__global__ void little_work(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

//! says short_launches "40 short launches"
//! says short_launches "CUDA graph"
__global__ void one_step(float *v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = v[i] * 0.5f + 1;
}
//! not short_launches
__global__ void all_steps(float *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = polynomial(v[i], turns);
}
//! not short_launches
__global__ void long_step(float *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = polynomial(v[i], turns);
}

/* ---- Rows and gathers ---- */

//! says row_a_thread "Let a warp"
//! not random_gather "column"
__global__ void rows_by_thread(const int *start, const int *column, const float *value, const float *x,
                               float *y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
#pragma unroll 1
    for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
    y[row] = sum;
}
//! not row_a_thread
__global__ void rows_by_warp(const int *start, const int *column, const float *value, const float *x,
                             float *y, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
#pragma unroll 1
    for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[column[k]];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (!lane) y[row] = sum;
}

/* The same unrolled: four loads of one line. */
//! says row_a_thread "Let a warp"
//! once random_gather
__global__ void rows_unrolled(const int *start, const int *column, const float *value, const float *x,
                              float *y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
#pragma unroll 4
    for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
    y[row] = sum;
}
/* Rows of 16 elements each, which the compiler unrolls by four; and a last warp of few rows. */
//! says strided_access "a warp may take the row"
//! not transposed_access
__global__ void rows_alike(const int *start, const int *column, const float *value, const float *x, float *y,
                           int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
    y[row] = sum;
}
//! says transposed_access "a warp may take the row"
__global__ void rows_of_matrix(const float *a, const float *x, float *y, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < columns; k++) sum += a[row * columns + k] * x[k];
    y[row] = sum;
}

/* ---- One lane ---- */

//! says few_blocks "more blocks of at least 32 threads (now 1)"
//! not one_lane
__global__ void one_thread(float *x, int count) {
    for (int i = 0; i < count; i++) x[i] = x[i] * 2 + 1;
}
//! says one_lane "Let all threads take a share"
//! not few_blocks
//! headline "1 of 132 SMs at work"
__global__ void divide_by_sum(float *x, int count) {
    __shared__ float sum;
    if (threadIdx.x == 0) {
        float s = 0;
        for (int i = 0; i < count; i++) s += x[i];
        sum = s;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) x[i] /= sum;
}
//! not one_lane
__global__ void divide_by_sum_of_all(float *x, int count) {
    __shared__ float sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    float s = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) s += x[i];
    for (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, s);
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) x[i] /= sum;
}

//! says narrow_access "Narrow accesses: a, b, c"
//! once narrow_access
__global__ void add_shorts(const short *a, const short *b, short *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}
//! not narrow_access
__global__ void add_pairs(const short2 *a, const short2 *b, short2 *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    short2 x = a[i], y = b[i];
    c[i] = make_short2(x.x + y.x, x.y + y.y);
}
/* Rows of 1,001 floats, loaded and stored again. */
//! says misaligned_base "Align the data, or each row of it"
//! once misaligned_base
__global__ void scale_rows(float *m, const float *by, int columns) {
    for (int c = threadIdx.x; c < columns; c += blockDim.x) m[blockIdx.x * columns + c] *= by[blockIdx.x];
}

//! says random_gather "Sort or bin"
//! once random_gather
__global__ void gather(const float *table, const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[index[i]];
}
//! silent
//! not random_gather
__global__ void gather_sorted(const float *table, const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[index[i]];
}
/* The compiler loads the one byte that is needed of each element. */
//! not strided_access
__global__ void low_bytes(const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (float)(index[i] & 255);
}

/* ---- Constants and local arrays ---- */

__constant__ float weights[256];
//! says divergent_constant "weights"
__global__ void constants_by_lane(const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 32; k++) sum += weights[(index[i] + 7 * k) & 255];
    out[i] = sum;
}
//! not divergent_constant
__global__ void constants_by_turn(const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 32; k++) sum += weights[(index[0] + 7 * k) & 255] * i;
    out[i] = sum;
}

__device__ __noinline__ float best_of(const int *index, int i) {
    float best[16];
    for (int k = 0; k < 16; k++) best[k] = (float)(index[(i + k) & (n - 1)] & 255);
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += best[index[(i * 3 + k) & (n - 1)] & 15];
    return sum;
}
//! says local_array "A function that the kernel calls has local memory"
__global__ void array_of_function(const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = best_of(index, i);
}
//! says local_array "is kept in registers"
__global__ void array_by_index(const int *index, float *v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, first = index[i];
    float a[16], sum = 0;
    for (int k = 0; k < 16; k++) a[k] = v[i] + k;
    for (int k = 0; k < 64; k++) sum += a[(first + k * k) & 15];
    v[i] = sum;
}
//! silent
//! not local_array
__global__ void array_unrolled(float *v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[16], sum = 0;
    for (int k = 0; k < 16; k++) a[k] = v[i] + k;
    for (int k = 0; k < 64; k++) sum += a[(k * k) & 15];
    v[i] = sum;
}

/* ---- Barriers and atomics ---- */

//! says needless_barrier "Leave one out"
__global__ void two_barriers(float *v, int turns) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = v[i];
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        float x = s[t ^ 32] + 1;
        __syncthreads();
        s[t] = x;
        __syncthreads();
        __syncthreads();
    }
    v[i] = s[t];
}
//! not needless_barrier
__global__ void barriers_as_needed(float *v, int turns) {
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = v[i];
    __syncthreads();
    for (int k = 0; k < turns; k++) {
        float x = s[t ^ 32] + 1;
        __syncthreads();
        s[t] = x;
        __syncthreads();
    }
    v[i] = s[t];
}

//! says contended_atomics "once for each block"
//! not contended_atomics "copy in shared memory"
__global__ void sum_by_atomics(const float *in, float *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(sum, in[i]);
}
//! not contended_atomics
__global__ void sum_by_blocks(const float *in, float *sum) {
    __shared__ float part[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; w++) v += part[w];
        atomicAdd(sum, v);
    }
}

//! says add_by_warp "with shuffles"
//! not copy_per_bank
__global__ void count_in_block(const int *in, int *out) {
    __shared__ float sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!threadIdx.x) sum = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++) atomicAdd(&sum, (float)in[(i + k * 256) % n]);
    __syncthreads();
    if (!threadIdx.x) out[blockIdx.x] = (int)sum;
}
//! not add_by_warp
//! not copy_per_bank
__global__ void count_by_warps(const int *in, int *out) {
    __shared__ float sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float mine = 0;
    if (!threadIdx.x) sum = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++) mine += in[(i + k * 256) % n];
    for (int d = 16; d; d /= 2) mine += __shfl_down_sync(~0u, mine, d);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, mine);
    __syncthreads();
    if (!threadIdx.x) out[blockIdx.x] = (int)sum;
}

template <class T> T *memory(size_t count) {
    T *p;
    CHECK(cudaMalloc(&p, count * sizeof(T)));
    CHECK(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}
template <class T> T *copy(const std::vector<T> &from) {
    T *p = memory<T>(from.size());
    CHECK(cudaMemcpy(p, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

int main() {
    const int rows = 4096;
    float *in = memory<float>(n), *out = memory<float>(n), *table = memory<float>(1 << 20);
    small_blocks<<<n / 16, 16>>>(in, 100);
    blocks_of_100<<<n / 100, 100>>>(in, 100);
    whole_blocks<<<n / 128, 128>>>(in, 100);
    blocks_of_500<<<n / 500, 500>>>(in, 100);
    one_block<<<1, 256>>>(in, out);
    many_blocks<<<264, 256>>>(in, out);
    little_work<<<1, 256>>>(in, out);
    for (int i = 0; i < 40; i++) one_step<<<n / 256, 256>>>(in);
    all_steps<<<n / 256, 256>>>(in, 40);
    for (int i = 0; i < 20; i++) long_step<<<16, 256>>>(in, 2000);

    std::vector<int> random(n), ordered(n), start(1, 0), column;
    unsigned z = 1;
    for (int i = 0; i < n; i++) random[i] = (z = z * 1664525u + 1013904223u) >> 12, ordered[i] = i * 2 / 3;
    for (int row = 0; row < rows; row++) {
        for (unsigned k = 0; k < 24 + (unsigned)random[row] % 17; k++)
            column.push_back((z = z * 1664525u + 1013904223u) >> 16);
        start.push_back((int)column.size());
    }
    std::vector<int> every_16th(rows + 1);
    for (int row = 0; row <= rows; row++) every_16th[row] = row * 16;
    int *index = copy(random), *starts = copy(start), *columns = copy(column), *in_order = copy(ordered);
    float *values = memory<float>(column.size());
    rows_by_thread<<<rows / 128, 128>>>(starts, columns, values, table, out, rows);
    rows_by_warp<<<rows / 4, 128>>>(starts, columns, values, table, out, rows);
    rows_unrolled<<<rows / 128, 128>>>(starts, columns, values, table, out, rows);
    rows_alike<<<rows / 128, 128>>>(copy(every_16th), columns, values, table, out, rows - 124);
    rows_of_matrix<<<8, 128>>>(table, in, out, 256);
    one_thread<<<1, 1>>>(in, 8192);
    divide_by_sum<<<1, 256>>>(in, 8192);
    divide_by_sum_of_all<<<1, 256>>>(in, 8192);
    short *shorts = (short *)table;
    add_shorts<<<2048, 256>>>(shorts, shorts + (1 << 19), shorts + (1 << 20));
    add_pairs<<<1024, 256>>>((short2 *)shorts, (short2 *)(shorts + (1 << 19)),
                             (short2 *)(shorts + (1 << 20)));
    scale_rows<<<1000, 128>>>(table, in, 1001);
    gather<<<n / 256, 256>>>(table, index, out);
    gather_sorted<<<n / 256, 256>>>(table, in_order, out);
    low_bytes<<<n / 256, 256>>>(index, out);
    constants_by_lane<<<n / 256, 256>>>(index, out);
    constants_by_turn<<<n / 256, 256>>>(index, out);
    array_by_index<<<n / 256, 256>>>(index, out);
    array_of_function<<<n / 256, 256>>>(index, out);
    array_unrolled<<<n / 256, 256>>>(out);
    two_barriers<<<n / 256, 256>>>(out, 20);
    barriers_as_needed<<<n / 256, 256>>>(out, 20);
    sum_by_atomics<<<n / 256, 256>>>(in, memory<float>(1));
    sum_by_blocks<<<n / 256, 256>>>(in, memory<float>(1));
    count_in_block<<<n / 256, 256>>>(index, in_order);
    count_by_warps<<<n / 256, 256>>>(index, in_order);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
