/*
 * ladders: the last steps of the gallery's ladders (kernels/wgk.h) at full size, and the libraries that a
 * program would call instead, on one GPU in one run. bench/gpu/ladders builds and runs it and puts the table
 * together.
 *
 * Prints a line for each: TOPIC, SIZE, WHO, KIND (ceiling, step or peer), median and least milliseconds of 15
 * after 3, bytes that the problem must move, operations that it must do; separated by tabs. Data are random,
 * every result is checked against a plain kernel's, on the GPU.
 */
#include "../../kernels/wgk.h"
#include "measure.cuh"

#include <cub/cub.cuh>
#include <cublas_v2.h>
#ifdef WITH_NPP
#include <nppi_filtering_functions.h>
#endif

static const size_t most = size_t(1) << 28; /* values in each of the three arrays */
static int32_t *a, *b, *c;
static unsigned long long *differences;

template <class Run>
static void line(const char *topic, const char *size, const char *who, const char *kind, double bytes,
                 double operations, Run run) {
    const Times t = measure(run);
    printf("%s\t%s\t%s\t%s\t%.4f\t%.4f\t%.0f\t%.0f\n", topic, size, who, kind, t.median, t.least, bytes,
           operations);
    fflush(stdout);
}

/* ---- data and checks ---- */

template <class Right> __global__ void count_wrong(size_t n, Right right, unsigned long long *wrong) {
    unsigned long long mine = 0;
    for (size_t i = each(); i < n; i += all()) mine += !right(i);
    if (mine) atomicAdd(wrong, mine);
}
template <class Right> static void all_right(const char *what, size_t n, Right right) {
    unsigned long long wrong = 0;
    CHECK(cudaMemset(differences, 0, sizeof wrong));
    count_wrong<<<1024, 512>>>(n, right, differences);
    CHECK(cudaMemcpy(&wrong, differences, sizeof wrong, cudaMemcpyDeviceToHost));
    if (!wrong) return;
    fprintf(stderr, "ladders.cu: %s: %llu of %zu values are wrong\n", what, wrong, n);
    exit(1);
}
static void draw(int32_t *p, size_t n, uint32_t seed, uint32_t below = 0) {
    draw_values<<<1024, 512>>>(p, n, seed, below);
    CHECK(cudaDeviceSynchronize());
}

/* ---- the topics ---- */

static void copies() {
    const double bytes = 8.0 * most;
    line("copy", "1 GiB", "cudaMemcpy", "ceiling", bytes, 0,
         [] { cudaMemcpyAsync(c, a, 4 * most, cudaMemcpyDeviceToDevice); });
    line("copy", "64 MB", "cudaMemcpy 8000 x 8000", "ceiling", 2 * 64e6, 0,
         [] { cudaMemcpyAsync(c, a, 64000000, cudaMemcpyDeviceToDevice); });
    line("copy", "64 MiB", "cudaMemcpy 4096^2", "ceiling", 8.0 * (1 << 24), 0,
         [] { cudaMemcpyAsync(c, a, 4 << 24, cudaMemcpyDeviceToDevice); });
}

static void vectors() {
    const size_t n = most;
    const int32_t *x = a, *y = b, *z = c;
    line("vector_add", "2^28", "wgk_add_i32", "step", 12.0 * n, n, [] { wgk_add_i32(a, b, c, most, 0); });
    all_right("wgk_add_i32", n, [=] __device__(size_t i) { return z[i] == int32_t(uint32_t(x[i]) + y[i]); });
    line("reverse", "2^28", "wgk_reverse_i32", "step", 8.0 * n, 0, [] { wgk_reverse_i32(a, c, most, 0); });
    all_right("wgk_reverse_i32", n, [=] __device__(size_t i) { return z[n - 1 - i] == x[i]; });

    const size_t structures = n / 8;
    line("array_of_structures", "2^25", "wgk_split8_i32", "step", 8.0 * n, 0,
         [=] { wgk_split8_i32(a, c, structures, structures, 0); });
    all_right("wgk_split8_i32", n,
              [=] __device__(size_t i) { return z[i % 8 * structures + i / 8] == x[i]; });

    int32_t sums[2];
    size_t bytes = 0;
    line("reduction", "2^28", "wgk_sum_i32", "step", 4.0 * n, n, [] { wgk_sum_i32(a, most, c, 0); });
    CHECK(cub::DeviceReduce::Sum(NULL, bytes, a, c + 1, int(n)));
    line("reduction", "2^28", "CUB", "peer", 4.0 * n, n,
         [&] { cub::DeviceReduce::Sum(b, bytes, a, c + 1, int(most)); });
    CHECK(cudaMemcpy(sums, c, sizeof sums, cudaMemcpyDeviceToHost));
    if (sums[0] != sums[1])
        fprintf(stderr, "ladders.cu: wgk_sum_i32 is %d, CUB's %d\n", sums[0], sums[1]), exit(1);
    draw(b, most, 2);
}

