// Launches that are refused, whose errors the program looks at and lives with; the memory check is off.
// expect: launch-refused line 15
// expect: launch-refused line 19
// expect: launch-refused line 23
// says: The launch of set(int*) returned cudaErrorInvalidValue (1): a grid of 0x1x1 blocks
// says: 2 more like it
// options: --only race
#include <cstdio>

__global__ void set(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

static void look(void) { printf("%s\n", cudaGetErrorString(cudaGetLastError())); }
int main() {
    int *x, n = 0;
    cudaMalloc(&x, 2048 * sizeof(int)), set<<<1, 2048>>>(x);
    look();

    for (int i = 0; i < 3; i++) {
        set<<<n, 32>>>(x);
        look();
    }
    void *arguments[] = {&x};
    cudaError_t e = cudaLaunchCooperativeKernel((void *)set, dim3(1 << 20), dim3(32), arguments, 0, 0);
    if (e) printf("%s\n", cudaGetErrorString(e));
    cudaGetLastError();
    cudaFree(x);
}
