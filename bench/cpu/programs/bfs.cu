/* bfs: distances from one vertex of a graph, level by level: lanes part at every vertex. */
#include "launch.h"

__global__ void begin(int *level, int n) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) level[v] = v == 0 ? 0 : -1;
}

__global__ void advance(const int *first, const int *leads, int *level, int *more, int n, int now) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != now) return;
    for (int e = first[v]; e < first[v + 1]; e++) {
        const int to = leads[e];
        if (level[to] < 0) {
            level[to] = now + 1;
            *more = 1;
        }
    }
}

int main(int argc, char **argv) {
    return launch::run(argc, argv, "bfs", [](const launch::Problem &p) {
        const int n = p.n[0], blocks = gallery::blocks_for(n, 256);
        begin<<<blocks, 256>>>(p.result<int>(), n);
        int more = 1;
        for (int now = 0; more; now++) {
            CHECK(cudaMemset(p.working<int>(), 0, sizeof(int)));
            advance<<<blocks, 256>>>(p.input<int>(0), p.input<int>(1), p.result<int>(), p.working<int>(), n,
                                     now);
            CHECK(cudaMemcpy(&more, p.working<int>(), sizeof(int), cudaMemcpyDeviceToHost));
        }
    });
}
