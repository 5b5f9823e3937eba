/*
 * steps: the last step of each ladder of the gallery, launched once at a modest size, for a profiler:
 *
 *     bench/gpu/counters OUT.csv bench/gpu/steps.cu        on a GPU
 *     warpglass profile --json OURS.json bench/gpu/steps.cu
 */
#include "../../kernels/array_of_structures/split8_i32.cuh"
#include "../../kernels/histogram/histogram_i32.cuh"
#include "../../kernels/mean_filter/mean_u8.cuh"
#include "../../kernels/reduction/sum_i32.cuh"
#include "../../kernels/reverse/reverse_i32.cuh"
#include "../../kernels/transpose/transpose_i32.cuh"
#include "../../kernels/vector_add/add_i32.cuh"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check((call), #call, __LINE__)
static void check(cudaError_t e, const char *call, int line) {
    if (e == cudaSuccess) return;
    fprintf(stderr, "steps.cu:%d: %s: %s\n", line, call, cudaGetErrorString(e));
    exit(1);
}

__global__ void draw_values(int32_t *p, int n, uint32_t seed, uint32_t below) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t x = i * 2654435761u + seed;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    if (i < n) p[i] = static_cast<int32_t>(static_cast<uint64_t>(x ^ x >> 16) * below >> 32);
}

int main() {
    const int n = 1 << 20;
    int32_t *a, *b, *c;
    CHECK(cudaMalloc(&a, 4 * n));
    CHECK(cudaMalloc(&b, 4 * n));
    CHECK(cudaMalloc(&c, 4 * n));
    draw_values<<<n / 256, 256>>>(a, n, 1, 0xffffffff);
    draw_values<<<n / 256, 256>>>(b, n, 2, 0xffffffff);
    CHECK(wgk::add_i32(a, b, c, n, 0));
    CHECK(wgk::add_i32(a + 1, b + 2, c, n - 2, 0));
    CHECK(wgk::reverse_i32(a, c, n, 0));
    CHECK(wgk::reverse_i32(a, c, n - 3, 0));
    CHECK(wgk::transpose_i32(a, 1024, c, 1024, 1024, 1024, 0));
    CHECK(wgk::transpose_i32(a, 1000, c, 900, 899, 997, 0));
    CHECK(wgk::split8_i32(a, c, n / 8, n / 8, 0));
    CHECK(wgk::split8_i32(a, c, n / 8 - 1, n / 8 - 5, 0));
    CHECK(wgk::sum_i32(a, n, c, 0));
    CHECK(wgk::sum_i32(a + 1, 100003, c, 0));
    CHECK(wgk::mean_u8<3>((uint8_t *)a, 1024, (uint8_t *)c, 1024, 1024, 1000, 0));
    CHECK(wgk::mean_u8<5>((uint8_t *)a, 1024, (uint8_t *)c, 1024, 1024, 1000, 0));
    CHECK(wgk::mean_u8<3>((uint8_t *)a, 1001, (uint8_t *)c, 1001, 1001, 77, 0));
    for (uint32_t bins : {256, 8192, 49152, 131072}) {
        draw_values<<<n / 256, 256>>>(a, n, bins, bins);
        CHECK(wgk::histogram_i32(a, n, (uint32_t *)c, bins, 0));
    }
    CHECK(cudaDeviceSynchronize());
    printf("every step once\n");
    return 0;
}
