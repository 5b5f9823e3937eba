// Kernels of which a profile once said what is not so. Each says before its head what the advice must say (`says KIND` with a
// fragment of its title, text or figures) and must not say (`not KIND`; `silent`: nothing at all). pairs.sh reads it.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                          \
    if (cudaError_t e = (call)) {                                                                            \
        printf("%s: %s\n", #call, cudaGetErrorString(e));                                                    \
        exit(1);                                                                                             \
    }

const int n = 1 << 16, side = 256;

/* One step of a bitonic sort: the lanes that swap are some of the warp, and lie where all of it would. */
//! not misaligned_base
//! not growing_stride
//! not strided_access
__global__ void bitonic_step(int *v, int distance, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
    if (other > i) {
        int a = v[i], b = v[other];
        if ((a > b) == ((i & size) == 0)) v[i] = b, v[other] = a;
    }
}

/* Elements of an index: no block has them in common. */
//! not repeated_loads
//! not misaligned_base
__global__ void gather_at_random(const float *table, const int *index, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[index[i]];
}
/* The same from a table that all share, and each warp reads in order. */
//! not misaligned_base
__global__ void gather_in_order(const float *table, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[i % 1024];
}

/* Five points: four neighbours that L1 has. A tile in shared memory is no faster. */
//! silent
__global__ void five_points(const float *in, float *out) {
    int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1, w = side + 64;
    out[y * w + x] =
        in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x];
}
//! not repeated_loads
__global__ void five_points_tiled(const float *in, float *out) {
    __shared__ float tile[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, w = side + 64;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256)
        tile[i / 34][i % 34] = in[(blockIdx.y * 8 + i / 34) * w + blockIdx.x * 32 + i % 34];
    __syncthreads();
    int r = threadIdx.y + 1, c = threadIdx.x + 1;
    out[(y + 1) * w + x + 1] = tile[r][c] + tile[r][c - 1] + tile[r][c + 1] + tile[r - 1][c] + tile[r + 1][c];
}

/* Five points of doubles, twice. */
//! not repeated_loads
__global__ void five_points_of_doubles(const double *u, const double *v, double *out) {
    int x = blockIdx.x * 16 + threadIdx.x + 1, y = blockIdx.y * 16 + threadIdx.y + 1, w = 256, i = y * w + x;
    if (x < w - 1 && y < w - 1)
        out[i] =
            u[i] * (u[i] - u[i - 1]) + v[i] * (u[i] - u[i - w]) + u[i + 1] + u[i + w] + v[i - 1] * v[i + 1];
}

/* One matrix's rows by one warp's lanes, in three loops: one advice. */
//! says strided_access "Strided accesses: src, dest"
__global__ void softmax_by_thread(const float *src, float *dest) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float most = src[row * 16], sum = 0;
    for (int k = 1; k < 16; k++) most = fmaxf(most, src[row * 16 + k]);
    for (int k = 0; k < 16; k++) sum += __expf(src[row * 16 + k] - most);
    for (int k = 0; k < 16; k++) dest[row * 16 + k] = __expf(src[row * 16 + k] - most) / sum;
}

/* A halo of one around tiles of 16 x 16: each row begins off an edge, and a warp has two of them. */
//! says short_rows "Blocks of 32 x 8"
//! not misaligned_base "cudaMallocPitch"
__global__ void halo_16(const float *in, float *out, int w) {
    __shared__ float tile[16][16];
    int x = blockIdx.x * 14 + threadIdx.x, y = blockIdx.y * 14 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * w + x + 1];
    __syncthreads();
    out[(blockIdx.y * 16 + threadIdx.y) * w + blockIdx.x * 16 + threadIdx.x] =
        tile[threadIdx.y][15 - threadIdx.x];
}
//! not short_rows
__global__ void halo_32(const float *in, float *out, int w) {
    __shared__ float tile[8][32];
    int x = blockIdx.x * 30 + threadIdx.x, y = blockIdx.y * 6 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * w + x + 1];
    __syncthreads();
    out[(blockIdx.y * 8 + threadIdx.y) * w + blockIdx.x * 32 + threadIdx.x] =
        tile[threadIdx.y][31 - threadIdx.x];
}

