/* bands: kernels whose blocks are one row of threads and read the same columns as the blocks below them, in
 * many shapes: threads of eight rows may run side by side, and must not notice. What they are called, how far
 * their loops go, where a row of the matrix is no whole number of blocks, indices that wrap round, rows in
 * place.
 */
#include "program.h"

/* One row of the result for each row of blocks. */
template <class T> __global__ void product(const T *a, const T *b, T *c, int rows, int inner, int columns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= columns || y >= rows) return;
    T sum = 0;
    for (int k = 0; k < inner; k++) sum += a[y * inner + k] * b[k * columns + x];
    c[y * columns + x] = sum;
}

template <class T> __global__ void linear(const T *a, const T *b, T *c, int rows, int inner, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * columns) return;
    const int row = i / columns, column = i % columns;
    T sum = 0;
    for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * columns + column];
    c[i] = sum;
}

/* What a thread is called, and how many there are. */
__global__ void names(const int *in, unsigned *out, int turns) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y + gridDim.y * blockIdx.z;
    const unsigned width = gridDim.x * blockDim.x;
    unsigned sum = threadIdx.x + 7 * threadIdx.y + 11 * threadIdx.z + 1000 * blockIdx.x;
    sum += 13 * blockDim.x + 17 * blockDim.y + 19 * blockDim.z;
    sum += 100 * gridDim.x + 23 * gridDim.y + 29 * gridDim.z;
    for (int k = 0; k < turns; k++) sum = sum * 3 + in[k * 64 + x % 64] * blockIdx.y + blockIdx.z;
    out[y * width + x] = sum;
}

__global__ void names_along(const int *in, unsigned *out, unsigned columns, int turns) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, row = i / columns, column = i - row * columns;
    unsigned sum = threadIdx.x + 1000 * blockIdx.x + 13 * blockDim.x + 100 * gridDim.x + 23 * gridDim.y;
    for (int k = 0; k < turns; k++) sum = sum * 3 + in[k * 64 + column % 64] * row;
    out[i] = sum;
}

/* Rows that end their loops one after the other, and one that takes another way. */
__global__ void triangle(const int *b, int *c, int n, int odd) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    int sum = 0;
    if (x >= n) return;
    for (int k = 0; k <= y; k++) sum = sum * 5 + b[k * n + x];
    if (y == odd) sum = -sum;
    if (sum % 7 == 3) sum += x;
    c[y * n + x] = sum;
}

/* Each row reads its own result again, and what no other row writes. */
__global__ void in_place(int *c, const int *b, int n, int turns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= n) return;
    for (int k = 0; k < turns; k++) c[y * n + x] = c[y * n + x] * 3 + b[k * n + x];
}

/* 32-bit indices that wrap round in some rows. */
__global__ void wraps(const unsigned *b, unsigned *c, unsigned start, unsigned step, int turns) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    unsigned sum = 0;
    for (int k = 0; k < turns; k++) {
        const unsigned i = start + (y + k) * step + x;
        sum += b[(((unsigned long long)i * 4) >> 2) & 1023] + b[(k * 32 + x) & 1023];
    }
    c[y * gridDim.x * blockDim.x + x] = sum;
}

int main() {
    const int n = 128;
    Array<float> a(n * n), b(n * n), c(n * n);
    Array<double> da(n * n), db(n * n), dc(n * n);
    Array<int> in(64 * 64), x(n * n), y(n * n);
    Array<unsigned> words(1024), out(1 << 17);
    uint32_t state = 1;
    for (int i = 0; i < n * n; i++) {
        a[i] = (int)(next_random(state) % 64) * 0.0625f;
        b[i] = (int)(next_random(state) % 64) * 0.03125f;
        da[i] = a[i], db[i] = b[i];
        x[i] = next_random(state) % 1000;
    }
    for (int i = 0; i < 64 * 64; i++) in[i] = next_random(state) % 100;
    for (int i = 0; i < 1024; i++) words[i] = next_random(state);

    for (int threads : {32, 96, 256, 48}) {
        printf("%d threads\n", threads);
        for (int rows : {64, 61, 8}) {
            const dim3 grid((120 + threads - 1) / threads, rows);
            product<<<grid, threads>>>(a.p, b.p, c.p, rows, 50, 120);
            show("product", c);
            product<<<grid, threads>>>(da.p, db.p, dc.p, rows - 1, 33, 101);
            show("product of double", dc);
        }
        CALL(cudaMemset(out, 0, out.n * sizeof(unsigned)));
        names<<<dim3((256 + threads - 1) / threads, 16, 2), threads>>>(in, out, 9);
        show("names", out);
        names<<<dim3(2, 24), threads>>>(in, out, 9);
        show("names", out);
        for (int columns : {64, 128, 1024, 100, 1}) {
            names_along<<<65536 / threads, threads>>>(in, out, columns, 9);
            show("names along", out);
        }
        for (int columns : {128, 32, 40, 121}) {
            const int rows = 64, blocks = (rows * columns + threads - 1) / threads;
            linear<<<blocks, threads>>>(a.p, b.p, c.p, rows, 50, columns);
            show("linear", c);
            linear<<<blocks, threads>>>(x.p, x.p, y.p, rows - 3, 50, columns);
            show("linear of int", y);
        }
        for (int odd : {-1, 5, 63}) {
            triangle<<<dim3((n + threads - 1) / threads, 64), threads>>>(x, y, n, odd);
            show("triangle", y);
        }
        in_place<<<dim3((n + threads - 1) / threads, 64), threads>>>(y, x, n, 9);
        show("in place", y);
        if (threads > 128) continue;
        wraps<<<dim3(1024 / threads, 64), threads>>>(words, out, 0, 100, 7);
        show("wraps nowhere", out);
        wraps<<<dim3(1024 / threads, 64), threads>>>(words, out, 0xfffff000u, 96, 7);
        show("wraps", out);
        wraps<<<dim3(1024 / threads, 64), threads>>>(words, out, 0x7ffffc00u, 16, 7);
        show("wraps if signed", out);
    }
    return 0;
}
