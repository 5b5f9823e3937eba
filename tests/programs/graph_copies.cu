// Graphs that copy from and to pageable memory: cudaGraphLaunch reads it before it returns, whatever comes before the copy, and
// returns after what is copied to it is there. Measured on an H200 (driver 580.159) for up to 1 MiB.
#include "program.h"
#include <atomic>
#include <cstdlib>
#include <initializer_list>

__global__ void slow(int *x, int n, int value) {
    long long began = clock64();
    while (clock64() - began < 2000000) {
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = value;
}

static int *pageable, *a, *b, seen;
static std::atomic<bool> launched;
static void CUDART_CB fill(void *n) {
    while (!launched) {
    }
    for (int i = 0; i < *(int *)n; i++) pageable[i] = 5;
}
static void CUDART_CB see(void *n) { seen = pageable[*(int *)n - 1]; }

static void launch(cudaGraph_t graph, cudaStream_t s) {
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}
static int last(const int *p, int n) {
    int x;
    cudaMemcpy(&x, p + n - 1, sizeof x, cudaMemcpyDeviceToHost);
    return x;
}

static void copies(int n, cudaStream_t s) {
    size_t bytes = n * sizeof(int);
    cudaGraph_t graph;
    cudaGraphNode_t first, second, third;
    int value = 7;
    void *arguments[] = {&a, &n, &value};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)slow, kernel.gridDim = 1, kernel.blockDim = 128, kernel.kernelParams = arguments;
    cudaHostNodeParams filling = {fill, &n}, seeing = {see, &n};
    auto set = [&](int x) {
        for (int i = 0; i < n; i++) pageable[i] = x;
    };

    set(0);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel);
    cudaGraphAddMemcpyNode1D(&second, graph, &first, 1, pageable, a, bytes, cudaMemcpyDeviceToHost);
    launch(graph, s);
    printf("kernel, to the host: %d at once\n", ((volatile int *)pageable)[n - 1]);

    set(1);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    slow<<<1, 128, 0, s>>>(a, n, 8);
    cudaMemcpyAsync(b, pageable, bytes, cudaMemcpyHostToDevice, s);
    cudaStreamEndCapture(s, &graph);
    set(2);
    launch(graph, s);
    set(3);
    cudaStreamSynchronize(s);
    printf("kernel, to the device: %d\n", last(b, n));

    set(1);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddHostNode(&first, graph, nullptr, 0, &filling);
    cudaGraphAddMemcpyNode1D(&second, graph, &first, 1, b, pageable, bytes, cudaMemcpyHostToDevice);
    slow<<<1, 128, 0, s>>>(a, n, 9);
    launched = false;
    launch(graph, s);
    launched = true;
    cudaStreamSynchronize(s);
    printf("host function, to the device: %d\n", last(b, n));

    set(1);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddMemcpyNode1D(&first, graph, nullptr, 0, pageable, a, bytes, cudaMemcpyDeviceToHost);
    cudaGraphAddMemcpyNode1D(&second, graph, &first, 1, b, pageable, bytes, cudaMemcpyHostToDevice);
    cudaGraphAddHostNode(&third, graph, &first, 1, &seeing);
    launch(graph, s);
    cudaStreamSynchronize(s);
    printf("to the host and back: %d, a host function saw %d\n", last(b, n), seen);
}

int main() {
    cudaStream_t s;
    pageable = (int *)malloc(1 << 20);
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&b, 1 << 20);
    cudaStreamCreate(&s);
    for (int n : {16, 1 << 14, 1 << 18}) copies(n, s);
    return 0;
}
