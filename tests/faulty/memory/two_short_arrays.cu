// One line reads past the end of an array and writes past the end of another: two findings, at one column.
// expect: out-of-bounds line 7
// expect: out-of-bounds line 7

#define COPY(to, from) (to) = (from)

__global__ void copy(const int *x, int *y) { COPY(y[threadIdx.x], x[threadIdx.x]); }

int main() {
    int *x, *y;
    cudaMalloc(&x, 30 * sizeof *x);
    cudaMalloc(&y, 31 * sizeof *y);
    cudaMemset(x, 0, 30 * sizeof *x);
    copy<<<1, 32>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
