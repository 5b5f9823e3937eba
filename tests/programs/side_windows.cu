/* side_windows: sums over windows whose rows go on from warp to warp: of bytes, words and ints, in blocks of
 * one to eight warps and of several rows; all threads of a block, those that the thread's index names, and
 * those that are inside; with what is the same for all threads, or for each lane, used where only some are
 * on. Sizes that no block divides; every value is checked against the host's. With a size and a number of
 * launches it tells how long they take.
 */
#include "program.h"

typedef unsigned char byte;

static int w = 645, h = 37, launches = 1;

template <typename T> static void fill(Array<T> &a) {
    for (size_t i = 0; i < a.n; i++) a[i] = (T)(i * 2654435761u >> 13);
}

/* Elements from LEFT before to RIGHT behind, in ROWS rows. */
template <typename T, typename S, int LEFT, int RIGHT, int ROWS> struct Window {
    __host__ __device__ static S sum(const T *in, int w, int x, int y) {
        S sum = 0;
#pragma unroll
        for (int j = 0; j < ROWS; j++)
#pragma unroll
            for (int i = -LEFT; i <= RIGHT; i++) sum += in[(y + j) * w + x + i];
        return sum;
    }
    __host__ __device__ static bool inside(int w, int h, int x, int y) {
        return x >= LEFT && x + RIGHT < w && y + ROWS <= h;
    }
};

/* ---- who is inside ---- */

template <class W, typename T, typename S> __global__ void plain(const T *in, S *out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!W::inside(w, h, x, y)) return;
    out[y * w + x] = W::sum(in, w, x, y);
}

/* Of each block, the threads from the fourth on and up to the tenth from behind; the others do nothing. */
template <class W, typename T, typename S> __global__ void some(const T *in, S *out, int w, int h) {
    const int x = blockIdx.x * (blockDim.x - 13) + threadIdx.x - 3, y = blockIdx.y;
    if (threadIdx.x < 3 || threadIdx.x >= blockDim.x - 10 || !W::inside(w, h, x, y)) return;
    out[y * w + x] = W::sum(in, w, x, y);
}

/* A weight for each row and one for each lane, which are loaded where only some are on, and something that is
 * added behind. */
template <class W, typename T, typename S>
__global__ void weighed(const T *in, S *out, const int *rows, const int *lanes, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    S sum = 7;
    if (threadIdx.x >= 40 && W::inside(w, h, x, y))
        sum = W::sum(in, w, x, y) * rows[y] + lanes[threadIdx.x % 32];
    if (x < w) out[y * w + x] = sum + x;
}

/* Rows that are brought in by the threads that are inside; sums are taken by those that have neighbours. */
template <class W, int LEFT, int RIGHT, int ROWS, int N, typename S, typename T, typename U>
__global__ void tile(const T *in, U *out, int w, int h) {
    __shared__ S rows[ROWS][N];
    const int t = threadIdx.x, x = blockIdx.x * (N - LEFT - RIGHT) + t, y = blockIdx.y;
    const bool on = x < w && y + ROWS <= h;
    if (on)
        for (int j = 0; j < ROWS; j++) rows[j][t] = in[(y + j) * w + x];
    __syncthreads();
    if (!on || t < LEFT || t >= N - RIGHT || x >= w - RIGHT) return;
    U sum = 0;
#pragma unroll
    for (int j = 0; j < ROWS; j++)
#pragma unroll
        for (int i = -LEFT; i <= RIGHT; i++) sum += rows[j][t + i];
    out[y * w + x] = sum;
}

/* ---- launches ---- */

template <typename F> static void launch(const char *name, F f) {
    float least = 1e9f, ms;
    for (int k = 0; k < launches; k++) {
        cudaEvent_t from, to;
        CALL(cudaEventCreate(&from));
        CALL(cudaEventCreate(&to));
        CALL(cudaEventRecord(from));
        f();
        CALL(cudaEventRecord(to));
        CALL(cudaEventSynchronize(to));
        CALL(cudaEventElapsedTime(&ms, from, to));
        if (ms < least) least = ms;
        CALL(cudaEventDestroy(from));
        CALL(cudaEventDestroy(to));
    }
    if (launches > 1) printf("%s: %.3f ms\n", name, least);
}

template <typename S, typename F> static void compare(const char *name, Array<S> &out, F right) {
    int wrong = 0;
    CALL(cudaDeviceSynchronize());
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) wrong += out[y * w + x] != right(x, y);
    if (launches == 1) show(name, out, 0);
    if (wrong) printf("%s: %d wrong\n", name, wrong);
}

