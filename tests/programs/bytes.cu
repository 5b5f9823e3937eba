/* bytes: what programs do with bytes: RGB to grey, Sobel, thresholds and comparisons, blends, dot products of
 * signed bytes, histograms' shares, a convolution in float: results in bytes, sums in words and ints. Each is
 * held against plain C. */
#include "program.h"

constexpr int W = 331, H = 53, N = W * H;
typedef unsigned char byte;
typedef signed char s8;

__host__ __device__ byte grey_of(byte r, byte g, byte b) { return (77 * r + 150 * g + 29 * b) >> 8; }
__host__ __device__ byte blend_of(byte a, byte b, byte t) { return (a * t + b * (255 - t) + 127) / 255; }
__host__ __device__ byte clamp_of(int x) { return x < 0 ? 0 : x > 255 ? 255 : x; }
__host__ __device__ int iabs(int x) { return x < 0 ? -x : x; }
__host__ __device__ byte sobel_of(const byte *p, int w) {
    int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[-1 + w];
    int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    return clamp_of(iabs(gx) + iabs(gy));
}
__host__ __device__ byte median_of(byte a, byte b, byte c) {
    byte low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}
__host__ __device__ int dot_of(const s8 *a, const s8 *b, int n) {
    int sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}
__host__ __device__ float blurred_of(const byte *p, int w, const float *k) {
    float s = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) s += k[(j + 1) * 3 + i + 1] * p[j * w + i];
    return s;
}

#define AT const int i = blockIdx.x * blockDim.x + threadIdx.x
__global__ void grey(const byte *rgb, byte *out) {
    AT;
    if (i < N) out[i] = grey_of(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]);
}
__global__ void grey4(const uchar4 *rgba, byte *out) {
    AT;
    if (i >= N) return;
    uchar4 c = rgba[i];
    out[i] = grey_of(c.x, c.y, c.z);
}
__global__ void sobel(const byte *in, byte *out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x > 0 && y > 0 && x < W - 1 && y < H - 1) out[y * W + x] = sobel_of(in + y * W + x, W);
}
__global__ void blend(const byte *a, const byte *b, const byte *t, byte *out) {
    AT;
    if (i < N) out[i] = blend_of(a[i], b[i], t[i]);
}
__global__ void compare(const byte *a, const byte *b, byte *out, int *differ) {
    AT;
    if (i >= N) return;
    out[i] = a[i] > b[i] ? 255 : 0;
    if (a[i] != b[i]) atomicAdd(differ, 1);
}
__global__ void median(const byte *in, byte *out) {
    AT;
    if (i > 0 && i < N - 1) out[i] = median_of(in[i - 1], in[i], in[i + 1]);
}
__global__ void dot(const s8 *a, const s8 *b, int *out, int n) {
    AT;
    if (i < N / 64) out[i] = dot_of(a + i * 64, b + i * 64, n);
}
__global__ void dot_rows(const s8 *a, const s8 *b, int *out, int n) {
    AT;
    if (i >= W) return;
    int sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k * W + i];
    out[i] = sum;
}
__constant__ float weights[9];
__global__ void convolve(const byte *in, float *out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x > 0 && y > 0 && x < W - 1 && y < H - 1) out[y * W + x] = blurred_of(in + y * W + x, W, weights);
}
__global__ void posterize(const byte *in, byte *out, int levels) {
    AT;
    if (i < N) out[i] = in[i] * levels / 256 * 255 / (levels - 1);
}
__global__ void tint(const byte *rgb, byte *out) {
    AT;
    if (i >= N || i % 11 == 3) return;
    byte r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    out[3 * i] = b, out[3 * i + 1] = (r + g) / 2, out[3 * i + 2] = 255 - r;
}
/* One channel of four, and pixels whose lanes do not follow each other. */
__global__ void channel(const byte *rgba, byte *out, int which) {
    AT;
    if (i < N / 2) out[4 * i + which] = rgba[4 * (i ^ 1) + which] + rgba[4 * i + which] + 1;
}
template <typename V> __global__ void swapped(const V *in, V *out, const byte *pick) {
    AT;
    if (i >= N) return;
    V v = in[i], w = in[pick[i]];
    out[i].x = v.y + w.x, out[i].y = w.y - v.x;
}
template <typename V> __global__ void turned(const V *in, V *out, const byte *pick) {
    __shared__ V t[64];
    AT;
    t[threadIdx.x] = in[i < N ? i : 0];
    __syncthreads();
    if (i >= N) return;
    V v = t[threadIdx.x ^ 5], w = in[pick[i]];
    out[i] = {v.w, v.z, w.y, w.x};
}

/* Accesses whose guard is known while compiling. */
__global__ void known(int *a, int *out) {
    AT;
    int x = 7;
    asm volatile("{ .reg .pred p; .reg .u32 t;\n"
                 "mov.u32 t, 0; setp.eq.u32 p, t, 1;\n"
                 "@p ld.global.u32 %0, [%1];\n@p st.global.u32 [%1], 99;\n@p st.global.u8 [%2], 99;\n"
                 "@p st.global.v2.u32 [%3], {98, 97};\n@!p st.global.u32 [%4], 96; }"
                 : "+r"(x)
                 : "l"(a + i), "l"((char *)a + 3 * i), "l"(a + 2 * i), "l"(out + 2 * i)
                 : "memory");
    out[2 * i + 1] = x;
}

