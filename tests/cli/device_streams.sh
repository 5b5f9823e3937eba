#!/bin/bash
# Launches and memsets in a stream of another device than the current one, with two H200s' answers.
. "$(dirname "$0")/expect.sh"
unset CUDA_VISIBLE_DEVICES

cat > into.cu << 'END'
#include <cooperative_groups.h>
#include <cuda.h>
#include <cstdio>
#include <cassert>
#define OK(X) assert((X) == cudaSuccess)
__device__ int runs;
__global__ void here(int *p) { p[threadIdx.x] += atomicAdd(&runs, 1) + 1; }
__global__ void all(int *p) { p[blockIdx.x] = (cooperative_groups::this_grid().sync(), 100 + blockIdx.x); }
__global__ void wide(int *p) {
    extern __shared__ int cells[];
    cells[threadIdx.x] = 7;
    *p = cells[threadIdx.x];
}
int main() {
    int *a, *b, got[2], now;
    cudaStream_t s;
    OK(cudaMalloc(&a, 256));
    OK(cudaMemset(a, 0, 256));
    OK(cudaSetDevice(1));
    OK(cudaMalloc(&b, 256));
    OK(cudaMemset(b, 0, 256));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamCreate(&s));
    OK(cudaSetDevice(0));
    for (int i = 1; i < 4; i++) {
        here<<<1, 1, 0, s>>>(b);
        OK(cudaGetLastError());
        OK(cudaMemcpyFromSymbol(got, runs, 4)); // device 0's
        assert(got[0] == 0);
    }
    OK(cudaGetDevice(&now));
    assert(now == 0);
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(got, b, 4, cudaMemcpyDefault));
    assert(got[0] == 6);
    here<<<1, 1>>>(a);
    OK(cudaMemcpy(got, a, 4, cudaMemcpyDefault));
    assert(got[0] == 1);

    void *arguments[] = {&b};
    OK(cudaLaunchCooperativeKernel((void *)all, 2, 32, arguments, 0, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(got, b, 8, cudaMemcpyDefault));
    assert(got[0] == 100 && got[1] == 101);

    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    config.stream = s;
    OK(cudaLaunchKernelEx(&config, here, b));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(got, b, 4, cudaMemcpyDefault));
    assert(got[0] == 104);

    // Attributes are each device's own.
    OK(cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 90000));
    wide<<<1, 1, 90000>>>(a);
    OK(cudaDeviceSynchronize());
    wide<<<1, 1, 90000, s>>>(b);
    assert(cudaGetLastError() == cudaErrorInvalidValue);
    OK(cudaSetDevice(1));
    OK(cudaFuncSetAttribute(wide, cudaFuncAttributeMaxDynamicSharedMemorySize, 90000));
    OK(cudaSetDevice(0));
    wide<<<1, 1, 90000, s>>>(b);
    OK(cudaStreamSynchronize(s));

    // The driver takes a library's kernel in the stream's context; a function stays in its own.
    cudaKernel_t kernel;
    cudaFunction_t function;
    OK(cudaGetKernel(&kernel, (void *)here));
    OK(cudaGetFuncBySymbol(&function, (void *)here));
    OK(cudaMemset(b, 0, 4));
    assert(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, s, arguments, 0) == CUDA_SUCCESS);
    assert(cuStreamSynchronize(s) == CUDA_SUCCESS);
    OK(cudaMemcpy(got, b, 4, cudaMemcpyDefault));
    assert(got[0] == 5);
    assert(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, s, arguments, 0) == CUDA_ERROR_INVALID_HANDLE);

    // What is captured from it runs there too.
    cudaGraph_t graph;
    cudaGraphExec_t x;
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    here<<<1, 1, 0, s>>>(b);
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&x, graph, 0));
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaMemcpy(got, b, 4, cudaMemcpyDefault));
    assert(got[0] == 11);

    // A memset in it reaches what kernels there do; in a graph, its own device's.
    cudaStream_t s0;
    OK(cudaStreamCreate(&s0));
    assert(cudaMemsetAsync(a, 0, 4, s) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(b, 1, 4, s));
    OK(cudaStreamEndCapture(s, &graph));
    OK(cudaGraphInstantiate(&x, graph, 0));
    OK(cudaGraphLaunch(x, s0));
    OK(cudaStreamSynchronize(s0));
    OK(cudaMemcpy(got, b, 4, cudaMemcpyDefault));
    assert(got[0] == 0x01010101);
    OK(cudaSetDevice(1));
    OK(cudaDeviceEnablePeerAccess(0, 0));
    OK(cudaMemsetAsync(a, 0, 4, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaDeviceDisablePeerAccess(0));
    OK(cudaSetDevice(0));

    // Memory in such a stream is its device's; what it may not reach, it does not reach.
    int *pooled;
    cudaPointerAttributes at;
    OK(cudaMallocAsync(&pooled, 4, s));
    OK(cudaPointerGetAttributes(&at, pooled));
    assert(at.device == 1);
    here<<<1, 1, 0, s>>>(a);
    OK(cudaGetLastError());
    printf("device 0's memory there: %s\n", cudaGetErrorName(cudaStreamSynchronize(s)));
}
END
expect 0 '' -- warpglass cc into.cu -o into -lcuda
for backend in jit ref; do
    expect 0 "kernel wide.* was not launched: " -- env WARPGLASS_BACKEND=$backend WARPGLASS_DEVICES=2 ./into
    said "^device 0's memory there: cudaErrorIllegalAddress\$"
done
finish
