/* tiles: programs that bring a tile with its border into shared memory and compute from it: a separable blur
 * of floats, Sobel's filter of bytes, products of matrices by tiles that are no warps wide, Jacobi's steps;
 * and guards of threads by where they stand in their block. Sizes that no block divides; every value is
 * checked against the host's. With a size and a number of launches it tells how long they take.
 */
#include "program.h"

#include <cmath>

typedef unsigned char byte;

/* ---- a blur along rows, then down columns ---- */

enum { REACH = 3, ALONG = 64, DOWN = 16, WIDE = 32 };
__constant__ float weight[2 * REACH + 1];

__host__ __device__ inline int inside(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* A block of 64 x 4: threads bring their own value, the first ones the border's. */
__global__ void blur_rows(const float *in, float *out, int w, int h) {
    __shared__ float tile[4][ALONG + 2 * REACH];
    int t = threadIdx.x, x = blockIdx.x * ALONG + t, y = blockIdx.y * 4 + threadIdx.y;
    const float *row = in + (size_t)inside(y, h) * w;
    tile[threadIdx.y][t + REACH] = row[inside(x, w)];
    if (t < REACH) {
        tile[threadIdx.y][t] = row[inside(x - REACH, w)];
        tile[threadIdx.y][t + ALONG + REACH] = row[inside(x + ALONG, w)];
    }
    __syncthreads();
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int k = 0; k <= 2 * REACH; k++) sum += weight[k] * tile[threadIdx.y][t + k];
    out[(size_t)y * w + x] = sum;
}

/* A block of 32 x 16, which goes down its tile in three steps. */
__global__ void blur_columns(const float *in, float *out, int w, int h) {
    __shared__ float tile[DOWN + 2 * REACH][WIDE];
    int t = threadIdx.x, x = blockIdx.x * WIDE + t, y = blockIdx.y * DOWN + threadIdx.y;
    for (int j = threadIdx.y; j < DOWN + 2 * REACH; j += DOWN)
        tile[j][t] = in[(size_t)inside((int)blockIdx.y * DOWN + j - REACH, h) * w + inside(x, w)];
    __syncthreads();
    if (x >= w || y >= h) return;
    float sum = 0;
    for (int k = 0; k <= 2 * REACH; k++) sum += weight[k] * tile[threadIdx.y + k][t];
    out[(size_t)y * w + x] = sum;
}

/* ---- Sobel: 16 x 16 threads fill 18 x 18 bytes, thread by thread along the rows ---- */

template <typename T> __global__ void sobel(const byte *in, byte *out, int w, int h) {
    enum { SIDE = 16, ALL = SIDE + 2 };
    __shared__ T tile[ALL][ALL];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * SIDE + tx, y = blockIdx.y * SIDE + ty;
    for (int k = ty * SIDE + tx; k < ALL * ALL; k += SIDE * SIDE)
        tile[k / ALL][k % ALL] = in[inside((int)blockIdx.y * SIDE + k / ALL - 1, h) * w +
                                    inside((int)blockIdx.x * SIDE + k % ALL - 1, w)];
    __syncthreads();
    if (x >= w || y >= h) return;
    int gx = tile[ty][tx + 2] + 2 * tile[ty + 1][tx + 2] + tile[ty + 2][tx + 2] - tile[ty][tx] -
             2 * tile[ty + 1][tx] - tile[ty + 2][tx];
    int gy = tile[ty + 2][tx] + 2 * tile[ty + 2][tx + 1] + tile[ty + 2][tx + 2] - tile[ty][tx] -
             2 * tile[ty][tx + 1] - tile[ty][tx + 2];
    int g = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
    out[y * w + x] = g > 255 ? 255 : g;
}

/* ---- products ---- */

