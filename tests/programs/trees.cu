/* Trees: sums, maxima and scans of a block of threads, in the forms that programs have them in. */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

/* ---- in shared memory ---- */

template <class T, int B> __global__ void sequential(const T *in, T *out, int n) {
    __shared__ T s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (int k = B / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

template <class T> __global__ void maximum(const T *in, T *out, int n) {
    extern __shared__ double raw[];
    T *s = reinterpret_cast<T *>(raw);
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] = s[t] > s[t + k] ? s[t] : s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

/* Two values a thread; the last warp without barriers. */
template <class T, int B> __global__ void last_warp(const T *in, T *out, int n) {
    __shared__ volatile T s[B];
    int t = threadIdx.x, i = blockIdx.x * B * 2 + t;
    T v = i < n ? in[i] : T(0);
    if (i + B < n) v += in[i + B];
    s[t] = v;
    __syncthreads();
    for (int k = B / 2; k >= 64; k >>= 1) {
        if (t < k) s[t] = v = v + s[t + k];
        __syncthreads();
    }
    if (t < 32) {
        s[t] = v = v + s[t + 32];
        __syncwarp();
        for (int k = 16; k > 0; k >>= 1) {
            if (t < k) s[t] = v = v + s[t + k];
            __syncwarp();
        }
    }
    if (t == 0) out[blockIdx.x] = v;
}

/* As it was written when a warp went side by side by itself. */
template <int B> __global__ void old_last_warp(const int *in, int *out, int n) {
    __shared__ volatile int s[B + 32];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? in[i] : 0;
    if (t < 32) s[B + t] = 0;
    __syncthreads();
    for (int k = B / 2; k > 32; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

template <class T, int B> __global__ void with_shuffles(const T *in, T *out, int n) {
    __shared__ T s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (int k = B / 2; k >= 32; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t >= 32) return;
    T v = s[t];
    for (int k = 16; k > 0; k >>= 1) v += __shfl_down_sync(~0u, v, k);
    if (t == 0) out[blockIdx.x] = v;
}

template <class T, int B> __global__ void by_warps(const T *in, T *out, int n) {
    __shared__ T s[32];
    int t = threadIdx.x, i = blockIdx.x * B + t, lane = t % 32;
    T v = i < n ? in[i] : T(0);
    for (int k = 16; k > 0; k >>= 1) v += __shfl_down_sync(~0u, v, k);
    if (lane == 0) s[t / 32] = v;
    __syncthreads();
    v = lane < B / 32 ? s[lane] : T(0);
    for (int k = 16; k > 0; k >>= 1) v += __shfl_xor_sync(~0u, v, k);
    if (t == 0) out[blockIdx.x] = v;
}

/* No power of two: some are left over in each step. */
__global__ void any_number(const int *in, int *out, int n) {
    __shared__ int s[200];
    int t = threadIdx.x, i = blockIdx.x * 200 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int left = 200; left > 1; left = (left + 1) / 2) {
        if (t < left / 2) s[t] += s[left - 1 - t];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

/* ---- in global memory, where the values are ---- */

__global__ void in_place(int *values, int n) {
    int *mine = values + blockIdx.x * blockDim.x;
    int t = threadIdx.x, count = min((int)blockDim.x, n - (int)(blockIdx.x * blockDim.x));
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k && t + k < count) mine[t] += mine[t + k];
        __syncthreads();
    }
}

/* The sum goes to the place of another value of the block: the same memory under two names. */
__global__ void overlapping(int *values, int *sums) {
    int *mine = values + blockIdx.x * blockDim.x, t = threadIdx.x;
    for (int k = 1; k < (int)blockDim.x; k *= 2) {
        int i = 2 * k * t;
        if (i + k < (int)blockDim.x) mine[i] += mine[i + k];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x * blockDim.x] = mine[0];
    __syncthreads();
    if (t < 4) mine[t + 8] = mine[3 - t] * 2;
}

/* One value in two places, of which one goes on. */
__global__ void twice(const int *in, int *out) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    int *mine = out + blockIdx.x * 256;
    s[t] = in[i];
    mine[t] = mine[t + 128] = in[i];
    __syncthreads();
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) {
            s[t] += s[t + k];
            mine[t] = s[t];
        }
        __syncthreads();
    }
    if (t % 3 == 0) mine[t + 128] += mine[t];
}

