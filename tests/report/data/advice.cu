// Kernels in pairs: bad_KIND must get advice of this kind, good_KIND does the same without the fault and must
// get no advice at all. advice.sh reads the kinds from the kernels' names.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                          \
    if (cudaError_t e = (call)) {                                                                            \
        printf("%s: %s\n", #call, cudaGetErrorString(e));                                                    \
        exit(1);                                                                                             \
    }

const int n = 1 << 16, side = 256, bins = 256;

struct Point {
    float x, y, z, mass, vx, vy, vz, charge;
};
__global__ void bad_strided_structure(const Point *points, float *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = points[i].x + points[i].mass;
}
/* Its fields through a function, which says no name where the access is. */
template <int AXIS> __device__ float &along(Point &p) {
    float &x = p.x, &y = p.y;
    return AXIS ? y : x;
}
__global__ void bad_strided_structure(Point *points, float step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    along<0>(points[i]) += points[i].vx * step;
    along<1>(points[i]) += points[i].vy * step;
}
__global__ void good_strided_structure(const float *x, const float *mass, float *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = x[i] + mass[i];
}

__global__ void bad_strided_access(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[4 * i] + 1;
}
__global__ void good_strided_access(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}

/* A tile of 8 x 8 results in each thread, as of a matrix product: their rows, and every 16th column. */
__global__ void bad_strided_access(float *c, int columns, float f) {
    int row = (blockIdx.y * 16 + threadIdx.y) * 8, column = (blockIdx.x * 16 + threadIdx.x) * 8;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) c[(row + i) * columns + column + j] = f * (float)(i + j);
}
__global__ void good_strided_access(float *c, int columns, float f) {
    int row = (blockIdx.y * 16 + threadIdx.y) * 8, column = blockIdx.x * 128 + threadIdx.x;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) c[(row + i) * columns + column + 16 * j] = f * (float)(i + j);
}

__global__ void bad_transposed_access(const float *in, float *out) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[y * side + x] = in[x * side + y];
}
template <int padding> __device__ void through_tile(const float *in, float *out) {
    __shared__ float tile[32][32 + padding];
    tile[threadIdx.x][threadIdx.y] =
        in[(blockIdx.y * 32 + threadIdx.y) * side + blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * side + blockIdx.y * 32 + threadIdx.x] =
        tile[threadIdx.y][threadIdx.x];
}
__global__ void good_transposed_access(const float *in, float *out) { through_tile<1>(in, out); }
__global__ void bad_bank_conflicts(const float *in, float *out) { through_tile<0>(in, out); }
__global__ void good_bank_conflicts(const float *in, float *out) { through_tile<1>(in, out); }

__global__ void bad_growing_stride(int *values) {
    int *mine = values + blockIdx.x * blockDim.x;
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        int i = 2 * stride * threadIdx.x;
        if (i < blockDim.x) mine[i] += mine[i + stride];
        __syncthreads();
    }
}
__global__ void good_growing_stride(int *values) {
    int *mine = values + blockIdx.x * blockDim.x;
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) mine[threadIdx.x] += mine[threadIdx.x + stride];
        __syncthreads();
    }
}

/* Many rows from L1, so that its lines are what takes time. */
template <int begin> __device__ void sum_rows(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += in[i + begin + 256 * k];
    out[i] = sum;
}
__global__ void bad_misaligned_base(const float *in, float *out) { sum_rows<3>(in, out); }
/* Every offset is one that some access has: none can be aligned for all. */
__global__ void good_misaligned_base(const float *in, float *out, int taps) {
    __shared__ float weights[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 64) weights[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < taps; k++) sum += weights[k] * in[i + k];
    out[i] = sum;
}
__global__ void good_misaligned_base(const float *in, float *out) { sum_rows<32>(in, out); }

__global__ void bad_narrow_access(const unsigned char *in, unsigned char *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 255 - in[i];
}
__global__ void good_narrow_access(const uchar4 *in, uchar4 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uchar4 v = in[i];
    out[i] = make_uchar4(255 - v.x, 255 - v.y, 255 - v.z, 255 - v.w);
}

__global__ void bad_repeated_loads(const int *a, const int *b, int *c) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y, sum = 0;
    for (int k = 0; k < side; k++) sum += a[y * side + k] * b[k * side + x];
    c[y * side + x] = sum;
}
__global__ void good_repeated_loads(const int *a, const int *b, int *c) {
    __shared__ int a_tile[32][32], b_tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y, sum = 0;
    for (int t = 0; t < side; t += 32) {
        a_tile[threadIdx.y][threadIdx.x] = a[y * side + t + threadIdx.x];
        b_tile[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * side + x];
        __syncthreads();
        for (int k = 0; k < 32; k++) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
        __syncthreads();
    }
    c[y * side + x] = sum;
}

__global__ void bad_contended_atomics(const int *values, int *histogram) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&histogram[values[i]], 1);
}
/* `copies` of each bin, one for each bank or one for all. */
template <int copies> __device__ void count_in_block(const int *values, int *histogram) {
    extern __shared__ int mine[];
    for (int i = threadIdx.x; i < bins * copies; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[values[i] * copies + threadIdx.x % copies], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) {
        int sum = 0;
        for (int c = 0; c < copies; c++) sum += mine[i * copies + (c + i) % copies];
        atomicAdd(&histogram[i], sum);
    }
}
__global__ void good_contended_atomics(const int *values, int *histogram) {
    count_in_block<32>(values, histogram);
}
__global__ void bad_copy_per_bank(const int *values, int *histogram) { count_in_block<1>(values, histogram); }
__global__ void good_copy_per_bank(const int *values, int *histogram) {
    count_in_block<32>(values, histogram);
}

