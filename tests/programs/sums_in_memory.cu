// Each thread's sum lives in global memory, and its loop stores to it: row by row of a matrix, as in syrk and
// gesummv. The compiler unrolls such a loop, and the indices of the rest are widened behind stores, where warps
// that run side by side can no longer begin again.
// Near misses: sums right behind the matrix or in the thread's own row, no turns at all, rows of 1 to 9 words, and
// grids wider than the matrix.
#include <cstdio>

__global__ void products_of_rows(int rows, int n, float alpha, float beta, const float *a, float *c) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= rows) return;
    c[i * rows + j] *= beta;
    for (int k = 0; k < n; k++) c[i * rows + j] += alpha * a[i * n + k] * a[j * n + k];
}

template <class T>
__global__ void two_sums(int n, T alpha, T beta, const T *a, const T *b, T *first, const T *x, T *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < n; k++) {
        first[i] += a[i * n + k] * x[k];
        y[i] += b[i * n + k] * x[k];
    }
    y[i] = alpha * first[i] + beta * y[i];
}

template <class T> __global__ void columns(int n, const T *a, const T *x, T *y) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    y[j] = 0;
    for (int k = 0; k < n; k++) y[j] += a[k * n + j] * x[k];
}

/* The sum is a word of the thread's own row. */
__global__ void in_rows(int n, float *a, const float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < n; k++) a[i * n + n / 2] += a[i * n + k] * x[k];
}

static unsigned bits_of(const void *p, size_t n) {
    unsigned sum = 2166136261u;
    for (size_t i = 0; i < n; i++) sum = (sum ^ ((const unsigned char *)p)[i]) * 16777619u;
    return sum;
}

template <class T> static T *numbers(int n, int seed) {
    T *p;
    cudaMallocManaged(&p, n * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = (T)((i * 37 + seed) % 23 - 11) / 8;
    return p;
}

static void products(int rows, int n, int shift) {
    float *a = numbers<float>(rows * n + rows * rows + 64, 1);
    float *c = shift < 0 ? numbers<float>(rows * rows, 5) : a + shift;
    dim3 block(32, 8), grid((rows + 31) / 32, (rows + 7) / 8);
    products_of_rows<<<grid, block>>>(rows, n, 0.5f, 0.75f, a, c);
    cudaDeviceSynchronize();
    printf("products of %d rows of %d: %08x\n", rows, n, bits_of(c, rows * rows * sizeof *c));
}

template <class T> static void sums(int n) {
    T *a = numbers<T>(n * n, 1), *b = numbers<T>(n * n, 2), *x = numbers<T>(n, 3), *y = numbers<T>(n, 4),
      *first = numbers<T>(n, 5);
    two_sums<<<(n + 255) / 256, 256>>>(n, (T)0.5, (T)0.25, a, b, first, x, y);
    cudaDeviceSynchronize();
    printf("two sums of %d: %08x %08x", n, bits_of(first, n * sizeof *first), bits_of(y, n * sizeof *y));
    columns<<<(n + 255) / 256, 256>>>(n, a, x, y);
    cudaDeviceSynchronize();
    printf(", columns %08x\n", bits_of(y, n * sizeof *y));
}

static void sums_in_rows(int n) {
    float *a = numbers<float>(n * n, 1), *x = numbers<float>(n, 3);
    in_rows<<<(n + 255) / 256, 256>>>(n, a, x);
    cudaDeviceSynchronize();
    printf("sums in rows of %d: %08x\n", n, bits_of(a, n * n * sizeof *a));
}

int main() {
    for (int n = 0; n <= 9; n++) products(64, n, -1);
    products(96, 65, -1);
    products(100, 33, -1);
    sums<float>(256);
    sums<float>(259);
    sums<double>(130);
    sums<double>(128);
    sums_in_rows(64);
    sums_in_rows(257);
    products(8, 64, 8 * 64); /* right behind the matrix */
    return 0;
}
