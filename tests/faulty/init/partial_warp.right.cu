// Lanes that are not there add nothing.
#include <cstdio>

__global__ void sum(const int *in, int *out) {
    int v = in[threadIdx.x];
#pragma unroll 1
    for (int o = 16; o; o >>= 1) {
        int w = __shfl_down_sync(~0u, v, o);
        if (threadIdx.x + o < blockDim.x) v += w;
    }
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
