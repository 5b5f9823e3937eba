#!/bin/bash
# Where nvcc is installed: --compiler nvcc, and what nvcc made by itself.
. "$(dirname "$0")/expect.sh"
PATH=$PATH:/usr/local/cuda/bin
# The one of a toolkit that Warpglass made is passed over, as --compiler nvcc does.
theirs=
while read -r found; do
    [[ -n $theirs || -e ${found%/*}/../WARPGLASS ]] || theirs=$found
done < <(type -ap nvcc)
[[ -n $theirs ]] || {
    echo "no nvcc of NVIDIA's here"
    exit 77
}
nvcc() { "$theirs" "$@"; }
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

# Kernels that launch kernels: in order in the block's stream, then those that are launched last; what is
# wrong with a launch is told to its thread alone.
cat > nested.cu << 'END'
#include <cstdio>
struct pair {
    char a;
    double b;
};
template <int N> __global__ void child(int *x, char c, pair p, int level) {
    x[level] = x[level - 1] * N + c + p.a + (int)p.b;
    if (level < 3) child<N + 1><<<1, 1>>>(x, c, p, level + 1);
}
template __global__ void child<2>(int *, char, pair, int);
template <> __global__ void child<5>(int *, char, pair, int) {}
__global__ void last(const int *x) { printf("%d %d %d\n", x[1], x[2], x[3]); }
__global__ void parent(int *x) {
    cudaStream_t s;
    pair p = {2, 3.5};
    x[0] = 1;
    last<<<1, 1, 0, cudaStreamTailLaunch>>>(x);
    child<2><<<1, 1>>>(x, 1, p, 1);
    last<<<1, 2048>>>(x);
    cudaError_t wrong = cudaGetLastError();
    printf("%d: %s, then %d\n", (int)wrong, cudaGetErrorString(wrong), (int)cudaGetLastError());
    cudaError_t made = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaError_t set = cudaMemsetAsync(x + 4, 1, 4, s), copied = cudaMemcpyAsync(x + 5, x + 4, 4, cudaMemcpyDeviceToDevice, s);
    printf("%d %d %d %d\n", (int)made, (int)set, (int)copied, (int)cudaStreamDestroy(s));
}
int main() {
    int *x;
    cudaMallocManaged(&x, 8 * sizeof(int));
    parent<<<1, 1>>>(x);
    printf("%d\n", (int)cudaDeviceSynchronize());
    printf("%x %x\n", x[4], x[5]);
}
END
expect 0 '' -- nvcc -arch=sm_90 -rdc=true -cudart shared nested.cu -o nested -lcudadevrt
expect 0 '' -- warpglass run ./nested
said '^9: invalid configuration argument, then 0$'
said '^0 0 0 0$'
said '^8 30 126$'
said '^1010101 1010101$'
expect 0 '' -- env WARPGLASS_BACKEND=ref "$WARPGLASS" run ./nested
said '^8 30 126$'
expect 0 '' -- nvcc -arch=sm_90 -lineinfo -rdc=true -cudart shared nested.cu -o nested -lcudadevrt
expect 0 '' -- warpglass profile ./nested
said '^  Launched by parent.int.*. at nested.cu:18.$'
said '^  Launched by void child<2>.* at nested.cu:8.$'
expect 0 '' -- warpglass profile --json=nested.json nested.cu
said '^  Launched by parent.int.*. at nested.cu:18.$'
python3 -m json.tool nested.json > nested.pretty || fail "invalid JSON"
grep -q '"launched_by": "parent(int\*) at nested.cu:18"' nested.pretty || fail "no launched_by in JSON"
expect 3 '' -- warpglass check nested.cu
said 'last.int const.*. is not launched: a block of 2048x1x1 threads'
said '^1 finding$'
expect 0 'verify: 1 launch compared .*equal; 4 launches not compared: the kernel launches kernels' -- warpglass run --verify nested.cu
said '^8 30 126$'
cat > lacks.cu << 'END'
__global__ void parent(cudaPitchedPtr p) { cudaMemset3DAsync(p, 1, cudaExtent{1, 1, 1}, 0); }
int main() { parent<<<1, 1>>>(cudaPitchedPtr()); return cudaGetLastError() != cudaSuccess; }
END
expect 1 "call of '__cudaCDP2Memset3DAsync': the device runtime, which launches kernels for kernels, lacks this function" -- \
    warpglass run --compiler nvcc -rdc=true lacks.cu

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
