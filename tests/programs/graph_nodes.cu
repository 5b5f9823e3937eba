// Graphs asked what is in them: nodes found by what they do, changed and put back, in the graph, in its copy
// and in what is launched; copies to and from variables; events of nodes; a picture of it all.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(CALL)                                                                                          \
    do {                                                                                                     \
        cudaError_t e = (CALL);                                                                              \
        if (e != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e));                        \
    } while (0)

__device__ int factor[4];

__global__ void add(int *p, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += v;
}
__global__ void multiply(int *p, short n, double by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = (int)(p[i] * by) * factor[1];
}
static void called(void *counter) { ++*(int *)counter; }

int main() {
    const int n = 500;
    int *p, host[n], calls = 0, factors[4] = {1, 2, 3, 4}, back[2] = {};
    CHECK(cudaMalloc(&p, n * sizeof(int)));
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    cudaGraph_t g;
    CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(p, 0, n * sizeof(int), s));
    add<<<4, 128, 0, s>>>(p, n, 5);
    multiply<<<2, 256, 16, s>>>(p, n, 1.5);
    CHECK(cudaLaunchHostFunc(s, called, &calls));
    CHECK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, s));
    CHECK(cudaStreamEndCapture(s, &g));

    cudaGraphNode_t to_symbol, from_symbol, root;
    size_t one = 1, count = 0;
    CHECK(cudaGraphGetRootNodes(g, &root, &one));
    CHECK(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, g, nullptr, 0, factor, factors, sizeof factors, 0,
                                         cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddDependencies(g, &to_symbol, &root, nullptr, 1));
    CHECK(cudaGraphAddMemcpyNodeFromSymbol(&from_symbol, g, &to_symbol, 1, back, factor, sizeof back, 8,
                                           cudaMemcpyDeviceToHost));
    printf("too far: %s\n",
           cudaGetErrorName(cudaGraphAddMemcpyNodeFromSymbol(&from_symbol, g, &to_symbol, 1, back, factor,
                                                             sizeof back, 12, cudaMemcpyDeviceToHost)));
    CHECK(cudaGraphGetNodes(g, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    CHECK(cudaGraphGetNodes(g, nodes.data(), &count));
    printf("%zu nodes\n", count);

    cudaGraphExec_t x;
    CHECK(cudaGraphInstantiate(&x, g, 0));
    CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%d %d, %d %d, called %d\n", host[0], host[n - 1], back[0], back[1], calls);

    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type;
        CHECK(cudaGraphNodeGetType(node, &type));
        if (type == cudaGraphNodeTypeKernel) {
            cudaKernelNodeParams k;
            CHECK(cudaGraphKernelNodeGetParams(node, &k));
            bool adds = k.func == (void *)add;
            printf("%s: %u blocks of %u, %u bytes, ",
                   adds                         ? "add"
                   : k.func == (void *)multiply ? "multiply"
                                                : "?",
                   k.gridDim.x, k.blockDim.x, k.sharedMemBytes);
            printf("p %s, n %d\n", *(int **)k.kernelParams[0] == p ? "yes" : "no",
                   adds ? *(int *)k.kernelParams[1] : *(short *)k.kernelParams[1]);
            if (!adds) {
                double twice = 2;
                k.kernelParams[2] = &twice; /* the others as they are: pointers into the node's own */
                CHECK(cudaGraphExecKernelNodeSetParams(x, node, &k));
                k.gridDim = dim3(4);
                CHECK(cudaGraphKernelNodeSetParams(node, &k));
            }
        } else if (type == cudaGraphNodeTypeMemset) {
            cudaMemsetParams m;
            CHECK(cudaGraphMemsetNodeGetParams(node, &m));
            printf("memset: %d, %zu bytes\n", m.dst == p, m.width * m.elementSize * m.height);
            m.value = 1;
            CHECK(cudaGraphMemsetNodeSetParams(node, &m));
        } else if (type == cudaGraphNodeTypeHost) {
            cudaHostNodeParams h;
            CHECK(cudaGraphHostNodeGetParams(node, &h));
            printf("host: %d\n", h.fn == called && h.userData == &calls);
        } else if (type == cudaGraphNodeTypeMemcpy && node != to_symbol && node != from_symbol) {
            cudaMemcpy3DParms c;
            CHECK(cudaGraphMemcpyNodeGetParams(node, &c));
            CHECK(cudaGraphMemcpyNodeSetParams(node, &c));
        }
    }
    CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%d %d\n", host[0], host[n - 1]);
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphInstantiate(&x, g, 0));
    CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaStreamSynchronize(s));
    printf("%d %d, called %d\n", host[0], host[n - 1], calls);

    cudaGraph_t marks;
    cudaEvent_t first, second, told;
    cudaGraphNode_t record, wait;
    CHECK(cudaEventCreate(&first));
    CHECK(cudaEventCreate(&second));
    CHECK(cudaGraphCreate(&marks, 0));
    CHECK(cudaGraphAddEventRecordNode(&record, marks, nullptr, 0, first));
    CHECK(cudaGraphAddEventWaitNode(&wait, marks, &record, 1, first));
    CHECK(cudaGraphEventRecordNodeSetEvent(record, second));
    CHECK(cudaGraphEventRecordNodeGetEvent(record, &told));
    printf("events %d", told == second);
    CHECK(cudaGraphEventWaitNodeGetEvent(wait, &told));
    printf(" %d\n", told == first);
    printf("not a kernel: %s\n", cudaGetErrorName(cudaGraphKernelNodeGetParams(wait, nullptr)));

    char path[] = "graph_nodes.dot";
    CHECK(cudaGraphDebugDotPrint(g, path, 0));
    std::string text;
    if (FILE *f = fopen(path, "r")) {
        char part[256];
        while (size_t got = fread(part, 1, sizeof part, f)) text.append(part, got);
        fclose(f);
        remove(path);
    }
    printf("picture: %d %d\n", text.rfind("digraph", 0) == 0, text.find("multiply") != std::string::npos);
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphDestroy(marks));
    CHECK(cudaGraphDestroy(g));
    return 0;
}