/* ---- scans ---- */

template <class T, int B> __global__ void two_rows(const T *in, T *out, int n) {
    __shared__ T s[2][B];
    int t = threadIdx.x, i = blockIdx.x * B + t, now = 0;
    s[0][t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (int k = 1; k < B; k <<= 1) {
        s[1 - now][t] = t >= k ? s[now][t] + s[now][t - k] : s[now][t];
        now = 1 - now;
        __syncthreads();
    }
    if (i < n) out[i] = s[now][t];
}

template <class T, int B> __global__ void one_row(const T *in, T *out, int n) {
    __shared__ T s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? in[i] : T(0);
    __syncthreads();
    for (int k = 1; k < B; k <<= 1) {
        T v = 0;
        if (t >= k) v = s[t - k];
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (i < n) out[i] = s[t];
}

template <class T, int B> __global__ void up_and_down(const T *in, T *out) { /* 2 B values, exclusive */
    __shared__ T s[2 * B];
    int t = threadIdx.x, offset = 1, first = blockIdx.x * 2 * B;
    s[2 * t] = in[first + 2 * t];
    s[2 * t + 1] = in[first + 2 * t + 1];
    for (int d = B; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[2 * B - 1] = 0;
    for (int d = 1; d < 2 * B; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            T x = s[a];
            s[a] = s[b];
            s[b] += x;
        }
    }
    __syncthreads();
    out[first + 2 * t] = s[2 * t];
    out[first + 2 * t + 1] = s[2 * t + 1];
}

/* ---- what comes out ---- */

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

#define SUM(name, T, kernel, threads, values)                                                                \
    show<T>(name, n, 1,                                                                                      \
            [](T *in, T *out, int n) { kernel<<<(n + values - 1) / (values), threads>>>(in, out, n); })

int main() {
    for (int n : {8192, 5000, 77}) {
        SUM("sequential", int, (sequential<int, 256>), 256, 256);
        SUM("sequential", float, (sequential<float, 128>), 128, 128);
        SUM("sequential", double, (sequential<double, 256>), 256, 256);
        SUM("sequential", long long, (sequential<long long, 64>), 64, 64);
        SUM("sequential", int, (sequential<int, 1024>), 1024, 1024);
        SUM("last_warp", float, (last_warp<float, 256>), 256, 512);
        SUM("last_warp", int, (last_warp<int, 512>), 512, 1024);
        SUM("old_last_warp", int, old_last_warp<256>, 256, 256);
        SUM("with_shuffles", int, (with_shuffles<int, 256>), 256, 256);
        SUM("with_shuffles", float, (with_shuffles<float, 512>), 512, 512);
        SUM("by_warps", int, (by_warps<int, 256>), 256, 256);
        SUM("any_number", int, any_number, 200, 200);
        SUM("two_rows", int, (two_rows<int, 256>), 256, 256);
        SUM("one_row", float, (one_row<float, 128>), 128, 128);
        show<int>("maximum", n, 1,
                  [](int *a, int *b, int n) { maximum<<<(n + 255) / 256, 256, 1024>>>(a, b, n); });
        show<double>("maximum", n, 1,
                     [](double *a, double *b, int n) { maximum<<<(n + 127) / 128, 128, 1024>>>(a, b, n); });
        show<int>("in_place", n, 0, [](int *a, int *, int n) { in_place<<<(n + 255) / 256, 256>>>(a, n); });
    }
    show<int>("overlapping", most, 0, [](int *a, int *, int n) { overlapping<<<n / 256, 256>>>(a, a + 5); });
    show<int>("twice", most / 2, 1, [](int *a, int *b, int n) { twice<<<n / 128, 128>>>(a, b); });
    show<int>("up_and_down", most, 1,
              [](int *a, int *b, int n) { up_and_down<int, 128><<<n / 256, 128>>>(a, b); });
    show<float>("up_and_down", most, 1,
                [](float *a, float *b, int n) { up_and_down<float, 64><<<n / 128, 64>>>(a, b); });
    return 0;
}