/* Launched with one stride after the other: there is no loop. */
//! not growing_stride
//! says strided_access "32 sectors instead of 4"
__global__ void one_stride(const float *in, float *out, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride % n];
}
/* The loop itself. */
//! says growing_stride "further in each iteration"
__global__ void all_strides(int *values) {
    int *mine = values + blockIdx.x * blockDim.x;
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        int i = 2 * stride * threadIdx.x;
        if (i < blockDim.x) mine[i] += mine[i + stride];
        __syncthreads();
    }
}

/* Blocks of 33: each begins off an edge, whatever the allocation does. */
//! not misaligned_base
__global__ void copy_33(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
/* Rows of an image of 1001 columns: here the pitch is what helps. */
//! says misaligned_base "instead of 4. Align the data"
//! not misaligned_base "0 bytes past"
__global__ void brighten_rows(const float *in, float *out, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[y * pitch + x] = 2 * in[y * pitch + x];
}
//! silent
__global__ void brighten_pitched(const float *in, float *out, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[y * pitch + x] = 2 * in[y * pitch + x];
}

/* A texture's descriptor is no data. */
//! not repeated_loads
__global__ void sample(cudaTextureObject_t picture, float *out) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int i = -2; i <= 2; i++) sum += tex2D<float>(picture, x + i, y);
    out[y * side + x] = sum;
}

/* One lane of each warp writes what the warp found: no order of threads would make whole warps of that. */
//! not divergent_branches
__global__ void sum_by_warp(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) {
        int w = i / 32;
        out[w] = v / 7 + v % 11 + (v ^ w) % 13;
    }
}
/* Blocks of 16 threads: half of the lanes are not there. */
//! not divergent_branches
__global__ void blocks_of_16(float *v, int turns) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = v[i];
    for (int t = 0; t < turns; t++) {
        if (threadIdx.x == 3) x += 1;
        x = x * 0.5f + 1;
    }
    v[i] = x;
}
/* Every second thread the other way. */
//! says divergent_branches "whole warps take the same path"
__global__ void every_second(float *values, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = values[i];
    if (i % 2)
        for (int k = 0; k < count; k++) x = x * x - 0.5f;
    else
        for (int k = 0; k < count + 1; k++) x = x * 0.5f + 2;
    values[i] = x;
}

/* A tile of 16 x 16, its rows padded to 17: the columns of two rows at once conflict once more. */
//! says bank_conflicts "column ^ (row % 16)"
//! not bank_conflicts "2 wavefronts would be 2"
__global__ void transpose_16_padded(const float *in, float *out) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int turn = 0; turn < 8; turn++) {
        tile[threadIdx.y][threadIdx.x] = in[y * side + x];
        __syncthreads();
        out[(blockIdx.x * 16 + threadIdx.y) * side + blockIdx.y * 16 + threadIdx.x] +=
            tile[threadIdx.x][threadIdx.y];
        __syncthreads();
    }
}
//! not bank_conflicts
__global__ void transpose_16_turned(const float *in, float *out) {
    __shared__ float tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int turn = 0; turn < 8; turn++) {
        tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[y * side + x];
        __syncthreads();
        out[(blockIdx.x * 16 + threadIdx.y) * side + blockIdx.y * 16 + threadIdx.x] +=
            tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
        __syncthreads();
    }
}

