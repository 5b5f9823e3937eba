// A kernel in a conditional node's graph writes what another node of the outer graph reads, and no edge says so.
// expect: race-stream line 8 other 7
// says: Nothing orders the two nodes of the graph: no path along its edges leads from one to the other.
// says: launched at conditional_without_edge.cu:45 in main
#include <cstdio>
const int N = 256;
__global__ void make(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void take(int *out, const int *x) { out[threadIdx.x] = x[N - 1 - threadIdx.x]; }

template <class... T>
cudaGraphNode_t add(cudaGraph_t g, void *kernel, const cudaGraphNode_t *before, int n, T... arguments) {
    cudaGraphNode_t node;
    void *all[] = {&arguments...};
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = kernel;
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(N);
    p.kernel.kernelParams = all;
    cudaGraphAddNode(&node, g, before, nullptr, n, &p);
    return node;
}

int main() {
    int *x, *y, *out, host[N];
    cudaMalloc(&x, N * sizeof(int));
    cudaMalloc(&y, N * sizeof(int));
    cudaMalloc(&out, N * sizeof(int));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle handle;
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t first = add(graph, (void *)make, nullptr, 0, y), second;
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = handle;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    cudaGraphAddNode(&second, graph, &first, nullptr, 1, &p);
    add(p.conditional.phGraph_out[0], (void *)make, nullptr, 0, x);
    add(graph, (void *)take, &first, 1, out, x);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaMemsetAsync(x, 0, N * sizeof(int), stream);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(exec, stream);
    cudaMemcpyAsync(host, out, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%d\n", host[0]);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}
