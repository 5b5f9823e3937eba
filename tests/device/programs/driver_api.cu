/* A program of the driver API alone: PTX text in, a launch out. */
#include <cuda.h>
#include <cstdio>
int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr memory;
    int n = 3;
    cuInit(0), cuDeviceGet(&device, 0), cuCtxCreate(&context, nullptr, 0, device);
    cuModuleLoadData(&module, "..."), cuModuleGetFunction(&function, module, "k");
    cuMemAlloc(&memory, 64), cuMemcpyHtoD(memory, &n, sizeof n), cuMemsetD32(memory, 7, 16);
    void *arguments[] = {&memory, &n};
    cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
    CUlaunchConfig config = {};
    CUlaunchAttribute attribute = {};
    attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, attribute.value.clusterDim.x = 2;
    config.gridDimX = 2, config.attrs = &attribute, config.numAttrs = 1;
    cuLaunchKernelEx(&config, function, arguments, nullptr);
    const char *text;
    CUresult r = cuCtxSynchronize();
    if (r != CUDA_SUCCESS && cuGetErrorString(r, &text) == CUDA_SUCCESS) puts(text);
    return cuMemFree(memory);
}
