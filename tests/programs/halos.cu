/* halos: programs whose tiles have borders of odd widths, to one side more than to the other: sums over
 * windows of bytes and of 16-bit words; a filter of shorts; a chain of structures; and blocks of 24 x 8
 * threads, whose rows are no warps. Sizes that no block divides; every value is checked against the host's.
 * With a size and a number of launches it tells how long they take.
 */
#include "program.h"

typedef unsigned char byte;
typedef unsigned short word;

enum { SIDE = 128 };

__host__ __device__ inline int inside(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* ---- sums over LEFT + 1 + RIGHT columns of ROWS rows, brought in by a row of threads ---- */

template <typename T, int LEFT, int RIGHT, int ROWS>
__global__ void window(const T *in, unsigned *out, int w, int h) {
    __shared__ unsigned rows[ROWS][SIDE];
    const int t = threadIdx.x, x = blockIdx.x * (SIDE - LEFT - RIGHT) + t, y = blockIdx.y;
    const bool on = x < w && y + ROWS <= h;
    if (on)
        for (int j = 0; j < ROWS; j++) rows[j][t] = in[(y + j) * w + x];
    __syncthreads();
    if (!on || t < LEFT || t >= SIDE - RIGHT || x >= w - RIGHT) return;
    unsigned sum = 0;
    for (int j = 0; j < ROWS; j++)
        for (int dx = -LEFT; dx <= RIGHT; dx++) sum += rows[j][t + dx];
    out[y * w + x] = sum / ((LEFT + 1 + RIGHT) * ROWS) + (sum << 8);
}

/* The same from global memory, for means: the result is a byte. */
template <int LEFT, int RIGHT, int ROWS> __global__ void mean(const byte *in, byte *out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < LEFT || x >= w - RIGHT || y + ROWS > h) return;
    unsigned sum = 0;
    for (int j = 0; j < ROWS; j++)
        for (int dx = -LEFT; dx <= RIGHT; dx++) sum += in[(y + j) * w + x + dx];
    out[y * w + x] = sum / ((LEFT + 1 + RIGHT) * ROWS);
}

/* ---- shorts: 32 x 8 threads fill 35 x 13, and sharpen ---- */

__global__ void sharpen(const short *in, short *out, int w, int h) {
    enum { W = 32 + 3, H = 8 + 5 };
    __shared__ short tile[H][W];
    for (int j = threadIdx.y; j < H; j += 8)
        for (int i = threadIdx.x; i < W; i += 32)
            tile[j][i] =
                in[inside((int)blockIdx.y * 8 + j - 2, h) * w + inside((int)blockIdx.x * 32 + i - 1, w)];
    __syncthreads();
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 2, x = blockIdx.x * 32 + threadIdx.x,
              y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w || y >= h) return;
    int sum =
        9 * tile[ty][tx] - tile[ty - 2][tx] - tile[ty + 3][tx] - tile[ty][tx - 1] - 2 * tile[ty][tx + 2];
    sum = sum / 4 + (tile[ty - 1][tx] > tile[ty + 1][tx + 1] ? 3 : -3);
    out[y * w + x] = sum < -32768 ? -32768 : sum > 32767 ? 32767 : sum;
}

/* ---- structures: threads look at the link before theirs and at the three behind it ---- */

struct Link {
    int place;
    short mass, charge;
    float stiff;
};

__global__ void pull(const Link *in, Link *out, int n) {
    enum { THREADS = 96, BEFORE = 1, BEHIND = 3 };
    __shared__ Link tile[THREADS + BEFORE + BEHIND];
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    tile[t + BEFORE] = in[inside(i, n)];
    if (t < BEFORE) tile[t] = in[inside(i - BEFORE, n)];
    if (t >= THREADS - BEHIND) tile[t + BEFORE + BEHIND] = in[inside(i + BEHIND, n)];
    __syncthreads();
    if (i >= n) return;
    Link mine = tile[t + BEFORE];
    float force = 0;
    for (int k = -BEFORE; k <= BEHIND; k++) {
        const Link &other = tile[t + BEFORE + k];
        force += other.stiff * (other.place - mine.place);
        mine.charge += other.charge * (k & 1 ? -1 : 1);
    }
    mine.place += (int)force / (mine.mass + 1);
    mine.stiff = force;
    out[i] = mine;
}

