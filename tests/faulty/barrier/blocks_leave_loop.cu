// Blocks go on in a loop with a barrier of the grid after others have left it.
// expect: barrier-exited line 12 other 10
// says: Threads have left the loop that the barrier is in.
// options: --only barrier

#include <cooperative_groups.h>
#include <cstdlib>

__global__ void relax(int *data, int rounds) {
    for (int i = 0; i < rounds + (blockIdx.x == 1); i++) {
        data[blockIdx.x * blockDim.x + threadIdx.x] += i;
        cooperative_groups::this_grid().sync();
    }
}

static void launch(int *data) {
    int rounds = 3;
    void *arguments[] = {&data, &rounds};
    if (cudaLaunchCooperativeKernel((void *)relax, 4, 32, arguments, 0, nullptr) != cudaSuccess) exit(1);
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
