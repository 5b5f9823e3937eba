// When a copy in a stream or a graph reads and writes the host's memory: pageable memory before the call or the launch
// returns, pinned memory when the stream comes to it. A function of the host's before the copy changes what is copied.
#include "hash.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

static std::atomic<bool> asked; // the copy has been
static struct {
    char *p;
    size_t n;
} memory;
static int failures;

static void change(void *) {
    while (!asked) std::this_thread::yield();
    memset(memory.p, 2, memory.n);
}
static void change_later(void *) {
    while (!asked) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    memset(memory.p, 2, memory.n);
}

static void expect(const char *what, size_t n, const char *device, size_t last, int value) {
    char first, end;
    CK(cudaMemcpy(&first, device, 1, cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(&end, device + last, 1, cudaMemcpyDeviceToHost));
    if (first == value && end == value) return;
    printf("%s of %zu bytes: copied %d and %d, not %d\n", what, n, first, end, value);
    failures++;
}

template <typename Copy>
void try_copy(const char *what, cudaStream_t s, size_t n, int value, size_t last, Copy copy) {
    char *device = zeros<char>(2 * n + 4096);
    CK(cudaDeviceSynchronize());
    memory.n = n;
    memset(memory.p, 1, n);
    asked = false;
    CK(cudaLaunchHostFunc(s, change, nullptr));
    CK(copy(device, memory.p));
    asked = true;
    CK(cudaStreamSynchronize(s));
    expect(what, n, device, last, value);
    CK(cudaFree(device));
}

__global__ void fill(char *to, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = 3;
}

static void try_pageable(cudaStream_t s, size_t n) {
    std::vector<char> own(n);
    memory.p = own.data();
    try_copy("cudaMemcpyAsync", s, n, 1, n - 1,
             [=](char *to, char *from) { return cudaMemcpyAsync(to, from, n, cudaMemcpyHostToDevice, s); });
    try_copy("cudaMemcpyAsync, default kind", s, n, 1, n - 1,
             [=](char *to, char *from) { return cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s); });
    const size_t width = 128, rows = n / 512;
    try_copy("cudaMemcpy2DAsync", s, n, 1, (rows - 1) * 192 + width - 1, [=](char *to, char *from) {
        return cudaMemcpy2DAsync(to, 192, from, 512, width, rows, cudaMemcpyHostToDevice, s);
    });
    try_copy("cudaMemcpy3DAsync", s, n, 1, (rows - 1) * 192 + width - 1, [=](char *to, char *from) {
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(from, 256, 256, 2);
        p.dstPtr = make_cudaPitchedPtr(to, 192, 192, 1);
        p.extent = make_cudaExtent(width, 1, rows);
        p.kind = cudaMemcpyHostToDevice;
        return cudaMemcpy3DAsync(&p, s);
    });
}

// Pinned, managed and registered memory is the device's as well: it is read when the stream comes to it.
static void try_pinned(cudaStream_t s, size_t n) {
    auto copy = [=](char *to, char *from) { return cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s); };
    CK(cudaMallocHost(&memory.p, n));
    try_copy("pinned", s, n, 2, n - 1, copy);
    CK(cudaFreeHost(memory.p));
    memory.p = static_cast<char *>(aligned_alloc(4096, n));
    CK(cudaHostRegister(memory.p, n, 0));
    try_copy("registered", s, n, 2, n - 1, copy);
    CK(cudaHostUnregister(memory.p));
    free(memory.p);
}

// The call returns when the memory has what was copied, which is what the device had when the stream came to
// it.
static void try_back(cudaStream_t s, size_t n) {
    std::vector<char> own(n, 0), pattern(n, 1);
    char *device = zeros<char>(n);
    fill<<<1, 256, 0, s>>>(device, static_cast<int>(n));
    memory.p = pattern.data();
    memory.n = n;
    CK(cudaDeviceSynchronize());
    asked = false;
    CK(cudaLaunchHostFunc(s, change_later, nullptr));
    CK(cudaMemcpyAsync(device, memory.p, n, cudaMemcpyHostToDevice, s));
    asked = true;
    CK(cudaMemcpyAsync(own.data(), device, n, cudaMemcpyDeviceToHost, s));
    if (own[0] != 1 || own[n - 1] != 1) {
        printf("to the host, %zu bytes: %d and %d when the call returned\n", n, own[0], own[n - 1]);
        failures++;
    }
    CK(cudaStreamSynchronize(s));
    CK(cudaFree(device));
}

static void try_graph(size_t n) {
    std::vector<char> own(n);
    memory.p = own.data();
    memory.n = n;
    char *device = zeros<char>(n);
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t exec;
    CK(cudaStreamCreate(&s));
    CK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CK(cudaLaunchHostFunc(s, change, nullptr));
    CK(cudaMemcpyAsync(device, memory.p, n, cudaMemcpyHostToDevice, s));
    CK(cudaStreamEndCapture(s, &g));
    CK(cudaGraphInstantiate(&exec, g, 0));
    for (int i = 0; i < 2; i++) {
        memset(memory.p, 1, n);
        asked = false;
        CK(cudaGraphLaunch(exec, s));
        asked = true;
        CK(cudaStreamSynchronize(s));
        expect("a graph", n, device, n - 1, 1);
    }
    CK(cudaGraphExecDestroy(exec));
    CK(cudaGraphDestroy(g));
    CK(cudaFree(device));
}

int main() {
    cudaStream_t s[3] = {};
    CK(cudaStreamCreate(&s[1]));
    CK(cudaStreamCreateWithFlags(&s[2], cudaStreamNonBlocking));
    for (cudaStream_t x : s)
        for (size_t n : {size_t(4096), size_t(64 << 10), size_t(3 << 20)}) {
            try_pageable(x, n);
            try_pinned(x, n);
            try_back(x, n);
        }
    try_graph(4096);
    try_graph(1 << 20);
    printf("%d failures\n", failures);
    return failures != 0;
}
