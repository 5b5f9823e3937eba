// Threads beyond the input compute with a value that was never given to them, through branches that only choose between
// two values; what they make of it is not stored.
#include <cstdio>

__global__ void weigh(const float *x, float *y, int n) {
    int i = threadIdx.x;
    float d, sum = 0;
    if (i < n) d = x[i];
    for (int k = 1; k < 4; k++) {
        float weight = d < 0.5f * k ? 0.0f : expf(-d * k) / sqrtf(d);
        if (d > 2 * k) weight = weight < 0.1f ? 0.1f : weight * logf(d);
        sum += weight;
    }
    if (i < n) y[i] = sum;
}

int main() {
    float x[32], y[32], *dx, *dy;
    for (int i = 0; i < 32; i++) x[i] = i % 5;
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dy, sizeof y);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemset(dy, 0, sizeof y);
    weigh<<<1, 32>>>(dx, dy, 24);
    cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost);
    printf("%.3f\n", y[3]);
    cudaFree(dx);
    cudaFree(dy);
}
