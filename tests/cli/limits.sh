#!/bin/bash
# A process that may have little address space: the device takes less of it, and says once what it needs. And one
# that finds no /proc, where it may be taken away.
. "$(dirname "$0")/expect.sh"

cat > small.cu << 'END'
#include <cstdio>
__global__ void turn(int *a) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    a[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    int *a, h[2] = {-1, -1};
    void *large;
    size_t left, total;
    cudaError_t made = cudaMalloc(&a, 1 << 20);
    turn<<<100, 64>>>(a);
    cudaMemcpy(h, a + 64 * 99, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemGetInfo(&left, &total);
    printf("%s %d %d\n", cudaGetErrorName(made), h[0], h[1]);
    printf("%s\n", cudaMalloc(&large, left + (64l << 20)) == cudaSuccess ? "more than there is" : "no more than there is");
    return made != cudaSuccess;
}
END
expect 0 '' -- warpglass cc small.cu -o small
for kb in 20000000 7000000; do
    expect 0 '' -- bash -c "ulimit -v $kb && ./small"
    said '^cudaSuccess 63 62$'
    said '^no more than there is$'
done
expect 1 'it needs at least 4096 MiB besides .* the process may have 1953 \(ulimit -v\)' -- bash -c "ulimit -v 2000000 && ./small"
[[ $(grep -c 'no address space' "$stderr") == 1 ]] || fail "it is not said once"
hide='mount -t tmpfs none /proc'
if unshare -m bash -c "$hide" 2>/dev/null; then
    expect 0 '' -- unshare -m bash -c "$hide && exec \"\$WARPGLASS\" run small.cu"
    said '^cudaSuccess 63 62$'
    said '^no more than there is$'
    expect 0 '' -- unshare -m bash -c "$hide && exec \"\$WARPGLASS\" info"
    said '^  /proc     not mounted: '
fi
finish
