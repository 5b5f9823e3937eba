// Both arrays have an element for each thread.

#define COPY(to, from) (to) = (from)

__global__ void copy(const int *x, int *y) { COPY(y[threadIdx.x], x[threadIdx.x]); }

int main() {
    int *x, *y;
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMalloc(&y, 32 * sizeof *y);
    cudaMemset(x, 0, 32 * sizeof *x);
    copy<<<1, 32>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