template <typename T, typename S, int LEFT, int RIGHT, int ROWS>
static void sums(const char *name, int across, int down) {
    typedef Window<T, S, LEFT, RIGHT, ROWS> W;
    Array<T> in(w * h);
    fill(in);
    {
        Array<S> out(w * h);
        launch(name, [&] {
            plain<W><<<dim3((w + across - 1) / across, (h + down - 1) / down), dim3(across, down)>>>(
                in.p, out.p, w, h);
        });
        compare(name, out, [&](int x, int y) { return W::inside(w, h, x, y) ? W::sum(in, w, x, y) : 0; });
    }
    if (down > 1) return;
    {
        Array<S> out(w * h);
        launch("  some",
               [&] { some<W><<<dim3((w + across - 14) / (across - 13), h), across>>>(in.p, out.p, w, h); });
        compare("  some", out, [&](int x, int y) { return W::inside(w, h, x, y) ? W::sum(in, w, x, y) : 0; });
    }
    Array<S> out(w * h);
    Array<int> rows(h), lanes(32);
    fill(rows), fill(lanes);
    launch("  weighed", [&] {
        weighed<W><<<dim3((w + across - 1) / across, h), across>>>(in.p, out.p, rows.p, lanes.p, w, h);
    });
    compare("  weighed", out, [&](int x, int y) {
        bool on = x % across >= 40 && W::inside(w, h, x, y);
        return (S)((on ? (S)(W::sum(in, w, x, y) * rows[y] + lanes[x % across % 32]) : 7) + x);
    });
}

template <typename T, typename S, typename U, int LEFT, int RIGHT, int ROWS, int N>
static void tiles(const char *name) {
    typedef Window<T, U, LEFT, RIGHT, ROWS> W;
    Array<T> in(w * h);
    Array<U> out(w * h);
    fill(in);
    launch(name, [&] {
        tile<W, LEFT, RIGHT, ROWS, N, S>
            <<<dim3((w + N - LEFT - RIGHT - 1) / (N - LEFT - RIGHT), h), N>>>(in.p, out.p, w, h);
    });
    compare(name, out, [&](int x, int y) { return W::inside(w, h, x, y) ? W::sum(in, w, x, y) : 0; });
}

/* The first row of windows begins with the array's first element, the last one ends with its last. */
static void at_the_edge() {
    const int page = 4096;
    byte *in;
    w = page, h = 8;
    CALL(cudaMalloc(&in, w * h));
    CALL(cudaMemset(in, 5, w * h));
    Array<int> out(w * h);
    plain<Window<byte, int, 0, 3, 4>><<<dim3(w / 256, h), 256>>>(in, out.p, w, h);
    show("edge", out, 1);
    some<Window<byte, int, 2, 0, 3>><<<dim3(w / 115 + 1, h), 128>>>(in, out.p, w, h);
    show("edge, some", out, 1);
    CALL(cudaFree(in));
}

int main(int argc, char **argv) {
    if (argc > 2) w = h = atoi(argv[1]), launches = atoi(argv[2]);
    sums<byte, int, 1, 1, 3>("bytes 3 x 3, 128", 128, 1);
    sums<byte, int, 3, 3, 7>("bytes 7 x 7, 256", 256, 1);
    sums<byte, unsigned short, 2, 0, 2>("bytes 3 x 2, 64", 64, 1);
    sums<signed char, int, 2, 2, 5>("signed bytes 5 x 5, 96", 96, 1);
    sums<unsigned short, unsigned, 1, 2, 2>("words 4 x 2, 128", 128, 1);
    sums<short, int, 5, 4, 1>("signed words 10 x 1, 512", 512, 1);
    sums<int, int, 1, 1, 3>("ints 3 x 3, 128", 128, 1);
    sums<byte, int, 1, 1, 3>("bytes 3 x 3, 64 x 4", 64, 4);
    sums<byte, int, 1, 1, 3>("bytes 3 x 3, 32 x 8", 32, 8);
    sums<byte, int, 1, 1, 3>("bytes 3 x 3, 128 x 2", 128, 2);
    sums<byte, int, 8, 8, 1>("bytes 17 x 1, 100", 100, 1);
    tiles<byte, int, int, 1, 1, 3, 128>("tile of bytes 3 x 3");
    tiles<byte, int, int, 3, 2, 5, 128>("tile of bytes 6 x 5");
    tiles<unsigned short, int, unsigned, 2, 2, 5, 256>("tile of words 5 x 5");
    tiles<int, int, int, 1, 1, 3, 128>("tile of ints 3 x 3");
    tiles<byte, byte, int, 2, 2, 5, 64>("tile of chars 5 x 5");
    tiles<byte, int, int, 1, 1, 3, 160>("tile of 160 bytes 3 x 3");
    at_the_edge();
    return 0;
}
