// The width is in bytes.
#include <cstdio>

__global__ void total(const float *x, size_t pitch, float *sums) {
    const float *row = (const float *)((const char *)x + threadIdx.x * pitch);
    float sum = 0;
    for (int i = 0; i < 16; i++) sum += row[i];
    sums[threadIdx.x] = sum;
}

int main() {
    float host[8][16], out[8], *x, *sums;
    size_t pitch;
    for (int i = 0; i < 128; i++) host[i / 16][i % 16] = i;
    cudaMallocPitch(&x, &pitch, 16 * sizeof(float), 8);
    cudaMalloc(&sums, sizeof out);
    cudaMemcpy2D(x, pitch, host, sizeof host[0], 16 * sizeof(float), 8, cudaMemcpyHostToDevice);
    total<<<1, 8>>>(x, pitch, sums);
    cudaMemcpy(out, sums, sizeof out, cudaMemcpyDeviceToHost);
    printf("%d\n", out[1] > 0);
    cudaFree(x);
    cudaFree(sums);
    return 0;
}
