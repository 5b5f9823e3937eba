// A capture that the device's reset ends, and nodes that a program takes out of a graph while it grows.
#include <cstdio>

static void show(const char *what, cudaError_t e) { printf("%s: %s\n", what, cudaGetErrorName(e)); }

static void reset_meanwhile() {
    cudaStream_t s;
    cudaEvent_t e;
    cudaGraph_t graph;
    int *p;
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    cudaMalloc(&p, 64);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(p, 0, 64, s);
    cudaEventRecord(e, s);
    show("reset", cudaDeviceReset());
    show("malloc", cudaMalloc(&p, 64));
    show("memset", cudaMemset(p, 0, 64));
    show("end", cudaStreamEndCapture(s, &graph));
    cudaGetLastError();
    cudaFree(p);
}

static void taken_out() {
    cudaStream_t s;
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    int *p;
    unsigned long long id;
    size_t nodes = 1;
    cudaMalloc(&p, 64);
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    cudaMemsetAsync(p, 1, 64, s);
    cudaStreamGetCaptureInfo(s, &status, &id, &graph);
    cudaGraphGetNodes(graph, &node, &nodes);
    show("node", cudaGraphDestroyNode(node));
    show("graph", cudaGraphDestroy(graph));
    cudaMemsetAsync(p, 2, 64, s);
    show("end", cudaStreamEndCapture(s, &graph));
    show("node", cudaGraphDestroyNode(node));
    show("graph", cudaGraphDestroy(graph));
    show("node", cudaGraphDestroyNode(node));
    cudaGetLastError();
    cudaStreamDestroy(s);
    cudaFree(p);
}

int main() {
    reset_meanwhile();
    taken_out();
    return 0;
}
