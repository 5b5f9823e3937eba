// Some threads return before the barrier of the grid: put right.

#include <cooperative_groups.h>
#include <cstdlib>

__global__ void phases(int *data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i;
    cooperative_groups::this_grid().sync();
    if (i < n) data[1024 + i] = data[n - 1 - i];
}

static void launch(int *data) {
    int n = 100;
    void *arguments[] = {&data, &n};
    if (cudaLaunchCooperativeKernel((void *)phases, 4, 32, arguments, 0, nullptr) != cudaSuccess) exit(1);
}

int main() {
    int *data;
    if (cudaMalloc(&data, 4096 * sizeof(int)) != cudaSuccess) return 1;
    if (cudaMemset(data, 0, 4096 * sizeof(int)) != cudaSuccess) return 1;
    launch(data);
    const bool good = cudaDeviceSynchronize() == cudaSuccess;
    if (cudaFree(data) != cudaSuccess && good) return 1;
    return 0;
}
