// The child knows how many elements there are.
#include <cstdio>

__global__ void child(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1;
}

__global__ void parent(int *x, int n) { child<<<(n + 31) / 32, 32>>>(x, n); }

int main() {
    int *x, first;
    cudaMalloc(&x, 40 * sizeof(int));
    parent<<<1, 1>>>(x, 40);
    cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    return 0;
}
