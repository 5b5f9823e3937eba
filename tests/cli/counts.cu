/* 128, counted by a kernel: what the tests of build systems build. */
__global__ void add(int *x) { atomicAdd(x, 1); }

int count() {
    int *x, got = 0;
    cudaMalloc(&x, sizeof got);
    cudaMemset(x, 0, sizeof got);
    add<<<4, 32>>>(x);
    cudaMemcpy(&got, x, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return got;
}