static void transposes(cublasHandle_t blas) {
    for (size_t n : {size_t(16384), size_t(4096)}) {
        char size[32];
        const float one = 1, zero = 0;
        const int32_t *x = a, *z = c;
        snprintf(size, sizeof size, "%zu^2", n);
        line("transpose", size, "wgk_transpose_i32", "step", 8.0 * n * n, 0,
             [=] { wgk_transpose_i32(a, n, c, n, n, n, 0); });
        all_right("wgk_transpose_i32", n * n,
                  [=] __device__(size_t i) { return z[i % n * n + i / n] == x[i]; });
        line("transpose", size, "cuBLAS geam", "peer", 8.0 * n * n, 0, [&] {
            cublasSgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, int(n), int(n), &one, (float *)a, int(n), &zero,
                        (float *)c, int(n), (float *)c, int(n));
        });
    }
}

#ifdef WITH_NPP
/* NVIDIA's image library; its means are of the pixels inside, as ours. */
static void npp_mean(int size, const char *dimensions, int width, int height) {
    NppStreamContext context = {};
    cudaDeviceProp p;
    const int border = size / 2, inside = border * (width + 1);
    const uint8_t *in = (uint8_t *)a + inside;
    uint8_t *out = (uint8_t *)c + inside;
    CHECK(cudaGetDeviceProperties(&p, 0));
    context.nMultiProcessorCount = p.multiProcessorCount;
    context.nMaxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
    context.nMaxThreadsPerBlock = p.maxThreadsPerBlock;
    context.nSharedMemPerBlock = p.sharedMemPerBlock;
    context.nCudaDevAttrComputeCapabilityMajor = p.major;
    context.nCudaDevAttrComputeCapabilityMinor = p.minor;
    const NppiSize region = {width - 2 * border, height - 2 * border}, mask = {size, size};
    line("mean_filter", dimensions, "NPP", "peer", 2.0 * width * height, double(size) * size * width * height,
         [=] {
             if (nppiFilterBox_8u_C1R_Ctx(in, width, out, width, region, mask, {border, border}, context))
                 fprintf(stderr, "ladders.cu: NPP refuses\n"), exit(1);
         });
}
#endif

static void means() {
    const int width = 8000, height = 8000;
    for (int size = 3; size <= 5; size += 2) {
        const uint8_t *in = (uint8_t *)a;
        uint8_t *out = (uint8_t *)c;
        char name[32], dimensions[32];
        snprintf(name, sizeof name, "wgk_mean%d_u8", size);
        snprintf(dimensions, sizeof dimensions, "%dx%d, 8000^2", size, size);
        auto mean = size == 3 ? wgk_mean3_u8 : wgk_mean5_u8;
        line("mean_filter", dimensions, name, "step", 2.0 * width * height,
             double(size) * size * width * height, [=] { mean(in, width, out, width, width, height, 0); });
        const int border = size / 2;
        all_right(name, size_t(width) * height, [=] __device__(size_t i) {
            const int x = i % width, y = i / width;
            if (x < border || y < border || x >= width - border || y >= height - border) return true;
            int sum = 0;
            for (int dy = -border; dy <= border; dy++)
                for (int dx = -border; dx <= border; dx++) sum += in[size_t(y + dy) * width + x + dx];
            return out[i] == sum / (size * size);
        });
#ifdef WITH_NPP
        npp_mean(size, dimensions, width, height);
#endif
    }
}

