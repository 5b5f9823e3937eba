// Two faults in one program: the second launch is looked at although the first is wrong: mended.

__global__ void fill(int *x, int n) {
    int i = threadIdx.x;
    if (i < n) x[i] = i;
}
__global__ void pairs(const int *x, long long *y) {
    y[threadIdx.x] = *(const long long *)(x + 2 * threadIdx.x);
}

int main() {
    int *x;
    long long *y;
    cudaMalloc(&x, 100 * sizeof(int));
    cudaMalloc(&y, 32 * sizeof(long long));
    cudaMemset(x, 0, 100 * sizeof(int));
    fill<<<1, 128>>>(x, 100);
    pairs<<<1, 32>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
