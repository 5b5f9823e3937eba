// Managed memory that nobody has written, host or kernel: a whole array, the half that the host's loop leaves out, a counter.
// expect: uninitialised-copy line 27
// expect: uninitialised-branch line 13
// expect: uninitialised-use line 15
// says: 131072 bytes of managed memory, which was never written
// says: The memory: 131072 bytes of managed memory
#include <cstdio>

__global__ void scale(const int *in, int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 2 * in[blockIdx.x * blockDim.x + threadIdx.x] + 1;
}
__global__ void positive(const float *in, int *out, int i) {
    if (in[i + threadIdx.x] > 0) out[threadIdx.x] = 1;
}
__global__ void count(int *n) { atomicAdd(n, 1); }

int main() {
    int *in, *out, *n;
    float *half;
    cudaMallocManaged(&in, 1 << 17);
    cudaMallocManaged(&out, 1 << 17);
    cudaMallocManaged(&half, 1 << 17);
    cudaMallocManaged(&n, sizeof *n);
    scale<<<128, 256>>>(in, out);
    for (int i = 0; i < 1 << 14; i++) half[i] = 1;
    cudaDeviceSynchronize();
    printf("%d\n", out[100]);
    positive<<<1, 32>>>(half, out, 1 << 14);
    count<<<1, 32>>>(n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    cudaFree(half);
    cudaFree(n);
}
