/*
 * wgk_test: the functions of kernels/wgk.h against plain C, over sizes that nothing divides, every alignment,
 * strides beyond the row, and arguments that cannot be. Runs on the software GPU in ./test, and on a real one
 * as it is:
 *
 *     nvcc -O3 -gencode=arch=compute_90a,code=sm_90a -DWGK_SM90A wgk_test.cu ../../kernels/wgk.cu
 *
 *     wgk_test [NAME ...] [small]     runs these only; products of fewer than 200 rows only. Status 0: all
 *                                     right.
 */
#include "../../kernels/wgk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#define CHECK(call) check((call), #call, __LINE__)

static int wrong = 0, done = 0;

static void check(cudaError_t e, const char *call, int line) {
    if (e == cudaSuccess) return;
    printf("line %d: %s: %s\n", line, call, cudaGetErrorString(e));
    exit(1);
}

static uint32_t seed = 1;
static uint32_t draw() {
    seed = seed * 1664525u + 1013904223u;
    return seed ^ seed >> 15;
}

/* Device memory of `count` values, `shift` values behind an aligned place, with a margin on both sides that
 * must stay as it is. */
template <class T> class Array {
  public:
    Array(size_t count, size_t shift) : count_(count), shift_(shift + margin), host(count) {
        CHECK(cudaMalloc(&base_, (count + shift_ + margin) * sizeof(T)));
        CHECK(cudaMemset(base_, 0x5a, (count + shift_ + margin) * sizeof(T)));
        for (T &x : host) x = static_cast<T>(draw());
    }
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;
    ~Array() { cudaFree(base_); }
    T *device() { return base_ + shift_; }
    void up() {
        if (count_) CHECK(cudaMemcpy(device(), host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> down() {
        std::vector<T> all(count_ + shift_ + margin);
        CHECK(cudaMemcpy(all.data(), base_, all.size() * sizeof(T), cudaMemcpyDeviceToHost));
        T mark;
        memset(&mark, 0x5a, sizeof mark);
        for (size_t i = 0; i < all.size(); i++)
            if ((i < shift_ || i >= shift_ + count_) && memcmp(&all[i], &mark, sizeof mark) != 0) {
                printf("  written outside: value %ld of %zu\n",
                       static_cast<long>(i) - static_cast<long>(shift_), count_);
                wrong++;
                break;
            }
        return std::vector<T>(all.begin() + shift_, all.begin() + shift_ + count_);
    }

  private:
    static const size_t margin = 64;
    T *base_;
    size_t count_, shift_;

  public:
    std::vector<T> host;
};

template <class T>
static void same(const char *what, const std::vector<T> &got, const std::vector<T> &expected) {
    done++;
    for (size_t i = 0; i < expected.size(); i++)
        if (memcmp(&got[i], &expected[i], sizeof(T)) != 0) {
            printf("%s: value %zu of %zu is %.9g, not %.9g\n", what, i, expected.size(),
                   static_cast<double>(got[i]), static_cast<double>(expected[i]));
            wrong++;
            return;
        }
}
static void refused(const char *what, cudaError_t e) {
    done++;
    if (e == cudaErrorInvalidValue) return;
    printf("%s: %s, not cudaErrorInvalidValue\n", what, cudaGetErrorName(e));
    wrong++;
}

static char label[160];
static const size_t lengths[] = {0, 1, 2, 3, 4, 5, 7, 8, 31, 127, 128, 129, 1009, 4096, 20011};

static void test_add() {
    for (size_t n : lengths)
        for (size_t shift = 0; shift < 4; shift++)
            for (size_t apart = 0; apart < 2; apart++) {
                Array<int32_t> a(n, shift), b(n, shift), sum(n, (shift + apart) % 4);
                a.up(), b.up(), sum.up();
                CHECK(wgk_add_i32(a.device(), b.device(), sum.device(), n, 0));
                for (size_t i = 0; i < n; i++) sum.host[i] = static_cast<uint32_t>(a.host[i]) + b.host[i];
                snprintf(label, sizeof label, "add n %zu shift %zu apart %zu", n, shift, apart);
                same(label, sum.down(), sum.host);
            }
    refused("add of nothing", wgk_add_i32(NULL, NULL, NULL, 1, 0));
}

static void test_reverse() {
    for (size_t n : lengths)
        for (size_t shift = 0; shift < 16; shift++) {
            Array<int32_t> in(n, shift % 4), out(n, shift / 4);
            in.up();
            CHECK(wgk_reverse_i32(in.device(), out.device(), n, 0));
            for (size_t i = 0; i < n; i++) out.host[n - 1 - i] = in.host[i];
            snprintf(label, sizeof label, "reverse n %zu shifts %zu %zu", n, shift % 4, shift / 4);
            same(label, out.down(), out.host);
        }
    refused("reverse of nothing", wgk_reverse_i32(NULL, NULL, 4, 0));
}

static void test_transpose() {
    static const size_t shapes[][4] = {{0, 5, 0, 0},   {1, 1, 0, 0},    {64, 64, 0, 0},  {128, 192, 0, 0},
                                       {4, 60, 0, 0},  {68, 132, 4, 8}, {65, 63, 0, 0},  {31, 97, 1, 2},
                                       {200, 4, 4, 4}, {1, 300, 0, 0},  {100, 100, 0, 3}};
    for (const auto &s : shapes)
        for (size_t shift = 0; shift < 3; shift++) {
            const size_t rows = s[0], columns = s[1], in_stride = columns + s[2], out_stride = rows + s[3];
            Array<int32_t> in(rows * in_stride, shift), out(columns * out_stride, shift / 2);
            in.up(), out.up();
            CHECK(wgk_transpose_i32(in.device(), in_stride, out.device(), out_stride, rows, columns, 0));
            for (size_t y = 0; y < rows; y++)
                for (size_t x = 0; x < columns; x++)
                    out.host[x * out_stride + y] = in.host[y * in_stride + x];
            snprintf(label, sizeof label, "transpose %zu x %zu strides %zu %zu shift %zu", rows, columns,
                     in_stride, out_stride, shift);
            same(label, out.down(), out.host);
        }
    int32_t x;
    refused("transpose with a short stride", wgk_transpose_i32(&x, 3, &x, 8, 8, 4, 0));
}

static void test_split() {
    for (size_t n : lengths)
        for (size_t shift = 0; shift < 2; shift++)
            for (size_t more = 0; more < 5; more += 4) {
                const size_t stride = (n + more + 3) / 4 * 4 + shift;
                Array<int32_t> from(8 * n, shift), to(8 * stride, shift);
                from.up(), to.up();
                CHECK(wgk_split8_i32(from.device(), to.device(), stride, n, 0));
                for (size_t i = 0; i < 8 * n; i++) to.host[i % 8 * stride + i / 8] = from.host[i];
                snprintf(label, sizeof label, "split8 n %zu stride %zu shift %zu", n, stride, shift);
                same(label, to.down(), to.host);
            }
    int32_t x;
    refused("split8 with a short stride", wgk_split8_i32(&x, &x, 3, 4, 0));
}

static void test_sum() {
    for (size_t n :
         {size_t(0), size_t(1), size_t(5), size_t(1009), size_t(16384), size_t(16389), size_t(100003)})
        for (size_t shift = 0; shift < 4; shift++) {
            Array<int32_t> values(n, shift), sum(1, 0);
            values.up();
            uint32_t expected = 0;
            for (int32_t x : values.host) expected += x;
            CHECK(wgk_sum_i32(values.device(), n, sum.device(), 0));
            sum.host[0] = static_cast<int32_t>(expected);
            snprintf(label, sizeof label, "sum n %zu shift %zu", n, shift);
            same(label, sum.down(), sum.host);
        }
    refused("sum to nowhere", wgk_sum_i32(NULL, 0, NULL, 0));
}

static void test_mean() {
    static const size_t shapes[][4] = {{1, 1, 0, 0},  {3, 3, 0, 0},    {5, 5, 0, 0},     {16, 5, 0, 0},
                                       {32, 9, 0, 0}, {48, 33, 16, 0}, {528, 70, 0, 32}, {130, 7, 0, 0},
                                       {16, 1, 0, 0}, {301, 45, 3, 7}, {64, 64, 1, 0},   {2064, 19, 0, 0}};
    for (const auto &s : shapes)
        for (size_t shift = 0; shift < 2; shift++)
            for (int size = 3; size <= 5; size += 2) {
                const size_t width = s[0], height = s[1], in_pitch = width + s[2], out_pitch = width + s[3];
                Array<uint8_t> in(in_pitch * height, shift), out(out_pitch * height, shift);
                if (shift) memset(in.host.data(), 255, in.host.size()); /* the greatest sums */
                in.up(), out.up();
                CHECK((size == 3 ? wgk_mean3_u8 : wgk_mean5_u8)(in.device(), in_pitch, out.device(),
                                                                out_pitch, width, height, 0));
                const size_t b = size / 2;
                for (size_t y = b; y + b < height; y++)
                    for (size_t x = b; x + b < width; x++) {
                        int sum = 0;
                        for (int dy = 0; dy < size; dy++)
                            for (int dx = 0; dx < size; dx++)
                                sum += in.host[(y - b + dy) * in_pitch + x - b + dx];
                        out.host[y * out_pitch + x] = static_cast<uint8_t>(sum / (size * size));
                    }
                snprintf(label, sizeof label, "mean%d %zu x %zu pitches %zu %zu shift %zu", size, width,
                         height, in_pitch, out_pitch, shift);
                same(label, out.down(), out.host);
            }
    uint8_t x;
    refused("mean with a short pitch", wgk_mean3_u8(&x, 7, &x, 8, 8, 8, 0));
}

static void test_histogram() {
    static const size_t bins_of[] = {1, 2, 255, 256, 257, 8192, 49152, 131072, 600000};
    for (size_t bin_count : bins_of)
        for (size_t n : {size_t(0), size_t(3), size_t(40007)})
            for (int kind = 0; kind < 3; kind++) {
                Array<int32_t> values(n, kind);
                Array<uint32_t> bins(bin_count, kind);
                for (int32_t &v : values.host)
                    v = kind == 2
                            ? static_cast<int32_t>(bin_count - 1)
                            : static_cast<int32_t>(draw() % (bin_count + kind)); /* kind 1: some beyond */
                if (kind == 1 && n) values.host[0] = -1;
                values.up();
                CHECK(wgk_histogram_i32(values.device(), n, bins.device(), bin_count, 0));
                memset(bins.host.data(), 0, bin_count * sizeof(uint32_t));
                for (int32_t v : values.host)
                    if (v >= 0 && static_cast<size_t>(v) < bin_count) bins.host[v]++;
                snprintf(label, sizeof label, "histogram bins %zu n %zu kind %d", bin_count, n, kind);
                same(label, bins.down(), bins.host);
            }
    refused("histogram to nowhere", wgk_histogram_i32(NULL, 0, NULL, 4, 0));
}

static const size_t products[][4] = {{1, 1, 1, 0},     {17, 33, 15, 0},   {64, 64, 64, 0},
                                     {77, 65, 91, 3},  {129, 257, 40, 1}, {128, 256, 128, 4},
                                     {300, 130, 0, 0}, {260, 516, 132, 0}};

static bool small =
    false; /* leave out products whose many multiplications take checks and the reference a minute */

template <class T, class Function> static void test_product(const char *name, Function product) {
    for (const auto &s : products) {
        const size_t m = s[0], n = s[1], k = s[2], more = s[3];
        if (small && m >= 200) continue;
        Array<T> a(m * (k + more), more % 2), b(k * (n + more), 0), c(m * (n + more), 0);
        if (sizeof(T) == sizeof(float) && static_cast<T>(0.5) != 0) { /* values that float adds up exactly */
            for (T &x : a.host) x = static_cast<T>(static_cast<int>(draw() % 129) - 64);
            for (T &x : b.host) x = static_cast<T>(static_cast<int>(draw() % 129) - 64);
        }
        a.up(), b.up(), c.up();
        CHECK(product(a.device(), k + more, b.device(), n + more, c.device(), n + more, m, n, k,
                      cudaStream_t(0)));
        for (size_t y = 0; y < m; y++)
            for (size_t x = 0; x < n; x++) {
                double exact = 0;
                uint32_t modulo = 0;
                for (size_t i = 0; i < k; i++) {
                    const T p = a.host[y * (k + more) + i], q = b.host[i * (n + more) + x];
                    exact += static_cast<double>(p) * static_cast<double>(q);
                    modulo += static_cast<uint32_t>(static_cast<int64_t>(p)) *
                              static_cast<uint32_t>(static_cast<int64_t>(q));
                }
                c.host[y * (n + more) + x] = static_cast<T>(0.5) != 0
                                                 ? static_cast<T>(exact)
                                                 : static_cast<T>(static_cast<int32_t>(modulo));
            }
        snprintf(label, sizeof label, "%s %zu x %zu x %zu strides + %zu", name, m, n, k, more);
        same(label, c.down(), c.host);
    }
    refused(name, product(NULL, 1, NULL, 1, NULL, 1, 1, 1, 1, cudaStream_t(0)));
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)();
    } tests[] = {
        {"add", test_add},
        {"reverse", test_reverse},
        {"transpose", test_transpose},
        {"split", test_split},
        {"sum", test_sum},
        {"mean", test_mean},
        {"histogram", test_histogram},
        {"product_i32", [] { test_product<int32_t>("product_i32", wgk_product_i32); }},
        {"product_f32", [] { test_product<float>("product_f32", wgk_product_f32); }},
    };
    if (argc > 1 && !strcmp(argv[argc - 1], "small")) small = true, argc--;
    for (const auto &t : tests) {
        bool wanted = argc < 2;
        for (int i = 1; i < argc; i++) wanted |= strcmp(argv[i], t.name) == 0;
        if (wanted) t.run();
    }
    CHECK(cudaDeviceSynchronize());
    printf("%d of %d right\n", done - wrong, done);
    return wrong || !done;
}
