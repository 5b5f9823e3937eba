#!/bin/bash
# Loops that a worker's blocks go through turn by turn together (machine/worker.c): who faulted is the lowest block
# that would have in whatever turn, as where each block makes all its turns by itself.
. "$(dirname "$0")/expect.sh"

cat > sums.cu << 'CUDA'
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

__global__ void count(const int *in, unsigned *bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i]], 1);
}

__global__ void shared(const int *in, unsigned *bins, int n) {
    __shared__ unsigned mine[64];
    if (threadIdx.x < 64) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void __cluster_dims__(2) cluster(const int *in, unsigned *bins, int n) {
    __shared__ unsigned part[32];
    cg::cluster_group both = cg::this_cluster();
    if (threadIdx.x < 32) part[threadIdx.x] = 0;
    both.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(both.map_shared_rank(part, in[i] % 2) + in[i] / 2, 1);
    both.sync();
    if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x * 2 + both.block_rank()], part[threadIdx.x]);
}

int main(int, char **argv) {
    const int n = 800000, blocks = 100, threads = 512, wild = 1 << 28, kind = atoi(argv[1]), bad = atoi(argv[2]);
    static int host[n];
    unsigned *bins;
    int *in;
    /* turn 0 of block 41, turn 3 of block 30, turn 15 of block 7: the last one, which not all threads make */
    if (bad == 1) host[41 * threads + 5] = host[(3 * blocks + 30) * threads + 9] = wild;
    if (bad == 1) host[(15 * blocks + 7) * threads + 33] = wild;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&bins, 256);
    if (bad == 2) bins = (unsigned *)(8ull << 40);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    (kind == 0 ? count : kind == 1 ? shared : cluster)<<<blocks, threads>>>(in, bins, n);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
CUDA
warpglass cc -O3 sums.cu -o sums

told() { WARPGLASS_BACKEND=$1 WARPGLASS_THREADS=$2 ./sums $3 $4 2>&1 | sed 's/0x[0-9a-f]*/ADDRESS/; s/is [0-9]* bytes/is BYTES/'; }

for kind in 0 1 2; do
    for bad in 1 2; do
        block=$((bad == 1 ? 7 : 0)) thread=$((bad == 1 ? 33 : 0))
        told ref 1 $kind $bad > told.ref
        grep -q "by thread ($thread,0,0) of block ($block,0,0)" told.ref || fail "the reference's fault is another one"
        for threads in 1 2 3; do
            told jit $threads $kind $bad | diff -u told.ref - || fail "kernel $kind, $bad, with $threads threads"
        done
    done
done
finish
