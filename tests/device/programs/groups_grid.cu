/* A cooperative launch whose blocks wait for each other. */
// PTX: __wg_grid_sync
// PTX: __wg_grid_is_cooperative
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void steps(int *data, int n) {
    cg::grid_group grid = cg::this_grid();
    if (!grid.is_valid()) return;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) data[i]++;
    grid.sync();
    if (grid.thread_rank() == 0) data[0] = grid.num_blocks() + grid.block_rank() + grid.num_threads();
    cg::sync(grid);
}
int main() {
    int *data = nullptr, n = 100, blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, steps, 128, 0);
    void *arguments[] = {&data, &n};
    cudaLaunchCooperativeKernel((void *)steps, dim3(blocks), dim3(128), arguments);
    return cudaLaunchCooperativeKernel(steps, 4, 128, arguments, 0, 0);
}
