// Conditional nodes of graphs: if, if and else, while and switch, one within another; bodies made of nodes and of a captured
// stream, with copies, fills and a graph of their own; and nodes of any type by one structure.
#include <cstdio>
#include <cstring>

#define CHECK(CALL)                                                                                          \
    do {                                                                                                     \
        cudaError_t e = (CALL);                                                                              \
        if (e != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e));                        \
    } while (0)
typedef cudaGraphConditionalHandle Handle;

const int N = 64;
__device__ int seen[N], nseen;
__global__ void note(int what) { seen[nseen++] = what; }
__global__ void choose(Handle h, const int *value) { cudaGraphSetConditional(h, *value); }
__global__ void count_down(Handle h, int *left) {
    seen[nseen++] = --*left;
    cudaGraphSetConditional(h, *left > 0);
}
__global__ void odd(Handle h, const int *value) { cudaGraphSetConditional(h, *value & 1); }
__global__ void double_all(int *p) { p[threadIdx.x] *= 2; }
__global__ void set(Handle h, int value) {
    if (threadIdx.x == 0) cudaGraphSetConditional(h, value);
}

static void show(const char *what, cudaStream_t s) {
    int n = 0, all[N];
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpyFromSymbol(&n, nseen, sizeof n));
    CHECK(cudaMemcpyFromSymbol(all, seen, sizeof all));
    printf("%s:", what);
    for (int i = 0; i < n && i < N; i++) printf(" %d", all[i]);
    printf("\n");
    n = 0;
    CHECK(cudaMemcpyToSymbol(nseen, &n, sizeof n));
}

static cudaGraphNode_t add(cudaGraph_t g, cudaGraphNodeParams *p, cudaGraphNode_t before = nullptr) {
    cudaGraphNode_t node = nullptr;
    CHECK(cudaGraphAddNode(&node, g, &before, nullptr, before ? 1 : 0, p));
    return node;
}
template <class... T>
static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t before, int threads, void (*f)(T...),
                              T... arguments) {
    void *all[] = {&arguments...};
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = (void *)f;
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(threads);
    p.kernel.kernelParams = all;
    return add(g, &p, before);
}
// The graphs of the node, which stay its own.
static cudaGraph_t *conditional(cudaGraph_t g, cudaGraphNode_t before, Handle h,
                                cudaGraphConditionalNodeType type, unsigned n,
                                cudaGraphNode_t *node = nullptr) {
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = n;
    cudaGraphNode_t made = add(g, &p, before);
    if (node) *node = made;
    return p.conditional.phGraph_out;
}

static void if_and_switch(cudaStream_t s, int *value) {
    cudaGraph_t g;
    cudaGraphExec_t x;
    Handle yes, either, which;
    CHECK(cudaGraphCreate(&g, 0));
    CHECK(cudaGraphConditionalHandleCreate(&yes, g));
    CHECK(cudaGraphConditionalHandleCreate(&either, g));
    CHECK(cudaGraphConditionalHandleCreate(&which, g));
    cudaGraphNode_t before = kernel(g, nullptr, 1, odd, yes, (const int *)value), node;
    before = kernel(g, before, 1, odd, either, (const int *)value);
    before = kernel(g, before, 1, choose, which, (const int *)value);
    cudaGraph_t *b = conditional(g, before, yes, cudaGraphCondTypeIf, 1, &node);
    kernel(b[0], nullptr, 1, note, 10);
    b = conditional(g, node, either, cudaGraphCondTypeIf, 2, &node);
    kernel(b[0], nullptr, 1, note, 20);
    kernel(b[1], nullptr, 1, note, 21);
    b = conditional(g, node, which, cudaGraphCondTypeSwitch, 3, &node);
    for (int i = 0; i < 3; i++) kernel(b[i], nullptr, 1, note, 30 + i);
    kernel(g, node, 1, note, 99);
    CHECK(cudaGraphInstantiate(&x, g, 0));
    CHECK(cudaGraphDestroy(g)); // what is launched needs it no more
    for (int i = 0; i < 4; i++) {
        char what[8];
        snprintf(what, sizeof what, "%d", i);
        CHECK(cudaMemcpyAsync(value, &i, sizeof i, cudaMemcpyHostToDevice, s));
        CHECK(cudaGraphLaunch(x, s));
        show(what, s);
    }
    CHECK(cudaGraphExecDestroy(x));
}

