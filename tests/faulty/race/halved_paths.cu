// The trees of a union-find are made flatter by plain stores, from two places that the function is inlined in and by all
// threads of the grid: one statement is wrong.
// expect: race-warp line 19 other 20
// expect: race-block line 18 other 20
// expect: race-block line 19 other 20
// expect: race-block line 20 other 18
// expect: race-warp line 20 other 20
// expect: race-block line 20 other 18
// expect: race-block line 20 other 20
// expect: race-warp line 19 other 20
// expect: race-warp line 19 other 20
// expect: race-block line 20 other 18
// expect: race-warp line 20 other 20
// causes: 1
#include <cstdio>

__device__ int root(int *parent, int x) {
    while (parent[x] != x) {
        int above = parent[parent[x]];
        parent[x] = above;
        x = above;
    }
    return x;
}

__global__ void unite(int *parent, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= n) return;
    int a = root(parent, i), b = root(parent, i + 1);
    if (a != b) atomicMin(&parent[a > b ? a : b], a < b ? a : b);
}

int main() {
    const int n = 256;
    int *parent, h[n];
    for (int i = 0; i < n; i++) h[i] = i ? i - 1 : 0;
    if (cudaMalloc(&parent, sizeof h) != cudaSuccess) return 1;
    if (cudaMemcpy(parent, h, sizeof h, cudaMemcpyHostToDevice) != cudaSuccess) return 1;
    unite<<<4, 64>>>(parent, n);
    if (cudaMemcpy(h, parent, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    if (cudaFree(parent) != cudaSuccess) return 1;
    return h[0];
}
