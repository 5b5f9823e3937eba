/* Threads that walk along rows of their own, some words an iteration, in rows so far apart that their lines share few sets of
 * a cache, and in others: sums, in both directions, from a word that begins no line, of few words, of rows that the
 * loop itself writes, before and behind what it reads. */
#include "program.h"

template <int N, class T> __global__ void sums(const T *a, const T *x, T *sum, int rows, int from, int to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    T s = 0;
    for (int j = from; j < to; j++) s += a[i * N + j] * x[j];
    sum[i] = s;
}

template <int N, class T>
__global__ void backwards(const T *a, const T *b, T *sum, int rows, int from, int to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    T s = 0;
    for (int j = to - 1; j >= from; j--) s = s * T(0.5) + (a[i * N + j] - b[i * N + j]);
    sum[i] = s;
}

/* Four words, and what becomes of them some words further on, or before; a row's neighbour for others. */
template <int N, class T> __global__ void in_place(T *a, int rows, int from, int to, int far) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    T *p = a + i * N;
    for (int j = from; j + 4 <= to; j += 4) {
        T x = p[j], y = p[j + 1], z = p[j + 2], w = p[j + 3];
        p[j + far] = x + y * 2;
        p[j + far + 2] = z - w;
    }
}

/* Some threads stop early, and the others go on without them. */
template <int N, class T> __global__ void until(const T *a, int *at, int rows, int to, T most) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    T s = 0;
    int j = 0;
    for (; j + 2 <= to && s < most; j += 2) s += a[i * N + j] + a[i * N + j + 1];
    at[i] = j;
}

template <class T> static void fill(Array<T> &a, uint32_t seed) {
    for (size_t i = 0; i < a.n; i++) a[i] = T(next_random(seed) % 64);
}

template <int N, class T> static void all(const char *name) {
    const int rows = 77;
    Array<T> a(rows * N + 64), b(rows * N + 64), x(N + 64), sum(rows);
    Array<int> at(rows);
    const struct {
        int threads, shift, from, to;
    } cases[] = {{64, 0, 0, N}, {32, 1, 0, N - 1}, {96, 0, 3, 61}, {64, 5, 1, 9}, {50, 0, 0, 40}};
    for (auto c : cases) {
        const int blocks = (rows + c.threads - 1) / c.threads;
        printf("%s %d, %d threads, words %d to %d\n", name, N, c.threads, c.from, c.to);
        fill(a, 1), fill(b, 2), fill(x, 3);
        sums<N><<<blocks, c.threads>>>(a.p + c.shift, x.p, sum.p, rows, c.from, c.to);
        show("sums", sum);
        backwards<N><<<blocks, c.threads>>>(a.p + c.shift, b.p + c.shift, sum.p, rows, c.from, c.to);
        show("backwards", sum);
        until<N><<<blocks, c.threads>>>(a.p + c.shift, at.p, rows, c.to, T(500));
        show("until", at);
        for (int far : {4, 6, 16, -2}) {
            if (c.from + far < 0) continue;
            in_place<N><<<blocks, c.threads>>>(a.p + c.shift, rows, c.from, c.to - 24, far);
            show("in place", a);
        }
    }
}

int main() {
    all<1024, float>("floats");
    all<512, float>("floats");
    all<520, float>("floats");
    all<512, double>("doubles");
    all<1024, int>("ints");
}
