/* Copies into shared memory that are waited for later: pipelines of cp.async, and mbarriers. */
#include "program.h"
#include <cstdint>
#include <cuda_pipeline_primitives.h>

enum { TILE = 256, STAGES = 3 };

/* Sums of tiles, the next ones on their way while one is added up. The last tile is cut short. */
__global__ void tiles(const int *in, int n, int *sums, int count) {
    alignas(16) __shared__ int tile[STAGES][TILE];
    int rank = threadIdx.x * 4;
    auto fetch = [&](int t) {
        int at = t * TILE + rank, left = n - at;
        size_t missing = left >= 4 ? 0 : left > 0 ? 16 - 4 * left : 16;
        if (t < count)
            __pipeline_memcpy_async(&tile[t % STAGES][rank], missing == 16 ? in : in + at, 16, missing);
        __pipeline_commit();
    };
    for (int t = 0; t < STAGES - 1; t++) fetch(t);
    for (int t = 0; t < count; t++) {
        fetch(t + STAGES - 1);
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        int sum = 0;
        for (int k = 0; k < TILE; k += blockDim.x) sum += tile[t % STAGES][(k + threadIdx.x * 7) % TILE];
        atomicAdd(&sums[t], sum);
        __syncthreads();
    }
}

__device__ unsigned shared_at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void wait(uint64_t *bar, unsigned parity) {
    asm volatile("{\n .reg .pred done;\nAGAIN%=:\n"
                 " mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 " @done bra THROUGH%=;\n bra AGAIN%=;\nTHROUGH%=:\n}" ::"r"(shared_at(bar)),
                 "r"(parity)
                 : "memory");
}
__device__ void arrive(uint64_t *bar) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_at(bar)) : "memory");
}

/* One warp copies, three compute: each waits for the other by mbarriers alone. */
__global__ void producer(const int *in, int *out, int rounds) {
    alignas(16) __shared__ int ring[2][96];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x < 2) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(shared_at(&full[threadIdx.x])));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 96;" ::"r"(shared_at(&empty[threadIdx.x])));
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; r++) {
            if (r >= 2) wait(&empty[r % 2], (r / 2 - 1) % 2);
            for (int k = threadIdx.x; k < 96; k += 32)
                __pipeline_memcpy_async(&ring[r % 2][k], &in[r * 96 + k], 4);
            asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_at(&full[r % 2])));
        }
    } else {
        int rank = threadIdx.x - 32, sum = 0;
        for (int r = 0; r < rounds; r++) {
            wait(&full[r % 2], r / 2 % 2);
            sum = sum * 3 + ring[r % 2][95 - rank];
            arrive(&empty[r % 2]);
        }
        out[rank] = sum;
    }
}

int main() {
    const int n = 5000, count = (n + TILE - 1) / TILE, rounds = 7;
    int *in, *sums, *out;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&sums, count * sizeof *sums);
    cudaMallocManaged(&out, 96 * sizeof *out);
    for (int i = 0; i < n; i++) in[i] = i * 37 % 1001;
    for (int i = 0; i < count; i++) sums[i] = 0;
    tiles<<<1, TILE / 4>>>(in, n, sums, count);
    producer<<<1, 128>>>(in, out, rounds);
    CALL(cudaDeviceSynchronize());
    int wrong = 0;
    for (int t = 0; t < count; t++) {
        int want = 0;
        for (int i = t * TILE; i < (t + 1) * TILE && i < n; i++) want += in[i];
        wrong += sums[t] != want;
    }
    printf("tiles: %d wrong, the last is %d\n", wrong, sums[count - 1]);
    wrong = 0;
    for (int k = 0; k < 96; k++) {
        int want = 0;
        for (int r = 0; r < rounds; r++) want = want * 3 + in[r * 96 + 95 - k];
        wrong += out[k] != want;
    }
    printf("producer: %d wrong, the first is %d\n", wrong, out[0]);
    return 0;
}