__global__ void sums(const byte *in, unsigned short *row, unsigned *square) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= H) return;
    unsigned short s = 0;
    unsigned q = 0;
    for (int x = 0; x < W; x++) s += in[y * W + x], q += in[y * W + x] * in[y * W + x];
    row[y] = s, square[y] = q;
}

template <typename V> static void pairs(const char *name, const byte *from, const byte *pick) {
    Array<V> in(N), out(N);
    for (size_t i = 0; i < N * sizeof(V); i++) ((byte *)in.p)[i] = from[i % (3 * N)];
    swapped<V><<<(N + 63) / 64, 64>>>(in, out, pick);
    show(name, out);
}
template <typename V> static void fours(const char *name, const byte *from, const byte *pick) {
    Array<V> in(N), out(N);
    for (size_t i = 0; i < N * sizeof(V); i++) ((byte *)in.p)[i] = from[i % (3 * N)];
    turned<V><<<(N + 63) / 64, 64>>>(in, out, pick);
    show(name, out);
}

template <typename T, typename F> static void held(const char *name, Array<T> &got, F right) {
    show(name, got);
    int wrong = 0;
    for (size_t i = 0; i < got.n; i++) {
        T want;
        if (right((int)i, want)) wrong += memcmp(&want, &got[i], sizeof want) != 0;
    }
    if (wrong) printf("    %d wrong\n", wrong);
}

static bool inside(int i) { return i % W > 0 && i / W > 0 && i % W < W - 1 && i / W < H - 1; }

int main() {
    Array<byte> a(3 * N), b(N), t(N), out(N);
    Array<uchar4> rgba(N);
    Array<int> ints(N / 64), columns(W), differ(1);
    Array<float> floats(N);
    Array<unsigned short> rows(H);
    Array<unsigned> squares(H);
    for (int i = 0; i < 3 * N; i++) a[i] = (byte)(i * 2654435761u >> 21);
    for (int i = 0; i < N; i++) b[i] = i % 5 ? (byte)(i * 40503u >> 7) : a[i], t[i] = (byte)(i * 7 + i / 300);
    for (int i = 0; i < N; i++) rgba[i] = make_uchar4(a[i], b[i], t[i], 0);
    float k[9] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};
    CALL(cudaMemcpyToSymbol(weights, k, sizeof k));
    const s8 *sa = (const s8 *)a.p, *sb = (const s8 *)b.p;
    const int line = (N + 127) / 128;
    const dim3 plane((W + 63) / 64, H);

    grey<<<line, 128>>>(a, out);
    held("grey", out,
         [&](int i, byte &x) { return x = grey_of(a[3 * i], a[3 * i + 1], a[3 * i + 2]), true; });
    grey4<<<line, 128>>>(rgba, out);
    held("grey of four", out, [&](int i, byte &x) { return x = grey_of(a[i], b[i], t[i]), true; });
    sobel<<<plane, 64>>>(b, out);
    held("sobel", out, [&](int i, byte &x) { return inside(i) && (x = sobel_of(b + i, W), true); });
    blend<<<line, 128>>>(a, b, t, out);
    held("blend", out, [&](int i, byte &x) { return x = blend_of(a[i], b[i], t[i]), true; });
    compare<<<line, 128>>>(a, b, out, differ);
    held("compare", out, [&](int i, byte &x) { return x = a[i] > b[i] ? 255 : 0, true; });
    show("differ", differ);
    median<<<line, 128>>>(b, out);
    held("median", out, [&](int i, byte &x) {
        return i > 0 && i < N - 1 && (x = median_of(b[i - 1], b[i], b[i + 1]), true);
    });
    dot<<<(N / 64 + 63) / 64, 64>>>(sa, sb, ints, 64);
    held("dot", ints, [&](int i, int &x) { return x = dot_of(sa + i * 64, sb + i * 64, 64), true; });
    dot_rows<<<(W + 31) / 32, 32>>>(sa, sb, columns, H);
    held("dot of columns", columns, [&](int i, int &x) {
        x = 0;
        for (int j = 0; j < H; j++) x += sa[j] * sb[j * W + i];
        return true;
    });
    convolve<<<plane, 64>>>(b, floats);
    show("convolve", floats);
    for (int levels : {2, 5, 256}) {
        posterize<<<line, 128>>>(b, out, levels);
        held("posterize", out,
             [&](int i, byte &x) { return x = b[i] * levels / 256 * 255 / (levels - 1), true; });
    }
    Array<byte> tinted(3 * N), channels(4 * N);
    tint<<<line, 128>>>(a, tinted);
    held("tint", tinted, [&](int k, byte &x) {
        int i = k / 3;
        byte r = a[3 * i], g = a[3 * i + 1];
        x = i % 11 == 3 ? 0 : k % 3 == 0 ? a[3 * i + 2] : k % 3 == 1 ? (r + g) / 2 : 255 - r;
        return true;
    });
    for (int which : {0, 3}) {
        channel<<<line, 128>>>(a, channels, which);
        show("channel", channels);
    }
    pairs<uchar2>("pairs of bytes", a, b), pairs<ushort2>("of words", a, b), pairs<int2>("of ints", a, b);
    pairs<longlong2>("of long longs", a, b);
    fours<uchar4>("four bytes", a, b), fours<short4>("words", a, b), fours<float4>("floats", a, b);
    Array<int> guarded(128), kept(128);
    for (int i = 0; i < 128; i++) guarded[i] = i;
    known<<<1, 64>>>(guarded, kept);
    show("known guards", guarded), show("kept", kept);
    sums<<<1, 64>>>(b, rows, squares);
    show("rows", rows), show("squares", squares);
    return 0;
}
