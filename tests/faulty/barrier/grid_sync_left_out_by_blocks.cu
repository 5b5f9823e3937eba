// A block returns before the barrier of the grid.
// expect: barrier-exited line 12 other 10
// options: --only barrier

#include <cooperative_groups.h>
#include <cstdlib>

__global__ void phases(int *data, int blocks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x >= blocks) return;
    data[i] = i;
    cooperative_groups::this_grid().sync();
    data[1024 + i] = data[blocks * blockDim.x - 1 - i];
}

static void launch(int *data) {
    int blocks = 3;
    void *arguments[] = {&data, &blocks};
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
