#!/bin/bash
# Many stores of single lanes in a row (jit/llvm/store_runs.c): LLVM is given no more than some of them at a time.
. "$(dirname "$0")/expect.sh"
grep -qw avx2 /proc/cpuinfo || { echo "skipped: no AVX2 here" && exit 77; }

cat > strided.cu << 'CUDA'
#include <cstdio>
__global__ void strided(int *values, int n) {
    int *mine = values + blockIdx.x * blockDim.x;
    const int t = threadIdx.x;
    for (int stride = 1; stride < static_cast<int>(blockDim.x); stride *= 2) {
        const int i = 2 * stride * t;
        if (i + stride < n) mine[i] += mine[i + stride];
        __syncthreads();
    }
}
int main() {
    const int n = 256;
    int *values, wrong = 0;
    cudaMallocManaged(&values, 4 * n * sizeof *values);
    for (int i = 0; i < 4 * n; i++) values[i] = i % 7;
    strided<<<4, n>>>(values, n);
    cudaDeviceSynchronize();
    for (int b = 0; b < 4; b++) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += (b * n + i) % 7;
        wrong += values[b * n] != sum;
    }
    printf("%d sums are wrong\n", wrong);
    return wrong != 0;
}
CUDA
WARPGLASS_WIDTH=256 warpglass run --dump llvm strided.cu > out.txt 2> llvm.txt || fail "strided.cu: status $?"
grep -qx '0 sums are wrong' out.txt || fail "strided.cu: $(cat out.txt)"
awk '/optimised/ { counts = 1 }
     /^[^ ]*:|^}/ || /fence syncscope\("singlethread"\)/ { n = 0 }
     counts && /^ *store i32 %/ { all++; if (++n > most) most = n }
     END { if (all < 32 || most != 16) { print all " stores of one lane, " most " in a row"; exit 1 } }' llvm.txt > said.txt ||
    fail "strided.cu: $(cat said.txt)"
finish
