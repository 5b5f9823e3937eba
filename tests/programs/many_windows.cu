/* many_windows: more blocks at a time than there is room for with nothing in reach of their windows of shared
 * memory (shared_windows.cu). All of a cooperative grid's blocks are there at once, and each keeps what is
 * its own. */
#include "program.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void meet(unsigned *sum) {
    __shared__ unsigned own[32];
    own[threadIdx.x] = blockIdx.x;
    cg::this_grid().sync();
    atomicAdd(sum, own[threadIdx.x] == blockIdx.x);
}

int main() {
    Array<unsigned> sum(1);
    for (int blocks : {132, 1500, 4224}) {
        void *arguments[] = {&sum.p};
        sum[0] = 0;
        CALL(cudaLaunchCooperativeKernel((void *)meet, dim3(blocks), dim3(32), arguments, 0, 0));
        CALL(cudaDeviceSynchronize());
        printf("%d blocks meet: %u\n", blocks, sum[0]);
    }
    return 0;
}
