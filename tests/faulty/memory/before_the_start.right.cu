// A stencil that reads left of its array: mended.

__global__ void differences(const int *x, int *d) {
    int i = threadIdx.x;
    d[i] = i ? x[i] - x[i - 1] : x[i];
}

int main() {
    int *x, *d;
    cudaMalloc(&x, 128 * sizeof(int));
    cudaMalloc(&d, 128 * sizeof(int));
    cudaMemset(x, 0, 128 * sizeof(int));
    differences<<<1, 128>>>(x, d);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(d);
}
