/* transposes: matrices and tiles that are turned, in all the ways in which programs do it: columns of global
 * memory read or written, columns of a tile in shared memory written or read, blocks of 32 x 32, 32 x 8 and
 * 16 x 16 threads, tiles with and without padding, sizes that no tile divides, rows that begin anywhere, and
 * distances between rows of 0, 1, a few and less than 0 words. Every value is checked against the host's.
 */
#include "program.h"

template <class T> __global__ void columns_read(const T *in, T *out, int rows, int columns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < rows && y < columns) out[y * rows + x] = in[x * columns + y];
}

template <class T> __global__ void columns_written(const T *in, T *out, int rows, int columns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) out[(size_t)x * rows + y] = in[(size_t)y * columns + x];
}

template <class T, int SIDE, int PAD>
__global__ void tile_column_written(const T *in, T *out, int rows, int columns) {
    __shared__ T part[SIDE][SIDE + PAD];
    int x = blockIdx.x * SIDE + threadIdx.x;
    for (int j = threadIdx.y; j < SIDE; j += blockDim.y) {
        const int y = blockIdx.y * SIDE + j;
        if (x < columns && y < rows) part[threadIdx.x][j] = in[y * columns + x];
    }
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    for (int j = threadIdx.y; j < SIDE; j += blockDim.y) {
        const int y = blockIdx.x * SIDE + j;
        if (x < rows && y < columns) out[y * rows + x] = part[j][threadIdx.x];
    }
}

template <class T, int SIDE, int PAD>
__global__ void tile_column_read(const T *in, T *out, int rows, int columns) {
    extern __shared__ char memory[];
    T(*part)[SIDE + PAD] = reinterpret_cast<T(*)[SIDE + PAD]>(memory);
    int x = blockIdx.x * SIDE + threadIdx.x;
    for (int j = threadIdx.y; j < SIDE; j += blockDim.y) {
        const int y = blockIdx.y * SIDE + j;
        part[j][threadIdx.x] = x < columns && y < rows ? in[y * columns + x] : T(-1);
    }
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    for (int j = threadIdx.y; j < SIDE; j += blockDim.y) {
        const int y = blockIdx.x * SIDE + j;
        if (x < rows && y < columns) out[y * rows + x] = part[threadIdx.x][j];
    }
}

/* Two tiles, one of which is turned in place while the other one is: sum and difference with the transpose.
 */
__global__ void both_ways(const int *in, int *sum, int *difference, int n) {
    __shared__ int mine[32][33], other[32][32];
    const int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
    mine[y][x] = in[(top + y) * n + left + x];
    other[x][y] = in[(left + y) * n + top + x];
    __syncthreads();
    const int swapped = mine[x][y];
    __syncthreads();
    mine[y][x] = swapped;
    __syncthreads();
    sum[(top + y) * n + left + x] = mine[x][y] + other[y][x];
    difference[(left + x) * n + top + y] = mine[x][y] - other[y][x];
}

/* Rows so many elements apart, which may lie over each other: what is stored follows from where. */
template <class T> __global__ void rows_apart(const T *in, T *read, T *written, int apart) {
    const int x = threadIdx.x, y = threadIdx.y;
    read[y * 32 + x] = in[x * apart + y];
    written[x * apart + y] = T((x * apart + y) * 3 + 1);
}

/* Columns of small signed or unsigned numbers become wider ones, and of wide ones what is left of them. */
template <class NARROW> __global__ void wider(const NARROW *in, int *out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * n + x] = in[x * n + y];
}

template <class NARROW> __global__ void narrower(const int *in, NARROW *out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * n + y] = NARROW(in[y * n + x]);
}

/* Four rows a thread, one after the other: what is loaded then lies behind a store. */
template <class T> __global__ void four_written(const T *in, T *out, int rows, int columns) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < columns && y + j < rows) out[x * rows + (y + j)] = in[(y + j) * columns + x];
}

template <class T> __global__ void four_read(const T *in, T *out, int rows, int columns) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x >= rows) return;
    for (int j = 0; j < 32; j += 8)
        if (y + j < columns) out[(y + j) * rows + x] = in[x * columns + (y + j)];
}

