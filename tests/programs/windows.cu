/* windows: sums of neighbours, as blurs, box filters and moving sums take them: of bytes, words and ints,
 * with and without signs, in global and in shared memory, for windows of many shapes; and sums that only look
 * like it. */
#include "program.h"

constexpr int W = 237, H = 41;
typedef unsigned char byte;

/* The mean of (2 * RX + 1) x (2 * RY + 1) elements; those near the border stay. */
template <typename T, typename S, int RX, int RY> __global__ void box(const T *in, T *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < RX || y < RY || x >= W - RX || y >= H - RY) return;
    S sum = 0;
#pragma unroll
    for (int j = -RY; j <= RY; j++)
#pragma unroll
        for (int i = -RX; i <= RX; i++) sum += in[(y + j) * W + x + i];
    out[y * W + x] = (T)(sum / ((2 * RX + 1) * (2 * RY + 1)));
}

/* The same from a tile, whose rows overlap those of the block beside it. */
template <typename T, typename S, int R> __global__ void box_tile(const T *in, T *out) {
    __shared__ S tile[2 * R + 1][96];
    int t = threadIdx.x, x = blockIdx.x * (96 - 2 * R) + t, y = blockIdx.y;
    bool inside = x < W && y >= R && y < H - R;
    if (inside)
        for (int j = 0; j <= 2 * R; j++) tile[j][t] = in[(y + j - R) * W + x];
    __syncthreads();
    if (!inside || t < R || t >= 96 - R || x >= W - R) return;
    S sum = 0;
#pragma unroll
    for (int j = 0; j <= 2 * R; j++)
#pragma unroll
        for (int i = -R; i <= R; i++) sum += tile[j][t + i];
    out[y * W + x] = (T)(sum / ((2 * R + 1) * (2 * R + 1)));
}

/* N neighbours, and something else that counts. */
template <typename T, typename S, int N> __global__ void moving(const T *in, S *out, int n, S bias) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + N > n) return;
    S sum = bias;
#pragma unroll
    for (int k = 0; k < N; k++) sum += in[i + k];
    out[i] = sum + i;
}

/* Weights: an element that counts twice, gaps, a sum that is wanted on its way, one that goes backwards. */
__global__ void crooked(const byte *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 8 || i >= n - 8) return;
    int twice = in[i - 1] + in[i] + in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4] + in[i + 4];
    int gaps =
        in[i - 8] + in[i - 7] + in[i - 6] + in[i - 5] + in[i - 4] + in[i - 3] + in[i] + in[i + 2] + in[i + 3];
    int part = in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4] + in[i + 5] + in[i + 6];
    int whole = part + in[i + 7] + in[i + 8];
    const byte *back = in + (n - i);
    int backwards = back[-1] + back[0] + back[1] + back[2] + back[3] + back[4];
    out[5 * i] = twice, out[5 * i + 1] = gaps, out[5 * i + 2] = part, out[5 * i + 3] = whole;
    out[5 * i + 4] = backwards;
}

/* Some lanes only, and at strides. */
__global__ void parted(const int *in, int *out, int *other, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 8) return;
    int sum = 0;
    if (in[i] % 3)
        sum = in[i] + in[i + 1] + in[i + 2] + in[i + 3] + in[i + 4] + in[i + 5] + in[i + 6] + in[i + 7];
    int j = i * stride % (n - 8);
    sum += in[j] + in[j + 1] + in[j + 2] + in[j + 3] + in[j + 4] + in[j + 5] + in[j + 6] + in[j + 7];
    other[i] += sum;
    out[i] = sum + other[i];
}

/* Indices that wrap in lanes that are off, behind stores: what was stored is stored again, added to is not.
 */
__global__ void behind_stores(const int *in, int *out, int *counts, unsigned back) {
    __shared__ int a[64], b[64], c[64];
    unsigned t = threadIdx.x, i = t - back;
    a[t] = b[t] = c[t] = -1;
    __syncthreads();
    if (t >= back) {
        a[t] = in[t];
        b[t] = in[i];
    }
    __syncthreads();
    if (t >= back) {
        c[t] += a[t] + 1;
        out[64 * 2 + t] = in[i + 1];
    }
    if (t >= back) {
        counts[t] += 1;
        out[64 * 3 + t] = in[i + 2] + counts[t];
    }
    __syncthreads();
    out[t] = a[t] + 1000 * b[63 - t];
    out[64 + t] = c[t];
}

/* Words that overflow, also on the way. */
__global__ void wrapping(const short *in, short *out, unsigned short *bits, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 9) return;
    short sum = 0;
    unsigned short u = 40000;
#pragma unroll
    for (int k = 0; k < 9; k++)
        sum = (short)(sum + in[i + k]), u = (unsigned short)(u + (unsigned short)in[i + k]);
    out[i] = sum;
    bits[i] = u;
}

template <typename T> static void fill(Array<T> &a) {
    for (size_t i = 0; i < a.n; i++) a[i] = (T)(i * 2654435761u >> 13);
}