/* Two arrays: the advice names the one it is about. */
//! says bank_conflicts "Bank conflicts: left"
//! not bank_conflicts "right"
//! not bank_conflicts "the array"
__global__ void two_arrays(const float *in, float *out, int turns) {
    __shared__ float right[32][32], left[32][32];
    int t = threadIdx.x, y = threadIdx.y;
    right[y][t] = in[y * 32 + t];
    left[y][t] = in[t + y];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < turns; k++) sum += right[(y + k) & 31][t] * left[t][(y + k) & 31];
    out[blockIdx.x * 1024 + y * 32 + t] = sum;
}

/* One line indexes three arrays. The pointer goes on in the loop by itself, and the line begins with another's name. */
//! says transposed_access "Transposed load: m"
//! not transposed_access "sums"
__global__ void product_by_rows(const float *m, const float *v, float *sums, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[i] = 0;
    for (int j = 0; j < width; j++) sums[i] += m[i * width + j] * v[j];
}

/* A sum of floats in shared memory is a loop, each turn of which loads, compares and swaps: two lanes on each word are two turns
 * of two wavefronts. */
//! says copy_per_bank "up to 4 wavefronts"
//! not bank_conflicts
__global__ void floats_in_block(const float *in, float *sums) {
    __shared__ float part[16];
    if (threadIdx.x < 16) part[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++)
        atomicAdd(&part[threadIdx.x & 15], in[blockIdx.x * 2048 + k * 256 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&sums[threadIdx.x], part[threadIdx.x]);
}

template <class T> T *memory(size_t count) {
    T *p;
    CHECK(cudaMalloc(&p, count * sizeof(T)));
    CHECK(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

int main() {
    const int w = side + 64;
    float *in = memory<float>(w * w), *out = memory<float>(w * w);
    int *values = memory<int>(n), *index = memory<int>(n);
    std::vector<int> random(n);
    unsigned z = 1;
    for (int &r : random) r = (z = z * 1664525u + 1013904223u) >> 22;
    CHECK(cudaMemcpy(index, random.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(values, random.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    float *table = memory<float>(1024);

    for (int size = 2; size <= 2048; size *= 2)
        for (int distance = size / 2; distance; distance /= 2)
            bitonic_step<<<n / 256, 256>>>(values, distance, size);
    gather_at_random<<<n / 256, 256>>>(table, index, out);
    gather_in_order<<<n / 256, 256>>>(table, out);
    five_points<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(in, out);
    five_points_tiled<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(in, out);
    double *doubles = memory<double>(n);
    five_points_of_doubles<<<dim3(16, 16), dim3(16, 16)>>>(doubles, doubles, memory<double>(n));
    softmax_by_thread<<<n / 16 / 256, 256>>>(in, out);
    halo_16<<<dim3(16, 16), dim3(16, 16)>>>(in, out, w);
    halo_32<<<dim3(8, 32), dim3(32, 8)>>>(in, out, w);
    for (int stride = 2; stride < 20; stride++) one_stride<<<n / 256, 256>>>(in, out, stride);
    all_strides<<<n / 256, 256>>>(values);
    copy_33<<<n / 33, 33>>>(in, out);
    brighten_rows<<<dim3(3, 64), 320>>>(in, out, 1001);
    brighten_pitched<<<dim3(3, 64), 320>>>(in, out, 1024);

    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &format, side, side));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t picture;
    CHECK(cudaCreateTextureObject(&picture, &resource, &how, nullptr));
    sample<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(picture, out);

    sum_by_warp<<<n / 256, 256>>>(values, index);
    blocks_of_16<<<n / 16, 16>>>(in, 100);
    every_second<<<n / 256, 256>>>(in, 100);
    transpose_16_padded<<<dim3(16, 16), dim3(16, 16)>>>(in, out);
    transpose_16_turned<<<dim3(16, 16), dim3(16, 16)>>>(in, out);
    two_arrays<<<64, dim3(32, 32)>>>(in, out, 256);
    floats_in_block<<<32, 256>>>(in, out);
    product_by_rows<<<4, 256>>>(in, table, out, 96);
    CHECK(cudaDeviceSynchronize());
    return 0;
}
