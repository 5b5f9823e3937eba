#!/bin/bash
# Kernels whose threads run in other blocks than the program's (analysis/bands.h): what went wrong is told of
# the program's block and thread, as the reference tells it.
. "$(dirname "$0")/expect.sh"

cat > bad.cu << 'CUDA'
#include <cstdio>
#include <cstdlib>
__global__ void product(const float *a, const float *b, float *c, int inner, int columns, int bad, long far) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < inner; k++) sum += a[y * inner + k] * b[k * columns + x];
    if (y == bad && x >= 70) c = (float *)((char *)c + far);
    c[y * columns + x] = sum;
}
__global__ void linear(const float *a, const float *b, float *c, int inner, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / columns, column = i % columns;
    float sum = 0;
    for (int k = 0; k < inner; k++) sum += a[row * inner + k] * b[k * columns + column];
    c[i] = sum;
}
__global__ void picture(float *c, int columns, int bad, long far) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= bad && x >= 70) c = (float *)((char *)c + far);
    c[y * columns + x] += x;
}
int main(int argc, char **argv) {
    const int which = atoi(argv[1]), bytes = 256 * 256 * 4;
    float *a, *b, *c;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemset(a, 0, bytes);
    if (which == 0) product<<<dim3(1, 256), 256>>>(a, b, c, 20, 256, 37, 1l << 32);
    if (which == 1) product<<<dim3(2, 256), 128>>>(a, b, c, 20, 256, 201, 1l << 32);
    if (which == 2) product<<<dim3(4, 256), 64>>>(a, b, c, 20, 256, 8, 2);
    if (which == 3) linear<<<256, 256>>>(a, b, c + 300 * 256, 20, 256);
    if (which == 4) linear<<<512, 128>>>(a, b + 250 * 256, c, 20, 256);
    if (which == 5) picture<<<dim3(16, 16), dim3(16, 16)>>>(c, 256, 37, 1l << 32);
    if (which == 6) picture<<<dim3(32, 26), dim3(8, 10)>>>(c, 256, 201, 1l << 32);
    if (which == 7) picture<<<dim3(16, 16), dim3(16, 16)>>>(c, 256, 37, 2);
    if (which == 8) picture<<<dim3(64, 20), dim3(4, 12)>>>(c, 256, 77, 2);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
CUDA
warpglass cc -O3 bad.cu -o bad

told() { WARPGLASS_STRICT=1 WARPGLASS_BACKEND=$1 ./bad "$2" 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/'; }

WARPGLASS_VERBOSE=1 ./bad 0 2>&1 | grep -q 'for blocks of 32x8x4' || fail "it did not run in blocks of 32 x 8 x 4"
WARPGLASS_VERBOSE=1 ./bad 5 2>&1 | grep -q 'for blocks of 32x16x1' || fail "it did not run in blocks of 32 x 16"
for which in 0 1 2 3 4 5 6 7 8; do
    told ref $which > told.ref
    grep -q 'by thread' told.ref || fail "launch $which has no fault"
    told jit $which | diff -u told.ref - || fail "launch $which"
done
finish
