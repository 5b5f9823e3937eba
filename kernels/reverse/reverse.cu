/*
 * reverse: out[n - 1 - i] = in[i], in three ways.
 *
 *   reverse_global    straight from global memory to global memory: a warp stores to ascending lanes'
 *                     descending addresses
 *   reverse_static    each block turns its values round in shared memory of a size fixed in the
 *                     source, then stores them in ascending order
 *   reverse_dynamic   the same, with the size of the shared memory given at the launch
 *
 *   reverse              2^24 elements
 *   reverse 1000003      any number: the last block has fewer values than threads
 */
#include "../gallery.h"

static const int block = 256;

__global__ void reverse_global(const int *in, int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - 1 - i] = in[i];
}

/* The block's values are in[first] to in[first + count - 1]. Published versions take count to be the
   block's size, so that they need a size that the block divides. */
__device__ void reverse_block(const int *in, int *out, int n, int *turned) {
    const int first = blockIdx.x * blockDim.x;
    const int count = min(static_cast<int>(blockDim.x), n - first);
    const int t = threadIdx.x;
    if (t < count) turned[count - 1 - t] = in[first + t];
    __syncthreads();
    if (t < count) out[n - first - count + t] = turned[t];
}

__global__ void reverse_static(const int *in, int *out, int n) {
    __shared__ int turned[block];
    reverse_block(in, out, n, turned);
}

__global__ void reverse_dynamic(const int *in, int *out, int n) {
    extern __shared__ int turned_by_launch[];
    reverse_block(in, out, n, turned_by_launch);
}

int main(int argc, char **argv) {
    int n = 1 << 24;
    const gallery::Size sizes[] = {{"N", "number of elements", &n, 1, 1 << 30}};
    gallery::Program program(argc, argv, "reverse", "Reverses a vector of int.", sizes);

    const size_t bytes = static_cast<size_t>(n) * sizeof(int);
    int *in = gallery::host_array<int>(n), *result = gallery::host_array<int>(n);
    int *expected = gallery::host_array<int>(n);
    gallery::fill(in, n, 0, 1000000000, 1);
    for (int i = 0; i < n; i++) expected[n - 1 - i] = in[i];

    int *device_in, *device_out;
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&device_out, bytes));
    CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));

    const int blocks = gallery::blocks_for(n, block);
    printf("reverse: %d elements, %d blocks of %d threads\n", n, blocks, block);
    auto run = [&](const char *variant, auto launch) {
        if (!program.wants(variant)) return;
        CHECK(cudaMemset(device_out, 0xff, bytes));
        program.time(variant, launch);
        CHECK(cudaMemcpy(result, device_out, bytes, cudaMemcpyDeviceToHost));
        program.compare(result, expected, n);
        program.verdict();
    };
    run("reverse_global", [&] { reverse_global<<<blocks, block>>>(device_in, device_out, n); });
    run("reverse_static", [&] { reverse_static<<<blocks, block>>>(device_in, device_out, n); });
    run("reverse_dynamic",
        [&] { reverse_dynamic<<<blocks, block, block * sizeof(int)>>>(device_in, device_out, n); });

    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    free(in);
    free(result);
    free(expected);
    return program.finish();
}
