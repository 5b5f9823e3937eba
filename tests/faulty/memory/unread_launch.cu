// A launch of more threads than a block may have, and a copy that is too long; nobody looks.
// expect: unread-error line 13
// expect: launch-refused line 14
// says: The launch of set(int*) returned cudaErrorInvalidValue (1): a block of 2048x1x1 threads: x must be 1 to 1024; the program never looked
// says: It returned cudaErrorInvalidValue (1): the destination of the copy

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
