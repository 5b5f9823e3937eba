/* exercises: what courses set, each result tested: Monte Carlo, queens by recursion, bitonic sort, Cholesky
 * and LU of small matrices, a lambda as kernel, an image resized, objects with virtual functions and printf.
 */
#include <algorithm>
#include <cstdio>
#include <cmath>
#include <cassert>
#include <vector>
/* Monte Carlo pi. */
__host__ __device__ inline unsigned wang(unsigned s) {
    s = (s ^ 61) ^ (s >> 16);
    s *= 9;
    s ^= s >> 4;
    s *= 0x27d4eb2d;
    return s ^ (s >> 15);
}
__device__ inline unsigned xorshift(unsigned &s) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}
__global__ void pi(unsigned long long *hits, int per) {
    unsigned s = wang(blockIdx.x * blockDim.x + threadIdx.x + 1);
    if (!s) s = 1;
    int c = 0;
    for (int i = 0; i < per; i++) {
        float x = xorshift(s) * 2.3283064e-10f, y = xorshift(s) * 2.3283064e-10f;
        c += x * x + y * y <= 1.0f;
    }
    for (int o = 16; o; o /= 2) c += __shfl_xor_sync(0xffffffff, c, o);
    if ((threadIdx.x & 31) == 0) atomicAdd(hits, (unsigned long long)c);
}
/* Queens, by true recursion. */
__device__ __noinline__ int queens(int n, unsigned cols, unsigned d1, unsigned d2) {
    unsigned all = (1u << n) - 1;
    if (cols == all) return 1;
    int r = 0;
    for (unsigned free = all & ~(cols | d1 | d2); free;) {
        unsigned b = free & -free;
        free ^= b;
        r += queens(n, cols | b, (d1 | b) << 1, (d2 | b) >> 1);
    }
    return r;
}
__global__ void nqueens(int n, int *total) {
    int i = threadIdx.x;
    if (i >= n * n) return;
    unsigned a = 1u << (i / n), b = 1u << (i % n);
    unsigned cols = a, d1 = a << 1, d2 = a >> 1;
    if (b & (cols | d1 | d2)) return;
    atomicAdd(total, queens(n, cols | b, (d1 | b) << 1, (d2 | b) >> 1));
}
/* Bitonic sort. */
__global__ void bitonic(int *g) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x;
    s[t] = g[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = 2; k <= blockDim.x; k <<= 1)
        for (unsigned j = k >> 1; j > 0; j >>= 1) {
            unsigned p = t ^ j;
            if (p > t) {
                if ((s[t] > s[p]) == ((t & k) == 0)) {
                    int x = s[t];
                    s[t] = s[p];
                    s[p] = x;
                }
            }
            __syncthreads();
        }
    g[blockIdx.x * blockDim.x + t] = s[t];
}
/* Cholesky, a warp a matrix; then LU with pivots in local arrays, a thread a matrix. */
template <typename T, int N> __global__ void cholesky(T *A) {
    __shared__ T s[4][N][N + 1];
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    T *M = A + (blockIdx.x * 4 + w) * N * N;
    for (int i = l; i < N * N; i += 32) s[w][i / N][i % N] = M[i];
    __syncwarp();
    for (int k = 0; k < N; k++) {
        if (l == 0) s[w][k][k] = sqrt(s[w][k][k]);
        __syncwarp();
        for (int i = k + 1 + l; i < N; i += 32) s[w][i][k] /= s[w][k][k];
        __syncwarp();
        for (int i = k + 1 + l; i < N; i += 32)
            for (int j = k + 1; j <= i; j++) s[w][i][j] -= s[w][i][k] * s[w][j][k];
        __syncwarp();
    }
    for (int i = l; i < N * N; i += 32) M[i] = i % N <= i / N ? s[w][i / N][i % N] : T(0);
}
template <int N> __global__ void lu_solve(const double *A, double *b, int batch) {
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= batch) return;
    double a[N][N], x[N];
    int piv[N];
    for (int i = 0; i < N; i++) {
        x[i] = b[m * N + i];
        piv[i] = i;
        for (int j = 0; j < N; j++) a[i][j] = A[(m * N + i) * N + j];
    }
    for (int k = 0; k < N; k++) {
        int p = k;
        for (int i = k + 1; i < N; i++)
            if (fabs(a[piv[i]][k]) > fabs(a[piv[p]][k])) p = i;
        int t = piv[k];
        piv[k] = piv[p];
        piv[p] = t;
        for (int i = k + 1; i < N; i++) {
            double f = a[piv[i]][k] / a[piv[k]][k];
            for (int j = k; j < N; j++) a[piv[i]][j] -= f * a[piv[k]][j];
            x[piv[i]] -= f * x[piv[k]];
        }
    }
    double y[N];
    for (int i = N - 1; i >= 0; i--) {
        double s = x[piv[i]];
        for (int j = i + 1; j < N; j++) s -= a[piv[i]][j] * y[j];
        y[i] = s / a[piv[i]][i];
        b[m * N + i] = y[i];
    }
    assert(piv[0] >= 0 && piv[0] < N);
}
template <typename F> __global__ void for_each(int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}
__global__ void resize(const uchar4 *src, int sw, int sh, uchar4 *dst, int dw, int dh) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dw || y >= dh) return;
    float fx = fminf(fmaxf((x + 0.5f) * sw / dw - 0.5f, 0.f), sw - 1.f),
          fy = fminf(fmaxf((y + 0.5f) * sh / dh - 0.5f, 0.f), sh - 1.f);
    int x0 = (int)fx, y0 = (int)fy, x1 = min(x0 + 1, sw - 1), y1 = min(y0 + 1, sh - 1);
    float u = fx - x0, v = fy - y0;
    uchar4 p = src[y0 * sw + x0], q = src[y0 * sw + x1], r = src[y1 * sw + x0], s = src[y1 * sw + x1];
    auto mix = [=](float a, float b, float c, float d) {
        return (unsigned char)((a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v + 0.5f);
    };
    dst[y * dw + x] =
        make_uchar4(mix(p.x, q.x, r.x, s.x), mix(p.y, q.y, r.y, s.y), mix(p.z, q.z, r.z, s.z), 255);
}
struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float a;
    __device__ Square(float a) : a(a) {}
    __device__ float area() const override { return a * a; }
};
struct Circle : Shape {
    float r;
    __device__ Circle(float r) : r(r) {}
    __device__ float area() const override { return 3.0f * r * r; }
};
__global__ void shapes(float *out) {
    Shape *s;
    if (threadIdx.x % 2)
        s = new Square(threadIdx.x);
    else
        s = new Circle(threadIdx.x);
    out[threadIdx.x] = s->area();
    delete s;
    if (threadIdx.x == 3)
        printf("thread %d of block %u: %g %s %5.2f %lld\n", threadIdx.x, blockIdx.x, (double)out[3], "text",
               1.5, 1LL << 40);
}
int main() {
    int bad = 0;
    unsigned long long *hits;
    cudaMallocManaged(&hits, 8);
    *hits = 0;
    pi<<<16, 128>>>(hits, 50);
    cudaDeviceSynchronize();
    double p = 4.0 * *hits / (16 * 128 * 50.0);
    if (fabs(p - M_PI) > 0.05) bad++, printf("pi %g\n", p);
    int *tot;
    cudaMallocManaged(&tot, 4);
    *tot = 0;
    nqueens<<<1, 64>>>(8, tot);
    cudaDeviceSynchronize();
    if (*tot != 92) bad++, printf("queens %d\n", *tot);
    {
        const int n = 1024;
        int *d;
        cudaMallocManaged(&d, n * 4);
        for (int i = 0; i < n; i++) d[i] = wang(i);
        bitonic<<<4, 256, 256 * 4>>>(d);
        cudaDeviceSynchronize();
        for (int b = 0; b < 4; b++)
            if (!std::is_sorted(d + b * 256, d + b * 256 + 256)) bad++, puts("bitonic");
        cudaFree(d);
    }
    {
        const int N = 12, B = 8;
        std::vector<double> h(B * N * N), r(h.size());
        for (int m = 0; m < B; m++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) h[(m * N + i) * N + j] = (i == j ? N + m : 0) + 1.0 / (1 + i + j);
        double *d;
        cudaMalloc(&d, h.size() * 8);
        cudaMemcpy(d, h.data(), h.size() * 8, cudaMemcpyDefault);
        cholesky<double, N><<<B / 4, 128>>>(d);
        cudaMemcpy(r.data(), d, h.size() * 8, cudaMemcpyDefault);
        cudaFree(d);
        for (int m = 0; m < B; m++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) {
                    double s = 0;
                    for (int k = 0; k < N; k++) s += r[(m * N + i) * N + k] * r[(m * N + j) * N + k];
                    if (fabs(s - h[(m * N + i) * N + j]) > 1e-9) bad++;
                }
        if (bad) puts("cholesky?");
    }
    {
        const int N = 6, B = 100;
        std::vector<double> h(B * N * N), x(B * N), b(B * N, 0.);
        for (size_t i = 0; i < h.size(); i++) h[i] = wang(i) % 1000 * 0.01;
        for (int i = 0; i < B * N; i++) x[i] = i % 7;
        for (int m = 0; m < B; m++)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) b[m * N + i] += h[(m * N + i) * N + j] * x[m * N + j];
        double *A, *v;
        cudaMalloc(&A, h.size() * 8);
        cudaMalloc(&v, b.size() * 8);
        cudaMemcpy(A, h.data(), h.size() * 8, cudaMemcpyHostToDevice);
        cudaMemcpy(v, b.data(), b.size() * 8, cudaMemcpyHostToDevice);
        lu_solve<N><<<2, 64>>>(A, v, B);
        cudaMemcpy(b.data(), v, b.size() * 8, cudaMemcpyDeviceToHost);
        cudaFree(A);
        cudaFree(v);
        int w = 0;
        for (int i = 0; i < B * N; i++) w += fabs(b[i] - x[i]) > 1e-5;
        if (w) bad++, printf("lu %d\n", w);
    }
    {
        int n = 1000;
        float *y;
        cudaMallocManaged(&y, n * 4);
        float a = 2.5f;
        for_each<<<4, 64>>>(n, [=] __device__(int i) { y[i] = a * i; });
        cudaDeviceSynchronize();
        for (int i = 0; i < n; i++)
            if (y[i] != a * i) {
                bad++;
                puts("lambda");
                break;
            }
        cudaFree(y);
    }
    {
        int sw = 37, sh = 23, dw = 60, dh = 41;
        uchar4 *s, *d;
        cudaMallocManaged(&s, sw * sh * 4);
        size_t pitch;
        cudaMallocManaged(&d, dw * dh * 4);
        for (int i = 0; i < sw * sh; i++) s[i] = make_uchar4(100, i % 256, 7, 0);
        void *pp;
        cudaMallocPitch(&pp, &pitch, 100, 3);
        cudaFree(pp);
        resize<<<dim3((dw + 15) / 16, (dh + 15) / 16), dim3(16, 16)>>>(s, sw, sh, d, dw, dh);
        cudaDeviceSynchronize();
        for (int i = 0; i < dw * dh; i++)
            if (d[i].x != 100 || d[i].z != 7 || d[i].w != 255) {
                bad++;
                puts("resize");
                break;
            }
        cudaFree(s);
        cudaFree(d);
    }
    {
        float *o;
        cudaMallocManaged(&o, 128);
        shapes<<<1, 32>>>(o);
        cudaDeviceSynchronize();
        for (int i = 0; i < 32; i++)
            if (o[i] != (i % 2 ? 1.f : 3.f) * i * i) bad++, puts("shapes");
        cudaFree(o);
    }
    cudaFree(hits);
    cudaFree(tot);
    printf("course: %s (%s)\n", bad ? "FAIL" : "PASS", cudaGetErrorString(cudaGetLastError()));
    return bad;
}
