// A table of constants is read beyond its end.
// expect: out-of-bounds line 8
// says: constant 'weights' (12 bytes)

__constant__ float weights[3] = {1, 2, 1};
__global__ void blur(const float *x, float *y, int radius) {
    float sum = 0;
    for (int k = -radius; k <= radius; k++) sum += weights[k + radius + 1] * x[threadIdx.x + k + radius];
    y[threadIdx.x] = sum;
}

int main() {
    float *x, *y;
    cudaMalloc(&x, 66 * sizeof(float));
    cudaMalloc(&y, 64 * sizeof(float));
    cudaMemset(x, 0, 66 * sizeof(float));
    blur<<<1, 64>>>(x, y, 1);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
