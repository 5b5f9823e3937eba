/* Integer, byte-wise and 16-bit intrinsics against plain code, over values at the edges. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cmath>
#include <cstring>
#include "check.h"

const unsigned VALUES[] = {0,          1,          2,          0x7f,       0x80,       0xff,
                           0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000,
                           0xffffffff, 0x80808080, 0x7f7f7f7f, 0x01ff00fe, 0x12345678, 0xdeadbeef};
const int COUNT = sizeof VALUES / sizeof *VALUES;

__global__ void integers(const unsigned *v, unsigned (*out)[16]) {
    int i = blockIdx.x * COUNT + threadIdx.x;
    unsigned a = v[blockIdx.x], b = v[threadIdx.x];
    unsigned r[] = {(unsigned)__popc(a),
                    (unsigned)__clz(a),
                    (unsigned)__ffs(a),
                    __brev(a),
                    __umulhi(a, b),
                    (unsigned)__mulhi(a, b),
                    (unsigned)__mul24(a, b),
                    (unsigned)__hadd((int)a, (int)b),
                    __urhadd(a, b),
                    __usad(a, b, 3),
                    __byte_perm(a, b, 0x5140),
                    __funnelshift_l(a, b, 7),
                    __funnelshift_rc(a, b, 40),
                    (unsigned)__dp4a((int)a, (int)b, 5),
                    (unsigned)__clzll((long long)a << 20),
                    (unsigned)__ffsll((long long)b << 30)};
    for (int k = 0; k < 16; k++) out[i][k] = r[k];
}
__global__ void bytes(const unsigned *v, unsigned (*out)[16]) {
    int i = blockIdx.x * COUNT + threadIdx.x;
    unsigned a = v[blockIdx.x], b = v[threadIdx.x];
    unsigned r[] = {__vadd4(a, b),      __vsub2(a, b),  __vaddss4(a, b),  __vsubus2(a, b),
                    __vmaxs4(a, b),     __vminu2(a, b), __vcmpgtu4(a, b), __vsetles2(a, b),
                    __vabsdiffu4(a, b), __vsadu4(a, b), __vavgu4(a, b),   __vhaddu2(a, b),
                    __vneg4(a),         __vabsss2(a),   __vcmpeq2(a, b),  __vsads2(a, b)};
    for (int k = 0; k < 16; k++) out[i][k] = r[k];
}

/* Elements of a word, as a person would take them. */
static int part(unsigned w, int bits, int k, bool sign) {
    int u = w >> (k * bits) & ((1 << bits) - 1);
    return sign && u >> (bits - 1) ? u - (1 << bits) : u;
}
template <class F> static unsigned each(unsigned a, unsigned b, int bits, bool sign, F f) {
    unsigned w = 0;
    for (int k = 0; k < 32 / bits; k++)
        w |= (f(part(a, bits, k, sign), part(b, bits, k, sign)) & ((1u << bits) - 1)) << (k * bits);
    return w;
}
static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

