#!/bin/bash
# Variables of a module in global memory are each at a place of their own, as the driver puts them: as HeCBench's hungarian
# and bench/gpu/system_calls.cu (string_of_halves) showed on an H200, arrays of odd sizes begin with a sector and a line.
. "$(dirname "$0")/../cli/expect.sh"
cat > variables.cu << 'END'
__device__ float a[20] = {1}, b[20] = {2}, c[20] = {3}, d[20] = {4};
__device__ int flag = 1;
__device__ float zeros[20];
__global__ void rows(float *out) {
    int i = threadIdx.x;
    if (i < 20) out[i] = a[i] + b[i] * c[i] - d[i] + zeros[i] * flag;
}
int main() {
    float *out;
    cudaMalloc(&out, 128);
    rows<<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
END
check() { # OPTION...
    expect 0 '' -- warpglass profile -w "$@" --expect 'rows: global_load_requests == 6' --expect 'rows: global_load_l1_sectors == 16' \
        --expect 'rows: global_tags == 7' --expect 'rows: global_ideal_sectors == 19' --expect 'rows: global_sectors == 19' variables.cu
}
check
WARPGLASS_BACKEND=ref check
! command -v nvcc > /dev/null || check --compiler nvcc
finish
