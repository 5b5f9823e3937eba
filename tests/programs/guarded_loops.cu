/* Loops that only threads below a bound run, in blocks that the bound cuts at the end of a warp, within one and before
 * the first, and in blocks whose last warp has fewer than 32 threads: sums along columns and rows, in a register and in
 * memory; loops that threads leave at different iterations; indices that wrap; additions. */
#include "program.h"

#include <climits>

static const int columns = 517, rows = 37;

__global__ void sums(const float *a, float *sum, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    float s = 0;
    for (int i = 0; i < rows; i++) s += a[i * columns + j];
    sum[j] = s;
}

__global__ void sums_in_memory(const float *a, float *sum, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n && n > 0)
        for (int i = 0; i < rows; i++) sum[j] += a[i * columns + j];
}

__global__ void running(float *a, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    for (int i = 1; i < rows; i++) a[i * columns + j] += a[(i - 1) * columns + j];
}

/* A row a thread, which is a column of the picture: lines of the rows are kept from iteration to iteration. */
__global__ void along_rows(const float *a, float *sum, int n, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = 0; k < length; k++) s += a[i * length + k] * (k & 3);
    sum[i] = s;
}

__global__ void products(const double *a, const double *b, double *c, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    double s = 0;
    for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}

/* Threads return from within the loop, each after some iterations of its own; of some warps none does. */
__global__ void returns(const unsigned char *a, unsigned *last, int n, int stop) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    unsigned x = 0;
    for (int i = 0; i < rows; i++) {
        if (a[i * columns + j] == stop) return;
        x = x * 31 + a[i * columns + j];
        last[j] = x;
    }
    last[j] = x ^ 0x80000000u;
}

/* Some iterations are done by some threads only. */
__global__ void thresholds(const float *a, float *above, int *at, int n, float least) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    float s = 0;
    int k = -1;
    for (int i = 0; i < rows; i++) {
        float x = a[i * columns + j];
        if (x > least) s += x, k = i;
        if (i % 5 == 4) above[i / 5 * columns + j] = s;
    }
    at[j] = k;
}

/* Far indices are widened after they have wrapped: a warp whose lanes do is on its own then. */
__global__ void wraps(const int *a, int *out, int n, int from) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    int s = 0;
    for (int i = 0; i < 4; i++) {
        int at = from + j + i * 16;
        s += at < 0 ? -1 : a[at - (INT_MAX - 255)];
    }
    out[j] = s;
}

__global__ void counts(const unsigned char *a, int *count, float *weight, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    for (int i = 0; i < rows; i++) {
        atomicAdd(&count[a[i * columns + j] % 61], 1);
        atomicAdd(&weight[j % 7], 1);
    }
}

template <class T> struct Filled : Array<T> {
    explicit Filled(int n, int times = 7) : Array<T>(n) {
        for (int i = 0; i < n; i++) this->p[i] = T((unsigned)i * 2654435761u >> 8 & 1023) * T(times);
    }
    unsigned seen() const {
        CALL(cudaDeviceSynchronize());
        return (unsigned)hash_of(this->p, this->n * sizeof(T));
    }
};

static void all(int threads, int n) {
    const int blocks = (columns + threads - 1) / threads;
    Filled<float> a(rows * columns), b(rows * columns), sum(columns), memory(columns), across(columns),
        above(rows / 5 * columns), weight(7, 0);
    Filled<double> l(45 * 45), r(45 * 45), c(45 * 45, 0);
    Filled<unsigned char> bytes(rows * columns, 1);
    Filled<unsigned> last(columns);
    Filled<int> at(columns), near(256 + 64), out(columns), count(61, 0);
    sums<<<blocks, threads>>>(a.p, sum.p, n);
    sums_in_memory<<<blocks, threads>>>(a.p, memory.p, n);
    running<<<blocks, threads>>>(b.p, n);
    along_rows<<<blocks, threads>>>(a.p, across.p, n < 500 ? n : 500, 32);
    const dim3 square(threads < 64 ? threads : 20, threads < 64 ? 4 : 10);
    products<<<dim3((45 + square.x - 1) / square.x, (45 + square.y - 1) / square.y), square>>>(l.p, r.p, c.p,
                                                                                               45);
    returns<<<blocks, threads>>>(bytes.p, last.p, n, 17);
    thresholds<<<blocks, threads>>>(a.p, above.p, at.p, n, 3000);
    wraps<<<blocks, threads>>>(near.p, out.p, n < 256 ? n : 256, INT_MAX - 255);
    counts<<<blocks, threads>>>(bytes.p, count.p, weight.p, n);
    printf("%3d threads, %3d: sums %08x %08x %08x %08x, products %08x, returns %08x, thresholds %08x %08x, "
           "wraps %08x, "
           "counts %08x %08x\n",
           threads, n, sum.seen(), memory.seen(), b.seen(), across.seen(), c.seen(), last.seen(),
           above.seen(), at.seen(), out.seen(), count.seen(), weight.seen());
}

int main() {
    for (int threads : {32, 256, 100})
        for (int n : {columns, 512, 77, 0}) all(threads, n);
}
