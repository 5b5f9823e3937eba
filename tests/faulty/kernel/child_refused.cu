// A kernel launches another one with more threads than a block may have, and looks at the error.
// expect: launch-refused line 9
// says: child(int*) is not launched: a block of 4096x1x1 threads
// says: a launch by block (0,0,0), thread (0,0,0)
#include <cstdio>

__global__ void child(int *x) { x[threadIdx.x] = 1; }
__global__ void parent(int *x, int n) {
    child<<<1, n>>>(x);
    x[0] = cudaGetLastError() != cudaSuccess;
}

int main() {
    int *x, host;
    cudaMalloc(&x, 32 * sizeof(int));
    parent<<<1, 1>>>(x, 4096);
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
    cudaFree(x);
}
