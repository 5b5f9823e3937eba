/* side_by_side: kernels whose warps read the same rows, in blocks of many shapes: what is worked out once for
 * several warps, what is each one's own, and what happens where they do not all go one way: borders, loops of
 * different lengths, indices that wrap round in one of them, rows written in place.
 */
#include "program.h"

__global__ void product(const float *a, const float *b, float *c, int rows, int inner, int columns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    float sum = 0;
    for (int k = 0; k < inner; k++) sum += a[y * inner + k] * b[k * columns + x];
    c[y * columns + x] = sum;
}

/* One index for rows and columns: warps next to each other are in one row, or they are not. */
__global__ void linear_product(const float *a, const float *b, float *c, int rows, int inner, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    const int row = i / columns, column = i % columns;
    float sum = 0;
    for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * columns + column];
    c[i] = sum;
}

__global__ void linear_unsigned(const float *a, const float *b, float *c, unsigned size, unsigned inner,
                                unsigned columns) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, row = i / columns, column = i - row * columns;
    float sum = row;
    if (i >= size) return;
    for (unsigned k = 0; k < inner; k++)
        sum = sum * 0.5f + a[(row * inner + k) % 5000] * b[k * 7 + column % 1000];
    c[i] = sum;
}

/* Rows of different lengths: warps leave the loop one by one. */
__global__ void triangle(const float *a, const float *b, float *c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
    for (int k = 0; k <= y; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

/* The loop's end is the same for most blocks, and each warp's own in some. */
__global__ void bands(const float *b, const int *length, float *c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const int from = length[y] & 3;
    float sum = 0;
    for (int k = from; k < length[y]; k++) sum = sum * 0.75f + b[k * n + x];
    if (sum > 100) sum = c[y * n + x] - sum;
    c[y * n + x] = sum;
}

/* The inner loop is unrolled: many instructions in a row, of which more may be in flight than there are
   registers, of doubles more than of ints. */
template <class V, int T> __global__ void tiles(const V *a, const V *b, V *c, int n) {
    __shared__ V part_a[T][T], part_b[T][T];
    const int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    V sum = 0;
    for (int first = 0; first < n; first += T) {
        const int k_a = first + threadIdx.x, k_b = first + threadIdx.y;
        part_a[threadIdx.y][threadIdx.x] = y < n && k_a < n ? a[y * n + k_a] : V(0);
        part_b[threadIdx.y][threadIdx.x] = k_b < n && x < n ? b[k_b * n + x] : V(0);
        __syncthreads();
        for (int k = 0; k < T; k++) sum += part_a[threadIdx.y][k] * part_b[k][threadIdx.x];
        __syncthreads();
    }
    if (x < n && y < n) c[y * n + x] = sum;
}

template <class V> static void multiply_tiles(const char *type, const float *a, const float *b, int n) {
    Array<V> x(n * n), y(n * n), z(n * n);
    printf("tiles of %s\n", type);
    for (int i = 0; i < n * n; i++) x[i] = V(a[i] * 64), y[i] = V(b[i] * 32);
    tiles<V, 16><<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(x, y, z, n);
    show("16", z);
    tiles<V, 32><<<dim3((n + 31) / 32, (n + 31) / 32), dim3(32, 32)>>>(x, y, z, n - 9);
    show("32", z);
    tiles<V, 8><<<dim3((n + 7) / 8, (n + 7) / 8), dim3(8, 8)>>>(x, y, z, n);
    show("8", z);
}

/* Each turn stores what the next one loads. */
__global__ void in_place(float *c, const float *b, int n, int turns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    for (int k = 0; k < turns; k++) {
        c[y * n + x] = c[y * n + x] * 0.5f + b[k * n + x];
        if (c[y * n + x] > 3) c[y * n + x] -= b[x];
    }
}

/* 32-bit indices that wrap round from some row on; `far` makes up for what they lack. */
__global__ void wraps(const unsigned *b, unsigned *c, unsigned start, unsigned step, int n, int turns) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned sum = 0;
    for (int k = 0; k < turns; k++) {
        const unsigned i = start + (y + k) * step + x;
        const unsigned long long wide = (unsigned long long)i * 4;
        sum += b[(wide >> 2) & 1023] + b[(k * 32 + x) & 1023] + (unsigned)(wide >> 30);
    }
    c[y * n + x] = sum;
}

struct Pixel {
    float r, g, b;
};

/* Fields that lie next to each other, of each warp's own row, and of a row that all share. */
__global__ void blend(Pixel *image, const Pixel *row, const float *weight, int w, int h, int turns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    Pixel p = image[y * w + x], q = {0, 0, 0};
    for (int k = 0; k < turns; k++) {
        q.r += row[k * w + x].r * weight[k];
        q.g += row[k * w + x].g * weight[k + 1];
        q.b += row[k * w + x].b * p.g;
    }
    image[y * w + x].r = p.r + q.b;
    image[y * w + x].g = p.g * 0.5f + q.r;
    image[y * w + x].b = p.b - q.g;
}

/* A thread's row in `in` is its column in `out`, and the other way round. */
__global__ void turned(const int *in, int *out, int rows, int columns, bool store_turned) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (store_turned) {
        if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x] + y;
    } else {
        if (x < rows && y < columns) out[y * rows + x] = in[x * columns + y] - x;
    }
}

