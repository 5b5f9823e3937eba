// Graphs: streams that are captured, forks and joins, graphs node by node, changed parameters, updates, what
// is refused.
#include "program.h"
#include <vector>

__global__ void add(int *x, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += value;
}
__global__ void multiply(int *x, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= value;
}
__global__ void join(int *out, const int *a, const int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] - b[i];
}

const int n = 1000, blocks = (n + 127) / 128;
static int *a, *b, *c, host[n];
static int calls;
static void CUDART_CB count(void *by) { calls += *(int *)by; }

static int first_of(const int *p) {
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 1; i < n; i++)
        if (host[i] != host[0]) return -1;
    return host[0];
}

// x = (x + 1) * 3 three times; the arguments are those of the capture.
static void one_stream() {
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0;
    int value = 1, by = 10;
    cudaStreamCreate(&s);
    cudaMemset(a, 0, n * sizeof(int));
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<blocks, 128, 0, s>>>(a, n, value);
    multiply<<<blocks, 128, 0, s>>>(a, n, 3);
    cudaLaunchHostFunc(s, count, &by);
    cudaStreamEndCapture(s, &graph);
    value = 100;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    printf("captured: %d nodes, before a launch %d\n", (int)nodes, first_of(a));
    cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    printf("three launches: %d, %d calls of the host\n", first_of(a), calls);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
}

static void fork_and_join() {
    cudaStream_t s, t;
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    size_t nodes = 0, edges = 0, roots = 0;
    cudaStreamCreate(&s);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
    cudaMemsetAsync(a, 0, n * sizeof(int), s);
    cudaEventRecord(forked, s);
    cudaStreamWaitEvent(t, forked, 0);
    add<<<blocks, 128, 0, s>>>(a, n, 7);
    cudaMemcpyAsync(b, a, 0, cudaMemcpyDeviceToDevice, t);
    cudaMemsetAsync(b, 1, n * sizeof(int), t);
    cudaEventRecord(joined, t);
    cudaStreamWaitEvent(s, joined, 0);
    join<<<blocks, 128, 0, s>>>(c, a, b, n);
    cudaMemcpyAsync(host, c, sizeof host, cudaMemcpyDeviceToHost, s);
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaGraphGetRootNodes(graph, nullptr, &roots);
    cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
    printf("forked: %d nodes, %d edges, %d roots\n", (int)nodes, (int)edges, (int)roots);
    cudaGraphInstantiate(&exec, graph, 0);
    host[5] = 0;
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    printf("joined: %d\n", host[5]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaEventDestroy(forked);
    cudaEventDestroy(joined);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}

static void node_by_node() {
    cudaGraph_t graph, inner;
    cudaGraphExec_t exec;
    cudaGraphNode_t set, plus, times, back, child, node;
    int value = 5, count = n, factor = 2;
    void *plus_arguments[] = {&a, &count, &value}, *times_arguments[] = {&a, &count, &factor};
    cudaMemsetParams fill = {};
    fill.dst = a, fill.value = 4, fill.elementSize = 4, fill.width = n, fill.height = 1;
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add, kernel.gridDim = dim3(blocks), kernel.blockDim = dim3(128);
    kernel.kernelParams = plus_arguments;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&inner, 0);
    cudaGraphAddKernelNode(&plus, graph, nullptr, 0, &kernel);
    cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fill);
    cudaGraphAddDependencies(graph, &set, &plus, nullptr, 1); // what was added first comes last
    kernel.func = (void *)multiply, kernel.kernelParams = times_arguments;
    cudaGraphAddKernelNode(&node, inner, nullptr, 0, &kernel);
    cudaGraphAddChildGraphNode(&child, graph, &plus, 1, inner);
    cudaGraphAddKernelNode(&times, graph, &child, 1, &kernel);
    cudaGraphAddMemcpyNode1D(&back, graph, &times, 1, host, a, sizeof host, cudaMemcpyDeviceToHost);
    printf("circle: %s\n", cudaGetErrorName(cudaGraphAddDependencies(graph, &times, &set, nullptr, 1)));
    printf("instantiated: %s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, graph, 0)));
    cudaGraphRemoveDependencies(graph, &times, &set, nullptr, 1);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    printf("(4 + 5) * 2 * 2 = %d\n", host[n - 1]);
    factor = 10;
    cudaGraphExecKernelNodeSetParams(exec, times, &kernel);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    printf("(4 + 5) * 2 * 10 = %d\n", host[n - 1]);
    fill.value = 0;
    cudaGraphMemsetNodeSetParams(set, &fill);
    cudaGraphExecUpdateResultInfo info;
    cudaError_t e = cudaGraphExecUpdate(exec, graph, &info);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
    printf("updated: %s %d, %d\n", cudaGetErrorName(e), info.result, host[0]);
    cudaGraphDestroyNode(back);
    e = cudaGraphExecUpdate(exec, graph, &info);
    printf("another shape: %s %d\n", cudaGetErrorName(e), info.result);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(inner);
    cudaGraphDestroy(graph);
}

static void refused() {
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaGraph_t graph;
    cudaStreamCaptureStatus status;
    int *p = nullptr;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaStreamIsCapturing(s, &status);
    printf("capturing: %d\n", status);
    printf("synchronize: %s\n", cudaGetErrorName(cudaStreamSynchronize(s)));
    cudaStreamIsCapturing(s, &status);
    printf("capturing: %d\n", status);
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    printf("no graph: %d\n", graph == nullptr);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&p, 64)));
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    printf("malloc, relaxed: %s\n", cudaGetErrorName(cudaMalloc(&p, 64)));
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    cudaGraphDestroy(graph);
    for (int i = 0; i < 4; i++) {
        cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
        cudaEventRecord(e, s);
        cudaStreamWaitEvent(t, e, 0);
        add<<<1, 32, 0, t>>>(a, 1, 1);
        if (i == 0) printf("event: %s\n", cudaGetErrorName(cudaEventQuery(e)));
        if (i == 1) printf("end of the other: %s\n", cudaGetErrorName(cudaStreamEndCapture(t, &graph)));
        if (i == 2) printf("legacy: %s\n", cudaGetErrorName(cudaMemset(b, 0, 4)));
        printf("unjoined: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    }
    cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
    printf("legacy: %s\n", cudaGetErrorName(cudaMemset(b, 0, 4)));
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaEventRecord(e, t);
    printf("an event from outside: %s\n", cudaGetErrorName(cudaStreamWaitEvent(s, e, 0)));
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    printf("begin again: %s\n", cudaGetErrorName(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal)));
    printf("device: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<0, 32, 0, s>>>(a, 1, 1);
    printf("no blocks: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("end: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    printf("end without a beginning: %s\n", cudaGetErrorName(cudaStreamEndCapture(s, &graph)));
    printf("the legacy stream: %s\n",
           cudaGetErrorName(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal)));
    cudaGetLastError();
    cudaFree(p);
    cudaEventDestroy(e);
    cudaStreamDestroy(s);
    cudaStreamDestroy(t);
}

int main() {
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMalloc(&c, n * sizeof(int));
    one_stream();
    fork_and_join();
    node_by_node();
    refused();
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return 0;
}
