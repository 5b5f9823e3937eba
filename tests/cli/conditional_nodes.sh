#!/bin/bash
# Conditional nodes of graphs beside what tests/programs/conditional_nodes.cu prints: when a launch returns, what is refused,
# what is counted, and a picture.
. "$(dirname "$0")/expect.sh"

cat > nodes.cu << 'CUDA'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
typedef cudaGraphConditionalHandle Handle;
__global__ void once_more(Handle h, volatile int *go, int *times) {
    ++*times;
    cudaGraphSetConditional(h, !*go);
}
__global__ void set(Handle h, unsigned value) { cudaGraphSetConditional(h, value); }
__global__ void touch(int *p) { *p = 1; }
static void nothing(void *) {}
#define CALL(call)                                                                                           \
    if (cudaError_t e = call) return printf("line %d: %s\n", __LINE__, cudaGetErrorName(e)), 1
#define REFUSED(call)                                                                                        \
    if (call == cudaSuccess) return printf("line %d: taken\n", __LINE__), 1
template <class... T> static cudaError_t add(cudaGraph_t g, void (*f)(T...), T... arguments) {
    cudaGraphNode_t node;
    void *all[] = {&arguments...};
    cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
    p.kernel.func = (void *)f;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = all;
    return cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &p);
}
static cudaGraphNodeParams node(Handle h, int type, unsigned size) {
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    p.conditional.handle = h;
    p.conditional.type = (cudaGraphConditionalNodeType)type;
    p.conditional.size = size;
    return p;
}
int main(int argc, char **argv) {
    cudaGraph_t g, other;
    cudaGraphExec_t x;
    cudaGraphNode_t n;
    Handle h, h2;
    int *go, *times, many = argc > 2 ? atoi(argv[2]) : 0;
    CALL(cudaMallocManaged(&go, sizeof *go));
    CALL(cudaMallocManaged(&times, sizeof *times));
    CALL(cudaGraphCreate(&g, 0));
    CALL(cudaGraphCreate(&other, 0));
    REFUSED(cudaGraphConditionalHandleCreate(nullptr, g, 0, 0));
    REFUSED(cudaGraphConditionalHandleCreate(&h, g, 0, 2));
    CALL(cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault));
    CALL(cudaGraphConditionalHandleCreate(&h2, other, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = node(h, 0, 0);
    for (int type = 0; type < 4; type++)
        for (unsigned size = 0; size < 4; size++) {
            bool possible = type == 0 ? size == 1 || size == 2 : type == 1 ? size == 1 : type == 2 && size;
            p = node(h, type, size);
            if ((cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p) == cudaSuccess) != possible)
                printf("type %d, size %u\n", type, size);
            if (possible) CALL(cudaGraphDestroyNode(n));
        }
    p = node(h2, cudaGraphCondTypeIf, 1); // another graph's
    REFUSED(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    p = node(h, cudaGraphCondTypeWhile, 1);
    CALL(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    cudaGraph_t body = p.conditional.phGraph_out[0];
    p = node(h, cudaGraphCondTypeIf, 1); // it has a node
    REFUSED(cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p));
    REFUSED(cudaGraphDestroy(body));
    REFUSED(cudaGraphInstantiate(&x, body, 0));
    cudaGraphNode_t child;
    REFUSED(cudaGraphAddChildGraphNode(&child, other, nullptr, 0, g));
    cudaHostNodeParams function = {nothing, nullptr};
    cudaGraphNode_t in;
    if (cudaGraphAddHostNode(&in, body, nullptr, 0, &function) == cudaSuccess) {
        REFUSED(cudaGraphInstantiate(&x, g, 0)); // no function of the host's
        CALL(cudaGraphDestroyNode(in));
    }
    static int pageable = 1;
    CALL(cudaGraphAddMemcpyNode1D(&in, body, nullptr, 0, times, &pageable, sizeof pageable, cudaMemcpyHostToDevice));
    REFUSED(cudaGraphInstantiate(&x, g, 0)); // it would have to be read now
    CALL(cudaGraphDestroyNode(in));
    if (!strcmp(argv[1], "rubbish")) {
        set<<<1, 1>>>(12345, 1);
        printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        return 0;
    }
    CALL(add(body, once_more, h, (volatile int *)go, times));
    CALL(cudaGraphDebugDotPrint(g, "graph.dot", 0));
    CALL(cudaGraphInstantiate(&x, g, 0));
    if (many) *go = 1;
    for (int i = 0; i < many; i++) CALL(cudaGraphLaunch(x, 0));
    CALL(cudaDeviceSynchronize());
    printf("%d times\n", *times);
    if (many) {
        CALL(cudaFree(go));
        CALL(cudaFree(times));
        return 0;
    }
    // The launch returns before the loop ends: what ends it comes behind.
    CALL(cudaGraphLaunch(x, 0));
    CALL(cudaGraphExecDestroy(x));
    for (int i = 0; i < 2000 && *(volatile int *)times < 2; i++) usleep(10000);
    printf("%s\n", cudaGetErrorName(cudaStreamQuery(0)));
    *(volatile int *)go = 1;
    CALL(cudaDeviceSynchronize());
    printf("%s\n", *times > 1 ? "again and again" : "once");
    CALL(cudaGraphDestroy(g));
    if (argc > 2) return 0;
    // The handle is gone with its graph.
    set<<<1, 1>>>(h, 1);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
CUDA
expect 0 '' -- warpglass cc nodes.cu -o nodes
for backend in jit ref; do
    expect 0 'cudaGraphSetConditional in kernel set.*is not the handle of a conditional node of the graph' -- \
        env WARPGLASS_BACKEND=$backend ./nodes loop
    for line in '^0 times' '^cudaErrorNotReady' '^again and again' '^cudaErrorIllegalAddress'; do said "$line"; done
done
not_said '^line|^type'
grep -q 'label="0: while"' graph.dot && grep -q 'cluster_graph_1_0_body' graph.dot && grep -q once_more graph.dot || fail 'graph.dot'
expect 0 'cudaGraphSetConditional in kernel set' -- ./nodes rubbish
said '^cudaErrorIllegalAddress'

# Each turn of a loop is a launch of its own, and comes behind the last launch of the graph.
expect 0 '' -- warpglass profile --json profile.json ./nodes -- loop 3
said '^3 times'
python3 - << 'END' || fail 'three launches are counted'
import json
kernel, = json.load(open('profile.json'))['kernels']
assert 'once_more' in kernel['name'] and len(kernel['launches']) == 3, kernel['launches']
END
printf 'api-error\nlaunch-refused\n' > on_purpose
expect 0 '' -- warpglass check --leaks --suppress on_purpose ./nodes -- loop 3
said '^3 times'

# A child graph that is moved is the parent's from then on; one that could not be is still the program's.
{
    sed '/^int main/,$d' nodes.cu
    cat << 'CUDA'
int main() {
    cudaGraph_t g, child, inner;
    cudaGraphNode_t node;
    cudaGraphExec_t x;
    int *p;
    CALL(cudaMallocManaged(&p, sizeof *p));
    CALL(cudaGraphCreate(&g, 0));
    CALL(cudaGraphCreate(&child, 0));
    CALL(add(child, touch, p));
    cudaGraphNodeParams params = {cudaGraphNodeTypeGraph};
    params.graph.graph = child;
    params.graph.ownership = cudaGraphChildGraphOwnershipMove;
    CALL(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &params));
    CALL(cudaGraphChildGraphNodeGetGraph(node, &inner));
    REFUSED(cudaGraphDestroy(child));
    REFUSED(cudaGraphAddNode(&node, g, nullptr, nullptr, 0, &params));
    CALL(cudaGraphInstantiate(&x, g, 0));
    CALL(cudaGraphLaunch(x, 0));
    CALL(cudaDeviceSynchronize());
    printf("%s %d\n", inner == child ? "itself" : "a copy", *p);
    CALL(cudaGraphCreate(&params.graph.graph, 0));
    REFUSED(cudaGraphExecNodeSetParams(x, node, &params));
    CALL(cudaGraphDestroy(params.graph.graph));
    CALL(cudaGraphExecDestroy(x));
    CALL(cudaGraphDestroy(g));
    puts("done");
}
CUDA
} > moved.cu
expect 0 'a child graph that is moved into an executable graph is not supported yet' -- warpglass run moved.cu
said '^itself 1$' && said '^done$'
not_said '^line'
finish