template <int W, int H>
__global__ void product(const float *a, const float *b, float *c, int rows, int inner, int columns) {
    __shared__ float left[H][W], right[W][W];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * H + y, column = blockIdx.x * W + x;
    float sum = 0;
    for (int first = 0; first < inner; first += W) {
        left[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0;
        for (int j = y; j < W; j += H)
            right[j][x] = first + j < inner && column < columns ? b[(first + j) * columns + column] : 0;
        __syncthreads();
        for (int k = 0; k < W; k++) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}

/* ---- Jacobi: 32 x 8 threads, the border brought in by those at the edges ---- */

__global__ void jacobi(const float *in, float *out, int w, int h) {
    __shared__ float tile[8 + 2][32 + 2];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    bool on = x < w && y < h;
    if (on) {
        tile[ty][tx] = in[y * w + x];
        if (tx == 1 && x > 0) tile[ty][0] = in[y * w + x - 1];
        if (tx == 32 && x < w - 1) tile[ty][33] = in[y * w + x + 1];
        if (ty == 1 && y > 0) tile[0][tx] = in[(y - 1) * w + x];
        if (ty == 8 && y < h - 1) tile[9][tx] = in[(y + 1) * w + x];
    }
    __syncthreads();
    if (!on || x == 0 || y == 0 || x == w - 1 || y == h - 1) return;
    out[y * w + x] = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

/* ---- rows and columns of an index, by dividing it: rows of `W`, `pitch` apart, out of which a tile is made
 * ---- */

template <int W> __host__ __device__ int place(int k, int width, int pitch) {
    return W ? k / (W + !W) * pitch + k % (W + !W) : k / width * pitch + k % width;
}

template <typename T, int W>
__global__ void pieces(const T *in, T *out, int width, int pitch, int far, int n) {
    __shared__ T tile[1200];
    const int all = 600;
    for (int k = threadIdx.x; k < all; k += blockDim.x) {
        int from = place<W>(k, width, pitch) + blockIdx.x * 3;
        tile[k] = in[from < n ? from : n - 1];
        tile[all + (place<W>(k, width, far) % all + all) % all] = 0;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < all; k += blockDim.x)
        if (k % 5 || W == 17)
            out[blockIdx.x * all + k] = tile[k] + in[min(max(place<W>(k, width, far) - 9, 0), n - 1)];
}

/* ---- threads by where they stand in their block, in blocks of every shape ---- */

__host__ __device__ inline int stands(dim3 n, int x, int y, int z, int value) {
    bool edge = x == 0 || x == (int)n.x - 1 || y == 0 || y == (int)n.y - 1;
    bool corner = x < 2 && y < 2, odd = (x + y * (int)n.x) % 7 < 3, middle = x >= 3 && x < (int)n.x - 3;
    int r = edge ? 1 : 0;
    if (corner && value % 3 == 0) r += 2;
    if (!odd || value > 50) r += 4;
    if (middle && z == 0 && value < 90) r += 8;
    return r + (x < 5 && !corner ? 16 : 0);
}

__global__ void frames(const int *in, int *out, int n) {
    __shared__ int seen[1024];
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int size = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * size + t;
    bool edge = threadIdx.x == 0 || threadIdx.x == blockDim.x - 1;
    seen[t] = edge ? -1 : t;
    __syncthreads();
    if (i >= n || (edge && threadIdx.y > 0)) return;
    out[i] = stands(blockDim, threadIdx.x, threadIdx.y, threadIdx.z, in[i]) + 32 * (seen[size - 1 - t] < 0);
}

/* ---- the host's values, and how long a launch takes when there is a size ---- */

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

static dim3 blocks(int w, int h, int x, int y) { return dim3((w + x - 1) / x, (h + y - 1) / y); }

static int far_from(Array<float> &a, const std::vector<float> &b) {
    int wrong = 0;
    for (size_t i = 0; i < a.n; i++) wrong += !(std::fabs(a[i] - b[i]) <= 1e-3f * (1 + std::fabs(b[i])));
    return wrong;
}

static void floats(int w, int h) {
    const size_t n = (size_t)w * h;
    const float weights[2 * REACH + 1] = {0.0625f, 0.125f, 0.1875f, 0.25f, 0.1875f, 0.125f, 0.0625f};
    CALL(cudaMemcpyToSymbol(weight, weights, sizeof weights));
    Array<float> in(n), middle(n), out(n), next(n);
    uint32_t state = 3;
    for (size_t i = 0; i < n; i++) in[i] = (next_random(state) & 1023) / 8.0f;
    launch("blur_rows", [&] { blur_rows<<<blocks(w, h, ALONG, 4), dim3(ALONG, 4)>>>(in, middle, w, h); });
    launch("blur_columns",
           [&] { blur_columns<<<blocks(w, h, WIDE, DOWN), dim3(WIDE, DOWN)>>>(middle, out, w, h); });
    launch("jacobi", [&] { jacobi<<<blocks(w, h, 32, 8), dim3(32, 8)>>>(in, next, w, h); });
    std::vector<float> m(n), o(n), j(n);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int k = 0; k <= 2 * REACH; k++)
                m[y * w + x] += weights[k] * in[y * w + inside(x + k - REACH, w)];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            for (int k = 0; k <= 2 * REACH; k++)
                o[y * w + x] += weights[k] * m[inside(y + k - REACH, h) * w + x];
            if (x && y && x < w - 1 && y < h - 1)
                j[y * w + x] = 0.25f * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] +
                                        in[(y + 1) * w + x]);
        }
    printf("%d x %d: blur %d wrong, jacobi %d wrong\n", w, h, far_from(out, o), far_from(next, j));
}

