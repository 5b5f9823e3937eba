/* Loops of several blocks in which lanes part: each lane with a stack, a queue or a search of its own. What lanes leave
 * in their own memory, in shared memory and in global memory is there behind the loop, for them and for others. */
#include <cstdio>
#include <cuda_runtime.h>

/* Pieces of a segment, halved until they are short: a stack of pairs in local memory. */
template <class T> __global__ void halves(const T *from, T *sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T first[12], length[12], sum = 0;
    first[0] = T(i % 5);
    length[0] = T(from[i] % 50 + 1);
    for (int top = 1; top > 0;) {
        const T at = first[--top], long_ = length[top];
        if (long_ <= 3) {
            sum = T(sum * 3 + at * long_);
            continue;
        }
        const T half = T(long_ / 2);
        first[top] = at;
        length[top++] = half;
        first[top] = T(at + half);
        length[top++] = T(long_ - half);
    }
    sums[i] = sum;
}

/* Neighbours in a graph, with stores on the way; the loop around it is one of lanes, too. */
__global__ void reach(const int *first, const int *leads, int *seen, int *counts, int n, int steps) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int *mine = seen + v * n, count = 0;
    for (int step = 0; step < steps + v % 3; step++)
        for (int u = 0; u < n; u++) {
            if (mine[u] != step) continue;
            for (int e = first[u]; e < first[u + 1]; e++)
                if (mine[leads[e]] < 0) {
                    mine[leads[e]] = step + 1;
                    count++;
                }
        }
    counts[v] = count;
}

/* A search whose path the warp's other lanes read behind it. */
__global__ void paths(const int *keys, const int *tree, int *out, int n, int nodes) {
    __shared__ int path[64][8];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int depth = 0;
    for (int k = 0; k < 8; k++) path[t][k] = -1;
    if (i < n) {
        int at = 0;
        while (at < nodes && depth < 8) {
            path[t][depth++] = at;
            if (tree[at] == keys[i]) break;
            if (keys[i] < tree[at])
                at = 2 * at + 1;
            else
                at = 2 * at + 2;
        }
    }
    __syncthreads();
    if (i < n) {
        int sum = 0;
        for (int k = 0; k < 8; k++) sum = sum * 7 + path[(t + 1) % 64][k];
        out[i] = sum * 10 + depth;
    }
}

template <class T> static T *managed(int n, int factor, int below) {
    T *p;
    cudaMallocManaged(&p, n * sizeof(T));
    for (int i = 0; i < n; i++) p[i] = T((i * factor + i / 7) % below);
    return p;
}

template <class T> static void print(const char *name, const T *p, int n) {
    unsigned long long sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 31 + static_cast<unsigned long long>(p[i]);
    printf("%s %llx: %lld %lld %lld\n", name, sum, static_cast<long long>(p[0]),
           static_cast<long long>(p[n / 2]), static_cast<long long>(p[n - 1]));
}

template <class T> static void run_halves(const char *name) {
    const int n = 333;
    T *from = managed<T>(n, 37, 61), *sums = managed<T>(n, 1, 1);
    halves<<<6, 64>>>(from, sums, n);
    cudaDeviceSynchronize();
    print(name, sums, n);
}

int main() {
    run_halves<int>("int");
    run_halves<short>("short");
    run_halves<unsigned char>("unsigned char");
    run_halves<long long>("long long");
    const int n = 70;
    int *first = managed<int>(n + 1, 1, 1), *leads = managed<int>(6 * n, 29, n),
        *seen = managed<int>(n * n, 1, 1), *counts = managed<int>(n, 1, 1);
    for (int v = 0; v < n; v++) first[v + 1] = first[v] + v % 6;
    for (int i = 0; i < n * n; i++) seen[i] = i / n == i % n ? 0 : -1;
    reach<<<3, 32>>>(first, leads, seen, counts, n, 4);
    cudaDeviceSynchronize();
    print("counts", counts, n);
    print("seen", seen, n * n);
    int *keys = managed<int>(200, 13, 131), *tree = managed<int>(127, 1, 1), *out = managed<int>(200, 1, 1);
    for (int depth = 0, at = 0; depth < 7; depth++)
        for (int k = 0; k < 1 << depth; k++) tree[at++] = (2 * k + 1) << (6 - depth);
    paths<<<4, 64>>>(keys, tree, out, 200, 127);
    cudaDeviceSynchronize();
    print("paths", out, 200);
    return cudaGetLastError() != cudaSuccess;
}
