// A kernel reads two arrays that one of another stream writes, and the host reads twice: for each, one wait is missing.
// expect: race-stream line 16 other 10
// expect: race-stream line 16 other 11
// expect: race-host line 30 other 16
// expect: race-host line 31 other 16
// causes: 2
// says: 1 other pair of accesses has the same cause: lines 11 and 16.
// says: 1 other pair of accesses has the same cause: lines 16 and 31.
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
    use<<<1, 64, 0, second>>>(a, b, out);
    if (cudaStreamSynchronize(first) != cudaSuccess) return 1;
    int sum = out[0];
    for (int i = 1; i < 64; i++) sum += out[i];
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(out);
    return sum == -1;
}
