#!/bin/bash
# Masks without mask registers (jit/llvm/spread_masks.c): their bits become lanes in a few instructions, not one by one.
. "$(dirname "$0")/expect.sh"
grep -qw avx2 /proc/cpuinfo || { echo "skipped: no AVX2 here" && exit 77; }

# Each statement uses the mask of diverged lanes in another way: a masked store, a masked load, a compare under it, and of
# elements of each size.
cat > masks.cu << 'CUDA'
#include <cstdio>
template <class T> __global__ void lesser(T *values, const T *others, const T *more, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T x = values[i];
    if (others[i] < x) {
        x = others[i];
        if (more[i] != 2) x += more[i];
        values[i] = x;
    }
}
template <class T> static int run() {
    const int n = 1000;
    T *values, *others, *more, right[n];
    cudaMallocManaged(&values, sizeof right);
    cudaMallocManaged(&others, sizeof right);
    cudaMallocManaged(&more, sizeof right);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        right[i] = values[i] = i * 37 % 101;
        others[i] = i * 53 % 89;
        more[i] = i * 7 % 5;
        if (others[i] < right[i]) right[i] = others[i] + (more[i] != 2 ? more[i] : T(0));
    }
    lesser<<<8, 128>>>(values, others, more, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) wrong += values[i] != right[i];
    return wrong;
}
int main() {
    const int wrong = run<signed char>() + run<short>() + run<int>() + run<float>() + run<long long>() + run<double>();
    printf("%d values are wrong\n", wrong);
    return wrong != 0;
}
CUDA
for width in 128 256; do
    WARPGLASS_WIDTH=$width warpglass run --dump asm masks.cu > out.txt 2> asm.txt || fail "masks.cu: status $?"
    grep -qx '0 values are wrong' out.txt || fail "masks.cu at $width bits: $(cat out.txt)"
    [ $width = 128 ] || [ "$(grep -cE '\bv?pinsr[bw]\b' asm.txt)" -lt 8 ] ||
        fail "masks.cu: $(grep -cE '\bv?pinsr[bw]\b' asm.txt) lanes are inserted one by one"
done
finish
