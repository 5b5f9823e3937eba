/* What nvcc takes, some of it with a warning, and clang refuses: list initialisation that narrows, a macro behind a
 * literal without a space, and a member template called without its arguments. */
#include "check.h"
#include <cinttypes>
#include <cstring>

struct pixel {
    unsigned char r, g;
    float depth;
};
struct reader {
    template <typename T> __host__ __device__ T half(T t) const { return t / 2; }
};

template <typename R> __global__ void narrow(pixel *out, unsigned short s, double depth, int n, R reader) {
    const pixel p = {s, n, depth};
    const float v[2] = {depth, n};
    out[0] = p;
    out[1].depth = v[1] + reader.template half(8);
}

int main(int argc, char **) {
    pixel *out = array<pixel>(2);
    const long threads = argc;
    narrow<<<dim3{threads}, {1}>>>(out, 0x1234, 0.1, 300, reader{});
    wait();
    CHECK(out[0].r == 0x34 && out[0].g == 44 && out[0].depth == (float)0.1);
    CHECK(out[1].depth == 304);
    char text[32];
    // clang-format off
    snprintf(text, sizeof text, "%"PRId64".", (int64_t)-5000000000);
    // clang-format on
    CHECK(!strcmp(text, "-5000000000."));
    return finish();
}
