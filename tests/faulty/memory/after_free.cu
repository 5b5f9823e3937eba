// A kernel is given memory that was freed: it is read, and it is written.
// expect: use-after-free line 5
// says: allocated by cudaMalloc at after_free.cu:9 in main and freed at after_free.cu:11 in main

__global__ void add(int *x) { x[threadIdx.x] += 1; }

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    cudaFree(x);
    add<<<1, 64>>>(x);
    cudaDeviceSynchronize();
}
