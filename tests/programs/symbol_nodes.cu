// Nodes that copy to and from variables, changed before and after instantiation; attributes of kernel nodes; ranges of
// managed memory asked for several attributes at once.
#include <cstdio>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

__device__ int table[8], other[8];
__global__ void twice() {
    table[threadIdx.x] *= 2;
    other[threadIdx.x] += table[threadIdx.x];
}
__global__ void meet(int *p) {
    p[threadIdx.x + blockIdx.x * blockDim.x] = 1;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (unsigned i = 1; i < gridDim.x * blockDim.x; i++) p[0] += p[i];
}

static void say(const char *what, cudaError_t e) {
    printf("%s: %s\n", what, cudaGetErrorName(e));
    fflush(stdout);
    cudaGetLastError();
}

static void symbols() {
    int in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, in2[8] = {10, 20, 30, 40, 50, 60, 70, 80}, out[8] = {},
        out2[8] = {};
    cudaGraph_t graph;
    cudaGraphNode_t to, kernel, from;
    cudaGraphCreate(&graph, 0);
    say("to", cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, table, in, sizeof in, 0,
                                             cudaMemcpyHostToDevice));
    cudaKernelNodeParams k = {};
    k.func = (void *)twice;
    k.gridDim = dim3(1);
    k.blockDim = dim3(8);
    say("kernel", cudaGraphAddKernelNode(&kernel, graph, &to, 1, &k));
    say("from", cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &kernel, 1, out, table, sizeof out, 0,
                                                 cudaMemcpyDeviceToHost));
    say("set to", cudaGraphMemcpyNodeSetParamsToSymbol(to, table, in2, 16, 16, cudaMemcpyHostToDevice));
    say("set from", cudaGraphMemcpyNodeSetParamsFromSymbol(from, out, other, 16, 12, cudaMemcpyDeviceToHost));
    say("set past the end",
        cudaGraphMemcpyNodeSetParamsToSymbol(to, table, in2, 32, 16, cudaMemcpyHostToDevice));
    cudaGraphExec_t exec;
    say("instantiate", cudaGraphInstantiate(&exec, graph, 0));
    say("launch", cudaGraphLaunch(exec, nullptr));
    say("wait", cudaDeviceSynchronize());
    for (int v : out) printf("%d ", v);
    printf("\n");
    say("exec to",
        cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, table, in, 16, 0, cudaMemcpyHostToDevice));
    say("exec from",
        cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, out2, table, 16, 0, cudaMemcpyDeviceToHost));
    say("launch", cudaGraphLaunch(exec, nullptr));
    say("wait", cudaDeviceSynchronize());
    for (int v : out2) printf("%d ", v);
    printf("\n");
}

static void attributes() {
    cudaGraph_t graph;
    cudaGraphNode_t node, second, empty;
    int *p;
    cudaMallocManaged(&p, 4096);
    void *arguments[] = {&p};
    cudaKernelNodeParams k = {};
    k.func = (void *)meet;
    k.gridDim = dim3(4);
    k.blockDim = dim3(32);
    k.kernelParams = arguments;
    cudaGraphCreate(&graph, 0);
    say("node", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &k));
    say("empty", cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
    cudaLaunchAttributeValue v = {};
    say("get", cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &v));
    printf("cooperative %d\n", v.cooperative);
    v.cooperative = 1;
    say("set", cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &v));
    v = {};
    say("get", cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &v));
    printf("cooperative %d\n", v.cooperative);
    v = {};
    say("priority", cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &v));
    printf("priority %d\n", v.priority);
    v.priority = -3;
    say("priority", cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &v));
    v = {};
    say("window", cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &v));
    printf("window %p %zu %g %d %d\n", v.accessPolicyWindow.base_ptr, v.accessPolicyWindow.num_bytes,
           v.accessPolicyWindow.hitRatio, (int)v.accessPolicyWindow.hitProp,
           (int)v.accessPolicyWindow.missProp);
    v.accessPolicyWindow.base_ptr = p;
    v.accessPolicyWindow.num_bytes = 4096;
    v.accessPolicyWindow.hitRatio = 0.5f;
    v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    v.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    say("window", cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeAccessPolicyWindow, &v));
    say("unknown", cudaGraphKernelNodeSetAttribute(node, (cudaLaunchAttributeID)99, &v));
    say("of a stream", cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &v));
    say("of an empty node", cudaGraphKernelNodeSetAttribute(empty, cudaLaunchAttributePriority, &v));
    say("second", cudaGraphAddKernelNode(&second, graph, &node, 1, &k));
    say("copy", cudaGraphKernelNodeCopyAttributes(second, node));
    v = {};
    say("get", cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority, &v));
    printf("priority %d\n", v.priority);
    v = {};
    say("get", cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributeAccessPolicyWindow, &v));
    printf("window %d %zu %g\n", v.accessPolicyWindow.base_ptr == p, v.accessPolicyWindow.num_bytes,
           v.accessPolicyWindow.hitRatio);
    v = {};
    say("get", cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributeCooperative, &v));
    printf("cooperative %d\n", v.cooperative);
    v = {};
    say("cluster", cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributeClusterDimension, &v));
    printf("cluster %u %u %u\n", v.clusterDim.x, v.clusterDim.y, v.clusterDim.z);
    v.clusterDim.x = 3, v.clusterDim.y = v.clusterDim.z = 1;
    say("cluster of 3 in 4 blocks",
        cudaGraphKernelNodeSetAttribute(second, cudaLaunchAttributeClusterDimension, &v));
    v.clusterDim.x = 2;
    say("cluster", cudaGraphKernelNodeSetAttribute(second, cudaLaunchAttributeClusterDimension, &v));
    // Parameters anew leave the attributes.
    say("parameters", cudaGraphKernelNodeSetParams(node, &k));
    v = {};
    say("get", cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeCooperative, &v));
    printf("cooperative %d\n", v.cooperative);
    cudaGraphExec_t exec;
    say("instantiate", cudaGraphInstantiate(&exec, graph, 0));
    say("launch", cudaGraphLaunch(exec, nullptr));
    say("wait", cudaDeviceSynchronize());
    printf("%d\n", p[0]);
}

static void ranges() {
    char *p;
    cudaMallocManaged(&p, 1 << 21);
    cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
    say("advise", cudaMemAdvise(p, 1 << 20, cudaMemAdviseSetReadMostly, device));
    say("advise", cudaMemAdvise(p, 1 << 20, cudaMemAdviseSetPreferredLocation, device));
    int mostly = -1, where = -1, by[3] = {-9, -9, -9};
    void *data[] = {&mostly, &where, by};
    size_t sizes[] = {4, 4, 12};
    cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation,
                                     cudaMemRangeAttributeAccessedBy};
    say("ranges", cudaMemRangeGetAttributes(data, sizes, which, 3, p, 1 << 20));
    printf("%d %d, by %d %d %d\n", mostly, where, by[0], by[1], by[2]);
    say("none", cudaMemRangeGetAttributes(data, sizes, which, 0, p, 1 << 20));
    sizes[1] = 3;
    say("wrong size", cudaMemRangeGetAttributes(data, sizes, which, 3, p, 1 << 20));
}

int main() {
    symbols();
    attributes();
    ranges();
}
