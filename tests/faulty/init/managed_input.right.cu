// The same memory, written by the host in ways that are seen and unseen (a library), by a copy, a fill and a kernel.
#include <cstdio>
#include <cstdlib>

__global__ void scale(const int *in, int *out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = 2 * in[blockIdx.x * blockDim.x + threadIdx.x] + 1;
}
__global__ void positive(const float *in, int *out, int i) {
    if (in[i + threadIdx.x] > 0) out[threadIdx.x] = 1;
}
__global__ void count(int *n) { atomicAdd(n, 1); }

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main() {
    int *in, *out, *n, host[1] = {};
    float *half;
    cudaMallocManaged(&in, 1 << 17);
    cudaMallocManaged(&out, 1 << 17);
    cudaMallocManaged(&half, 1 << 17);
    cudaMallocManaged(&n, sizeof *n);
    FILE *zeros = fopen("/dev/zero", "r");
    if (fread(in, 1, 1 << 17, zeros) != 1 << 17) return 1;
    fclose(zeros);
    scale<<<128, 256>>>(in, out);
    cudaMemset(half, 0, 1 << 17);
    cudaDeviceSynchronize();
    qsort(out, 1 << 15, sizeof *out, compare);
    printf("%d\n", out[100]);
    positive<<<1, 32>>>(half, out, 1 << 14);
    cudaMemcpy(n, host, sizeof *n, cudaMemcpyHostToDevice);
    count<<<1, 32>>>(n);
    cudaDeviceSynchronize();
    scale<<<1, 32>>>(out, in);
    cudaDeviceSynchronize();
    printf("%d\n", in[3] + *n);
    cudaFree(in);
    cudaFree(out);
    cudaFree(half);
    cudaFree(n);
}
