/*
 * vector_add: sum[i] = a[i] + b[i], one thread for each element.
 *
 * The first kernel that anybody writes, and already one at the limit of the machine: each warp reads
 * and writes 128 contiguous bytes, so nothing is fetched in vain and memory alone bounds it.
 *
 *   vector_add              2^24 elements
 *   vector_add 1000003      any number: the last block has threads without an element
 */
#include "../gallery.h"

/* Published versions often launch n / threads blocks and test nothing: right only when the block
   divides n. The grid is rounded up here, and the test keeps the spare threads off the arrays. */
__global__ void vector_add(const int *a, const int *b, int *sum, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
    int n = 1 << 24;
    const gallery::Size sizes[] = {{"N", "number of elements", &n, 1, 1 << 30}};
    gallery::Program program(argc, argv, "vector_add", "Adds two vectors of int.", sizes);

    int *a = gallery::host_array<int>(n), *b = gallery::host_array<int>(n);
    int *expected = gallery::host_array<int>(n), *result = gallery::host_array<int>(n);
    gallery::fill(a, n, -1000000000, 1000000000, 1);
    gallery::fill(b, n, -1000000000, 1000000000, 2);
    for (int i = 0; i < n; i++) expected[i] = a[i] + b[i];

    const size_t bytes = static_cast<size_t>(n) * sizeof(int);
    int *device_a, *device_b, *device_sum;
    CHECK(cudaMalloc(&device_a, bytes));
    CHECK(cudaMalloc(&device_b, bytes));
    CHECK(cudaMalloc(&device_sum, bytes));
    CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_sum, 0xff, bytes));

    const int threads = 256, blocks = gallery::blocks_for(n, threads);
    printf("vector_add: %d elements, %d blocks of %d threads\n", n, blocks, threads);
    if (program.wants("vector_add")) {
        program.time("vector_add",
                     [&] { vector_add<<<blocks, threads>>>(device_a, device_b, device_sum, n); });
        CHECK(cudaMemcpy(result, device_sum, bytes, cudaMemcpyDeviceToHost));
        program.compare(result, expected, n);
        program.verdict();
    }

    CHECK(cudaFree(device_a));
    CHECK(cudaFree(device_b));
    CHECK(cudaFree(device_sum));
    free(a);
    free(b);
    free(expected);
    free(result);
    return program.finish();
}
