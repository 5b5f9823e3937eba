/* Loops that the grid goes through together, in every place where one may stand: where only some threads
 * come, by lanes, warps and early ends; twice in a row; with breaks, sums of two and three kinds, shared
 * memory of each thread's own; by pointers, downwards, in functions that are called, by strides and bounds
 * known only as they run. What each kernel leaves behind is printed as one number. */
#include <cstdio>
#include <cuda_runtime.h>
#define EACH(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
__global__ void some(const int *x, int *y, int n) {
    if (threadIdx.x < 100) {
        EACH(i, n) y[i] = x[i] + 1;
    }
    y[n + threadIdx.x] = 7;
}
__global__ void some2(const int *x, int *y, int n, int k) {
    if (threadIdx.x >= k) {
        EACH(i, n) y[i] = x[i] + 1;
    } else
        y[n + threadIdx.x] = 3;
    __syncthreads();
    if (threadIdx.x == 0) y[n + 2000 + blockIdx.x] = 5;
}
__global__ void two(const int *x, int *y, int n) {
    EACH(i, n) y[i] = x[i] * 3;
    EACH(j, n) y[j] = y[j] + x[j];
}
__global__ void brk(const int *x, int *y, int n) {
    EACH(i, n) {
        if (x[i] == 5) break;
        y[i] = x[i];
    }
}
__global__ void cont(const int *x, int *y, int n) {
    EACH(i, n) {
        if (x[i] % 5 == 0) continue;
        y[i] = x[i];
        if (x[i] % 7 == 0) y[n + i % 64] = 1;
    }
}
__global__ void bywarp(const int *x, int *y, int n) {
    int m = n - threadIdx.x / 32 * 5000;
    EACH(i, m) y[i] = x[i] + 2;
}
__global__ void sh(const int *x, int *y, int n) {
    __shared__ int s[1024];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int k = 0;
    EACH(i, n) {
        k += x[i] + s[threadIdx.x];
        s[threadIdx.x] = k;
        y[i] = s[threadIdx.x];
    }
    __syncthreads();
    y[n + blockIdx.x * blockDim.x + threadIdx.x] = s[(threadIdx.x + 33) % blockDim.x];
}
__global__ void three(const double *x, double *y, int n) {
    double a = 0, b = 1;
    float c = 0;
    EACH(i, n) {
        a += x[i];
        b = b * 0.5 + x[i];
        c += (float)x[i];
    }
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[3 * t] = a;
    y[3 * t + 1] = b;
    y[3 * t + 2] = c;
}
__global__ void pair(const double *x, double *y, int n) {
    double a = 0, b = 1;
    EACH(i, n) {
        a += x[i];
        b = b * 0.5 + x[i];
    }
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[2 * t] = a;
    y[2 * t + 1] = b;
}
__global__ void cnt(const int *x, int *y, int n) {
    int c = 0, last = -1;
    EACH(i, n) {
        if (x[i] & 1) {
            c++;
            last = i;
        }
    }
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    y[2 * t] = c;
    y[2 * t + 1] = last;
}
__global__ void ptr(const int *x, const int *end, int *y) {
    int s = 0;
    const int *p = x + blockIdx.x * blockDim.x + threadIdx.x;
    for (; p < end; p += gridDim.x * blockDim.x) s ^= *p;
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__device__ void inner(const int *x, int *y, int n) { EACH(i, n) y[i] = x[i] ^ 9; }
__global__ void calls(const int *x, int *y, int n) {
    inner(x, y, n);
    __syncthreads();
    inner(y, y + n, n);
}
__global__ void down(const int *x, int *y, int n) {
    for (int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= gridDim.x * blockDim.x)
        y[i] = x[i] + i;
}
__global__ void vol(volatile int *x, int *y, int n) { EACH(i, n) y[i] = x[i] + 4; }
__global__ void dyn(const int *x, int *y, int n, int step) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) y[i] = x[i] + y[i] + 1;
}
__global__ void bound(const int *x, int *y, const int *n) { EACH(i, *n) y[i] = x[i] + 6; }

int main() {
    const int n = 600011, room = 4 * n;
    int *x, *y, *h = new int[room];
    cudaMallocManaged(&x, room * 4);
    cudaMalloc(&y, room * 4);
    for (int i = 0; i < room; i++) x[i] = (i * 2654435761u >> 9) % 1000;
    double *xd;
    cudaMallocManaged(&xd, n * 8);
    for (int i = 0; i < n; i++) xd[i] = x[i] * 0.37;
    int *pn;
    cudaMallocManaged(&pn, 4);
    auto show = [&](const char *w, int b) {
        cudaMemcpy(h, y, room * 4, cudaMemcpyDeviceToHost);
        unsigned s = 1;
        for (int i = 0; i < room; i++) s = s * 31 + h[i];
        printf("%s %d %08x %s\n", w, b, s, cudaGetErrorString(cudaGetLastError()));
        cudaMemset(y, 0, room * 4);
    };
    cudaMemset(y, 0, room * 4);
    for (int b : {64, 200, 1024})
        for (int m : {1000, 40000, n}) {
            *pn = m;
#define RUN(k, ...)                                                                                          \
    k<<<7, b>>>(__VA_ARGS__);                                                                                \
    show(#k, b);

            RUN(some, x, y, m)
            RUN(some2, x, y, m, 40)
            RUN(some2, x, y, m, 64)
            RUN(two, x, y, m)
            RUN(brk, x, y, m)
            RUN(cont, x, y, m)
            RUN(bywarp, x, y, m)
            RUN(sh, x, y, m)
            RUN(three, xd, (double *)y, m)
            RUN(pair, xd, (double *)y, m)
            RUN(cnt, x, y, m)
            RUN(ptr, x, x + m, y)
            RUN(calls, x, y, m)
            RUN(down, x, y, m)
            RUN(vol, x, y, m)
            RUN(dyn, x, y, m, 7 * b)
            RUN(dyn, x, y, m, 100000)
            RUN(bound, x, y, pn)
        }
}
