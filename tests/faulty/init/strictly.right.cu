// The same is no finding where nothing comes of it.

__global__ void twice(const int *a, int *b) { b[threadIdx.x] = 2 * a[threadIdx.x] + 1; }

__global__ void neighbours(int *b) {
    __shared__ int line[32];
    if (threadIdx.x < 31) line[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x) b[threadIdx.x] = line[threadIdx.x] + line[threadIdx.x - 1];
}

int main() {
    int *a, *b;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMalloc(&b, 64 * sizeof(int));
    twice<<<1, 64>>>(a, b);
    neighbours<<<1, 32>>>(b);
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
}
