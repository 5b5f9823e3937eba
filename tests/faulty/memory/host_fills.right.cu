// Memory of each kind that the host may access, through pointers that were of device memory a moment ago.
#include <cstdio>

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
__managed__ int own[64];

static void fill(int *x, int n) {
    for (int i = 0; i < n; i++) x[i] = i;
}

static void run(int *x, int n) {
    fill(x, n);
    twice<<<1, n>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", x[3]);
}

int main() {
    int *x, n = 64;
    cudaMalloc(&x, n * sizeof(int));
    cudaMemset(x, 0, n * sizeof(int));
    twice<<<1, n>>>(x);
    cudaFree(x);
    cudaMallocManaged(&x, n * sizeof(int));
    run(x, n);
    cudaFree(x);
    cudaMallocHost(&x, n * sizeof(int));
    run(x, n);
    cudaFreeHost(x);
    run(own, n);
    return 0;
}
