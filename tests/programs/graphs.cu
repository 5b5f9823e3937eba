/* graphs: breadth-first search with queues, sparse matrix times vector by rows and by warps, connected
 * components. */
#include "program.h"

struct Graph {
    int n;
    const int *first, *to;
};

__global__ void bfs_level(Graph g, int level, int *distance, const int *queue, int length, int *next,
                          int *next_length) {
    __shared__ int local[64], count, base;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        int v = queue[i];
        for (int e = g.first[v]; e < g.first[v + 1]; e++)
            if (atomicCAS(&distance[g.to[e]], -1, level) == -1) {
                int at = atomicAdd(&count, 1);
                if (at < 64)
                    local[at] = g.to[e];
                else
                    next[atomicAdd(next_length, 1)] = g.to[e];
            }
    }
    __syncthreads();
    int n = min(count, 64);
    if (threadIdx.x == 0) base = atomicAdd(next_length, n);
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x) next[base + k] = local[k];
}

__global__ void spmv_rows(Graph g, const float *values, const float *x, float *y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= g.n) return;
    float s = 0;
    for (int e = g.first[row]; e < g.first[row + 1]; e++) s += values[e] * x[g.to[e]];
    y[row] = s;
}

__global__ void spmv_warps(Graph g, const float *values, const float *x, float *y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= g.n) return;
    float s = 0;
    for (int e = g.first[row] + lane; e < g.first[row + 1]; e += 32)
        s += __ldg(&values[e]) * __ldg(&x[g.to[e]]);
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    if (lane == 0) y[row] = s;
}

__global__ void components(Graph g, int *label, int *changed) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n) return;
    for (int e = g.first[v]; e < g.first[v + 1]; e++) {
        int least = min(atomicOr(&label[v], 0), atomicOr(&label[g.to[e]], 0));
        if (atomicMin(&label[v], least) > least) *changed = 1;
        if (atomicMin(&label[g.to[e]], least) > least) *changed = 1;
    }
}

int main() {
    const int n = 3000;
    Array<int> first(n + 1), to(n * 20), distance(n), queue(n), next(n), length(1), label(n);
    uint32_t state = 6;
    int edges = 0;
    for (int v = 0; v < n; v++) {
        first[v] = edges;
        int degree = v % 50 == 0 ? 20 : next_random(state) % 4;
        for (int k = 0; k < degree; k++) to[edges++] = next_random(state) % n;
    }
    first[n] = edges;
    Graph g = {n, first, to};
    for (int v = 0; v < n; v++) distance[v] = -1, label[v] = v;
    distance[0] = 0, queue[0] = 0;
    int *q = queue, *r = next;
    for (int level = 1, size = 1; size; level++) {
        length[0] = 0;
        bfs_level<<<(size + 127) / 128, 128>>>(g, level, distance, q, size, r, length);
        CALL(cudaDeviceSynchronize());
        size = length[0];
        printf("level %d: %d\n", level, size);
        int *t = q;
        q = r, r = t;
    }
    show("distances", distance);
    Array<float> values(edges), x(n), y(n), z(n);
    for (int e = 0; e < edges; e++) values[e] = (float)(next_random(state) % 64) / 8;
    for (int v = 0; v < n; v++) x[v] = (float)(v % 16);
    spmv_rows<<<(n + 255) / 256, 256>>>(g, values, x, y);
    show("product by rows", y);
    spmv_warps<<<(n * 32 + 127) / 128, 128>>>(g, values, x, z);
    show("product by warps", z);
    int rounds = 0;
    do {
        length[0] = 0;
        components<<<(n + 63) / 64, 64>>>(g, label, length);
        CALL(cudaDeviceSynchronize());
        rounds++;
    } while (length[0]);
    int roots = 0;
    for (int v = 0; v < n; v++) roots += label[v] == v;
    show("components", label);
    printf("%d components\n", roots);
    return 0;
}
