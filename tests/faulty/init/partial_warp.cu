// A warp's sum in blocks that have fewer than 32 threads, into memory that the host reads as it is.
// expect: uninitialised-use line 11
// says: The value is from lane 8, and lanes 7 to 31 of this warp do not exist.
// says: 2 more like it
#include <cstdio>

__global__ void sum(const int *in, int *out) {
    int v = in[threadIdx.x];
#pragma unroll 1
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (threadIdx.x == 0) *out = v;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 32 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 32; i++) in[i] = 1;
    for (int n : {7, 31, 16, 32}) {
        sum<<<1, n>>>(in, out);
        cudaDeviceSynchronize();
        printf("%d: %d\n", n, *out);
    }
    cudaFree(in);
    cudaFree(out);
}
