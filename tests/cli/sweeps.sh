#!/bin/bash
# Loops that a worker's blocks go through turn by turn together (machine/worker.c): who faulted is the lowest block
# that would have in whatever turn, as where each block makes all its turns by itself.
. "$(dirname "$0")/expect.sh"

cat > sums.cu << 'CUDA'
#include <cstdio>

__global__ void count(const int *in, unsigned *bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i]], 1);
}

int main() {
    const int n = 800000, blocks = 100, threads = 512, wild = 1 << 28;
    static int host[n];
    unsigned *bins;
    int *in;
    /* turn 0 of block 41, turn 3 of block 30, turn 15 of block 7: the last one, which not all threads make */
    host[41 * threads + 5] = host[(3 * blocks + 30) * threads + 9] = wild;
    host[(15 * blocks + 7) * threads + 33] = wild;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&bins, 4);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    count<<<blocks, threads>>>(in, bins, n);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
CUDA
warpglass cc -O3 sums.cu -o sums

told() { WARPGLASS_BACKEND=$1 WARPGLASS_THREADS=$2 ./sums 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/'; }

told ref 1 > told.ref
grep -q 'by thread (33,0,0) of block (7,0,0)' told.ref || fail "the reference's fault is another one"
for threads in 1 2 3; do
    told jit $threads | diff -u told.ref - || fail "with $threads threads"
done
finish
