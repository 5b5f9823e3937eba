#!/bin/bash
# Where nvcc is installed: --compiler nvcc, and what nvcc made by itself.
. "$(dirname "$0")/expect.sh"
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc > /dev/null || {
    echo "no nvcc here"
    exit 77
}
cat > sum.cu << 'END'
#include <cstdio>
#include "value.h"
__global__ void sum(int *x) { atomicAdd(x, threadIdx.x); }
int main() {
    int *x, result = 0;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    sum<<<VALUE, 64>>>(x);
    cudaMemcpy(&result, x, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d %s\n", result, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
END
mkdir -p inc
echo '#define VALUE 2' > inc/value.h
expect 0 '' -- warpglass run --compiler nvcc -Iinc -Xcompiler -Wall -O1 sum.cu
said '^4032 no error$'
echo '#define VALUE 3' > inc/value.h
expect 0 '' -- warpglass run --compiler nvcc -Iinc -Xcompiler -Wall -O1 sum.cu
said '^6048 no error$'
expect 0 '' -- warpglass cc --compiler=nvcc -arch=sm_80 --expt-relaxed-constexpr -Iinc sum.cu -lm -Wl,--as-needed -o sum
expect 0 '' -- ./sum
said '^6048 no error$'
sed 's/x, threadIdx/y, threadIdx/' sum.cu > wrong.cu
expect 2 'wrong.cu\(3\): error' -- warpglass run --compiler nvcc -Iinc wrong.cu

# The driver API.
printf '#include <cuda.h>\nint main() { int n; return cuInit(0) || cuDeviceGetCount(&n) || n != 1; }\n' > driver.cu
expect 0 '' -- warpglass run --compiler nvcc driver.cu -lcuda

# Device code of several files, which nvcc links.
printf '__device__ int doubled(int x) { return 2 * x; }\n' > device.cu
sed 's/__global__/__device__ int doubled(int);\n__global__/; s/threadIdx.x)/doubled(threadIdx.x))/' sum.cu > linked.cu
expect 0 '' -- warpglass cc --compiler nvcc -rdc=true -Iinc linked.cu device.cu -o linked
expect 0 '' -- ./linked
said '^12096 no error$'

# The objects say themselves that they want to be linked; a static variable is one file's own.
printf '__device__ int doubled(int x) { return 2 * x; }\nstatic __device__ int bias = 1;\n%s\n' \
    '__global__ void add(int *p) { *p += bias; }' > device.cu
sed 's/int main/static __device__ int bias = 2; __global__ void add(int *); __global__ void more(int *p) { *p += bias; }\nint main/' \
    linked.cu > both.cu
expect 0 '' -- warpglass cc --compiler nvcc -dc -Iinc both.cu device.cu
expect 0 '' -- warpglass cc --compiler nvcc both.o device.o -o both
expect 0 '' -- ./both
said '^12096 no error$'

# As nvcc makes them, with no word of Warpglass.
expect 0 '' -- nvcc -Iinc -cudart shared sum.cu -o by_nvcc
expect 0 '' -- warpglass run ./by_nvcc
said '^6048 no error$'
expect 0 '' -- nvcc -Iinc -arch=sm_90 -Xcompiler -O2 -cudart shared sum.cu -o by_nvcc
expect 0 '' -- warpglass run ./by_nvcc
said '^6048 no error$'
expect 0 '' -- nvcc -Iinc -gencode arch=compute_90,code=sm_90 -cudart shared sum.cu -o no_ptx
expect 0 '-gencode|PTX' -- warpglass run ./no_ptx
expect 0 '' -- nvcc -Iinc sum.cu -o static
expect 0 'note: ./static is linked with NVIDIA.s static CUDA runtime.*-cudart shared' -- warpglass run ./static

# A kernel that launches kernels.
cat > nested.cu << 'END'
__global__ void child() {}
__global__ void parent() { child<<<1, 1>>>(); }
int main() { parent<<<1, 1>>>(); return cudaGetLastError() != cudaSuccess; }
END
expect 1 "call of '__cudaCDP2[A-Za-z0-9]*': kernels that launch kernels .dynamic parallelism. are not supported" -- \
    warpglass run --compiler nvcc -rdc=true nested.cu

# The barrier of a grid, which nvcc's headers make of memory that no program allocated.
cat > grid.cu << 'END'
#include <cooperative_groups.h>
__global__ void turn(int *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    x[i] = i;
    cooperative_groups::this_grid().sync();
    x[n + i] = x[n - 1 - i];
}
int main() {
    int *x, last;
    cudaMalloc(&x, 128 * sizeof(int));
    void *arguments[] = {&x};
    cudaLaunchCooperativeKernel((void *)turn, dim3(2), dim3(32), arguments, 0, 0);
    cudaMemcpy(&last, x + 127, sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return last;
}
END
expect 0 '' -- warpglass check --compiler nvcc --timeout 120 grid.cu
said '^clean$'
finish
