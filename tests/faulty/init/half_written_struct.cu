// The second field of a structure is forgotten; both fields are floats, so it is no padding.
// expect: uninitialised-copy line 23
// says: 16 of the 32 bytes copied were never written, the first of them at byte 4
#include <cstdio>

struct minmax {
    float lo, hi;
};
__global__ void least(const float *in, minmax *out) {
    float m = in[threadIdx.x];
    for (int o = 16; o; o >>= 1) m = fminf(m, __shfl_xor_sync(~0u, m, o));
    if (threadIdx.x == 0) out[blockIdx.x].lo = m;
}

int main() {
    float host[32], *in;
    minmax result[4], *out;
    for (int i = 0; i < 32; i++) host[i] = i - 5;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    least<<<4, 32>>>(in, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%g %g\n", result[0].lo, result[0].hi);
    cudaFree(in);
    cudaFree(out);
}