// while (left) { note; if (first time) note; while (inner) ... }
static void loops(cudaStream_t s, int *left, int *inner) {
    cudaGraph_t g;
    cudaGraphExec_t x;
    Handle outer, first, deep;
    CHECK(cudaGraphCreate(&g, 0));
    CHECK(cudaGraphConditionalHandleCreate(&outer, g, 1, cudaGraphCondAssignDefault));
    CHECK(cudaGraphConditionalHandleCreate(&first, g, 1, cudaGraphCondAssignDefault));
    int three = 3;
    cudaGraphNodeParams copy = {cudaGraphNodeTypeMemcpy};
    copy.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(&three, sizeof three, sizeof three, 1);
    copy.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(left, sizeof three, sizeof three, 1);
    copy.memcpy.copyParams.extent = make_cudaExtent(sizeof three, 1, 1);
    copy.memcpy.copyParams.kind = cudaMemcpyHostToDevice;
    cudaGraphNode_t node = add(g, &copy), last;
    cudaGraph_t body = *conditional(g, node, outer, cudaGraphCondTypeWhile, 1, &last), within;
    kernel(g, last, 1, note, 77);

    node = kernel(body, nullptr, 1, count_down, outer, left);
    within = *conditional(body, node, first, cudaGraphCondTypeIf, 1, &node);
    kernel(within, kernel(within, nullptr, 1, note, 55), 32, set, first, 0);
    cudaGraphNodeParams fill = {cudaGraphNodeTypeMemset};
    fill.memset.dst = inner;
    fill.memset.value = 2;
    fill.memset.elementSize = 4;
    fill.memset.width = 1;
    fill.memset.height = 1;
    node = add(body, &fill, node);
    CHECK(cudaGraphConditionalHandleCreate(&deep, body));
    node = kernel(body, node, 1, choose, deep, (const int *)inner);
    within = *conditional(body, node, deep, cudaGraphCondTypeWhile, 1, &node);
    kernel(within, nullptr, 1, count_down, deep, inner);
    kernel(body, node, 1, note, 44);
    CHECK(cudaGraphInstantiate(&x, g, 0));
    for (int i = 0; i < 2; i++) {
        CHECK(cudaGraphLaunch(x, s));
        show("loops", s);
    }
    cudaGraphExec_t second;
    printf("instantiated again: %d\n", cudaGraphInstantiate(&second, g, 0) != cudaSuccess);
    cudaGraph_t clone;
    printf("cloned: %d\n", cudaGraphClone(&clone, g) != cudaSuccess);
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphDestroy(g));
}

