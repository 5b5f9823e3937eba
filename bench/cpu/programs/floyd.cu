/* floyd: Floyd and Warshall's shortest ways, a launch for each stop. */
#include "launch.h"

__global__ void stop_at(int *way, int n, int k) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;
    const int over = way[i * n + k] + way[k * n + j];
    if (over < way[i * n + j]) way[i * n + j] = over;
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "floyd", [](const launch::Problem &p) {
        const dim3 block(16, 16), grid(gallery::blocks_for(p.n[0], 16), gallery::blocks_for(p.n[0], 16));
        for (int k = 0; k < p.n[1] && k < p.n[0]; k++) stop_at<<<grid, block>>>(p.result<int>(), p.n[0], k);
    });
}
