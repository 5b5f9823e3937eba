#!/bin/bash
# Which products and sums are one instruction in device code that clang compiled: the same as in nvcc's PTX (docs/contraction.md),
# and none across the edge of a mathematical function. Expected is what nvcc 13.0 makes of these kernels.
. "$(dirname "$0")/expect.sh"

cat > kernels.cu << 'CUDA'
#define KERNEL extern "C" __global__ void
KERNEL two_sums(float *o, float a, float b, float c, float d) { float x = a * b; o[0] = x + c; o[1] = x + d; }
KERNEL stored(float *o, float a, float b, float c) { float x = a * b; o[0] = x; o[1] = x + c; }
KERNEL products(float *o, float a, float b, float c, float d) { o[0] = a * b + c * d; o[1] = a * b - c * d; }
KERNEL one_stored(float *o, float a, float b, float c, float d) { float x = a * b, y = c * d; o[0] = x + y; o[1] = x; o[2] = y + d; }
KERNEL division(float *o, float a, float b, float c) { float x = o[3] * a; float y = b / c; o[0] = x + y; }
KERNEL branches(float *o, float a, float b, float c) { float x = o[5] * a; if (b > c) o[0] = x + o[3]; else o[1] = x - o[4]; }
KERNEL nested(float *o, float a, float b, float c, float d, float e) { o[0] = a * b + (c * d + e); o[1] = (a * b + c) * d + e; }
KERNEL differences(float *o, float a, float b, float c) { o[0] = -(a * b) - c; o[1] = c - a * b; o[2] = a * b - c; }
KERNEL squares(float *o, float a, float b, float c, float d) { o[0] = a * a + b * b + c * c + d * d; }
KERNEL fraction(float *o, float a, float b) { float p = a * b; o[0] = p - floorf(p); }
KERNEL factors(float *o, float a, float b) { o[0] = a * (b + 1.0f); o[1] = a * (1.0f - b); o[2] = a * b + a; }
KERNEL doubles(double *o, float a, float b, double c) { o[0] = (double)(a * b) + c; o[1] = (double)a * b + c; }
KERNEL chosen(float *o, float a, float b, float c) { float p = a * b; o[0] = c > 0 ? p + c : p; o[1] = fmaxf(p, 0) + p; }
KERNEL named(float *o, float a, float b, float c) { o[0] = __fmul_rn(a, b) + c; o[1] = __fadd_rn(a * b, c); }
CUDA
# The arithmetic of each kernel, a line each.
arithmetic() {
    awk '/\.entry/ { split($0, w, /[ (]+/); name = w[3]; line[++n] = name ":" }
        match($0, /(mul|add|sub|fma|div)[.a-z]*\.f(32|64)/) && name { line[n] = line[n] " " substr($0, RSTART, RLENGTH) }
        END { for (i = 1; i <= n; i++) print line[i] }' "$1" | sed 's/\.f32//g'
}
cat > fused << 'NVCC'
two_sums: fma.rn fma.rn
stored: mul add
products: mul mul add sub
one_stored: mul fma.rn fma.rn
division: div.rn fma.rn
branches: mul add sub
nested: fma.rn fma.rn fma.rn fma.rn
differences: mul sub sub sub
squares: mul fma.rn fma.rn fma.rn
fraction: mul sub
factors: add mul sub mul fma.rn
doubles: mul add.f64 fma.rn.f64
chosen: mul add add
named: mul.rn add mul add.rn
NVCC
expect 0 '' -- warpglass cc -ptx kernels.cu -o kernels.ptx
arithmetic kernels.ptx | diff fused - || fail 'fused as nvcc does not'
expect 0 '' -- warpglass cc -fmad=true -ptx kernels.cu -o kernels.ptx
arithmetic kernels.ptx | diff fused - || fail '-fmad=true is the default'
expect 0 '' -- warpglass cc -fmad=false -ptx kernels.cu -o kernels.ptx
arithmetic kernels.ptx | grep -E 'fma|(mul|add|sub)( |$)' && fail '-fmad=false fuses, or lets the assembler'

