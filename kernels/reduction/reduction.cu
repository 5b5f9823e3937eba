/*
 * reduction: the sum of n values, six ways. Each block of 256 threads sums its 256 values to one; the
 * host adds the blocks' sums.
 *
 * A block halves the number of partial sums in each of 8 steps. The ways differ in which threads work
 * and where the partial sums lie (for a block of 8, first step; x is a thread that adds):
 *
 *   modulo       values 0+1 2+3 4+5 6+7 by threads x . x . x . x .   half of each warp idles
 *   strided      values 0+1 2+3 4+5 6+7 by threads x x x x . . . .   whole warps idle, but neighbouring
 *                                                                    threads reach far from each other
 *   sequential   values 0+4 1+5 2+6 3+7 by threads x x x x . . . .   neighbours reach neighbours
 *
 *   global_*     in global memory, in place          shared_*     in shared memory
 *   shared_interleaved is the way of global_modulo.
 *
 *   reduction              2^22 values
 *   reduction 1000003      any number: the last block has fewer values than threads
 */
#include "../gallery.h"

static const int block = 256; /* a power of two: every step halves */

/* Published versions let a thread add the value `stride` further on whether or not there is one: right
   only when the block divides n. `count` is the number of values that the block really has. */
__device__ int values_of_block(int n) {
    const int first = blockIdx.x * blockDim.x;
    return min(static_cast<int>(blockDim.x), n - first);
}

__global__ void global_modulo(int *values, int *sums, int n) {
    int *mine = values + blockIdx.x * blockDim.x;
    const int t = threadIdx.x, count = values_of_block(n);
    for (int stride = 1; stride < static_cast<int>(blockDim.x); stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < count) mine[t] += mine[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = mine[0];
}

__global__ void global_strided(int *values, int *sums, int n) {
    int *mine = values + blockIdx.x * blockDim.x;
    const int t = threadIdx.x, count = values_of_block(n);
    for (int stride = 1; stride < static_cast<int>(blockDim.x); stride *= 2) {
        const int i = 2 * stride * t;
        if (i + stride < count) mine[i] += mine[i + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = mine[0];
}

__global__ void global_sequential(int *values, int *sums, int n) {
    int *mine = values + blockIdx.x * blockDim.x;
    const int t = threadIdx.x, count = values_of_block(n);
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride && t + stride < count) mine[t] += mine[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = mine[0];
}

/* In shared memory a thread without a value brings a zero, and the steps need no further test. */
__device__ void load(int *part, const int *values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? values[i] : 0;
    __syncthreads();
}

__global__ void shared_interleaved(const int *values, int *sums, int n) {
    __shared__ int part[block];
    const int t = threadIdx.x;
    load(part, values, n);
    for (int stride = 1; stride < block; stride *= 2) {
        if (t % (2 * stride) == 0) part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void shared_strided(const int *values, int *sums, int n) {
    __shared__ int part[block];
    const int t = threadIdx.x;
    load(part, values, n);
    for (int stride = 1; stride < block; stride *= 2) {
        const int i = 2 * stride * t;
        if (i < block) part[i] += part[i + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

__global__ void shared_sequential(const int *values, int *sums, int n) {
    __shared__ int part[block];
    const int t = threadIdx.x;
    load(part, values, n);
    for (int stride = block / 2; stride > 0; stride /= 2) {
        if (t < stride) part[t] += part[t + stride];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}

int main(int argc, char **argv) {
    int n = 1 << 22;
    const gallery::Size sizes[] = {{"N", "number of values", &n, 1, 1 << 30}};
    gallery::Program program(argc, argv, "reduction", "Sums a vector of int.", sizes);

    const int blocks = gallery::blocks_for(n, block);
    const size_t bytes = static_cast<size_t>(n) * sizeof(int);
    const size_t sums_bytes = static_cast<size_t>(blocks) * sizeof(int);
    int *values = gallery::host_array<int>(n);
    int *expected = gallery::host_array<int>(blocks), *sums = gallery::host_array<int>(blocks);
    gallery::fill(values, n, -1000000, 1000000, 1);
    long long expected_total = 0;
    for (int i = 0; i < n; i++) {
        expected[i / block] += values[i];
        expected_total += values[i];
    }

    int *device_in, *device_work, *device_sums;
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_work, bytes));
    CHECK(cudaMalloc(&device_sums, sums_bytes));
    CHECK(cudaMemcpy(device_in, values, bytes, cudaMemcpyHostToDevice));
    printf("reduction: %d values, %d blocks of %d threads\n", n, blocks, block);

    auto run = [&](const char *variant, auto prepare, auto launch) {
        if (!program.wants(variant)) return;
        CHECK(cudaMemset(device_sums, 0xff, sums_bytes));
        program.time(variant, prepare, launch);
        CHECK(cudaMemcpy(sums, device_sums, sums_bytes, cudaMemcpyDeviceToHost));
        long long total = 0;
        for (int i = 0; i < blocks; i++) total += sums[i];
        program.compare(sums, expected, blocks);
        program.compare(&total, &expected_total, 1);
        program.verdict();
    };
    /* The kernels in global memory leave their sums where the values were: each launch works on a
       fresh copy. */
    auto copy = [&] { CHECK(cudaMemcpy(device_work, device_in, bytes, cudaMemcpyDeviceToDevice)); };
    auto nothing = [] {};
    run("global_modulo", copy, [&] { global_modulo<<<blocks, block>>>(device_work, device_sums, n); });
    run("global_strided", copy, [&] { global_strided<<<blocks, block>>>(device_work, device_sums, n); });
    run("global_sequential", copy,
        [&] { global_sequential<<<blocks, block>>>(device_work, device_sums, n); });
    run("shared_interleaved", nothing,
        [&] { shared_interleaved<<<blocks, block>>>(device_in, device_sums, n); });
    run("shared_strided", nothing, [&] { shared_strided<<<blocks, block>>>(device_in, device_sums, n); });
    run("shared_sequential", nothing,
        [&] { shared_sequential<<<blocks, block>>>(device_in, device_sums, n); });

    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_work));
    CHECK(cudaFree(device_sums));
    free(values);
    free(expected);
    free(sums);
    return program.finish();
}