/* Through a tile whose columns are written and whose rows are read; and rows that lie on each other. */
__global__ void turned_tile(const float *in, float *out, int n, int pitch) {
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.x][threadIdx.y] = x < n && y < n ? in[y * n + x] + in[x * pitch + y] : 0;
    __syncthreads();
    if (blockIdx.y * 32 + threadIdx.x < n && blockIdx.x * 32 + threadIdx.y < n)
        out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] =
            tile[threadIdx.y][threadIdx.x];
}

/* Each row's border is another case, and the middle a filter with weights that all share. */
__global__ void filter(const float *in, const float *weight, float *out, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) {
        out[y * w + x] = in[y * w + x];
        return;
    }
    float sum = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) sum += weight[(j + 2) * 5 + i + 2] * in[(y + j) * w + x + i];
    out[y * w + x] = sum;
}

/* What is the same for the block goes from phase to phase; sums are each warp's own. */
__global__ void powers(const float *b, float *c, int n, int turns) {
    extern __shared__ float row[];
    const int x = threadIdx.x, y = threadIdx.y, t = y * blockDim.x + x;
    float sum = 0, scale = 1;
    for (int k = 0; k < turns; k++) {
        if (y == 0) row[x] = b[(blockIdx.x * turns + k) * blockDim.x + x] * scale;
        __syncthreads();
        for (int j = 0; j < (int)blockDim.x; j++) sum += row[j] * row[x] * (y + 1);
        scale = scale * 0.5f + k;
        __syncthreads();
        if (scale > 2) scale -= 2;
    }
    c[blockIdx.x * n + t] = sum + scale;
}

/* A warp's threads talk to each other; the row they share is the same for all warps. */
__global__ void rotated(const int *b, int *c, int n, int turns) {
    const int x = threadIdx.x & 31, y = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int sum = y;
    for (int k = 0; k < turns; k++) {
        sum += b[k * 32 + x] * (y + k);
        sum += __shfl_xor_sync(0xffffffffu, sum, 1 << (k % 5));
    }
    if (y < n) c[y * 32 + x] = sum;
}