static void check_integers(unsigned a, unsigned b, const unsigned *r) {
    int sa = a, sb = b, ones = 0, dot = 5;
    unsigned reversed = 0;
    for (int k = 0; k < 32; k++) ones += a >> k & 1, reversed |= (a >> k & 1) << (31 - k);
    for (int k = 0; k < 4; k++) dot += part(a, 8, k, true) * part(b, 8, k, true);
    CHECK(r[0] == (unsigned)ones && r[1] == (a ? __builtin_clz(a) : 32u) &&
          r[2] == (unsigned)__builtin_ffs(a) && r[3] == reversed);
    CHECK(r[4] == (unsigned)((unsigned long long)a * b >> 32) &&
          r[5] == (unsigned)((long long)sa * sb >> 32));
    CHECK(r[6] == (unsigned)((long long)((int)(a << 8) >> 8) * ((int)(b << 8) >> 8)));
    CHECK(r[7] == (unsigned)(((long long)sa + sb) >> 1) &&
          r[8] == (unsigned)(((unsigned long long)a + b + 1) >> 1));
    CHECK(r[9] == (a > b ? a - b : b - a) + 3);
    CHECK(r[10] == ((a & 0xff) | (b & 0xff) << 8 | (a >> 8 & 0xff) << 16 | (b >> 8 & 0xff) << 24));
    CHECK(r[11] == (b << 7 | a >> 25) && r[12] == b && r[13] == (unsigned)dot);
    unsigned long long shifted = (unsigned long long)a << 20;
    CHECK(r[14] == (shifted ? __builtin_clzll(shifted) : 64u) &&
          r[15] == (unsigned)__builtin_ffsll((long long)b << 30));
}
static void check_bytes(unsigned a, unsigned b, const unsigned *r) {
    unsigned sum4 = 0, sum2 = 0;
    for (int k = 0; k < 4; k++) sum4 += abs(part(a, 8, k, false) - part(b, 8, k, false));
    for (int k = 0; k < 2; k++) sum2 += abs(part(a, 16, k, true) - part(b, 16, k, true));
    CHECK(r[0] == each(a, b, 8, false, [](int x, int y) { return x + y; }));
    CHECK(r[1] == each(a, b, 16, false, [](int x, int y) { return x - y; }));
    CHECK(r[2] == each(a, b, 8, true, [](int x, int y) { return clamp(x + y, -128, 127); }));
    CHECK(r[3] == each(a, b, 16, false, [](int x, int y) { return clamp(x - y, 0, 65535); }));
    CHECK(r[4] == each(a, b, 8, true, [](int x, int y) { return x > y ? x : y; }));
    CHECK(r[5] == each(a, b, 16, false, [](int x, int y) { return x < y ? x : y; }));
    CHECK(r[6] == each(a, b, 8, false, [](int x, int y) { return x > y ? -1 : 0; }));
    CHECK(r[7] == each(a, b, 16, true, [](int x, int y) { return x <= y ? 1 : 0; }));
    CHECK(r[8] == each(a, b, 8, false, [](int x, int y) { return abs(x - y); }));
    CHECK(r[9] == sum4 && r[15] == sum2);
    CHECK(r[10] == each(a, b, 8, false, [](int x, int y) { return (x + y + 1) / 2; }));
    CHECK(r[11] == each(a, b, 16, false, [](int x, int y) { return (x + y) / 2; }));
    CHECK(r[12] == each(a, b, 8, false, [](int x, int) { return -x; }));
    CHECK(r[13] == each(a, b, 16, true, [](int x, int) { return clamp(abs(x), 0, 32767); }));
    CHECK(r[14] == each(a, b, 16, false, [](int x, int y) { return x == y ? -1 : 0; }));
}

/* Every half, widened and narrowed again, on both sides; the four roundings order themselves around the
 * number. */
__global__ void narrow(const float *f, __half *h, __half *down, __half *up, __half *zero, __nv_bfloat16 *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    h[i] = __float2half(f[i]), down[i] = __float2half_rd(f[i]), up[i] = __float2half_ru(f[i]),
    zero[i] = __float2half_rz(f[i]);
    b[i] = __float2bfloat16(f[i]);
}
static void check_narrow() {
    const int n = 65536;
    float *f = array<float>(n);
    __half *h = array<__half>(n), *down = array<__half>(n), *up = array<__half>(n), *zero = array<__half>(n);
    __nv_bfloat16 *b = array<__nv_bfloat16>(n);
    unsigned z = 1;
    for (int i = 0; i < n; i++) {
        z = z * 1664525 + 1013904223;
        unsigned bits = (z >> 9 & 0x7fffff) | (unsigned)(100 + i % 46) << 23 | (unsigned)(i & 1) << 31;
        memcpy(&f[i], &bits, 4);
        if (i % 3 == 0) f[i] = __half2float(__ushort_as_half((unsigned short)i));
    }
    narrow<<<n / 256, 256>>>(f, h, down, up, zero, b);
    wait();
    for (int i = 0; i < n; i++) {
        if (f[i] != f[i]) continue;
        float near = __half2float(h[i]), d = __half2float(down[i]), u = __half2float(up[i]),
              t = __half2float(zero[i]);
        CHECK(__half_as_ushort(h[i]) == __half_as_ushort(__float2half(f[i])));
        CHECK(d <= f[i] && f[i] <= u && (near == d || near == u) && t == (f[i] < 0 ? u : d));
        CHECK(__half_as_ushort(down[i]) == __half_as_ushort(__float2half_rd(f[i])));
        if (i % 3 == 0) CHECK(near == f[i] && d == u);
        CHECK(__bfloat16_as_ushort(b[i]) == __bfloat16_as_ushort(__float2bfloat16(f[i])));
        CHECK(std::isinf(f[i]) || fabsf(__bfloat162float(b[i]) - f[i]) <= fabsf(f[i]) * 0x1p-8f);
    }
}

int main() {
    unsigned *v = array<unsigned>(COUNT);
    unsigned(*r)[16] = (unsigned(*)[16])array<unsigned>(16 * COUNT * COUNT);
    memcpy(v, VALUES, sizeof VALUES);
    integers<<<COUNT, COUNT>>>(v, r);
    wait();
    for (int i = 0; i < COUNT * COUNT; i++) check_integers(v[i / COUNT], v[i % COUNT], r[i]);
    bytes<<<COUNT, COUNT>>>(v, r);
    wait();
    for (int i = 0; i < COUNT * COUNT; i++) check_bytes(v[i / COUNT], v[i % COUNT], r[i]);
    check_narrow();
    return finish();
}