__global__ void count_in_global(const int32_t *values, size_t n, uint32_t *bins) {
    for (size_t i = each(); i < n; i += all()) atomicAdd(&bins[values[i]], 1);
}

static void histograms() {
    for (int bins : {256, 8192, 49152, 131072}) {
        char size[32];
        uint32_t *got = (uint32_t *)c, *expected = got + (1 << 20);
        size_t bytes = 0;
        snprintf(size, sizeof size, "%d bins, 2^28", bins);
        draw(a, most, 7, bins);
        line("histogram", size, "wgk_histogram_i32", "step", 4.0 * most, most,
             [=] { wgk_histogram_i32(a, most, got, bins, 0); });
        line("histogram", size, "global atomics", "peer", 4.0 * most, most, [=] {
            cudaMemsetAsync(expected, 0, 4 * bins);
            count_in_global<<<1056, 512>>>(a, most, expected);
        });
        all_right("wgk_histogram_i32", bins, [=] __device__(size_t i) { return got[i] == expected[i]; });
        int *out = (int *)expected;
        cub::DeviceHistogram::HistogramEven(NULL, bytes, a, out, bins + 1, 0, bins, int(most));
        line("histogram", size, "CUB", "peer", 4.0 * most, most,
             [&] { cub::DeviceHistogram::HistogramEven(b, bytes, a, out, bins + 1, 0, bins, int(most)); });
    }
    draw(a, most, 1);
    draw(b, most, 2);
}

static void products(cublasHandle_t blas) {
    const size_t n = 4096, m = n * n;
    const int32_t *x = a, *y = b, *z = c;
    line("matrix_product", "int32, 4096^3", "wgk_product_i32", "step", 12.0 * m, 2.0 * n * m,
         [=] { CHECK(wgk_product_i32(a, n, b, n, c, n, n, n, n, 0)); });
    all_right("wgk_product_i32", 1 << 16, [=] __device__(size_t i) {
        const size_t at = mix(uint32_t(i)) % m, row = at / n, column = at % n;
        uint32_t sum = 0;
        for (size_t k = 0; k < n; k++) sum += uint32_t(x[row * n + k]) * uint32_t(y[k * n + column]);
        return z[at] == int32_t(sum);
    });

    const size_t large = 8192, area = large * large;
    float *f = (float *)a, *g = (float *)b, *h = (float *)c;
    const float one = 1, zero = 0;
    draw_floats<<<1024, 512>>>(f, area, 5);
    draw_floats<<<1024, 512>>>(g, area, 6);
    line("matrix_product", "float32, 8192^3", "wgk_product_f32", "step", 12.0 * area, 2.0 * large * area,
         [=] { CHECK(wgk_product_f32(f, large, g, large, h, large, large, large, large, 0)); });
    all_right("wgk_product_f32", 1 << 14, [=] __device__(size_t i) {
        const size_t at = mix(uint32_t(i)) % area, row = at / large, column = at % large;
        double sum = 0;
        for (size_t k = 0; k < large; k++) sum += double(f[row * large + k]) * g[k * large + column];
        return fabs(sum - h[at]) < 1e-3;
    });
    line("matrix_product", "float32, 8192^3", "cuBLAS sgemm", "peer", 12.0 * area, 2.0 * large * area, [&] {
        cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, int(large), int(large), int(large), &one, g, int(large),
                    f, int(large), &zero, h, int(large));
    });
}

int main() {
    cublasHandle_t blas;
    CHECK(cudaMalloc(&a, 4 * most));
    CHECK(cudaMalloc(&b, 4 * most));
    CHECK(cudaMalloc(&c, 4 * most));
    CHECK(cudaMalloc(&differences, sizeof *differences));
    if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) return fprintf(stderr, "ladders.cu: no cuBLAS\n"), 1;
    draw(a, most, 1);
    draw(b, most, 2);
    copies();
    vectors();
    transposes(blas);
    means();
    histograms();
    products(blas);
    cublasDestroy(blas);
    return 0;
}
