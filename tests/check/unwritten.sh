#!/bin/bash
# Loads of memory that a launch does not write race with nothing, whatever order they ask for, and are not kept: seen by how
# much memory the program takes. Where they might be written they are kept.
. "$(dirname "$0")/../cli/expect.sh"
cat > sum.cu << 'PROGRAM'
#include <cstdio>
#include <cstring>

__global__ void sum(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
    for (int k = i; k < n; k += gridDim.x * blockDim.x)
#ifdef PAST_L1
        s += __ldcg(&x[k]);
#elif defined VOLATILE
        s += *(const volatile int *)&x[k];
#elif defined WRITTEN
        s += n < 0 ? ((int *)x)[k] = k : __ldcg(&x[k]);
#else
        s += x[k];
#endif
    y[i] = s;
}

int main() {
    const int n = 1 << 25; // 128 MiB
    int *x, *y;
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&y, (1 << 16) * sizeof *y);
    sum<<<256, 256>>>(x, y, n);
    cudaDeviceSynchronize();
    long kib = 0;
    char line[200];
    for (FILE *f = fopen("/proc/self/status", "r"); fgets(line, sizeof line, f);)
        if (strncmp(line, "VmHWM:", 6) == 0) sscanf(line + 6, "%ld", &kib);
    printf("took %ld MiB\n", kib / 1024);
}
PROGRAM
took() { sed -n 's/^took \([0-9]*\) MiB$/\1/p' "$stdout"; }
expect 0 '' -- warpglass check --only race sum.cu
plain=$(took)
for order in PAST_L1 VOLATILE; do
    expect 0 '' -- warpglass check --only race -D$order sum.cu
    (($(took) < plain + 32)) || fail "$order: took $(took) MiB, and $plain MiB with plain loads"
done
expect 0 '' -- warpglass check --only race -DWRITTEN sum.cu
(($(took) > plain + 64)) || fail "took $(took) MiB with a store that does not happen, and $plain MiB without"
finish
