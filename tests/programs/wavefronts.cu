/* Blocks whose loops around __syncthreads() have a length that is known: diagonals of a tile, one after the other, sorts by
 * networks, and what a thread carries from one iteration to another. Columns of a matrix whose row length is a parameter
 * are gathered on the way. */
#include <cstdio>
#include <cuda_runtime.h>

template <class T> __device__ T least(T a, T b) { return b < a ? b : a; }
template <class T> __device__ T greatest(T a, T b) { return a < b ? b : a; }

/* The best alignment of two sequences, a tile of H rows a block; the first column is `row` words apart. */
template <class T, int N, int H> __global__ void diagonals(const T *in, T *out, int row) {
    __shared__ T tile[H + 1][N + 1], like[H][N];
    const int t = threadIdx.x, top = blockIdx.x * H;
#pragma unroll 1
    for (int y = 0; y < H; y++) like[y][t] = in[(top + y) * N + t];
    for (int y = t; y <= H; y += N) tile[y][0] = in[(top + y) * row + 3];
    tile[0][t + 1] = in[top * row + t];
    __syncthreads();
#pragma unroll 1
    for (int step = 0; step < N + H - 1; step++) {
        const int y = step - t + 1;
        if (y >= 1 && y <= H)
            tile[y][t + 1] = greatest(T(tile[y - 1][t] + like[y - 1][t]),
                                      T(greatest(tile[y][t], tile[y - 1][t + 1]) - T(2)));
        __syncthreads();
    }
#pragma unroll 1
    for (int y = 0; y < H; y++) out[(top + y) * N + t] = tile[y + 1][t + 1];
}

/* There and back again, as Rodinia's nw does it: ever more threads, then ever fewer. */
template <class T, int N> __global__ void there_and_back(const T *in, T *out, int row) {
    __shared__ T tile[N + 1][N + 1];
    const int t = threadIdx.x, first = blockIdx.x * N;
    if (t == 0) tile[0][0] = in[first];
    tile[t + 1][0] = in[first + t * row + 1];
    tile[0][t + 1] = in[first + t];
    __syncthreads();
    for (int m = 0; m < N; m++) {
        if (t <= m) {
            const int x = t + 1, y = m - t + 1;
            tile[y][x] = least(T(tile[y - 1][x - 1] + T(1)), T(tile[y][x - 1] + tile[y - 1][x]));
        }
        __syncthreads();
    }
    for (int m = N - 2; m >= 0; m--) {
        if (t <= m) {
            const int x = t + N - m, y = N - t;
            tile[y][x] = least(T(tile[y - 1][x - 1] + T(1)), T(tile[y][x - 1] + tile[y - 1][x]));
        }
        __syncthreads();
    }
    for (int y = 0; y < N; y++) out[(first + y) * N + t] = tile[y + 1][t + 1];
}

template <class T, int N> __global__ void sorted(const T *in, T *out, int) {
    __shared__ T s[N];
    const int t = threadIdx.x;
    s[t] = in[blockIdx.x * N + t];
    __syncthreads();
#pragma unroll 1
    for (int k = 2; k <= N; k *= 2)
#pragma unroll 1
        for (int j = k / 2; j > 0; j /= 2) {
            const T a = s[t], b = s[t ^ j];
            const bool up = ((t & k) == 0) == ((t & j) == 0);
            __syncthreads();
            s[t] = up ? least(a, b) : greatest(a, b);
            __syncthreads();
        }
    out[blockIdx.x * N + t] = s[t];
}

/* A register keeps what an earlier iteration left, in threads that skip this one; threads leave the inner loop one by one. */
template <class T, int N> __global__ void carried(const T *in, T *out, int) {
    __shared__ T s[N];
    const int t = threadIdx.x;
    T kept = T(t);
    s[t] = in[blockIdx.x * N + t];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 14; k++) {
        if (t % (k + 2) == 0) kept = s[(t + k) % N];
        __syncthreads();
        s[t] = greatest(T(s[t] - kept), T(kept - T(k)));
#pragma unroll 1
        for (int j = 0; j < t % 5; j++) kept = kept + T(j);
        __syncthreads();
    }
    out[blockIdx.x * N + t] = s[t] + kept;
}

