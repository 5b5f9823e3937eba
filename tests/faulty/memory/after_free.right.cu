// A kernel is given memory that was freed: it is read, and it is written: mended.

__global__ void add(int *x) { x[threadIdx.x] += 1; }

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    add<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
