/* Blocks of more threads than their kernels ask for: warps that compute what others of their block compute. */
#include <cstdio>
#include <cuda_runtime.h>

/* A row for each x, and eight threads for each row. */
__global__ void rows(const float *a, const float *x, float *y, int n, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 0;
    for (int j = 0; j < columns; j++) y[i] += a[i * columns + j] * x[j];
}

/* Each of the eight warps of a row adds the whole sum: in step, they store the same. */
__global__ void added(const float *a, const float *x, float *y, int n, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int j = 0; j < columns; j++) y[i] += a[i * columns + j] * x[j];
}

/* Lanes part, differently in each of the two warps of a row. */
__global__ void collatz(int *turns, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = 0;
    for (unsigned k = i + 1; k != 1; k = k % 2 ? 3 * k + 1 : k / 2) count++;
    turns[i] = count;
}

/* What lies in front of an allocation is nobody's: all of a block's warps would be stopped there. */
__global__ void shifted(const int *from, int *to, int n, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = i >= by ? from[i - by] : -1;
}

/* Each thread counts. */
__global__ void counted(int *counts) { atomicAdd(&counts[blockIdx.x * blockDim.x + threadIdx.x], 1); }

/* Threads know each other. */
__global__ void met(int *last) {
    __shared__ int sum;
    if (threadIdx.x + threadIdx.y == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, threadIdx.x);
    __syncthreads();
    if (threadIdx.y == 0) last[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <class T> static T *managed(int n) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; i++) p[i] = T(i * 7 % 11);
    return p;
}

template <class T> static void print(const char *name, const T *p, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += double(p[i]) * (i % 13 + 1);
    printf("%s %.6g: %g %g %g\n", name, sum, double(p[0]), double(p[n / 2]), double(p[n - 1]));
}

int main() {
    const int n = 200, columns = 70;
    float *a = managed<float>(n * columns), *x = managed<float>(columns), *y = managed<float>(n);
    int *k = managed<int>(256), *l = managed<int>(256);
    rows<<<7, dim3(32, 8)>>>(a, x, y, n, columns);
    cudaDeviceSynchronize();
    print("rows", y, n);
    rows<<<2, dim3(128, 2, 4)>>>(a, x, y, n, columns);
    cudaDeviceSynchronize();
    print("rows of 128", y, n);
    rows<<<5, dim3(48, 3)>>>(a, x, y, n, columns);
    cudaDeviceSynchronize();
    print("rows of 48", y, n);
    added<<<7, dim3(32, 8)>>>(a, x, y, n, columns);
    cudaDeviceSynchronize();
    print("added", y, n);
    added<<<1, dim3(256, 4)>>>(a, x, y, n, columns);
    cudaDeviceSynchronize();
    print("added in rows of 256", y, n);
    collatz<<<4, dim3(64, 4)>>>(k, n);
    cudaDeviceSynchronize();
    print("collatz", k, n);
    shifted<<<4, dim3(64, 4)>>>(k, l, n, 5);
    cudaDeviceSynchronize();
    print("shifted", l, n);
    cudaMemset(k, 0, 256 * sizeof *k);
    counted<<<4, dim3(64, 4)>>>(k);
    cudaDeviceSynchronize();
    print("counted", k, 256);
    met<<<4, dim3(64, 4)>>>(l);
    cudaDeviceSynchronize();
    print("met", l, 256);
    return cudaGetLastError() != cudaSuccess;
}