__global__ void bad_needless_cluster(const int *values, int *out) {
    extern __shared__ int part[];
    auto cluster = cooperative_groups::this_cluster();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = values[i];
    cluster.sync();
    const int *other = cluster.map_shared_rank(part, cluster.block_rank() ^ 1);
    int sum = 0;
    for (int k = 0; k < 32; k++) sum += other[threadIdx.x ^ k];
    out[i] = sum;
    cluster.sync();
}
__global__ void good_needless_cluster(const int *values, int *out) {
    extern __shared__ int part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = values[i];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 32; k++) sum += part[threadIdx.x ^ k];
    out[i] = sum;
}

/* The same kernel, but its block has much shared memory or little. */
__global__ void bad_low_occupancy(const int *values, int *out) {
    extern __shared__ int part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = values[i];
    __syncthreads();
    out[i] = part[threadIdx.x ^ 1];
}
__global__ void good_low_occupancy(const int *values, int *out) {
    extern __shared__ int part[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = values[i];
    __syncthreads();
    out[i] = part[threadIdx.x ^ 1];
}

__device__ float steps(float x, int count) {
    for (int i = 0; i < count; i++) x = x * x - 0.5f;
    return x;
}
__global__ void bad_divergent_branches(float *values, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2)
        values[i] = steps(values[i], count);
    else
        values[i] = steps(values[i] + 1, count + 1);
}
__global__ void good_divergent_branches(float *values, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i / 32 % 2)
        values[i] = steps(values[i], count);
    else
        values[i] = steps(values[i] + 1, count + 1);
}

template <class T> T *memory(size_t count) {
    T *p;
    CHECK(cudaMalloc(&p, count * sizeof(T)));
    CHECK(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

int main() {
    const int block = 256, blocks = n / block;
    const dim3 tile(32, 32), tiles(side / 32, side / 32);
    float *in = memory<float>(n + 64), *other = memory<float>(n), *out = memory<float>(n);
    int *values = memory<int>(n), *integers = memory<int>(n), *histogram = memory<int>(bins);
    unsigned char *bytes = memory<unsigned char>(n), *bytes_out = memory<unsigned char>(n);
    Point *points = memory<Point>(n);
    int *random = static_cast<int *>(malloc(n * sizeof(int)));
    for (unsigned i = 0, z = 1; i < n; i++) random[i] = (z = z * 1664525u + 1013904223u) >> 24;

    bad_strided_structure<<<blocks, block>>>(points, out);
    bad_strided_structure<<<blocks, block>>>(points, 0.5f);
    good_strided_structure<<<blocks, block>>>(in, other, out);
    bad_strided_access<<<blocks / 4, block>>>(in, out);
    good_strided_access<<<blocks / 4, block>>>(in, out);
    bad_strided_access<<<dim3(side / 128, side / 128), dim3(16, 16)>>>(out, side, 2);
    good_strided_access<<<dim3(side / 128, side / 128), dim3(16, 16)>>>(out, side, 2);
    bad_transposed_access<<<tiles, tile>>>(in, out);
    good_transposed_access<<<tiles, tile>>>(in, out);
    bad_bank_conflicts<<<tiles, tile>>>(in, out);
    good_bank_conflicts<<<tiles, tile>>>(in, out);
    bad_growing_stride<<<blocks, block>>>(values);
    good_growing_stride<<<blocks, block>>>(values);
    bad_misaligned_base<<<blocks - 16, block>>>(in, out);
    good_misaligned_base<<<blocks - 16, block>>>(in, out);
    good_misaligned_base<<<blocks - 1, block>>>(in, out, 7);
    bad_narrow_access<<<blocks, block>>>(bytes, bytes_out);
    good_narrow_access<<<blocks / 4, block>>>(reinterpret_cast<uchar4 *>(bytes),
                                              reinterpret_cast<uchar4 *>(bytes_out));
    bad_repeated_loads<<<tiles, tile>>>(values, integers, reinterpret_cast<int *>(out));
    good_repeated_loads<<<tiles, tile>>>(values, integers, reinterpret_cast<int *>(out));

    CHECK(cudaMemcpy(values, random, n * sizeof(int), cudaMemcpyHostToDevice));
    bad_contended_atomics<<<64, block>>>(values, histogram);
    good_contended_atomics<<<64, block, bins * 32 * 4>>>(values, histogram);
    /* Bins of one bank, so that most lanes of a warp meet there. */
    for (int i = 0; i < n; i++) random[i] = random[i] % 8 * 32;
    CHECK(cudaMemcpy(values, random, n * sizeof(int), cudaMemcpyHostToDevice));
    bad_copy_per_bank<<<64, block, bins * 4>>>(values, histogram);
    good_copy_per_bank<<<64, block, bins * 32 * 4>>>(values, histogram);

    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = 2, attribute[0].val.clusterDim.y = 1, attribute[0].val.clusterDim.z = 1;
    config.gridDim = blocks, config.blockDim = block, config.dynamicSmemBytes = block * 4;
    config.attrs = attribute, config.numAttrs = 1;
    const int *constant_values = values;
    CHECK(cudaLaunchKernelEx(&config, bad_needless_cluster, constant_values, integers));
    good_needless_cluster<<<blocks, block, block * 4>>>(values, integers);

    CHECK(cudaFuncSetAttribute(bad_low_occupancy, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
    bad_low_occupancy<<<n / 64, 64, 100 * 1024>>>(values, integers);
    good_low_occupancy<<<n / 64, 64, 64 * 4>>>(values, integers);
    bad_divergent_branches<<<blocks, block>>>(in, 20);
    good_divergent_branches<<<blocks, block>>>(in, 20);
    CHECK(cudaDeviceSynchronize());
    free(random);
    return 0;
}