static void bytes(int w, int h) {
    const size_t n = (size_t)w * h;
    Array<byte> in(n), out(n), words(n);
    uint32_t state = 4;
    for (size_t i = 0; i < n; i++) in[i] = next_random(state);
    launch("sobel of bytes", [&] { sobel<byte><<<blocks(w, h, 16, 16), dim3(16, 16)>>>(in, out, w, h); });
    launch("sobel of ints", [&] { sobel<int><<<blocks(w, h, 16, 16), dim3(16, 16)>>>(in, words, w, h); });
    int wrong = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            auto p = [&](int dx, int dy) -> int { return in[inside(y + dy, h) * w + inside(x + dx, w)]; };
            int gx = p(1, -1) + 2 * p(1, 0) + p(1, 1) - p(-1, -1) - 2 * p(-1, 0) - p(-1, 1);
            int gy = p(-1, 1) + 2 * p(0, 1) + p(1, 1) - p(-1, -1) - 2 * p(0, -1) - p(1, -1);
            int g = std::abs(gx) + std::abs(gy);
            wrong += out[y * w + x] != (g > 255 ? 255 : g) || words[y * w + x] != out[y * w + x];
        }
    printf("%d x %d: sobel %d wrong\n", w, h, wrong);
}

template <typename T, int W> static int wrong_pieces(int width, int pitch, int far, int threads) {
    const int n = 5000, all = 600, blocks = 4;
    Array<T> in(n), out(all * blocks);
    uint32_t state = 7;
    for (int i = 0; i < n; i++) in[i] = (T)(next_random(state) % 100);
    pieces<T, W><<<blocks, threads>>>(in, out, width, pitch, far, n);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < all * blocks; i++) {
        int k = i % all, from = place<W>(k, width, pitch) + i / all * 3, other = place<W>(k, width, far) - 9;
        T x = in[from < n ? from : n - 1] + in[other < 0 ? 0 : other >= n ? n - 1 : other];
        wrong += out[i] != (k % 5 || W == 17 ? x : 0);
    }
    return wrong;
}

template <typename T> static void pieces_of(const char *name) {
    int wrong = 0;
    for (int threads : {32, 64, 96, 100, 256}) {
        wrong += wrong_pieces<T, 18>(18, 40, 18, threads) + wrong_pieces<T, 17>(17, 17, 33, threads);
        wrong += wrong_pieces<T, 5>(5, 7, -3, threads) + wrong_pieces<T, 34>(34, 300, 1, threads);
        for (int width : {1, 7, 31, 32, 33, 66})
            wrong += wrong_pieces<T, 0>(width, width + 13, width - 40, threads);
    }
    printf("pieces of %s: %d wrong\n", name, wrong);
}

static void shapes() {
    const dim3 all[] = {{128, 1, 1}, {96, 1, 1}, {16, 16, 1}, {32, 8, 1},  {8, 8, 2},
                        {7, 5, 3},   {33, 3, 1}, {1, 64, 1},  {1024, 1, 1}};
    for (dim3 b : all) {
        const int size = b.x * b.y * b.z, blocks = 5, n = size * blocks - size / 3;
        Array<int> in(n), out(n);
        uint32_t state = 6;
        for (int i = 0; i < n; i++) in[i] = next_random(state) % 100;
        frames<<<blocks, b>>>(in, out, n);
        CALL(cudaDeviceSynchronize());
        int wrong = 0;
        for (int i = 0; i < n; i++) {
            int t = i % size, x = t % b.x, y = t / b.x % b.y, z = t / (b.x * b.y),
                turned = (size - 1 - t) % b.x;
            bool edge = x == 0 || x == (int)b.x - 1, far = turned == 0 || turned == (int)b.x - 1;
            wrong += out[i] != (edge && y > 0 ? 0 : stands(b, x, y, z, in[i]) + 32 * far);
        }
        printf("%u x %u x %u: %d wrong\n", b.x, b.y, b.z, wrong);
    }
}

template <int W, int H> static void multiply(const char *name, int rows, int inner, int columns) {
    Array<float> a((size_t)rows * inner), b((size_t)inner * columns), c((size_t)rows * columns);
    uint32_t state = 5;
    for (size_t i = 0; i < a.n; i++) a[i] = (int)(next_random(state) & 15) - 7;
    for (size_t i = 0; i < b.n; i++) b[i] = (int)(next_random(state) & 15) - 7;
    launch(name, [&] {
        product<W, H><<<blocks(columns, rows, W, H), dim3(W, H)>>>(a, b, c, rows, inner, columns);
    });
    std::vector<float> d(c.n);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < columns; j++) d[i * columns + j] += a[i * inner + k] * b[k * columns + j];
    printf("%s, %d x %d x %d: %d wrong\n", name, rows, inner, columns, far_from(c, d));
}

static void all(int w, int h, int inner) {
    floats(w, h);
    bytes(w, h);
    multiply<8, 8>("tiles of 8 x 8", h, inner, w);
    multiply<32, 8>("tiles of 32 x 8", h, inner, w);
    multiply<16, 16>("tiles of 16 x 16", h, inner, w);
}

int main(int argc, char **argv) {
    if (argc > 2) {
        timed = true;
        repeat = atoi(argv[2]);
        all(atoi(argv[1]), atoi(argv[1]), atoi(argv[1]));
        return 0;
    }
    shapes();
    pieces_of<byte>("bytes"), pieces_of<short>("shorts"), pieces_of<int>("ints"),
        pieces_of<double>("doubles");
    all(128, 64, 64);
    all(203, 77, 35);
    all(31, 5, 9);
    return 0;
}
