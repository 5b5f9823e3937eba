// A launch of more threads than a block may have; nobody looks. The copy returns its error, and whether
// the program looks at that cannot be seen: a note.
// expect: unread-error line 14
// says: Note: cudaMemcpy gave CUDA_ERROR_INVALID_VALUE (1): the destination of the copy
// says: whether the program looked at what the call returned cannot be seen.

__global__ void set(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main() {
    static int host[4096];
    int *x;
    cudaMalloc(&x, 2048 * sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    set<<<1, 2048>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
}