/* No test of whether they are there: the grid is that of whole tiles. */
template <class T> __global__ void four_whole(const T *in, T *out, int rows, int columns) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(size_t)x * rows + y + j] = in[(size_t)(y + j) * columns + x];
}

/* Each load finds what the store before it wrote, if both are of one matrix. */
template <int MORE> __global__ void handed_on(const int *from, int *to, int n) {
    const int x = threadIdx.x, y = threadIdx.y;
    for (int j = 0; j < 32; j += 8) to[x * n + y + j + 8] = from[x * n + y + j] + MORE;
}

/* Which way each goes is read from memory; and what is stored goes to two matrices, one of them behind a
 * choice.
 */
__global__ void chosen(const int *in, const int *choice, int *out, int *other, int n) {
    const int x = threadIdx.x, y = threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        const int v = in[(y + j) * n + x];
        out[x * n + y + j] = v;
        if (choice[y + j]) other[x * n + y + j] = 3 * v;
    }
}

template <class T> __global__ void four_apart(const T *in, T *read, T *written, int apart) {
    const int x = threadIdx.x, y = threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        read[(y + j) * 32 + x] = in[x * apart + y + j];
        written[x * apart + y + j] = T((x * apart + y + j) * 3 + 1);
    }
}

/* Only some of the warps, and some lanes of each. */
__global__ void some(const int *in, int *out, int n, int from) {
    const int x = threadIdx.x, y = threadIdx.y;
    out[y * 32 + x] = -1;
    __syncthreads();
    if (y >= from && (x & 3) != 1) out[y * 32 + x] = in[x * n + y];
    if (y == 5) out[y * 32 + x] += in[x * n];
}

static int wrong;

template <class T, class Launch>
static void turned(const char *what, int rows, int columns, int shift, Launch launch) {
    const size_t count = (size_t)rows * columns;
    T *in, *out;
    CALL(cudaMallocManaged(&in, (count + shift) * sizeof(T)));
    CALL(cudaMallocManaged(&out, (count + shift + 1) * sizeof(T)));
    for (size_t i = 0; i < count; i++) in[i + shift] = T(i * 7 % 30011);
    for (size_t i = 0; i < count + shift + 1; i++) out[i] = T(-5);
    launch(in + shift, out + shift);
    CALL(cudaGetLastError());
    CALL(cudaDeviceSynchronize());
    int bad = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            bad += out[shift + (size_t)x * rows + y] != in[shift + (size_t)y * columns + x];
    for (int i = 0; i < shift; i++) bad += out[i] != T(-5);
    bad += out[shift + count] != T(-5);
    if (bad)
        printf("%s of %zu bytes, %d x %d from %d on: %d wrong\n", what, sizeof(T), rows, columns, shift, bad);
    wrong += bad;
    CALL(cudaFree(in));
    CALL(cudaFree(out));
}

static int up(int a, int b) { return (a + b - 1) / b; }

template <class T, int SIDE> static void all_ways(int rows, int columns, int shift, int high) {
    const dim3 square(SIDE, SIDE), flat(SIDE, high);
    const dim3 grid(up(columns, SIDE), up(rows, SIDE));
    for (dim3 block : {square, flat}) {
        turned<T>("columns read", rows, columns, shift, [&](const T *in, T *out) {
            columns_read<<<dim3(up(rows, block.x), up(columns, block.y)), block>>>(in, out, rows, columns);
        });
        turned<T>("columns written", rows, columns, shift, [&](const T *in, T *out) {
            columns_written<<<dim3(up(columns, block.x), up(rows, block.y)), block>>>(in, out, rows, columns);
        });
        turned<T>("a tile's column written", rows, columns, shift, [&](const T *in, T *out) {
            tile_column_written<T, SIDE, 0><<<grid, block>>>(in, out, rows, columns);
        });
        turned<T>("a padded tile's column written", rows, columns, shift, [&](const T *in, T *out) {
            tile_column_written<T, SIDE, 1><<<grid, block>>>(in, out, rows, columns);
        });
        turned<T>("a tile's column read", rows, columns, shift, [&](const T *in, T *out) {
            tile_column_read<T, SIDE, 0><<<grid, block, SIDE * SIDE * sizeof(T)>>>(in, out, rows, columns);
        });
        turned<T>("a padded tile's column read", rows, columns, shift, [&](const T *in, T *out) {
            tile_column_read<T, SIDE, 1>
                <<<grid, block, SIDE *(SIDE + 1) * sizeof(T)>>>(in, out, rows, columns);
        });
    }
}