# A function gets the product, rounded.
cat > functions.cu << 'CUDA'
#include <cmath>
#include <cstdio>
#include <cstring>
#define BOTH(X) X(round) X(trunc) X(fraction) X(positive) X(nearest) X(remainder_) X(away) X(inverse) X(logarithm) X(sine)
template <class T> __device__ T round_(T p, T) { return round(p); }
template <class T> __device__ T trunc_(T p, T) { return trunc(p); }
template <class T> __device__ T fraction_(T p, T) { T whole; return modf(p, &whole); }
template <class T> __device__ T positive_(T p, T c) { return fdim(p, c) + fdim(c, p); }
template <class T> __device__ T nearest_(T p, T) { return llround(p); }
template <class T> __device__ T remainder__(T p, T c) { return remainder(p, c); }
template <class T> __device__ T away_(T p, T) { return p - floor(p); }
template <class T> __device__ T inverse_(T p, T) { return acosh(p); }
template <class T> __device__ T logarithm_(T p, T) { return log1p(p); }
template <class T> __device__ T sine_(T p, T) { return sin(p); }
__device__ float rounded(float a, float b) { return __fmul_rn(a, b); }
__device__ double rounded(double a, double b) { return __dmul_rn(a, b); }
template <class T> __global__ void compare(const T *x, int n, unsigned *different) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T a = x[i], b = x[n + i], c = x[2 * n + i];
    int f = 0;
#define ONE(F) { T fused = F##_(a * b, c), apart = F##_(rounded(a, b), c); if (memcmp(&fused, &apart, sizeof(T))) atomicAdd(different + f, 1); f++; }
    BOTH(ONE)
}
template <class T> int run(const char *type) {
    const int n = 1 << 14;
    T *x;
    unsigned *different, r = 1, total = 0;
    cudaMallocManaged(&x, 3 * n * sizeof(T)), cudaMallocManaged(&different, 64);
    memset(different, 0, 64);
    for (int i = 0; i < 3 * n; i++) r = r * 1664525 + 1013904223, x[i] = ((int)(r >> 8) % 41 - 20) / (T)2 * (T)(1 + (r >> 20) % 5 * 0.1);
    compare<<<n / 128, 128>>>(x, n, different);
    cudaDeviceSynchronize();
#define TELL(F) if (different[i]) printf("%s of %s: %u differ\n", #F, type, different[i]); total += different[i++];
    int i = 0;
    BOTH(TELL)
    return total != 0;
}
int main() { return run<float>("float") | run<double>("double"); }
CUDA
expect 0 '' -- warpglass cc functions.cu -o functions
expect 0 '' -- ./functions

# What is left to the assembler is fused when the program runs; a module for a debugger would not be.
expect 0 '' -- warpglass cc -ptx kernels.cu -o kernels.ptx
grep -q '^\.target sm_90$' kernels.ptx || fail "$(grep '^.target' kernels.ptx)"
cat > differences.cu << 'CUDA'
#include <cstdio>
__global__ void compare(const float *x, int n, unsigned *apart) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = x[i], b = x[n + i], c = x[2 * n + i];
    if ((a * b - c != fmaf(a, b, -c)) | (a - b * c != fmaf(-b, c, a))) atomicAdd(apart, 1);
}
int main() {
    const int n = 1 << 14;
    float *x;
    unsigned *apart, r = 1;
    cudaMallocManaged(&x, 3 * n * sizeof(float)), cudaMallocManaged(&apart, sizeof *apart);
    *apart = 0;
    for (int i = 0; i < 3 * n; i++) r = r * 1664525 + 1013904223, x[i] = (int)(r >> 8) * 0.1f;
    compare<<<n / 128, 128>>>(x, n, apart);
    cudaDeviceSynchronize();
    printf("%u apart\n", *apart);
}
CUDA
expect 0 '' -- warpglass run differences.cu
said '^0 apart$'
expect 0 '' -- warpglass run -fmad=false differences.cu
said '^[1-9][0-9]* apart$'

finish
