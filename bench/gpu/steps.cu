/*
 * steps: the last step of each ladder of the gallery, launched once for a profiler, at a modest size, or with
 * `large` at one where its time is more than that of the launch:
 *
 *     bench/gpu/counters OUT.csv bench/gpu/steps.cu [large]       on a GPU
 *     warpglass profile --json OURS.json bench/gpu/steps.cu [-- large]
 *
 * The products are in products.cu.
 */
#include "../../kernels/array_of_structures/split8_i32.cuh"
#include "../../kernels/histogram/histogram_i32.cuh"
#include "../../kernels/mean_filter/mean_u8.cuh"
#include "../../kernels/reduction/sum_i32.cuh"
#include "../../kernels/reverse/reverse_i32.cuh"
#include "../../kernels/transpose/transpose_i32.cuh"
#include "../../kernels/vector_add/add_i32.cuh"
#include "measure.cuh"

#include <string.h>

static void draw(int32_t *p, int n, uint32_t seed, uint32_t below = 0) {
    draw_values<<<n / 256, 256>>>(p, n, seed, below);
}

static void vectors(int32_t *a, int32_t *b, int32_t *c, int n) {
    CHECK(wgk::add_i32(a, b, c, n, 0));
    CHECK(wgk::add_i32(a + 1, b + 2, c, n - 2, 0));
    CHECK(wgk::reverse_i32(a, c, n, 0));
    CHECK(wgk::reverse_i32(a, c, n - 3, 0));
    CHECK(wgk::split8_i32(a, c, n / 8, n / 8, 0));
    CHECK(wgk::split8_i32(a, c, n / 8 - 1, n / 8 - 5, 0));
    CHECK(wgk::sum_i32(a, n, c, 0));
    CHECK(wgk::sum_i32(a + 1, 100003, c, 0));
}

/* `side` x `side` values, or bytes. */
static void planes(int32_t *a, int32_t *c, int side) {
    const uint8_t *in = reinterpret_cast<uint8_t *>(a);
    uint8_t *out = reinterpret_cast<uint8_t *>(c);
    CHECK(wgk::transpose_i32(a, side, c, side, side, side, 0));
    CHECK(wgk::transpose_i32(a, 1000, c, 900, 899, 997, 0));
    CHECK(wgk::mean_u8<3>(in, side, out, side, side, side - 24, 0));
    CHECK(wgk::mean_u8<5>(in, side, out, side, side, side - 24, 0));
    CHECK(wgk::mean_u8<3>(in, 1001, out, 1001, 1001, 77, 0));
}

int main(int argc, char **argv) {
    const bool large = argc > 1 && strcmp(argv[1], "large") == 0;
    if (argc > 2 || (argc > 1 && !large)) return fprintf(stderr, "usage: steps [large]\n"), 2;
    const int n = large ? 1 << 24 : 1 << 20;
    int32_t *a, *b, *c;
    CHECK(cudaMalloc(&a, 4 * n));
    CHECK(cudaMalloc(&b, 4 * n));
    CHECK(cudaMalloc(&c, 4 * n));
    draw(a, n, 1);
    draw(b, n, 2);
    vectors(a, b, c, n);
    planes(a, c, large ? 4096 : 1024);
    for (uint32_t bins : {256, 8192, 49152, 131072}) {
        draw(a, n, bins, bins);
        CHECK(wgk::histogram_i32(a, n, reinterpret_cast<uint32_t *>(c), bins, 0));
    }
    CHECK(cudaDeviceSynchronize());
    printf("every step once\n");
    return 0;
}
