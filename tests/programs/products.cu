/* products: matrix products as users write them, of sizes that tiles divide and that they do not, in ints
 * whose products wrap round, floats, doubles and 64-bit words; with several results a thread; and shortest
 * paths, which are products of another kind.
 */
#include "program.h"

template <class T> static void fill(Array<T> &a, uint32_t seed, int range) {
    for (size_t i = 0; i < a.n; i++) a[i] = (T)((int)(next_random(seed) % (2 * range + 1)) - range);
}

static void fill_words(Array<int> &a, uint32_t seed) {
    for (size_t i = 0; i < a.n; i++) a[i] = (int)next_random(seed);
}

template <class T, int B>
__global__ void tiled(const T *a, const T *b, T *c, int rows, int inner, int columns) {
    __shared__ T a_tile[B][B], b_tile[B][B];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * B + y, column = blockIdx.x * B + x;
    T sum = 0;
    for (int first = 0; first < inner; first += B) {
        a_tile[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : T(0);
        b_tile[y][x] = first + y < inner && column < columns ? b[(first + y) * columns + column] : T(0);
        __syncthreads();
        for (int k = 0; k < B; k++) sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}

/* Without guards, for sizes that tiles divide; the tile of `a` is turned. */
template <class T, int B> __global__ void whole(const T *a, const T *b, T *c, int inner, int columns) {
    __shared__ T a_tile[B][B + 1], b_tile[B][B];
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * B + y, column = blockIdx.x * B + x;
    T sum = 0;
    for (int first = 0; first < inner; first += B) {
        a_tile[x][y] = a[row * inner + first + x];
        b_tile[y][x] = b[(first + y) * columns + column];
        __syncthreads();
        for (int k = 0; k < B; k++) sum += a_tile[k][y] * b_tile[k][x];
        __syncthreads();
    }
    c[row * columns + column] = sum;
}

template <class T> __global__ void plain(const T *a, const T *b, T *c, int rows, int inner, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    T sum = 0;
    for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * columns + column];
    c[row * columns + column] = sum;
}

/* 4 x 4 results a thread, tiles of 64. */
template <class T> __global__ void four(const T *a, const T *b, T *c, int n) {
    __shared__ T as[16][64], bs[16][64];
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, bx = blockIdx.x * 64, by = blockIdx.y * 64;
    T sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 1024; i += 256) {
            as[i % 16][i / 16] = a[(by + i / 16) * n + k + i % 16];
            bs[i / 64][i % 64] = b[(k + i / 64) * n + bx + i % 64];
        }
        __syncthreads();
        for (int kk = 0; kk < 16; kk++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) sum[i][j] += as[kk][ty * 4 + i] * bs[kk][tx * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) c[(by + ty * 4 + i) * n + bx + tx * 4 + j] = sum[i][j];
}

__global__ void shortest(int *d, int n, int k) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const int through = d[y * n + k] + d[k * n + x];
    if (through < d[y * n + x]) d[y * n + x] = through;
}

/* What is loaded before a test that ends the loop, and wanted behind it; what another thread of the warp has
 * stored in between must be seen: in the order of the source, which volatile keeps. */
__global__ void behind_a_test(int *a, const int *b, int n, int limit) {
    const int x = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < n; k++) {
        const int factor = a[k], i = b[k * 64 + x];
        if (i > limit) break;
        volatile int *between = a + n + k;
        if (x == 5) *between = factor + k;
        sum += factor * i;
        sum ^= *between * 3 + i * sum;
    }
    a[2 * n + x] = sum;
}

template <class T> static void all(const char *name, int rows, int inner, int columns) {
    Array<T> a((size_t)rows * inner), b((size_t)inner * columns), c((size_t)rows * columns);
    auto grid = [&](int x, int y) { return dim3((columns + x - 1) / x, (rows + y - 1) / y); };
    fill(a, 1, 9);
    fill(b, 2, 9);
    printf("%s, %d x %d x %d\n", name, rows, inner, columns);
    tiled<T, 16><<<grid(16, 16), dim3(16, 16)>>>(a, b, c, rows, inner, columns);
    show("  tiles of 16", c);
    tiled<T, 32><<<grid(32, 32), dim3(32, 32)>>>(a, b, c, rows, inner, columns);
    show("  tiles of 32", c);
    tiled<T, 8><<<grid(8, 8), dim3(8, 8)>>>(a, b, c, rows, inner, columns);
    show("  tiles of 8", c);
    plain<T><<<grid(16, 16), dim3(16, 16)>>>(a, b, c, rows, inner, columns);
    show("  blocks of 16 x 16", c);
    plain<T><<<grid(32, 8), dim3(32, 8)>>>(a, b, c, rows, inner, columns);
    show("  blocks of 32 x 8", c);
    if (rows % 32 || inner % 32 || columns % 32) return;
    whole<T, 16><<<grid(16, 16), dim3(16, 16)>>>(a, b, c, inner, columns);
    show("  turned tiles of 16", c);
    whole<T, 32><<<grid(32, 32), dim3(32, 32)>>>(a, b, c, inner, columns);
    show("  turned tiles of 32", c);
}

int main() {
    all<int>("int", 96, 64, 96);
    all<int>("int", 50, 67, 41);
    all<unsigned long long>("64 bits", 33, 18, 37);
    all<float>("float", 64, 96, 64);
    all<float>("float", 37, 50, 70);
    all<double>("double", 64, 32, 64);
    all<double>("double", 17, 33, 49);

    Array<int> a(64 * 64), b(64 * 64), c(64 * 64);
    fill_words(a, 3);
    fill_words(b, 4);
    tiled<int, 16><<<dim3(4, 4), dim3(16, 16)>>>(a, b, c, 64, 64, 64);
    show("words that wrap round, tiles of 16", c);
    tiled<int, 32><<<dim3(2, 2), dim3(32, 32)>>>(a, b, c, 64, 64, 64);
    show("words that wrap round, tiles of 32", c);
    plain<int><<<dim3(2, 8), dim3(32, 8)>>>(a, b, c, 64, 64, 64);
    show("words that wrap round, no tiles", c);
    four<int><<<1, 256>>>(a, b, c, 64);
    show("words that wrap round, 4 x 4 a thread", c);

    Array<float> fa(128 * 128), fb(128 * 128), fc(128 * 128);
    fill(fa, 5, 9);
    fill(fb, 6, 9);
    four<float><<<dim3(2, 2), 256>>>(fa, fb, fc, 128);
    show("4 x 4 floats a thread", fc);

    const int n = 72;
    Array<int> d(n * n);
    fill(d, 7, 1000);
    for (size_t i = 0; i < d.n; i++) d[i] += 1001;
    for (int k = 0; k < n; k++) shortest<<<dim3(5, 5), dim3(16, 16)>>>(d, n, k);
    show("shortest paths", d);

    Array<int> e(3 * 64), f(64 * 64);
    fill(e, 8, 50);
    fill(f, 9, 50);
    f[40 * 64 + 9] = 1000;
    behind_a_test<<<1, 32>>>(e, f, 64, 60);
    show("what is loaded before a test", e);
    return 0;
}