// Two launches of one executable graph in two streams come one after the other; it is destroyed before they have ended.
static void captured(cudaStream_t s, int *left, int *table) {
    cudaGraph_t g, again;
    cudaGraphExec_t x;
    cudaStream_t inside, other;
    Handle h;
    CHECK(cudaStreamCreate(&inside));
    CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    CHECK(cudaStreamBeginCapture(inside, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(left, 0, sizeof *left, inside));
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *tail;
    size_t n;
    CHECK(cudaStreamGetCaptureInfo(inside, &status, nullptr, &g, &tail, nullptr, &n));
    CHECK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    cudaGraphNode_t node;
    cudaGraph_t body = *conditional(g, *tail, h, cudaGraphCondTypeIf, 1, &node);
    CHECK(cudaStreamUpdateCaptureDependencies(inside, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
    note<<<1, 1, 0, inside>>>(2);
    CHECK(cudaStreamEndCapture(inside, &again));
    printf("one graph: %d\n", g == again);
    CHECK(cudaStreamBeginCaptureToGraph(inside, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    double_all<<<1, N, 0, inside>>>(table);
    note<<<1, 1, 0, inside>>>(1);
    CHECK(cudaStreamEndCapture(inside, nullptr));
    cudaGraph_t child;
    CHECK(cudaGraphCreate(&child, 0));
    kernel(child, nullptr, N, double_all, table);
    cudaGraphNodeParams whole = {cudaGraphNodeTypeGraph};
    whole.graph.graph = child;
    cudaGraphNode_t ends[2];
    n = 2;
    CHECK(cudaGraphGetNodes(body, ends, &n));
    cudaGraphNode_t within = add(body, &whole, ends[1]);
    CHECK(cudaGraphDestroy(child)); // the node has a copy
    int host[N];
    for (int i = 0; i < N; i++) host[i] = i;
    CHECK(cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK(cudaGraphInstantiate(&x, g, 0));
    CHECK(cudaGraphLaunch(x, s));
    CHECK(cudaGraphLaunch(x, other));
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaStreamSynchronize(other));
    show("captured", s);
    CHECK(cudaMemcpy(host, table, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d %d\n", host[1], host[N - 1]);
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(node, &type));
    printf("types %d", type);
    CHECK(cudaGraphNodeGetType(within, &type));
    printf(" %d\n", type);
    CHECK(cudaGraphDestroy(g));
    CHECK(cudaStreamDestroy(inside));
    CHECK(cudaStreamDestroy(other));
}

static void called(void *times) { ++*(int *)times; }

// Every type; changed in the graph, and in what is launched: also a node of a body.
static void any_type(cudaStream_t s, int *table) {
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaEvent_t event;
    Handle h;
    int times[2] = {}, back[2] = {};
    CHECK(cudaEventCreate(&event));
    CHECK(cudaGraphCreate(&g, 0));
    cudaGraphNodeParams p = {cudaGraphNodeTypeMemset};
    p.memset.dst = table;
    p.memset.value = 7;
    p.memset.elementSize = 4;
    p.memset.width = 2;
    p.memset.height = 1;
    cudaGraphNode_t fill = add(g, &p), host, node;
    p = cudaGraphNodeParams{cudaGraphNodeTypeHost};
    p.host.fn = called;
    p.host.userData = &times[0];
    host = add(g, &p, fill);
    p = cudaGraphNodeParams{cudaGraphNodeTypeEventRecord};
    p.eventRecord.event = event;
    node = add(g, &p, host);
    p = cudaGraphNodeParams{cudaGraphNodeTypeWaitEvent};
    p.eventWait.event = event;
    node = add(g, &p, node);
    p = cudaGraphNodeParams{cudaGraphNodeTypeEmpty};
    node = add(g, &p, node);
    p = cudaGraphNodeParams{cudaGraphNodeTypeMemAlloc};
    p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    p.alloc.bytesize = sizeof back;
    node = add(g, &p, node);
    int *own = (int *)p.alloc.dptr;
    cudaGraphNodeParams to = {cudaGraphNodeTypeMemcpy};
    to.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(table, sizeof back, sizeof back, 1);
    to.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(own, sizeof back, sizeof back, 1);
    to.memcpy.copyParams.extent = make_cudaExtent(sizeof back, 1, 1);
    to.memcpy.copyParams.kind = cudaMemcpyDeviceToDevice;
    node = add(g, &to, node);
    node = kernel(g, node, 2, double_all, own);
    to.memcpy.copyParams.srcPtr.ptr = own;
    to.memcpy.copyParams.dstPtr.ptr = back;
    to.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
    node = add(g, &to, node);
    p = cudaGraphNodeParams{cudaGraphNodeTypeMemFree};
    p.free.dptr = own;
    node = add(g, &p, node);
    CHECK(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    cudaGraphNode_t inner = kernel(*conditional(g, node, h, cudaGraphCondTypeIf, 1), nullptr, 1, note, 1);
    CHECK(cudaGraphInstantiate(&x, g, 0));
    CHECK(cudaGraphLaunch(x, s));
    show("first", s);
    printf("%d %d, called %d %d\n", back[0], back[1], times[0], times[1]);

    p = cudaGraphNodeParams{cudaGraphNodeTypeHost};
    p.host.fn = called;
    p.host.userData = &times[1];
    CHECK(cudaGraphExecNodeSetParams(x, host, &p));
    int five = 5;
    void *arguments[] = {&five};
    p = cudaGraphNodeParams{cudaGraphNodeTypeKernel};
    p.kernel.func = (void *)note;
    p.kernel.gridDim = dim3(1);
    p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = arguments;
    CHECK(cudaGraphExecNodeSetParams(x, inner, &p));
    p = cudaGraphNodeParams{cudaGraphNodeTypeMemset};
    p.memset.dst = table;
    p.memset.value = 9;
    p.memset.elementSize = 4;
    p.memset.width = 2;
    p.memset.height = 1;
    CHECK(cudaGraphNodeSetParams(fill, &p));
    CHECK(cudaGraphLaunch(x, s));
    show("second", s);
    printf("%d %d, called %d %d\n", back[0], back[1], times[0], times[1]);
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphInstantiate(&x, g, 0));
    CHECK(cudaGraphLaunch(x, s));
    show("third", s);
    printf("%d %d, called %d %d\n", back[0], back[1], times[0], times[1]);
    printf("other type: %d\n", cudaGraphNodeSetParams(host, &p) != cudaSuccess);
    CHECK(cudaGraphExecDestroy(x));
    CHECK(cudaGraphDestroy(g));
    CHECK(cudaEventDestroy(event));
}

int main() {
    int *value, *table;
    cudaStream_t s;
    CHECK(cudaMalloc(&value, 2 * sizeof *value));
    CHECK(cudaMalloc(&table, N * sizeof *table));
    CHECK(cudaStreamCreate(&s));
    if_and_switch(s, value);
    loops(s, value, value + 1);
    captured(s, value, table);
    any_type(s, table);
    CHECK(cudaStreamDestroy(s));
    CHECK(cudaFree(value));
    CHECK(cudaFree(table));
}
