/* small_numbers: 32-bit arithmetic on numbers that fit 16 bits, to their ends and past them, and tiles of
 * words that hold bytes, 16-bit numbers, or more than that. Each is held against plain C.
 */
#include "program.h"

constexpr int W = 421, H = 38, N = W * H;
typedef unsigned char byte;
typedef unsigned short word;

/* ---- arithmetic: the same function on the host ---- */

enum { RULES = 16 };
__host__ __device__ int rule_of(int rule, int a, int b, int c, bool q) {
    const unsigned u = a, v = b;
    switch (rule) {
    case 0: return (a + b + c) / 3;                            /* mul.hi of a sum */
    case 1: return (u + v) / 7 + (u * v) % 10;                 /* products to 65025 */
    case 2: return a - 2 * b + c;                              /* signs */
    case 3: return abs(a - b) + abs(b - c);                    /* */
    case 4: return min(max(a - b, -100), 100) * (c - 128);     /* to -12800 and back */
    case 5: return a * b * (q ? 1 : 2);                        /* past 65535 */
    case 6: return (a - b) >> 1;                               /* shifts of negative numbers */
    case 7: return q ? a - b : 40000;                          /* no 16 bits hold both */
    case 8: return (a << 8 | b) ^ (c << 4);                    /* all 16 bits */
    case 9: return ((a << 8 | b) * 3) >> 2;                    /* and more */
    case 10: return u > v ? u - v : v - u;                     /* an unsigned difference */
    case 11: return (int)(u - v) < 0 ? -1 : (u - v) / 5;       /* which wraps round */
    case 12: return max(u - v, 3u) == 3u ? 1 : min(u - v, 9u); /* unsigned order */
    case 13: return (a * 257 + b) / 255;                       /* up to 65790 / 255 */
    case 14: return ((a & b) | (c & 15)) - (a & ~b & 255);     /* */
    default: return -(a + b) * 100 + (int)((u + v + c) * 59u); /* -51000 */
    }
}
template <int rule> __global__ void apply(const byte *in, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N - 2) return;
    out[i] = rule_of(rule, in[i], in[i + 1], in[i + 2], in[i] > 127);
}

/* ---- tiles of words ---- */

__device__ __host__ int value_of(int form, int x) {
    return form == 0 ? x : form == 1 ? x * 257 : form == 2 ? x - 128 : x * 65537;
}
__host__ __device__ int clamped(int x, int n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }

/* A halo round a block of any shape, by a loop; borders repeat. */
template <int form, int BX, int BY, int R> __global__ void halo(const byte *in, int *out) {
    __shared__ int tile[BY + 2 * R][BX + 2 * R];
    const int x0 = blockIdx.x * BX - R, y0 = blockIdx.y * BY - R;
    for (int k = threadIdx.y * BX + threadIdx.x; k < (BX + 2 * R) * (BY + 2 * R); k += BX * BY) {
        const int y = k / (BX + 2 * R), x = k % (BX + 2 * R);
        tile[y][x] = value_of(form, in[clamped(y0 + y, H) * W + clamped(x0 + x, W)]);
    }
    __syncthreads();
    const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    if (x >= W || y >= H) return;
    int sum = 0;
    for (int j = 0; j <= 2 * R; j++)
        for (int i = 0; i <= 2 * R; i++) sum += tile[threadIdx.y + j][threadIdx.x + i];
    out[y * W + x] = sum;
}

/* Rows that each thread loads a word of, and dynamic shared memory; lanes at both ends have no sum. */
template <int form, int R> __global__ void rows(const byte *in, int *out) {
    extern __shared__ int tile[];
    const int n = blockDim.x, t = threadIdx.x, x = blockIdx.x * (n - 2 * R) + t, y = blockIdx.y;
    const bool inside = x < W && y >= R && y < H - R;
    for (int j = 0; j <= 2 * R && inside; j++) tile[j * n + t] = value_of(form, in[(y + j - R) * W + x]);
    __syncthreads();
    if (!inside || t < R || t >= n - R || x >= W - R) return;
    unsigned sum = 0;
    for (int j = 0; j <= 2 * R; j++)
        for (int i = -R; i <= R; i++) sum += tile[j * n + t + i];
    out[y * W + x] = sum / ((2 * R + 1) * (2 * R + 1));
}

