// Averages of what was measured: fewer values are copied than are summed up: mended.

#include <cstdio>
__global__ void averages(const float *x, float *mean, int each) {
    float sum = 0;
    for (int k = 0; k < each; k++) sum += x[threadIdx.x * each + k];
    mean[threadIdx.x] = sum / each;
}

int main() {
    const int stations = 32, each = 10;
    float host[stations * each], mean[stations], *x, *m;
    for (int i = 0; i < stations * each; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&m, sizeof mean);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    averages<<<1, stations>>>(x, m, each);
    cudaMemcpy(mean, m, sizeof mean, cudaMemcpyDeviceToHost);
    printf("%s\n", mean[0] == 4.5f ? "4.5" : "not 4.5");
    cudaFree(x);
    cudaFree(m);
    return 0;
}
