/* Trees whose threads lie apart, in place and in shared memory: every second, third or fifth one works, with
 * one operation or several, and values go back to where others stay as they were. */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

/* ---- in place, in global memory ---- */

/* Every second thread of those that are left, and the others' words stay. */
template <class T> __global__ void pairs(T *values, int n) {
    T *mine = values + blockIdx.x * blockDim.x;
    const int t = threadIdx.x, count = min((int)blockDim.x, n - (int)(blockIdx.x * blockDim.x));
    for (int stride = 1; stride < (int)blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0 && t + stride < count) mine[t] += mine[t + stride];
        __syncthreads();
    }
}

/* The same words, by threads side by side. */
template <class T> __global__ void strided(T *values, int n) {
    T *mine = values + blockIdx.x * blockDim.x;
    const int t = threadIdx.x, count = min((int)blockDim.x, n - (int)(blockIdx.x * blockDim.x));
    for (int stride = 1; stride < (int)blockDim.x; stride *= 2) {
        const int i = 2 * stride * t;
        if (i + stride < count) mine[i] += mine[i + stride];
        __syncthreads();
    }
}

/* The sum ends at the odd one of two. */
template <class T> __global__ void to_the_right(T *values, int n) {
    T *mine = values + blockIdx.x * blockDim.x;
    const int t = threadIdx.x;
    if ((int)((blockIdx.x + 1) * blockDim.x) > n) return;
    for (int stride = 1; stride < (int)blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 2 * stride - 1) mine[t] = mine[t] + mine[t - stride];
        __syncthreads();
    }
}

/* Threes: lanes of no power of two. */
__global__ void threes(int *values, int n) {
    int *mine = values + blockIdx.x * 243;
    const int t = threadIdx.x;
    if ((int)(blockIdx.x + 1) * 243 > n) return;
    for (int stride = 1; stride < 243; stride *= 3) {
        if (t % (3 * stride) == 0) mine[t] += mine[t + stride] * 3 - mine[t + 2 * stride];
        __syncthreads();
    }
}

/* ---- several operations a step ---- */

/* The least value and where it is: a comparison, two selections. */
template <class T, int B> __global__ void least(const T *in, T *out, int n) {
    __shared__ T s[B];
    __shared__ int at[B];
    const int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? in[i] : T(100000);
    at[t] = t;
    __syncthreads();
    for (int stride = 1; stride < B; stride *= 2) {
        if (t % (2 * stride) == 0) {
            const T a = s[t], b = s[t + stride];
            const int x = at[t], y = at[t + stride];
            s[t] = b < a ? b : a;
            at[t] = b < a ? y : x;
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x * 2] = s[0];
        out[blockIdx.x * 2 + 1] = T(at[0]);
    }
}

/* a + w * b, a polynomial's value by halves. */
template <class T, int B> __global__ void weighted(const T *in, T *out, int n) {
    __shared__ T s[B];
    const int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? in[i] : T(0);
    __syncthreads();
    T w = T(3);
    for (int stride = 1; stride < B; stride *= 2) {
        if (t % (2 * stride) == 0) s[t] = s[t] * T(2) + w * s[t + stride];
        w = w - T(1);
        __syncthreads();
    }
    out[i] = s[t]; /* all of them: those of every step */
}

/* Four values a thread, then pairs of threads. */
template <class T, int B> __global__ void four_each(const T *in, T *out, int n) {
    __shared__ T s[B];
    const int t = threadIdx.x, first = blockIdx.x * B * 4 + t;
    T sum = T(0);
    for (int k = 0; k < 4; k++)
        if (first + k * B < n) sum += in[first + k * B];
    s[t] = sum;
    __syncthreads();
    for (int stride = 1; stride < B; stride *= 2) {
        if (t % (2 * stride) == 0) s[t] += s[t + stride];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

/* Each warp's threads that lie apart, at last by shuffles. */
template <class T, int B> __global__ void shuffled(const T *in, T *out, int n) {
    __shared__ T s[B];
    const int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? in[i] : T(1);
    __syncthreads();
    for (int stride = 1; stride < 8; stride *= 2) {
        if (t % (2 * stride) == 0) s[t] = s[t] > s[t + stride] ? s[t] : s[t + stride];
        __syncthreads();
    }
    T x = t < B / 8 ? s[t * 8] : T(-1000);
    for (int k = 16; k > 0; k /= 2) {
        const T y = __shfl_down_sync(0xffffffff, x, k);
        x = x > y ? x : y;
    }
    if (t % 32 == 0) out[blockIdx.x * (B / 32) + t / 32] = x;
}

static const int most = 8192;

template <class T, class F> static void show(const char *name, int n, int outs, F launch) {
    static T values[most];
    T *in, *out;
    unsigned x = 1;
    for (int i = 0; i < most; i++) {
        x = x * 1664525u + 1013904223u;
        values[i] = T((int)(x >> 8) % 1000 - 400);
    }
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof values);
    launch(in, out, n);
    cudaMemcpy(values, outs ? out : in, sizeof values, cudaMemcpyDeviceToHost);
    unsigned long long hash = 14695981039346656037ull;
    for (int i = 0; i < most; i++)
        hash = (hash ^ (unsigned long long)(long long)values[i]) * 1099511628211ull;
    printf("%-16s %5d: %g %g %g ... %016llx %s\n", name, n, (double)values[0], (double)values[1],
           (double)values[2], hash, cudaGetErrorName(cudaGetLastError()));
    cudaFree(in);
    cudaFree(out);
}

template <class T> static void in_place(int n, int block) {
    const int blocks = (n + block - 1) / block;
    show<T>("pairs", n, 0, [=](T *a, T *, int n) { pairs<<<blocks, block>>>(a, n); });
    show<T>("strided", n, 0, [=](T *a, T *, int n) { strided<<<blocks, block>>>(a, n); });
    show<T>("to_the_right", n, 0, [=](T *a, T *, int n) { to_the_right<<<blocks, block>>>(a, n); });
}

#define EACH(name, T, kernel, threads, values)                                                               \
    show<T>(name, n, 1,                                                                                      \
            [](T *in, T *out, int n) { kernel<<<(n + (values) - 1) / (values), threads>>>(in, out, n); })

int main() {
    for (int n : {8192, 5000, 77}) {
        in_place<int>(n, 64);
        in_place<int>(n, 256);
        in_place<float>(n, 128);
        in_place<double>(n, 256);
        in_place<long long>(n, 512);
        in_place<unsigned>(n, 1024);
        in_place<int>(n, 200);
        show<int>("threes", n, 0, [](int *a, int *, int n) { threes<<<(n + 242) / 243, 243>>>(a, n); });
        EACH("least", int, (least<int, 256>), 256, 256);
        EACH("least", float, (least<float, 128>), 128, 128);
        EACH("least", double, (least<double, 64>), 64, 64);
        EACH("weighted", unsigned, (weighted<unsigned, 256>), 256, 256);
        EACH("weighted", float, (weighted<float, 512>), 512, 512);
        EACH("weighted", double, (weighted<double, 128>), 128, 128);
        EACH("four_each", int, (four_each<int, 256>), 256, 1024);
        EACH("four_each", float, (four_each<float, 64>), 64, 256);
        EACH("shuffled", int, (shuffled<int, 256>), 256, 256);
        EACH("shuffled", float, (shuffled<float, 256>), 256, 256);
    }
    return 0;
}
