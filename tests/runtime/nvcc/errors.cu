// What programs compiled by nvcc are answered, call by call; the truth beside it (errors.txt) is an H200's.
#include "tests/runtime/probe.h"
#include <cuda_runtime.h>

__constant__ int table[4];
__device__ int counter = 7;
__managed__ int shared_count = 5;
__global__ void nop() {}
__global__ void add(int *p, int v) { atomicAdd(p, v + table[0] + counter); }
__global__ void __launch_bounds__(128) bounded() {}
__global__ void big() {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
}
__global__ void never_loaded(int *);
static int not_a_symbol;

#define LAUNCH(...)                                                                                          \
    (__VA_ARGS__, printf("%s: %s -> %d\n", probe_name, #__VA_ARGS__, (int)cudaGetLastError()), fflush(stdout))

PROBE(launch) {
    LAUNCH(nop<<<0, 1>>>());
    LAUNCH(nop<<<1, 0>>>());
    LAUNCH(nop<<<1, 1025>>>());
    LAUNCH(nop<<<1, dim3(1, 1, 65)>>>());
    LAUNCH(nop<<<dim3(1, 65536), 1>>>());
    LAUNCH(nop<<<dim3(0x80000000u), 1>>>());
    LAUNCH(nop<<<1, dim3(1024, 2)>>>());
    LAUNCH(big<<<1, 32, 48 << 10>>>());
    LAUNCH(big<<<1, 32, (48 << 10) + 4>>>());
    LAUNCH(big<<<1, 32, 1 << 20>>>());
    LAUNCH(bounded<<<1, 128>>>());
    LAUNCH(bounded<<<1, 129>>>());
    LAUNCH(bounded<<<1, 1025>>>());
    E(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
    LAUNCH(big<<<1, 32, 100 << 10>>>());
    LAUNCH(big<<<1, 32, (100 << 10) + 1>>>());
    E(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10));
    E(cudaDeviceSynchronize());
    E(cudaLaunchKernel((const void *)nop, dim3(0), dim3(1), NULL, 0, 0));
    E(cudaGetLastError());
    E(cudaLaunchKernel((const void *)add, dim3(1), dim3(1), NULL, 0, 0));
    E(cudaGetLastError());
    E(cudaLaunchKernel((const void *)&not_a_symbol, dim3(1), dim3(1), NULL, 0, 0));
    E(cudaGetLastError());
    E(cudaLaunchKernel((const void *)&counter, dim3(1), dim3(1), NULL, 0, 0));
    E(cudaGetLastError());
}
PROBE(launch_ex) {
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a[1];
    a[0].id = cudaLaunchAttributeClusterDimension;
    a[0].val.clusterDim.x = 2;
    a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
    c.gridDim = 4;
    c.blockDim = 32;
    c.attrs = a;
    c.numAttrs = 1;
    E(cudaLaunchKernelEx(&c, nop));
    c.gridDim = 3;
    E(cudaLaunchKernelEx(&c, nop));
    c.gridDim = 0;
    E(cudaLaunchKernelEx(&c, nop));
    c.gridDim = 4;
    c.blockDim = 2000;
    E(cudaLaunchKernelEx(&c, nop));
    E(cudaGetLastError());
    E(cudaLaunchCooperativeKernel((const void *)nop, dim3(0), dim3(1), NULL, 0, 0));
    E(cudaLaunchCooperativeKernel((const void *)nop, dim3(1 << 20), dim3(1), NULL, 0, 0));
}
PROBE(symbols) {
    int v[8] = {1, 2, 3, 4};
    size_t n = 0;
    void *p = NULL, *q = NULL;
    E(cudaMemcpyToSymbol(table, v, 16));
    E(cudaMemcpyToSymbol(table, v, 17));
    E(cudaMemcpyToSymbol(table, v, 4, 12));
    E(cudaMemcpyToSymbol(table, v, 8, 12));
    E(cudaMemcpyToSymbol(table, v, 0, 17));
    E(cudaMemcpyToSymbol(table, v, 4, 0, cudaMemcpyDeviceToHost));
    E(cudaMemcpyToSymbol(table, v, 4, 0, cudaMemcpyHostToHost));
    E(cudaMemcpyToSymbol(table, v, 4, 0, (cudaMemcpyKind)9));
    E(cudaMemcpyToSymbol(table, v, 4, 0, cudaMemcpyDefault));
    E(cudaMemcpyToSymbol(table, NULL, 4));
    E(cudaMemcpyFromSymbol(v, counter, 4));
    V(v[0]);
    E(cudaMemcpyFromSymbol(v, counter, 5));
    E(cudaMemcpyFromSymbol(v, counter, 4, 0, cudaMemcpyHostToDevice));
    E(cudaMemcpyFromSymbol(v, table, 8, 8));
    V(v[1]);
    E(cudaMemcpyFromSymbol(v, shared_count, 4));
    V(v[0]);
    E(cudaGetSymbolSize(&n, table));
    V(n);
    E(cudaGetSymbolAddress(&p, counter));
    E(cudaGetSymbolAddress(&q, shared_count));
    V(q == &shared_count);
    E(cudaGetSymbolSize(&n, shared_count));
    V(n);
    E(cudaGetSymbolSize(&n, not_a_symbol));
    E(cudaGetSymbolAddress(&p, (const void *)nop));
    E(cudaGetSymbolAddress((void **)NULL, (const void *)&counter));
    E(cudaGetSymbolSize(NULL, (const void *)&counter));
    cudaPointerAttributes a;
    E(cudaGetSymbolAddress(&p, counter));
    E(cudaPointerGetAttributes(&a, p));
    V(a.type);
    E(cudaPointerGetAttributes(&a, &shared_count));
    V(a.type);
    E(cudaGetSymbolAddress(&p, table));
    E(cudaPointerGetAttributes(&a, p));
    V(a.type);
    E(cudaMemcpy(v, p, 4, cudaMemcpyDeviceToHost));
    E(cudaMemset(p, 0, 4));
    E(cudaFree(p));
    shared_count++;
    V(shared_count);
}
PROBE(attributes) {
    cudaFuncAttributes a;
    const char *name;
    cudaFunction_t f;
    cudaKernel_t k;
    E(cudaFuncGetAttributes(&a, nop));
    V(a.maxThreadsPerBlock);
    V(a.ptxVersion);
    V(a.binaryVersion);
    E(cudaFuncGetAttributes(&a, bounded));
    V(a.maxThreadsPerBlock);
    E(cudaFuncGetAttributes(&a, (const void *)&not_a_symbol));
    E(cudaFuncGetName(&name, (const void *)nop));
    S(name);
    E(cudaGetFuncBySymbol(&f, (const void *)nop));
    E(cudaGetKernel(&k, (const void *)nop));
    E(cudaGetKernel(&k, (const void *)&not_a_symbol));
    E(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    E(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
    E(cudaGetLastError());
    int g = 0, b = 0;
    E(cudaOccupancyMaxPotentialBlockSize(&g, &b, nop, 0, 0));
    V(g);
    V(b);
    E(cudaOccupancyMaxPotentialBlockSize(&g, &b, bounded, 0, 0));
    V(g);
    V(b);
    E(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&b, nop, 256, 0));
    V(b);
}
__global__ void sum(int *p, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(p, i);
}
PROBE(run) {
    int *p, h = 0;
    E(cudaMalloc(&p, 4));
    E(cudaMemset(p, 0, 4));
    LAUNCH(add<<<2, 32>>>(p, 1));
    LAUNCH(sum<<<1, 64>>>(p, 100));
    E(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost));
    V(h);
    E(cudaFree(p));
    E(cudaDeviceReset());
    E(cudaMalloc(&p, 4));
    E(cudaMemset(p, 0, 4));
    LAUNCH(sum<<<1, 64>>>(p, 10));
    E(cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost));
    V(h);
}
__global__ void fail(int *p) { *p = 1; }
PROBE(fault) {
    LAUNCH(fail<<<1, 1>>>((int *)16));
    E(cudaDeviceSynchronize());
    E(cudaGetLastError());
    LAUNCH(nop<<<1, 1>>>());
    E(cudaDeviceSynchronize());
    E(cudaDeviceReset());
    int *p;
    E(cudaMalloc(&p, 4));
}
__global__ void asserts(int x) {
    if (x) __trap();
}
PROBE(trap) {
    LAUNCH(asserts<<<1, 1>>>(1));
    E(cudaDeviceSynchronize());
    E(cudaGetLastError());
}
PROBE(memory) {
    int *p;
    size_t f, t;
    E(cudaMalloc(&p, 1 << 20));
    E(cudaMemGetInfo(&f, &t));
    cudaDeviceProp prop;
    E(cudaGetDeviceProperties(&prop, 0));
    V(prop.totalGlobalMem == t);
    E(cudaMemPrefetchAsync(&shared_count, 4, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
    E(cudaDeviceSynchronize());
    V(shared_count);
}
