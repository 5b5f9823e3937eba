/* cudaGraphInstantiateWithParams: the result says what was wrong with the graph. */
#include "check.h"

__global__ void add(int *p) { *p += 1; }

int main() {
    int *p = array<int>(1);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaStream_t stream;
    cudaGraphCreate(&graph, 0);
    cudaStreamCreate(&stream);
    void *arguments[] = {&p};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel) == cudaSuccess);

    cudaGraphInstantiateParams params = {};
    params.flags = cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;
    params.uploadStream = stream;
    params.result_out = cudaGraphInstantiateError;
    CHECK(cudaGraphInstantiateWithParams(&exec, graph, &params) == cudaSuccess);
    CHECK(params.result_out == cudaGraphInstantiateSuccess && !params.errNode_out);
    unsigned long long flags = 0;
    CHECK(cudaGraphExecGetFlags(exec, &flags) == cudaSuccess && flags == params.flags);
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(exec, stream);
    wait();
    CHECK(*p == 2);

    CHECK(cudaGraphInstantiateWithParams(&exec, graph, nullptr) == cudaErrorInvalidValue);
    params.flags = 1 << 10;
    CHECK(cudaGraphInstantiateWithParams(&exec, graph, &params) == cudaErrorInvalidValue);
    CHECK(params.result_out == cudaGraphInstantiateError);
    params.flags = cudaGraphInstantiateFlagDeviceLaunch;
    CHECK(cudaGraphInstantiateWithParams(&exec, graph, &params) == cudaErrorNotSupported);
    CHECK(params.result_out == cudaGraphInstantiateError);
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault) == cudaSuccess);
    params.flags = 0;
    CHECK(cudaGraphInstantiateWithParams(&exec, graph, &params) == cudaErrorInvalidValue);
    CHECK(params.result_out == cudaGraphInstantiateConditionalHandleUnused);
    cudaGetLastError();
    return finish();
}
