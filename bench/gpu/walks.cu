/*
 * walks: how long a warp waits in each turn of a loop that walks a table, which other warps walk as well, with cold caches
 *
 *     nvcc -O3 -arch=native bench/gpu/walks.cu -o walks && ./walks
 *
 * Each load's address depends on the load before. Lines of NAME, VALUE, UNIT, separated by tabs; the slowest warp, the mean of
 * two runs. docs/results/h200-walks.tsv is what an H200 gave.
 */
#include "measure.cuh"

__global__ void flush(float4 *p, size_t n) {
    for (size_t i = each(); i < n; i += all()) p[i] = {1, 2, 3, 4};
}

/* The table is zero. */
__global__ void walk(const char *table, int step, int turns, long long *cycles, int *out) {
    long long begin = clock64();
    int at = 0, sum = 0;
    for (int k = 0; k < turns; k++) {
        int v;
        asm volatile("ld.global.ca.b32 %0, [%1];" : "=r"(v) : "l"(table + at));
        at += step + v, sum += v;
    }
    if (threadIdx.x % 32 == 0) cycles[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = clock64() - begin;
    out[0] = sum;
}

int main() {
    const size_t table_bytes = 64 << 20, flushed_bytes = 512 << 20;
    const int turns = 2048, most_warps = 1056 * 32;
    char *table;
    float4 *big;
    long long *cycles;
    int *out;
    CHECK(cudaMalloc(&table, table_bytes));
    CHECK(cudaMalloc(&big, flushed_bytes));
    CHECK(cudaMallocManaged(&cycles, most_warps * sizeof *cycles));
    CHECK(cudaMalloc(&out, sizeof *out));
    CHECK(cudaMemset(table, 0, table_bytes));
    for (int step : {4, 16, 32, 64, 96, 128, 160, 256})
        for (int blocks : {1, 63, 132, 1056})
            for (int warps : {1, 8, 32}) {
                double sum = 0;
                for (int run = 0; run < 3; run++) {
                    flush<<<1056, 256>>>(big, flushed_bytes / sizeof *big);
                    walk<<<blocks, 32 * warps>>>(table, step, turns, cycles, out);
                    CHECK(cudaDeviceSynchronize());
                    long long most = 0;
                    for (int w = 0; w < blocks * warps; w++) most = cycles[w] > most ? cycles[w] : most;
                    if (run) sum += most / 2.0;
                }
                printf("walk of %d bytes a turn, %d blocks of %d\t%.1f\tcycles a turn\n", step, blocks,
                       32 * warps, sum / turns);
            }
}