int main() {
    const int n = 72;
    Array<float> a(n * n), b(n * n), c(n * n), d(n * n);
    Array<int> length(n), ints(80 * 80), result(80 * 80);
    Array<unsigned> words(1024), sums(64 * 64);
    uint32_t state = 1;
    for (int i = 0; i < n * n; i++) {
        a[i] = (int)(next_random(state) % 64) * 0.0625f;
        b[i] = (int)(next_random(state) % 64) * 0.03125f;
    }
    for (int i = 0; i < n; i++) length[i] = i < 40 ? 24 : 4 + next_random(state) % 60;
    for (int i = 0; i < 1024; i++) words[i] = next_random(state);
    for (int i = 0; i < 80 * 80; i++) ints[i] = next_random(state) % 100;

    const dim3 shapes[] = {{32, 8}, {16, 16}, {32, 32}, {8, 8},    {64, 4},    {128, 1}, {1, 128},
                           {4, 32}, {33, 3},  {40, 5},  {32, 3},   {32, 4, 2}, {16, 6},  {32, 1},
                           {2, 64}, {96, 2},  {32, 2},  {8, 4, 4}, {256, 2}};
    for (dim3 threads : shapes) {
        const dim3 grid((n + threads.x - 1) / threads.x, (n + threads.y - 1) / threads.y);
        printf("%u x %u x %u\n", threads.x, threads.y, threads.z);
        product<<<grid, threads>>>(a, b, c, n, n, n);
        show("product", c);
        product<<<grid, threads>>>(a, b, c, n - 5, n - 7, n - 3);
        show("odd product", c);
        triangle<<<grid, threads>>>(a, b, c, n);
        show("triangle", c);
        bands<<<grid, threads>>>(b, length, c, n);
        show("bands", c);
        if (threads.z == 1) {
            in_place<<<grid, threads>>>(c, b, n, 5);
            show("in place", c);
        }
        filter<<<grid, threads>>>(a, b, c, n, n - 1);
        show("filter", c);
        if (threads.z == 1) {
            memcpy((void *)c.p, b.p, n * n * sizeof(float));
            blend<<<grid, threads>>>((Pixel *)c.p, (const Pixel *)a.p, b, 24, 70, 20);
            show("blend", c);
        }
        for (int turn = 0; turn < 2; turn++) {
            const dim3 both((77 + threads.x - 1) / threads.x, (77 + threads.y - 1) / threads.y);
            for (int rows : {64, 77, 16}) {
                CALL(cudaMemset(result, 0, result.n * sizeof(int)));
                turned<<<both, threads>>>(ints, result, rows, 64, turn == 1);
                show("turned", result);
            }
        }
        if (threads.x <= 64 && threads.y <= 64) {
            const dim3 square(64 / threads.x, 64 / threads.y);
            wraps<<<square, threads>>>(words, sums, 0, 100, 64, 7);
            show("wraps nowhere", sums);
            wraps<<<square, threads>>>(words, sums, 0xfffff000u, 96, 64, 7);
            show("wraps", sums);
            wraps<<<square, threads>>>(words, sums, 0x7ffffc00u, 16, 64, 7);
            show("wraps if signed", sums);
        }
        if (threads.x * threads.y * threads.z <= 512) {
            powers<<<3, threads, threads.x * sizeof(float)>>>(b, c, 512, 6);
            show("powers", c);
        }
    }
    multiply_tiles<float>("float", a, b, n);
    multiply_tiles<int>("int", a, b, n);
    multiply_tiles<double>("double", a, b, n);
    multiply_tiles<short>("short", a, b, n);
    for (int pitch : {72, 64, 1, 0, 8}) {
        turned_tile<<<dim3(3, 3), dim3(32, 32)>>>(a, c, 70, pitch);
        show("turned tile", c);
    }
    for (int columns : {64, 72, 32, 256, 40, 96, 1, 33}) {
        const int rows = n * n / columns < 70 ? n * n / columns : 70;
        for (int threads : {256, 128, 64, 96, 512}) {
            const int blocks = (rows * columns + threads - 1) / threads;
            linear_product<<<blocks, threads>>>(a, b, c, rows, 20, columns);
            linear_unsigned<<<blocks, threads>>>(a, b, d, rows * columns, 9, columns);
        }
        printf("%d columns\n", columns);
        show("linear", c);
        show("linear, unsigned", d);
    }
    for (int threads : {32, 64, 128, 160, 256}) {
        rotated<<<7, threads>>>(ints, result, 60, 32);
        show("rotated", result);
    }
    return 0;
}
