/* Threads that walk along rows of their own, four words an iteration, in rows whose distance is known only as the program runs:
 * in rows that share sets of a cache and in others, from a word that begins no line, in both directions, of few words, of
 * rows that the loop itself writes, and of rows that all threads share. */
#include "program.h"

template <class T> __global__ void sums(const T *a, const T *x, T *sum, int rows, int n, int from, int to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    T s = 0;
    for (int j = from; j < to; j++) s += a[i * n + j] * x[j];
    sum[i] = s;
}

template <class T> __global__ void backwards(const T *a, T *sum, int rows, int n, int from, int to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    T s = 0;
    for (int j = to - 1; j >= from; j--) s = s * T(3) + a[i * n + j];
    sum[i] = s;
}

/* Four words, and what becomes of them some words further on, or before. */
template <class T> __global__ void in_place(T *a, int rows, int n, int from, int to, int far) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    T *p = a + i * n;
    for (int j = from; j + 4 <= to; j += 4) {
        T x = p[j], y = p[j + 1], z = p[j + 2], w = p[j + 3];
        p[j + far] = x + y * 2;
        p[j + far + 2] = z - w;
    }
}

/* Two words of four. */
template <class T> __global__ void some(const T *a, T *sum, int rows, int n, int from, int to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    T s = 0;
    for (int j = from; j + 4 <= to; j += 4) s = s * T(5) + a[i * n + j + 1] - a[i * n + j + 3];
    sum[i] = s;
}

/* Two words, and two in one of 64 bits. */
__global__ void mixed(const unsigned *a, unsigned *sum, int rows, int n, int to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    const unsigned *p = a + i * n;
    unsigned long long s = 0;
    for (int j = 0; j + 4 <= to; j += 4)
        s = s * 5 + p[j] - p[j + 1] + *reinterpret_cast<const unsigned long long *>(p + j + 2) * 3;
    sum[i] = unsigned(s >> 7);
}

template <class T> static void fill(Array<T> &a, uint32_t seed) {
    for (size_t i = 0; i < a.n; i++) a[i] = T(next_random(seed) % 64);
}

template <class T> static void all(const char *name, int n) {
    const int rows = 77, most = n ? n : 1024;
    Array<T> a(rows * n + 2048), x(most + 64), sum(rows);
    const struct {
        int threads, shift, from, to;
    } cases[] = {{64, 0, 0, most}, {32, 1, 0, most - 1}, {96, 0, 3, 61}, {64, 5, 1, 9}, {50, 0, 0, 40}};
    for (auto c : cases) {
        const int blocks = (rows + c.threads - 1) / c.threads;
        printf("%s %d, %d threads, words %d to %d\n", name, n, c.threads, c.from, c.to);
        fill(a, 1), fill(x, 3);
        sums<<<blocks, c.threads>>>(a.p + c.shift, x.p, sum.p, rows, n, c.from, c.to);
        show("sums", sum);
        backwards<<<blocks, c.threads>>>(a.p + c.shift, sum.p, rows, n, c.from, c.to);
        show("backwards", sum);
        some<<<blocks, c.threads>>>(a.p + c.shift, sum.p, rows, n, c.from, c.to);
        show("some", sum);
        for (int far : {4, 6, 16, -2}) {
            if (c.from + far < 0 || !n) continue; /* threads that write one row would race */
            in_place<<<blocks, c.threads>>>(a.p + c.shift, rows, n, c.from, c.to - 24, far);
            show("in place", a);
        }
    }
}

static void words_and_twice_as_long(int n) {
    const int rows = 77;
    Array<unsigned> a(rows * n + 64), sum(rows);
    fill(a, 1);
    for (int threads : {32, 64, 50}) {
        mixed<<<(rows + threads - 1) / threads, threads>>>(a.p, sum.p, rows, n, n);
        show("mixed", sum);
    }
}

int main() {
    for (int n : {1024, 1040}) words_and_twice_as_long(n);
    for (int n : {1024, 2048, 512, 1040, 1030, 0}) all<unsigned>("words", n);
    for (int n : {512, 1024, 520}) all<unsigned long long>("longs", n);
    for (int n : {1024, 1040}) all<float>("floats", n);
}
