#!/bin/bash
# Stores past the caches (jit/access/stream.c): which stores of which kernels, and that nothing asks for their lines.
. "$(dirname "$0")/expect.sh"

cat > kernels.cu << 'CUDA'
#include <cstdio>
#include <cstring>
__global__ void copy(const int *in, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
/* In place, with the address worked out again behind the barrier. */
__global__ void turn(int *values, int n) {
    __shared__ int part[256];
    const int first = blockIdx.x * blockDim.x, t = threadIdx.x;
    if (first + t < n) part[t] = values[first + t];
    __syncthreads();
    if (first + t < n) values[first + t] = part[blockDim.x - 1 - t];
}
/* Another word of the array that is written. */
__global__ void next(int *values, int *sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i + 512] = values[i] + 1;
    sums[i] = 2 * i;
}
__global__ void tiles(const int *in, int *out, int n) {
    __shared__ int part[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    part[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = part[threadIdx.x][threadIdx.y];
}
/* Columns of memory: warps side by side. */
__global__ void columns(const int *in, int *out, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[y * n + x] = in[x * n + y];
}
__global__ void across(const int *in, int *out, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}
int main(int argc, char **argv) {
    const int n = 256;
    int *a, *b;
    cudaMallocManaged(&a, n * n * sizeof(int)), cudaMallocManaged(&b, (n * n + 1) * sizeof(int));
    for (int i = 0; i < n * n; i++) a[i] = i, b[i] = 0;
    if (!strcmp(argv[1], "copy")) copy<<<n, n>>>(a, b + 1 * (argc > 2));
    if (!strcmp(argv[1], "turn")) turn<<<n, n>>>(a, n * n);
    if (!strcmp(argv[1], "next")) next<<<1, n>>>(a, b);
    if (!strcmp(argv[1], "tiles")) tiles<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, n);
    if (!strcmp(argv[1], "columns")) columns<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b + 1 * (argc > 2), n);
    if (!strcmp(argv[1], "across")) across<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b + 1 * (argc > 2), n);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    unsigned sum = 0;
    for (int i = 0; i < n * n; i++) sum = sum * 31 + a[i] * 7 + b[i];
    printf("%08x\n", sum);
}
CUDA
expect 0 '' -- warpglass cc -O3 kernels.cu -o kernels

# streams NAME STORES: so many stores of the kernel may go past the caches; its code is left in `made`.
streams() {
    local got
    WARPGLASS_DUMP=llvm expect 0 'define' -- ./kernels "$1"
    sed -n '/^define.*_W/,/^}/p;/^}/q' "$stderr" > made
    got=$(grep -c 'store.*nontemporal' made)
    [[ $got == "$2" ]] || fail "$1: $got stores may go past the caches, not $2"
}
streams copy 1
streams turn 0
streams next 1
# Sixteen warps side by side, which read columns together; one alone would not stream.
if grep -q -w avx512f /proc/cpuinfo; then streams columns 16; else streams columns 0; fi
streams tiles 1
grep -q 'prefetch.*i32 1, i32 3' made || fail "tiles asks for no line that it will write"
grep -B 8 'prefetch.*i32 1, i32 3' made | grep -q ' select i1 ' || fail "tiles asks for lines that it will not keep"

# The same results whichever way, aligned to lines or not.
for what in copy 'copy off' turn next tiles columns 'columns off' across 'across off'; do
    for how in WARPGLASS_STREAM_KB=0 WARPGLASS_STREAM_KB=1000000 WARPGLASS_BACKEND=ref; do
        # shellcheck disable=SC2086
        env "$how" ./kernels $what > "out.$how" 2>&1 || fail "$what: $how"
        cmp -s "out.$how" out.WARPGLASS_STREAM_KB=0 || fail "$what: $how differs"
    done
done
finish
