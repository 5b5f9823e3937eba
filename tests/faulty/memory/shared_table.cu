// A table in shared memory is one element too short.
// expect: shared-bounds line 10
// says: just past the end of shared variable 'prefix' (128 bytes)

__global__ void sums(const int *x, int *out) {
    __shared__ int prefix[32];
    __shared__ int other[32];
    int i = threadIdx.x;
    other[i] = x[i];
    prefix[i + 1] = x[i];
    __syncthreads();
    out[i] = i ? prefix[i] + other[i] : other[i];
}

int main() {
    int *x, *out;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    sums<<<1, 32>>>(x, out);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(out);
}
