// A launch of more threads than a block may have; nobody looks: mended.

__global__ void set(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
    int *x;
    cudaMalloc(&x, 2048 * sizeof(int));
    set<<<2, 1024>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