/* Flags, lanes that part for long between barriers, and one word that a thread writes for all. */
__global__ void parted(const byte *in, int *out) {
    __shared__ int tile[2][96], last;
    const int t = threadIdx.x, i = blockIdx.x * 96 + t;
    tile[0][t] = i < N ? in[i] : 0;
    tile[1][95 - t] = i < N && in[i] > 99;
    if (t == 95) last = 17;
    __syncthreads();
    int turns = 0;
    for (int x = tile[0][t]; x > 0 && turns < 300; turns++)
        x = turns % 3 ? x / 2 : x - tile[1][(t + turns) % 96] - 1;
    __syncthreads();
    tile[0][t] = turns & 255;
    __syncthreads();
    if (i < N) out[i] = turns + 1000 * tile[1][t] + 10000 * last + tile[0][95 - t];
}

/* A column, and a vote on what is loaded. */
__global__ void columns(const byte *in, int *out) {
    __shared__ int tile[32][33];
    const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 1024 + y * 32 + x;
    tile[y][x] = i < N ? in[i] : 255;
    __syncthreads();
    const int turned = tile[x][y];
    if (i < N) out[i] = turned + 256 * __popc(__ballot_sync(__activemask(), turned > tile[y][x]));
}

static Array<byte> *image;
static Array<int> *result;

template <class Expect> static void held(const char *name, int what, Expect expect) {
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        int x = 0;
        if (expect(i, x) && x != (*result)[i] && !wrong++)
            printf("%s %d: element %d is %d, not %d\n", name, what, i, (*result)[i], x);
    }
    printf("%s %d: %d wrong, %016llx\n", name, what, wrong,
           (unsigned long long)hash_of(result->p, N * sizeof(int)));
    memset(result->p, 0, N * sizeof(int));
}

template <int rule> static void all_rules() {
    apply<rule><<<(N + 127) / 128, 128>>>(*image, *result);
    held("rule", rule, [&](int i, int &x) {
        const byte *p = *image + i;
        return i < N - 2 && (x = rule_of(rule, p[0], p[1], p[2], p[0] > 127), true);
    });
    if constexpr (rule + 1 < RULES) all_rules<rule + 1>();
}

template <int form, int BX, int BY, int R> static void a_halo() {
    halo<form, BX, BY, R><<<dim3((W + BX - 1) / BX, (H + BY - 1) / BY), dim3(BX, BY)>>>(*image, *result);
    held("halo", 1000 * form + BX, [&](int k, int &x) {
        unsigned sum = 0;
        for (int j = -R; j <= R; j++)
            for (int i = -R; i <= R; i++)
                sum += value_of(form, (*image)[clamped(k / W + j, H) * W + clamped(k % W + i, W)]);
        x = sum;
        return true;
    });
}

template <int form, int R> static void some_rows(int n) {
    rows<form, R>
        <<<dim3((W + n - 2 * R - 1) / (n - 2 * R), H), n, (2 * R + 1) * n * sizeof(int)>>>(*image, *result);
    held("rows", 1000 * form + n, [&](int k, int &out) {
        const int x = k % W, y = k / W;
        if (x < R || y < R || x >= W - R || y >= H - R) return false;
        unsigned sum = 0;
        for (int j = -R; j <= R; j++)
            for (int i = -R; i <= R; i++) sum += value_of(form, (*image)[k + j * W + i]);
        out = sum / ((2 * R + 1) * (2 * R + 1));
        return true;
    });
}

template <int form> static void tiles() {
    a_halo<form, 16, 16, 1>(), a_halo<form, 32, 8, 2>(), a_halo<form, 8, 32, 1>(), a_halo<form, 64, 2, 3>();
    some_rows<form, 1>(128), some_rows<form, 2>(128), some_rows<form, 1>(96), some_rows<form, 3>(70);
}

int main() {
    Array<byte> in(N);
    Array<int> out(N);
    image = &in, result = &out;
    uint32_t state = 7;
    for (int i = 0; i < N; i++) {
        const uint32_t x = next_random(state);
        in[i] = x % 5 == 0 ? 255 : x % 5 == 1 ? 0 : x >> 24;
    }
    all_rules<0>();
    tiles<0>(), tiles<1>(), tiles<2>(), tiles<3>();
    parted<<<(N + 95) / 96, 96>>>(in, out);
    held("parted", 0, [](int, int &) { return false; });
    columns<<<(N + 1023) / 1024, dim3(32, 32)>>>(in, out);
    held("columns", 0, [](int, int &) { return false; });
    return 0;
}
