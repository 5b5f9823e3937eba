#!/bin/bash
# A process that may have little address space: the device takes less of it, and says once what it needs. And one
# that finds no /proc, where it may be taken away. And one of many contexts.
. "$(dirname "$0")/expect.sh"

cat > small.cu << 'END'
#include <cstdio>
__global__ void turn(int *a) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    int *a, h[2] = {-1, -1};
    void *large;
    size_t left, total;
    cudaError_t made = cudaMalloc(&a, 1 << 20);
    turn<<<100, 64>>>(a);
    cudaMemcpy(h, a + 64 * 99, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemGetInfo(&left, &total);
    printf("%s %d %d\n", cudaGetErrorName(made), h[0], h[1]);
    printf("%s\n", cudaMalloc(&large, left + (64l << 20)) == cudaSuccess ? "more than there is" : "no more than there is");
    return made != cudaSuccess;
}
END
expect 0 '' -- warpglass cc small.cu -o small
for kb in 20000000 7000000; do
    expect 0 '' -- bash -c "ulimit -v $kb && ./small"
    said '^cudaSuccess 63 62$'
    said '^no more than there is$'
done
expect 1 'it needs at least 4096 MiB besides .* the process may have 1953 \(ulimit -v\)' -- bash -c "ulimit -v 2000000 && ./small"
[[ $(grep -c 'no address space' "$stderr") == 1 ]] || fail "it is not said once"
hide='mount -t tmpfs none /proc'
if unshare -m bash -c "$hide" 2>/dev/null; then
    expect 0 '' -- unshare -m bash -c "$hide && exec \"\$WARPGLASS\" run small.cu"
    said '^cudaSuccess 63 62$'
    said '^no more than there is$'
    expect 0 '' -- unshare -m bash -c "$hide && exec \"\$WARPGLASS\" info"
    said '^  /proc     not mounted: '
    expect 0 '^warpglass: /proc is not mounted: what calls use of memory is not limited' \
        -- unshare -m bash -c "$hide && exec \"\$WARPGLASS\" mcp < /dev/null"
    call='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run","arguments":{"files":["small.cu"]}}}'
    expect 0 '/proc is not mounted' -- unshare -m bash -c "$hide && exec \"\$WARPGLASS\" mcp" <<< "$call"
    said 'cudaSuccess 63 62'
fi

# A thread's contexts are as many as there is address space for, and what is destroyed makes room.
cat > contexts.cu << 'END'
#include <cstdio>
#include <cuda.h>
#include <vector>
__global__ void five(int *p) { *p = 5; }
static bool works() {
    CUdeviceptr p;
    int got = 0;
    if (cuMemAlloc(&p, 4)) return false;
    five<<<1, 1>>>((int *)p);
    return !cuMemcpyDtoH(&got, p, 4) && got == 5 && !cuMemFree(p);
}
int main() {
    std::vector<CUcontext> all;
    CUcontext c;
    int r, many, bad = 0;
    cuInit(0);
    for (int i = 0; i < 100; i++) {
        bad += cuCtxCreate(&c, nullptr, 0, 0) || !works();
        all.push_back(c);
    }
    while (!(r = cuCtxCreate(&c, nullptr, 0, 0))) all.push_back(c);
    many = all.size();
    printf("%s of more\n", r == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "another error");
    for (int i = many; i--;) bad += cuCtxPopCurrent(&c) || c != all[i];
    bad += !cuCtxPopCurrent(&c);
    for (CUcontext x : all) bad += cuCtxDestroy(x) != 0;
    for (int i = 0; i < 400; i++) bad += cuCtxCreate(&c, nullptr, 0, 0) || cuCtxDestroy(c);
    bad += cuCtxCreate(&c, nullptr, 0, 0) || !works();
    printf("%d bad\n", bad);
}
END
expect 0 '^warpglass: no address space .* each context keeps its own until it is destroyed$' -- warpglass run contexts.cu -lcuda
said '^out of memory of more$'
said '^0 bad$'
finish