template <class T> static void four_rows(int rows, int columns, int shift) {
    const dim3 block(32, 8), grid(up(columns, 32), up(rows, 32)), turned_grid(up(rows, 32), up(columns, 32));
    turned<T>("four rows written", rows, columns, shift,
              [&](const T *in, T *out) { four_written<<<grid, block>>>(in, out, rows, columns); });
    turned<T>("four rows read", rows, columns, shift,
              [&](const T *in, T *out) { four_read<<<turned_grid, block>>>(in, out, rows, columns); });
    if (rows % 32 || columns % 32) return;
    turned<T>("whole tiles", rows, columns, shift,
              [&](const T *in, T *out) { four_whole<<<grid, block>>>(in, out, rows, columns); });
}

static void behind_stores() {
    const int n = 48, count = 32 * n;
    int *m, *other, *in, *choice, bad = 0;
    for (int **p : {&m, &other, &in, &choice}) CALL(cudaMallocManaged(p, count * sizeof(int)));
    for (int more : {0, 1}) {
        for (int i = 0; i < count; i++) m[i] = i * 7 + 1;
        if (more)
            handed_on<1><<<1, dim3(32, 8)>>>(m, m, n);
        else
            handed_on<0><<<1, dim3(32, 8)>>>(m, m, n);
        CALL(cudaDeviceSynchronize());
        for (int i = 0; i < count; i++) {
            const int column = i % n, first = i - column + column % 8;
            const int want = column < 40 ? first * 7 + 1 + more * (column / 8) : i * 7 + 1;
            bad += m[i] != want;
        }
    }
    if (bad) printf("handed on: %d wrong\n", bad);
    for (int i = 0; i < count; i++) in[i] = i * 3 + 1, choice[i] = i % 3 != 1, m[i] = other[i] = -1;
    chosen<<<1, dim3(32, 8)>>>(in, choice, m, other, n);
    CALL(cudaDeviceSynchronize());
    for (int x = 0; x < 32; x++)
        for (int y = 0; y < 32; y++) {
            bad += m[x * n + y] != in[y * n + x];
            bad += other[x * n + y] != (choice[y] ? 3 * in[y * n + x] : -1);
        }
    if (bad) printf("behind stores: %d wrong\n", bad);
    wrong += bad;
    for (int *p : {m, other, in, choice}) CALL(cudaFree(p));
}

static void sums(int n) {
    std::vector<int *> a(3);
    for (int *&p : a) CALL(cudaMallocManaged(&p, n * n * sizeof(int)));
    for (int i = 0; i < n * n; i++) a[0][i] = i * i % 10007;
    both_ways<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a[0], a[1], a[2], n);
    CALL(cudaDeviceSynchronize());
    int bad = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            const int mine = a[0][y * n + x], other = a[0][x * n + y];
            bad += a[1][y * n + x] != mine + other;
            /* stored at (x, y) of the block that lies across */
            const int left = x / 32 * 32, top = y / 32 * 32;
            bad += a[2][(left + x % 32) * n + top + y % 32] != mine - other;
        }
    if (bad) printf("sum and difference: %d wrong\n", bad);
    wrong += bad;
    for (int *p : a) CALL(cudaFree(p));
}

template <class T> static void apart(int distance, bool four) {
    const int room = 32 * 64 + 64, middle = room;
    T *in, *read, *written;
    int bad = 0;
    CALL(cudaMallocManaged(&in, 2 * room * sizeof(T)));
    CALL(cudaMallocManaged(&read, 1024 * sizeof(T)));
    CALL(cudaMallocManaged(&written, 2 * room * sizeof(T)));
    for (int i = 0; i < 2 * room; i++) in[i] = T(i * 5 + 3), written[i] = T(-7);
    if (four)
        four_apart<<<1, dim3(32, 8)>>>(in + middle, read, written + middle, distance);
    else
        rows_apart<<<1, dim3(32, 32)>>>(in + middle, read, written + middle, distance);
    CALL(cudaDeviceSynchronize());
    std::vector<T> expected(2 * room, T(-7));
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            bad += read[y * 32 + x] != in[middle + x * distance + y];
            expected[middle + x * distance + y] = T((x * distance + y) * 3 + 1);
        }
    for (int i = 0; i < 2 * room; i++) bad += written[i] != expected[i];
    if (bad) printf("rows %d elements of %zu bytes apart: %d wrong\n", distance, sizeof(T), bad);
    wrong += bad;
    CALL(cudaFree(in));
    CALL(cudaFree(read));
    CALL(cudaFree(written));
}

