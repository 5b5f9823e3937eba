#!/bin/bash
# Nodes of graphs that allocate and free (driver/graph_memory.c).
. "$(dirname "$0")/expect.sh"

cat > nodes.cu << 'CUDA'
#include <cstdio>
__global__ void fill(int *p, int n, int value) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = value + i;
}
__global__ void sum(const int *p, int n, int *out) {
    if (threadIdx.x == 0)
        for (int i = 0; i < n; i++) *out += p[i];
}
#define CALL(call)                                                                                           \
    if (cudaError_t e = call) return printf("%d: %s\n", __LINE__, cudaGetErrorName(e)), 1
#define REFUSED(call, error)                                                                                 \
    if (cudaError_t e = call; e != error) return printf("%d: %s\n", __LINE__, cudaGetErrorName(e)), 1
static unsigned long long attribute(cudaGraphMemAttributeType which) {
    unsigned long long value = ~0ull;
    cudaDeviceGetGraphMemAttribute(0, which, &value);
    return value;
}
static int *result;
static int took() {
    int value = -1;
    cudaMemcpy(&value, result, sizeof value, cudaMemcpyDefault);
    cudaMemset(result, 0, sizeof value);
    return value;
}
static int built(cudaStream_t s, bool frees) {
    enum { N = 1000 };
    int n = N, value = 1;
    cudaGraph_t g, copy;
    cudaGraphExec_t x;
    cudaGraphNode_t alloc, filled, summed, freed;
    cudaMemAllocNodeParams p = {}, q;
    CALL(cudaGraphCreate(&g, 0));
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    REFUSED(cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &p), cudaErrorInvalidValue); /* of no bytes */
    p.bytesize = N * sizeof(int);
    CALL(cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &p));
    int *memory = (int *)p.dptr;
    void *fill_arguments[] = {&memory, &n, &value}, *sum_arguments[] = {&memory, &n, &result};
    cudaKernelNodeParams k = {(void *)fill, 1, 64, 0, fill_arguments, nullptr};
    CALL(cudaGraphAddKernelNode(&filled, g, &alloc, 1, &k));
    k.func = (void *)sum, k.kernelParams = sum_arguments;
    CALL(cudaGraphAddKernelNode(&summed, g, &filled, 1, &k));
    if (frees) CALL(cudaGraphAddMemFreeNode(&freed, g, &summed, 1, memory));
    REFUSED(cudaGraphAddMemFreeNode(&freed, g, &summed, 1, result), cudaErrorInvalidValue);
    cudaGraphNode_t again;
    if (frees) REFUSED(cudaGraphAddMemFreeNode(&again, g, &freed, 1, memory), cudaErrorInvalidValue);
    cudaGraphNodeType type;
    CALL(cudaGraphNodeGetType(alloc, &type));
    if (type != cudaGraphNodeTypeMemAlloc) return 2;
    CALL(cudaGraphMemAllocNodeGetParams(alloc, &q));
    if (q.dptr != memory || q.bytesize != p.bytesize) return 3;
    void *pointer;
    if (frees) CALL(cudaGraphMemFreeNodeGetParams(freed, &pointer));
    if (frees && pointer != memory) return 4;
    REFUSED(cudaGraphClone(&copy, g), cudaErrorNotSupported);
    REFUSED(cudaGraphDestroyNode(alloc), cudaErrorNotSupported);
    REFUSED(cudaGraphRemoveDependencies(g, &alloc, &filled, nullptr, 1), cudaErrorNotSupported);
    if (attribute(cudaGraphMemAttrReservedMemCurrent) < 4000) return 5;
    CALL(cudaGraphInstantiate(&x, g, 0));
    for (int round = 0; round < 3; round++) {
        CALL(cudaGraphLaunch(x, s));
        if (!frees) {
            REFUSED(cudaGraphLaunch(x, s), cudaErrorInvalidValue); /* the memory is in use */
            if (attribute(cudaGraphMemAttrUsedMemCurrent) < 4000) return 6;
            CALL((round == 1 ? cudaFree(memory) : cudaFreeAsync(memory, s)));
        }
        CALL(cudaStreamSynchronize(s));
        if (attribute(cudaGraphMemAttrUsedMemCurrent) < 4000) return 12;
        CALL(cudaDeviceGraphMemTrim(0));
        if (attribute(cudaGraphMemAttrUsedMemCurrent)) return 7;
        if (int v = took(); v != 1000 + 999 * 500) return printf("%d\n", v), 8;
    }
    REFUSED(cudaFree(memory), cudaErrorInvalidValue);
    CALL(cudaGraphExecDestroy(x));
    if (!frees) { /* freed by the next launch */
        CALL(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
        CALL(cudaGraphLaunch(x, s));
        CALL(cudaGraphLaunch(x, s));
        CALL(cudaStreamSynchronize(s));
        if (took() != 2 * (1000 + 999 * 500)) return 9;
        CALL(cudaGraphExecDestroy(x));
        CALL(cudaGraphDestroy(g)); /* what is in use stays */
        int first;
        CALL(cudaMemcpy(&first, memory, sizeof first, cudaMemcpyDefault));
        if (first != 1) return 10;
        CALL(cudaFree(memory));
    } else {
        CALL(cudaGraphDestroy(g));
    }
    if (attribute(cudaGraphMemAttrReservedMemCurrent)) return 11;
    return 0;
}
static int captured(cudaStream_t s) {
    int *p;
    cudaGraph_t g;
    cudaGraphExec_t x;
    size_t n = 0;
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaMallocAsync(&p, 400, s));
    fill<<<1, 32, 0, s>>>(p, 100, 0);
    sum<<<1, 32, 0, s>>>(p, 100, result);
    CALL(cudaFreeAsync(p, s));
    CALL(cudaStreamEndCapture(s, &g));
    CALL(cudaGraphGetNodes(g, nullptr, &n));
    if (n != 4) return 1;
    CALL(cudaGraphInstantiate(&x, g, 0));
    CALL(cudaGraphDestroy(g));
    CALL(cudaGraphLaunch(x, s));
    CALL(cudaGraphLaunch(x, s));
    CALL(cudaStreamSynchronize(s));
    if (took() != 2 * 99 * 50) return 2;
    CALL(cudaGraphExecDestroy(x));

    /* Another stream joins, and is destroyed before the end. */
    for (bool waits : {true, false}) {
        cudaStream_t other;
        cudaEvent_t event;
        CALL(cudaStreamCreate(&other));
        CALL(cudaEventCreate(&event));
        CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        CALL(cudaEventRecord(event, s));
        CALL(cudaStreamWaitEvent(other, event));
        sum<<<1, 32, 0, other>>>(result, 1, result + 1);
        CALL(cudaEventRecord(event, other));
        if (waits) CALL(cudaStreamWaitEvent(s, event));
        CALL(cudaStreamDestroy(other));
        CALL(cudaEventDestroy(event));
        REFUSED(cudaStreamEndCapture(s, &g), (waits ? cudaSuccess : cudaErrorStreamCaptureUnjoined));
        if (waits) CALL(cudaGraphDestroy(g));
    }

    CALL(cudaMalloc(&p, 4));
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    REFUSED(cudaFreeAsync(p, s), cudaErrorInvalidValue); /* no graph's memory */
    REFUSED(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
    CALL(cudaFree(p));
    return attribute(cudaGraphMemAttrReservedMemCurrent) ? 3 : 0;
}
/* What the device's memory was is another's after a reset, whatever graphs are left. */
static int after_reset() {
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t x;
    int *p, *q;
    for (bool in_use : {true, false}) {
        CALL(cudaStreamCreate(&s));
        CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        CALL(cudaMallocAsync(&p, 4096, s));
        if (!in_use) CALL(cudaFreeAsync(p, s));
        CALL(cudaStreamEndCapture(s, &g));
        CALL(cudaGraphInstantiate(&x, g, 0));
        CALL(cudaGraphLaunch(x, s));
        CALL(cudaDeviceReset());
        if (attribute(cudaGraphMemAttrReservedMemCurrent)) return 1;
        CALL(cudaMalloc(&q, 4096));
        REFUSED(cudaGraphLaunch(x, 0), cudaErrorInvalidValue);
        CALL(cudaGraphExecDestroy(x));
        CALL(cudaGraphDestroy(g));
        CALL(cudaMemset(q, 0, 4096));
        CALL(cudaFree(q));
    }
    CALL(cudaStreamCreate(&s));
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaMallocAsync(&p, 4096, s));
    CALL(cudaDeviceReset()); /* in the middle of it */
    return 0;
}
int main() {
    cudaStream_t s;
    CALL(cudaStreamCreate(&s));
    CALL(cudaMalloc(&result, 4));
    CALL(cudaMemset(result, 0, 4));
    for (bool frees : {true, false})
        if (int what = built(s, frees)) return printf("built %d: %d\n", frees, what), 1;
    if (int what = captured(s)) return printf("captured: %d\n", what), 1;
    unsigned long long none = 0;
    if (attribute(cudaGraphMemAttrUsedMemHigh) < 4000 || attribute(cudaGraphMemAttrReservedMemHigh) < 4000) return 1;
    CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &none));
    CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &none));
    REFUSED(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &none), cudaErrorInvalidValue);
    if (attribute(cudaGraphMemAttrUsedMemHigh) || attribute(cudaGraphMemAttrReservedMemHigh)) return 2;
    CALL(cudaDeviceGraphMemTrim(0));
    CALL(cudaFree(result));
    CALL(cudaStreamDestroy(s));
    if (int what = after_reset()) return printf("after a reset: %d\n", what), 1;
    return 0;
}
CUDA
warpglass cc -std=c++17 -o nodes nodes.cu || exit 1
expect 0 '' -- ./nodes
printf 'api-error\nlaunch-refused\n' > on_purpose
expect 0 '' -- warpglass check --leaks --suppress on_purpose ./nodes
said 'clean'
finish
