// Steps between barriers of the grid, in managed memory: each reads what others wrote before the barrier, but for one, which
// comes before it.
// expect: race-grid line 13 other 14
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void relax(float *a, float *b, const int *next, int n, int turns) {
    cg::grid_group grid = cg::this_grid();
    for (int k = 0; k < turns; k++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[next[i]] + 1;
        grid.sync();
        for (int i = grid.thread_rank(); i < n; i += grid.size()) a[i] = b[i] / 2;
        for (int i = grid.thread_rank(); i < n; i += grid.size()) b[i] = a[next[i]];
        grid.sync();
    }
}

int main() {
    float *a, *b;
    int *next, n = 1024, turns = 3;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    cudaMallocManaged(&next, n * sizeof(int));
    for (int i = 0; i < n; i++) a[i] = b[i] = i, next[i] = (i + 320) % n;
    void *args[] = {&a, &b, &next, &n, &turns};
    cudaLaunchCooperativeKernel((void *)relax, 4, 64, args, 0, nullptr);
    cudaDeviceSynchronize();
    printf("%g\n", a[0]);
    cudaFree(a);
    cudaFree(b);
    cudaFree(next);
    return 0;
}
