// The fault stands in a function that is inlined in two kernels; both callers are named.
// expect: out-of-bounds line 7
// expect: out-of-bounds line 7
// says: called at inlined_helper.cu:8
// says: called at inlined_helper.cu:9

__device__ int next_of(const int *x, int i, int n) { return x[i + 1]; }
__global__ void first(const int *x, int *y) { y[threadIdx.x] = next_of(x, threadIdx.x, 64); }
__global__ void second(const int *x, int *y) { y[threadIdx.x] = 2 * next_of(x, threadIdx.x, 64); }

int main() {
    int *x, *y;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    first<<<1, 64>>>(x, y);
    second<<<1, 64>>>(x, y);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}
