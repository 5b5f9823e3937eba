/* kmeans: points in D dimensions into K clusters by Lloyd's method: templates, __host__ __device__ lambdas,
 * centres in constant memory, sums by shared atomics. Coordinates are integers, so that plain C has the same
 * bits.
 */
#include "program.h"

constexpr int K = 7, D = 3, N = 10007;

__constant__ int centre[K][D];

template <int DIMENSIONS> struct Point {
    int x[DIMENSIONS];
    template <typename DISTANCE>
    __host__ __device__ int nearest(const int (*centres)[DIMENSIONS], int n, DISTANCE distance) const {
        int best = 0;
        long long least = -1;
        for (int c = 0; c < n; c++) {
            long long d = 0;
            for (int i = 0; i < DIMENSIONS; i++) d += distance(x[i], centres[c][i]);
            if (least < 0 || d < least) least = d, best = c;
        }
        return best;
    }
};

template <int DIMENSIONS, typename DISTANCE>
__global__ void assign(const Point<DIMENSIONS> *p, int n, int *of, unsigned long long *sums, unsigned *counts,
                       DISTANCE distance) {
    __shared__ unsigned long long sum[K][DIMENSIONS];
    __shared__ unsigned count[K];
    for (int i = threadIdx.x; i < K * DIMENSIONS; i += blockDim.x) (&sum[0][0])[i] = 0;
    if (threadIdx.x < K) count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int c = of[i] = p[i].nearest(centre, K, distance);
        for (int d = 0; d < DIMENSIONS; d++) atomicAdd(&sum[c][d], (unsigned long long)p[i].x[d]);
        atomicAdd(&count[c], 1u);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < K * DIMENSIONS; i += blockDim.x) atomicAdd(&sums[i], (&sum[0][0])[i]);
    if (threadIdx.x < K) atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}

template <typename DISTANCE> static void cluster(const char *name, DISTANCE distance) {
    Array<Point<D>> p(N);
    Array<int> of(N);
    Array<unsigned long long> sums(K * D);
    Array<unsigned> counts(K);
    uint32_t state = 1;
    for (int i = 0; i < N; i++)
        for (int d = 0; d < D; d++) p[i].x[d] = (i % K) * 3000 * (d + 1) % 17000 + next_random(state) % 4000;
    int c[K][D];
    for (int k = 0; k < K; k++) memcpy(c[k], p[k].x, sizeof c[k]);
    int wrong = 0, moved = 1, turn = 0;
    for (; moved && turn < 40; turn++) {
        CALL(cudaMemcpyToSymbol(centre, c, sizeof c));
        CALL(cudaMemset(sums.p, 0, K * D * sizeof *sums.p));
        CALL(cudaMemset(counts.p, 0, K * sizeof *counts.p));
        assign<D><<<5, 96>>>(p.p, N, of.p, sums.p, counts.p, distance);
        CALL(cudaDeviceSynchronize());
        unsigned long long s[K * D] = {};
        unsigned n[K] = {};
        for (int i = 0; i < N; i++) {
            int k = p[i].nearest(c, K, distance);
            wrong += k != of[i];
            n[k]++;
            for (int d = 0; d < D; d++) s[k * D + d] += p[i].x[d];
        }
        wrong += memcmp(s, sums.p, sizeof s) != 0;
        wrong += memcmp(n, counts.p, sizeof n) != 0;
        moved = 0;
        for (int k = 0; k < K; k++)
            for (int d = 0; d < D && n[k]; d++) {
                int to = (int)(s[k * D + d] / n[k]);
                moved += to != c[k][d];
                c[k][d] = to;
            }
    }
    printf("%s: %d turns, %d wrong, the first has %u points at %d %d %d\n", name, turn, wrong, counts[0],
           c[0][0], c[0][1], c[0][2]);
    show(name, of);
}

int main() {
    cluster("euclidean", [] __host__ __device__(int a, int b) { return (long long)(a - b) * (a - b); });
    int weight = 3;
    cluster("manhattan", [=] __host__ __device__(int a, int b) { return (long long)weight * abs(a - b); });
    return 0;
}
