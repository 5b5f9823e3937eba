// The memory is freed when no launch of the graph needs it any more.
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
    cudaGraphLaunch(runs, s);
    cudaError_t e = cudaStreamSynchronize(s);
    cudaFree(x);
    printf("%s\n", e ? "failed" : "done");
    cudaGraphExecDestroy(runs);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(s);
    return 0;
}
