// A kernel has an instruction that Warpglass does not have, so it is not run, and the program takes that in its stride.
// expect: illegal-instruction line 14
// says: unsupported instruction
#include <cstdio>

__global__ void fence(int *x) {
    if (*x == 1) asm volatile("tcgen05.fence::before_thread_sync;");
    *x = 1;
}

int main() {
    int *x;
    cudaMalloc(&x, sizeof(int));
    fence<<<1, 1>>>(x);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
    cudaFree(x);
    return 0;
}
