// A usual program: streams, events, pinned and managed memory, templates, dynamic shared memory, printf.
#include <cstdio>
#include <thread>
#include <vector>

#define CHECK(x)                                                                                             \
    do {                                                                                                     \
        cudaError_t e = (x);                                                                                 \
        if (e != cudaSuccess) return printf("%s: %s\n", #x, cudaGetErrorString(e)), 1;                       \
    } while (0)

__managed__ int hits;
template <class T> __global__ void axpy(T a, const T *x, T *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void sums(const int *x, int *out, int n) {
    extern __shared__ int s[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (!threadIdx.x) atomicAdd(out, s[0]), atomicAdd(&hits, 1);
}
__global__ void hello() { printf("hello from thread %d\n", (int)threadIdx.x); }

static int worker(int number) {
    const int n = 100003;
    int *x, *out, *h, result = 0;
    cudaStream_t s;
    cudaEvent_t a, b;
    float ms = -1;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    CHECK(cudaMallocHost(&h, n * sizeof(int)));
    CHECK(cudaMallocAsync(&x, n * sizeof(int), s));
    CHECK(cudaMallocAsync(&out, sizeof(int), s));
    long long expected = 0;
    for (int i = 0; i < n; i++) expected += h[i] = i % 17 + number;
    CHECK(cudaMemcpyAsync(x, h, n * sizeof(int), cudaMemcpyHostToDevice, s));
    CHECK(cudaMemsetAsync(out, 0, sizeof(int), s));
    CHECK(cudaEventRecord(a, s));
    sums<<<(n + 255) / 256, 256, 256 * sizeof(int), s>>>(x, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(b, s));
    CHECK(cudaMemcpyAsync(&result, out, sizeof(int), cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaEventElapsedTime(&ms, a, b));
    CHECK(cudaFreeAsync(x, s));
    CHECK(cudaFreeAsync(out, s));
    CHECK(cudaFreeHost(h));
    CHECK(cudaEventDestroy(a));
    CHECK(cudaEventDestroy(b));
    CHECK(cudaStreamDestroy(s));
    return result == expected && ms > 0 ? 0 : 1;
}

int main() {
    const int n = 1 << 16;
    float *x, *y;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&y, n * sizeof(float)));
    for (int i = 0; i < n; i++) x[i] = (float)i, y[i] = 1;
    axpy<<<n / 256, 256>>>(2.0f, x, y, n);
    CHECK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += y[i] != 2.0f * (float)i + 1;
    std::vector<std::thread> threads;
    int failures[4] = {};
    for (int t = 0; t < 4; t++) threads.emplace_back([&failures, t] { failures[t] = worker(t); });
    for (auto &t : threads) t.join();
    for (int f : failures) wrong += f;
    wrong += hits != 4 * ((100003 + 255) / 256);
    hello<<<1, 2>>>();
    CHECK(cudaDeviceSynchronize());
    printf("usual program: %s\n", wrong ? "WRONG" : "right");
    return wrong != 0;
}
