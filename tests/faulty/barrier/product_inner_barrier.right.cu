// Store and barrier stand inside the inner loop of a product, which threads outside of the matrix leave out:
// put right.

template <int T> __global__ void product(const int *a, const int *b, int *c, int n) {
    const int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    int sum = 0;
    if (row < n && column < n) {
        for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    product<16><<<dim3(2, 2), dim3(16, 16)>>>(data, data + 1024, data + 2048, 20);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
