/*
 * products: the last steps of the matrix products, launched once for a profiler, as steps.cu does it for the
 * other ladders. The product of int is that by matrix instructions where it is compiled for sm_90a:
 *
 *     ARCH=90a bench/gpu/counters OUT.csv bench/gpu/products.cu [large]
 *     warpglass profile --arch sm_90a -DWGK_SM90A --json OURS.json bench/gpu/products.cu [-- large]
 */
#include "../../kernels/matrix_product/product_f32.cuh"
#include "../../kernels/matrix_product/product_i32.cuh"
#include "measure.cuh"

#include <string.h>

static void product_of_ints(int m, int n, int k) {
    int32_t *a, *b, *c;
    CHECK(cudaMalloc(&a, 4 * m * k));
    CHECK(cudaMalloc(&b, 4 * n * k));
    CHECK(cudaMalloc(&c, 4 * m * n));
    draw_values<<<m * k / 256, 256>>>(a, m * k, 1, 0);
    draw_values<<<n * k / 256, 256>>>(b, n * k, 2, 0);
    CHECK(wgk::product_i32(a, k, b, n, c, n, m, n, k, 0));
}

static void product_of_floats(int m, int n, int k) {
    float *a, *b, *c;
    CHECK(cudaMalloc(&a, 4 * m * k));
    CHECK(cudaMalloc(&b, 4 * n * k));
    CHECK(cudaMalloc(&c, 4 * m * n));
    draw_floats<<<m * k / 256, 256>>>(a, m * k, 5);
    draw_floats<<<n * k / 256, 256>>>(b, n * k, 6);
    CHECK(wgk::product_f32(a, k, b, n, c, n, m, n, k, 0));
}

int main(int argc, char **argv) {
    const bool large = argc > 1 && strcmp(argv[1], "large") == 0;
    if (argc > 2 || (argc > 1 && !large)) return fprintf(stderr, "usage: products [large]\n"), 2;
    const int m = large ? 1024 : 256, n = large ? 1024 : 512, k = large ? 1024 : 384;
    product_of_ints(m, n, k);
    product_of_floats(m, n, k);
    CHECK(cudaDeviceSynchronize());
    printf("every product once\n");
    return 0;
}