/* Sums up to each value by Hillis and Steele, of a length that a parameter gives: mostly the block's. */
template <class T, int N> __global__ void up_to(const T *in, T *out, int n) {
    __shared__ T s[2][N];
    const int t = threadIdx.x;
    int now = 0;
    s[0][t] = in[blockIdx.x * N + t];
    __syncthreads();
    for (int away = 1; away < n; away *= 2) {
        s[1 - now][t] = s[now][t] + (t >= away ? s[now][t - away] : T(0));
        now = 1 - now;
        __syncthreads();
    }
    out[blockIdx.x * N + t] = s[now][t];
}

/* The same by Blelloch, two values a thread: the parameter is twice the block's length. */
template <class T, int N> __global__ void swept(const T *in, T *out, int n) {
    __shared__ T s[N];
    const int t = threadIdx.x;
    int offset = 1;
    s[2 * t] = in[blockIdx.x * N + 2 * t];
    s[2 * t + 1] = in[blockIdx.x * N + 2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) s[n - 1] = T(0);
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            const T x = s[a];
            s[a] = s[b];
            s[b] += x;
        }
    }
    __syncthreads();
    out[blockIdx.x * N + 2 * t] = s[2 * t];
    out[blockIdx.x * N + 2 * t + 1] = s[2 * t + 1];
}

/* Each iteration stores to global memory what the one before has loaded. */
template <class T, int N> __global__ void passed_on(T *own, T *out, int) {
    __shared__ T s[N];
    const int t = threadIdx.x;
    T *mine = own + blockIdx.x * N;
    s[t] = mine[t];
    __syncthreads();
#pragma unroll 1
    for (int k = 1; k < 14; k++) {
        const T x = s[t ^ k] + mine[t];
        __syncthreads();
        mine[t ^ 2 * k] = x;
        __syncthreads();
        s[t] = mine[t ^ 1];
        __syncthreads();
    }
    out[blockIdx.x * N + t] = s[t];
}

static const int most = 1 << 15;

template <class T>
static void show(const char *name, void (*kernel)(const T *, T *, int), int blocks, int threads, int row,
                 int offset = 0) {
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
    kernel<<<blocks, threads>>>(in + offset, out, row);
    const cudaError_t status = cudaDeviceSynchronize();
    cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
    unsigned long long hash = 14695981039346656037ull;
    for (int i = 0; i < most; i++)
        hash = (hash ^ (unsigned long long)(long long)values[i]) * 1099511628211ull;
    printf("%-16s %3d: %g %g %g ... %016llx %s\n", name, row, (double)values[0], (double)values[threads - 1],
           (double)values[blocks * threads - 1], hash, cudaGetErrorName(status));
    cudaFree(in);
    cudaFree(out);
}

int main() {
    for (int row : {1, 37, 131}) {
        show<int>("diagonals", diagonals<int, 16, 16>, 7, 16, row);
        show<float>("diagonals", diagonals<float, 16, 16>, 5, 16, row, 3);
        show<double>("diagonals", diagonals<double, 16, 5>, 9, 16, row);
        show<unsigned>("diagonals", diagonals<unsigned, 20, 13>, 3, 20, row, 5);
        show<int>("diagonals", diagonals<int, 32, 8>, 4, 32, row);
        show<int>("there_and_back", there_and_back<int, 16>, 5, 16, row);
        show<float>("there_and_back", there_and_back<float, 11>, 5, 11, row, 1);
        show<int>("diagonals", diagonals<int, 16, 16>, 2, 16, -row, most / 2);
    }
    show<int>("sorted", sorted<int, 64>, 11, 64, 0);
    show<float>("sorted", sorted<float, 64>, 11, 64, 0);
    show<unsigned>("carried", carried<unsigned, 32>, 5, 32, 0);
    show<int>("carried", carried<int, 77>, 5, 77, 0);
    for (int n : {256, 255, 100, 1, 0}) show<int>("up_to", up_to<int, 256>, 5, 256, n);
    for (int n : {64, 32, 128}) show<float>("up_to", up_to<float, 64>, 5, 64, n);
    for (int n : {128, 64, 2}) show<int>("swept", swept<int, 128>, 5, 64, n);
    show<double>("swept", swept<double, 64>, 5, 32, 64);
    show<int>("passed_on", (void (*)(const int *, int *, int))passed_on<int, 32>, 5, 32, 3);
    show<double>("passed_on", (void (*)(const double *, double *, int))passed_on<double, 64>, 5, 64, 9);
    return 0;
}
