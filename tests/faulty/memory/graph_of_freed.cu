// A graph is launched again after the memory that its kernel writes was freed.
// expect: use-after-free line 6
// says: launched at graph_of_freed.cu:23
#include <cstdio>

__global__ void add(int *x) { x[threadIdx.x] += 1; }

int main() {
    int *x;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t runs;
    cudaStreamCreate(&s);
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, 64, 0, s>>>(x);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&runs, graph, 0);
    cudaGraphLaunch(runs, s);
    cudaStreamSynchronize(s);
    cudaFree(x);
    cudaGraphLaunch(runs, s);
    cudaError_t e = cudaStreamSynchronize(s);
    printf("%s\n", e ? "failed" : "done");
    cudaGraphExecDestroy(runs);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    return 0;
}
