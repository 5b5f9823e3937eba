/* Threads that quit a pipeline before the others are done: the CUDA guide promises that those go on. Each
 * thread leaves after a number of rounds of its own; those that are left copy, and see what all that take
 * part have copied.
 */
#include "check.h"
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
enum { THREADS = 96, ROUNDS = 11 };

__device__ __host__ int rounds_of(int t) { return t % 5 == 4 ? t % ROUNDS : ROUNDS; }

template <int stages> __global__ void unified(const int *in, int *sums) {
    __shared__ int row[stages][THREADS];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
    int t = threadIdx.x, sum = 0;
    for (int r = 0; r < rounds_of(t); r++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&row[r % stages][t], &in[r * THREADS + t], sizeof(int), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        for (int k = 0; k < THREADS; k++)
            if (r < rounds_of(k)) sum = sum * 3 + row[r % stages][k];
        pipe.consumer_release();
    }
    pipe.quit();
    sums[t] = sum;
}
/* Half of the producers and half of the consumers leave early. */
template <int stages> __global__ void roles(const int *in, int *sums) {
    constexpr int half = THREADS / 2;
    __shared__ int row[stages][half];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, half);
    int t = threadIdx.x, sum = 0, end = t % 2 ? ROUNDS : 3;
    for (int r = 0; r < end; r++)
        if (t < half) {
            pipe.producer_acquire();
            row[r % stages][t] = in[r * half + t];
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum = sum * 3 + row[r % stages][(t - half) | 1];
            pipe.consumer_release();
        }
    pipe.quit();
    sums[t] = sum;
}

template <int stages> void run(const int *in, int *sums) {
    unified<stages><<<1, THREADS>>>(in, sums);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int t = 0; t < THREADS; t++) {
        unsigned sum = 0;
        for (int r = 0; r < rounds_of(t); r++)
            for (int k = 0; k < THREADS; k++)
                if (r < rounds_of(k)) sum = sum * 3 + in[r * THREADS + k];
        CHECK(sums[t] == (int)sum);
    }
    roles<stages><<<1, THREADS>>>(in, sums);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    for (int t = THREADS / 2; t < THREADS; t++) {
        int sum = 0;
        for (int r = 0; r < (t % 2 ? ROUNDS : 3); r++)
            sum = sum * 3 + in[r * (THREADS / 2) + ((t - THREADS / 2) | 1)];
        CHECK(sums[t] == sum);
    }
}

int main() {
    int *in, *sums;
    cudaMallocManaged(&in, ROUNDS * THREADS * sizeof(int));
    cudaMallocManaged(&sums, THREADS * sizeof(int));
    for (int i = 0; i < ROUNDS * THREADS; i++) in[i] = i * 7 % 13;
    run<1>(in, sums);
    run<2>(in, sums);
    run<4>(in, sums);
    return finish();
}
