/* Conversions between __int128 and floating-point numbers in kernels: what the host computes. */
#include "check.h"

typedef unsigned __int128 wide;
struct result {
    __int128 from_double, from_float;
    wide unsigned_from_double;
    double to_double, unsigned_to_double;
    float to_float, unsigned_to_float;
};

__host__ __device__ result convert(wide w, double d) {
    result r = {};
    r.from_double = (__int128)d;
    r.from_float = (__int128)(float)(d < 1e38 && d > -1e38 ? d : 1);
    r.unsigned_from_double = (wide)(d < 0 ? -d : d);
    r.to_double = (double)(__int128)w;
    r.unsigned_to_double = (double)w;
    r.to_float = (float)(__int128)w;
    r.unsigned_to_float = (float)w;
    return r;
}
__global__ void kernel(const wide *w, const double *d, result *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = convert(w[i], d[i]);
}

int main() {
    const int n = 20000;
    wide *w = array<wide>(n);
    double *d = array<double>(n);
    result *out = array<result>(n);
    unsigned long long state = 1;
    for (int i = 0; i < n; i++) {
        auto next = [&] { return state = state * 6364136223846793005ull + 1442695040888963407ull; };
        w[i] = ((wide)next() << 64 | next()) >> next() % 128;
        if (i % 3 == 0)
            w[i] = ((wide)1 << next() % 127) + (long long)(next() >> 60) - 8; /* next to powers of two */
        if (i % 7 == 0) w[i] = -w[i];
        d[i] = (double)(__int128)w[i] * (1 + (i % 5) / 8.0) / 2;
        if (i % 11 == 0) d[i] = (long long)next() / 9.3e18 * 4;
        if (!(d[i] < 1.7e38 && d[i] > -1.7e38)) d[i] = i;
    }
    w[0] = 0, d[0] = 0, w[1] = ~(wide)0, w[2] = (wide)1 << 127;
    kernel<<<(n + 255) / 256, 256>>>(w, d, out, n);
    wait();
    for (int i = 0; i < n; i++) {
        result h = convert(w[i], d[i]), k = out[i];
        CHECK(h.from_double == k.from_double);
        CHECK(h.from_float == k.from_float);
        CHECK(h.unsigned_from_double == k.unsigned_from_double);
        CHECK(h.to_double == k.to_double && h.unsigned_to_double == k.unsigned_to_double);
        CHECK(h.to_float == k.to_float && h.unsigned_to_float == k.unsigned_to_float);
    }
    return finish();
}