template <typename T, typename S, int RX, int RY> static void boxes(const char *name) {
    Array<T> in(W * H), out(W * H);
    fill(in);
    box<T, S, RX, RY><<<dim3((W + 63) / 64, H), 64>>>(in, out);
    show(name, out);
    int wrong = 0;
    for (int y = RY; y < H - RY; y++)
        for (int x = RX; x < W - RX; x++) {
            S sum = 0;
            for (int j = -RY; j <= RY; j++)
                for (int i = -RX; i <= RX; i++) sum += in[(y + j) * W + x + i];
            wrong += out[y * W + x] != (T)(sum / ((2 * RX + 1) * (2 * RY + 1)));
        }
    if (wrong) printf("    %d wrong\n", wrong);
}

template <typename T, typename S, int R> static void tiles(const char *name) {
    Array<T> in(W * H), out(W * H), same(W * H);
    fill(in);
    box_tile<T, S, R><<<dim3((W + 95 - 2 * R) / (96 - 2 * R), H), 96>>>(in, out);
    show(name, out);
    box<T, S, R, R><<<dim3((W + 63) / 64, H), 64>>>(in, same);
    CALL(cudaDeviceSynchronize());
    if (memcmp(out.p, same.p, W * H * sizeof(T))) printf("    not what it is without a tile\n");
}

template <typename T, typename S, int N> static void sums(const char *name) {
    const int n = 1000;
    Array<T> in(n);
    Array<S> out(n);
    fill(in);
    moving<T, S, N><<<8, 128>>>(in, out, n, (S)77);
    show(name, out);
    int wrong = 0;
    for (int i = 0; i + N <= n; i++) {
        S sum = (S)77;
        for (int k = 0; k < N; k++) sum += in[i + k];
        wrong += out[i] != (S)(sum + i);
    }
    if (wrong) printf("    %d wrong\n", wrong);
}

/* The last element of the last window is the array's last: nothing may be read behind it, or before the
 * first. */
static void at_the_edge() {
    const size_t page = 4096, n = 16 * page;
    char *p = nullptr;
    CALL(cudaMalloc(&p, n));
    CALL(cudaMemset(p, 3, n));
    Array<int> out(n);
    moving<char, int, 9><<<(n + 255) / 256, 256>>>(p, out, n, 0);
    show("edge", out);
    CALL(cudaFree(p));
}

int main() {
    boxes<byte, int, 1, 1>("bytes 3x3"), boxes<byte, unsigned, 2, 2>("bytes 5x5"),
        boxes<byte, int, 4, 3>("bytes 9x7");
    boxes<byte, int, 8, 0>("bytes 17x1"), boxes<byte, int, 0, 3>("bytes 1x7"),
        boxes<byte, int, 9, 1>("bytes 19x3");
    boxes<signed char, int, 2, 2>("signed bytes 5x5"), boxes<unsigned short, unsigned, 2, 1>("words 5x3");
    boxes<short, int, 3, 3>("signed words 7x7"), boxes<int, int, 2, 2>("ints 5x5"),
        boxes<int, int, 1, 4>("ints 3x9");
    boxes<short, short, 2, 2>("words in words"), boxes<byte, unsigned short, 3, 3>("bytes in words");
    boxes<float, float, 2, 2>("floats: no reordering");
    tiles<byte, int, 1>("tile of ints 3x3"), tiles<byte, int, 2>("tile of ints 5x5"),
        tiles<byte, unsigned, 4>("tile 9x9");
    tiles<byte, unsigned short, 3>("tile of words"), tiles<short, int, 2>("tile of signed words");
    tiles<byte, byte, 2>("tile of bytes that wrap");
    sums<byte, int, 6>("6 bytes"), sums<byte, unsigned short, 16>("16 bytes"), sums<int, int, 8>("8 ints");
    sums<short, int, 17>("17 words"), sums<short, int, 18>("18 words"),
        sums<signed char, short, 12>("12 signed bytes");
    sums<byte, long long, 9>("9 bytes in 64 bits"), sums<int, unsigned, 40>("40 ints");
    const int n = 700;
    Array<byte> bytes(n);
    Array<int> ints(n), out(5 * n), other(n);
    Array<short> words(n), wrapped(n);
    Array<unsigned short> bits(n);
    fill(bytes), fill(ints), fill(words), fill(other);
    crooked<<<6, 128>>>(bytes, out, n);
    show("crooked", out);
    for (int stride : {1, 2, 7}) {
        parted<<<11, 64>>>(ints, out, other, n, stride);
        show("parted", out);
        fill(other);
    }
    wrapping<<<6, 128>>>(words, wrapped, bits, n);
    show("wrapped", wrapped), show("wrapped bits", bits);
    for (unsigned back : {0u, 5u, 33u}) {
        Array<int> results(256), counts(64);
        behind_stores<<<1, 64>>>(ints, results, counts, back);
        show("behind stores", results), show("counts", counts);
    }
    at_the_edge();
    return 0;
}
