// The host waits for the one before it launches the other, and for that before it reads.
__global__ void make(int *a, int *b) {
    a[threadIdx.x] = threadIdx.x;
    b[threadIdx.x] = 2 * threadIdx.x;
}

__global__ void use(const int *a, const int *b, int *out) {
    const int i = threadIdx.x;
    out[i] = a[i] + b[i];
}

int main() {
    int *a, *b, *out;
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMalloc(&b, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    make<<<1, 64, 0, first>>>(a, b);
    if (cudaStreamSynchronize(first) != cudaSuccess) return 1;
    use<<<1, 64, 0, second>>>(a, b, out);
    if (cudaStreamSynchronize(second) != cudaSuccess) return 1;
    int sum = out[0];
    for (int i = 1; i < 64; i++) sum += out[i];
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(out);
    return sum == -1;
}