template <class NARROW> static void widths(int n, dim3 block) {
    const size_t count = (size_t)n * n;
    const dim3 grid(n / block.x, n / block.y);
    NARROW *small, *cut;
    int *wide, bad = 0;
    CALL(cudaMallocManaged(&small, count * sizeof(NARROW)));
    CALL(cudaMallocManaged(&cut, count * sizeof(NARROW)));
    CALL(cudaMallocManaged(&wide, count * sizeof(int)));
    for (size_t i = 0; i < count; i++) small[i] = NARROW(i * 40503 >> 3);
    wider<<<grid, block>>>(small, wide, n);
    CALL(cudaDeviceSynchronize());
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            bad += wide[y * n + x] != small[x * n + y];
            wide[y * n + x] = (y * n + x) * 65599;
        }
    narrower<<<grid, block>>>(wide, cut, n);
    CALL(cudaDeviceSynchronize());
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) bad += cut[x * n + y] != NARROW(wide[y * n + x]);
    if (bad) printf("%zu bytes to four and back, %u x %u: %d wrong\n", sizeof(NARROW), block.x, block.y, bad);
    wrong += bad;
    CALL(cudaFree(small));
    CALL(cudaFree(cut));
    CALL(cudaFree(wide));
}

static void parts(int from) {
    int *in, *out, bad = 0;
    CALL(cudaMallocManaged(&in, 32 * 40 * sizeof(int)));
    CALL(cudaMallocManaged(&out, 1024 * sizeof(int)));
    for (int i = 0; i < 32 * 40; i++) in[i] = i * 3 + 1;
    some<<<1, dim3(32, 32)>>>(in, out, 40, from);
    CALL(cudaDeviceSynchronize());
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            int want = y >= from && (x & 3) != 1 ? in[x * 40 + y] : -1;
            if (y == 5) want += in[x * 40];
            bad += out[y * 32 + x] != want;
        }
    if (bad) printf("warps from %d on: %d wrong\n", from, bad);
    wrong += bad;
    CALL(cudaFree(in));
    CALL(cudaFree(out));
}

int main() {
    all_ways<int, 32>(96, 64, 0, 8);
    all_ways<int, 32>(77, 100, 3, 8);
    all_ways<unsigned, 16>(80, 50, 1, 4);
    all_ways<double, 32>(40, 70, 1, 8);
    all_ways<short, 32>(70, 40, 1, 8);
    all_ways<double, 16>(64, 37, 3, 8);
    all_ways<short, 16>(70, 48, 5, 4);
    all_ways<unsigned char, 32>(96, 70, 7, 8);
    all_ways<signed char, 16>(50, 64, 1, 8);
    for (int shift : {0, 3}) {
        four_rows<int>(96, 64, shift);
        four_rows<float>(77, 100, shift);
        four_rows<double>(64, 96, shift);
        four_rows<short>(64, 70, shift);
        four_rows<unsigned char>(96, 64, shift);
    }
    behind_stores();
    sums(96);
    for (int distance : {0, 1, 3, 16, 31, 33, 64, -1, -17, -64}) {
        for (bool four : {false, true}) apart<int>(distance, four);
        for (bool four : {false, true}) apart<double>(distance, four);
        for (bool four : {false, true}) apart<short>(distance, four);
        for (bool four : {false, true}) apart<signed char>(distance, four);
    }
    for (dim3 block : {dim3(32, 32), dim3(32, 8), dim3(16, 16), dim3(8, 32)}) {
        widths<signed char>(64, block);
        widths<unsigned char>(64, block);
        widths<short>(64, block);
        widths<unsigned short>(64, block);
        widths<double>(64, block);
    }
    for (int from : {0, 1, 7, 8, 16, 31}) parts(from);
    printf("transposes: %s\n", wrong ? "WRONG" : "all right");
    return wrong != 0;
}
