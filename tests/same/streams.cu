// Streams with functions of the host's in them, events between them, copies of pageable memory, and a race of
// two streams.
#include "hash.h"
#include <atomic>
#include <thread>

__global__ void add(float *a, float v, int n) {
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = a[i] * 0.75f + v;
}
__global__ void total(const float *a, float *sum, int n) {
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(sum, a[i]);
}

enum { N = 40000 };
static float host[N];
static std::atomic<bool> asked; // the copy behind the function has been
static void change(void *to) {
    while (!asked) std::this_thread::yield();
    for (float &x : host) x = *static_cast<float *>(to);
}

int main() {
    const int n = N;
    float *a = zeros<float>(n), *b = zeros<float>(n), *sum = zeros<float>(2);
    static float to[4] = {1, 2, 3, 4};
    cudaStream_t s[3];
    cudaEvent_t e;
    for (auto &x : s) CK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
    CK(cudaEventCreate(&e));
    for (int r = 0; r < 4; r++) {
        asked = false;
        CK(cudaLaunchHostFunc(s[0], change, &to[r]));
        CK(cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, s[0])); // as it was before
        asked = true;
        add<<<8, 64, 0, s[0]>>>(a, r, n);
        total<<<8, 64, 0, s[0]>>>(a, sum, n);
        CK(cudaEventRecord(e, s[0]));
        CK(cudaStreamWaitEvent(s[1], e, 0));
        CK(cudaMemcpyAsync(b, a, sizeof host, cudaMemcpyDeviceToDevice, s[1]));
        add<<<8, 64, 0, s[1]>>>(b, r, n);
        total<<<8, 64, 0, s[2]>>>(b, sum + 1, n); // races with what s[1] does
        CK(cudaStreamSynchronize(s[0]));
    }
    CK(cudaDeviceSynchronize());
    print_hash("a", a, n);
    print_hash("b", b, n);
    print_hash("sum", sum, 2);
    return 0;
}
