// A launch gives less shared memory than the kernel uses: mended.

__global__ void reverse(int *x) {
    extern __shared__ int all[];
    int i = threadIdx.x;
    all[i] = x[i];
    __syncthreads();
    x[i] = all[blockDim.x - 1 - i];
}

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    reverse<<<1, 64, 64 * sizeof(int)>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