/* ---- 24 x 8 threads and the like: a tile of 29 x 11, filled thread by thread along its rows, and its
 * running maximum
 * ---- */

template <typename T, int X, int Y> __global__ void crest(const T *in, T *out, int w, int h) {
    enum { LEFT = 3, RIGHT = 2, ABOVE = 1, BELOW = 2, W = X + LEFT + RIGHT, H = Y + ABOVE + BELOW };
    __shared__ T tile[H][W];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * X + tx, y = blockIdx.y * Y + ty;
    for (int k = ty * X + tx; k < W * H; k += X * Y)
        tile[k / W][k % W] = in[inside((int)blockIdx.y * Y + k / W - ABOVE, h) * w +
                                inside((int)blockIdx.x * X + k % W - LEFT, w)];
    __syncthreads();
    if (x >= w || y >= h) return;
    T most = tile[ty + ABOVE][tx + LEFT], sum = 0;
    for (int j = 0; j <= ABOVE + BELOW; j++)
        for (int i = 0; i <= LEFT + RIGHT; i++) {
            const T v = tile[ty + j][tx + i];
            most = v > most ? v : most;
            sum += v;
        }
    out[y * w + x] = most - sum / 24;
}

/* ---- the host's values ---- */

static int repeat = 1;
static bool timed;

template <class F> static void launch(const char *name, F f) {
    cudaEvent_t e[2];
    float least = 1e9f;
    for (auto &x : e) CALL(cudaEventCreate(&x));
    for (int i = 0; i < repeat; i++) {
        float ms = 0;
        CALL(cudaEventRecord(e[0]));
        f();
        CALL(cudaEventRecord(e[1]));
        CALL(cudaEventSynchronize(e[1]));
        CALL(cudaEventElapsedTime(&ms, e[0], e[1]));
        if (ms < least) least = ms;
    }
    if (timed) printf("%s: %.3f ms\n", name, least);
}

static int blocks(int n, int size) { return (n + size - 1) / size; }

template <typename T> static void fill(Array<T> &a, uint32_t state) {
    for (size_t i = 0; i < a.n; i++) a[i] = (T)(next_random(state) >> (i % 7));
}

template <typename T, int LEFT, int RIGHT, int ROWS> static void sums(const char *of, int w, int h) {
    Array<T> in((size_t)w * h);
    Array<unsigned> out(in.n);
    Array<byte> bytes(in.n), means(in.n);
    fill(in, 1), fill(bytes, 2);
    char name[64];
    snprintf(name, sizeof name, "%s, %d + 1 + %d columns, %d rows", of, LEFT, RIGHT, ROWS);
    launch(name, [&] {
        window<T, LEFT, RIGHT, ROWS><<<dim3(blocks(w, SIDE - LEFT - RIGHT), h), SIDE>>>(in, out, w, h);
    });
    launch("  the bytes' mean, from global memory",
           [&] { mean<LEFT, RIGHT, ROWS><<<dim3(blocks(w, 96), h), 96>>>(bytes, means, w, h); });
    int wrong = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            unsigned sum = 0, other = 0, n = (LEFT + 1 + RIGHT) * ROWS;
            bool on = x >= LEFT && x < w - RIGHT && y + ROWS <= h;
            for (int j = 0; on && j < ROWS; j++)
                for (int dx = -LEFT; dx <= RIGHT; dx++)
                    sum += in[(y + j) * w + x + dx], other += bytes[(y + j) * w + x + dx];
            wrong += out[y * w + x] != sum / n + (sum << 8) || means[y * w + x] != (byte)(other / n);
        }
    printf("%s: %d wrong\n", name, wrong);
}

