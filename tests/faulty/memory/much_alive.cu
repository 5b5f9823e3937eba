// Much is alive where an access is refused: all of it has to be there afterwards.
// expect: out-of-bounds line 15
// says: just past the end of 80 bytes of device memory
#include <cstdio>

__global__ void wide(const int *in, int *out, int *beyond) {
    int x[64], i = threadIdx.x, s = 0;
#pragma unroll
    for (int k = 0; k < 64; k++) x[k] = in[k] * 3 + k;
#pragma unroll
    for (int k = 0; k < 64; k++) {
        out[k * 32 + i] = x[63 - k] + i;
        x[(k + 7) & 63] ^= x[k];
        if (k != 40) continue;
        beyond[i] = x[5];
    }
#pragma unroll
    for (int k = 0; k < 64; k++) s = s * 31 + x[k];
    out[64 * 32 + i] = s;
}

int main() {
    int *in, *out, *beyond;
    unsigned h = 0;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 65 * 32 * sizeof(int));
    cudaMalloc(&beyond, 20 * sizeof(int));
    for (int k = 0; k < 64; k++) in[k] = k * k + 1;
    wide<<<1, 32>>>(in, out, beyond);
    cudaDeviceSynchronize();
    for (int k = 0; k < 65 * 32; k++) h = h * 1000003u + (unsigned)out[k];
    printf("%u\n", h);
    cudaFree(in);
    cudaFree(out);
    cudaFree(beyond);
}
