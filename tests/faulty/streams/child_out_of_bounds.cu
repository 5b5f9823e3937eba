// The child's last block has more threads than there are elements.
// expect: out-of-bounds line 5
#include <cstdio>

__global__ void child(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

__global__ void parent(int *x, int n) { child<<<(n + 31) / 32, 32>>>(x); }

int main() {
    int *x, first;
    cudaMalloc(&x, 40 * sizeof(int));
    parent<<<1, 1>>>(x, 40);
    cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    return 0;
}