static void shorts(int w, int h) {
    Array<short> in((size_t)w * h), out(in.n);
    fill(in, 3);
    launch("shorts", [&] { sharpen<<<dim3(blocks(w, 32), blocks(h, 8)), dim3(32, 8)>>>(in, out, w, h); });
    int wrong = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            auto p = [&](int dx, int dy) -> int { return in[inside(y + dy, h) * w + inside(x + dx, w)]; };
            int sum = (9 * p(0, 0) - p(0, -2) - p(0, 3) - p(-1, 0) - 2 * p(2, 0)) / 4;
            sum += p(0, -1) > p(1, 1) ? 3 : -3;
            wrong += out[y * w + x] != (sum < -32768 ? -32768 : sum > 32767 ? 32767 : sum);
        }
    printf("shorts: %d wrong\n", wrong);
}

static void links(int n) {
    Array<Link> in(n), out(n);
    uint32_t state = 4;
    for (int i = 0; i < n; i++) {
        uint32_t r = next_random(state);
        in[i] = {8 * i + (int)(r & 7), (short)(r >> 4 & 15), (short)(r >> 8), (float)(r >> 24 & 7)};
    }
    launch("structures", [&] { pull<<<blocks(n, 96), 96>>>(in, out, n); });
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        Link mine = in[i];
        float force = 0;
        for (int k = -1; k <= 3; k++) {
            const Link &other = in[inside(i + k, n)];
            force += other.stiff * (other.place - mine.place);
            mine.charge += other.charge * (k & 1 ? -1 : 1);
        }
        mine.place += (int)force / (mine.mass + 1);
        wrong += out[i].place != mine.place || out[i].mass != mine.mass || out[i].charge != mine.charge ||
                 out[i].stiff != force;
    }
    printf("structures: %d wrong\n", wrong);
}

template <typename T, int X, int Y> static void crests(const char *name, int w, int h) {
    Array<T> in((size_t)w * h), out(in.n);
    fill(in, 5);
    launch(name, [&] { crest<T, X, Y><<<dim3(blocks(w, X), blocks(h, Y)), dim3(X, Y)>>>(in, out, w, h); });
    int wrong = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            T most = in[y * w + x], sum = 0;
            for (int dy = -1; dy <= 2; dy++)
                for (int dx = -3; dx <= 2; dx++) {
                    T v = in[inside(y + dy, h) * w + inside(x + dx, w)];
                    most = v > most ? v : most;
                    sum += v;
                }
            wrong += out[y * w + x] != (T)(most - sum / 24);
        }
    printf("%d x %d threads, %s: %d wrong\n", X, Y, name, wrong);
}

static void all(int w, int h) {
    sums<byte, 1, 1, 3>("bytes", w, h);
    sums<byte, 2, 2, 5>("bytes", w, h);
    sums<byte, 0, 3, 4>("bytes", w, h);
    sums<byte, 5, 0, 2>("bytes", w, h);
    sums<byte, 9, 2, 3>("bytes", w, h);
    sums<byte, 3, 3, 7>("bytes", w, h);
    sums<byte, 1, 15, 2>("bytes", w, h);
    sums<word, 1, 1, 3>("words", w, h);
    sums<word, 7, 8, 2>("words", w, h);
    sums<word, 0, 9, 3>("words", w, h);
    shorts(w, h);
    links(w * h / 3);
    crests<int, 24, 8>("ints", w, h);
    crests<word, 24, 8>("words", w, h);
    crests<byte, 24, 8>("bytes", w, h);
    crests<word, 5, 13>("words", w, h);
    crests<byte, 12, 12>("bytes", w, h);
    crests<byte, 40, 3>("bytes", w, h);
}

int main(int argc, char **argv) {
    if (argc > 2) {
        timed = true;
        repeat = atoi(argv[2]);
        all(atoi(argv[1]), atoi(argv[1]));
        return 0;
    }
    all(300, 11);
    all(129, 40);
    return 0;
}
