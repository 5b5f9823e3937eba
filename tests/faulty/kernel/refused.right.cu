// The same launches of shapes that can be.
// options: --only race
#include <cstdio>

__global__ void set(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

static void look(void) { printf("%s\n", cudaGetErrorString(cudaGetLastError())); }
int main() {
    int *x, n = 1;
    cudaMalloc(&x, 2048 * sizeof(int)), set<<<2, 1024>>>(x);
    look();
    for (int i = 0; i < 3; i++) {
        set<<<n, 32>>>(x);
        look();
    }
    void *arguments[] = {&x};
    cudaError_t e = cudaLaunchCooperativeKernel((void *)set, dim3(1 << 3), dim3(32), arguments, 0, 0);
    if (e) printf("%s\n", cudaGetErrorString(e));
    cudaFree(x);
}
