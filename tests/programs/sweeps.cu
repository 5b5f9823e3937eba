/* Loops that the whole grid goes through together, where blocks can make their turns together: histograms in
 * global memory of bytes, words, wide counters and weights; threads that read in a turn what they wrote or
 * added in an earlier one; work before and behind the loop; all of it in grids of few and of many blocks. */
#include <cstdio>
#include <cuda_runtime.h>

#define FIRST (blockIdx.x * blockDim.x + threadIdx.x)
#define STEP  (gridDim.x * blockDim.x)

typedef unsigned long long wide;

__global__ void bytes(const uchar4 *in, unsigned *bins, int n) {
    for (int i = FIRST; i < n; i += STEP) {
        const uchar4 v = in[i];
        atomicAdd(&bins[v.x], 1);
        atomicAdd(&bins[v.y], 1);
        atomicAdd(&bins[v.z], 1);
        atomicAdd(&bins[v.w], 1);
    }
}
__global__ void guarded(const unsigned *in, wide *bins, unsigned most, size_t n) {
    for (size_t i = FIRST; i < n; i += STEP)
        if (in[i] < most) atomicAdd(&bins[in[i]], 1ull << 33);
}
__global__ void weighted(const unsigned *in, const int *weights, int *bins, unsigned n) {
    for (unsigned i = FIRST; i < n; i += STEP) atomicAdd(&bins[in[i] * 7 % 1000], weights[i]);
}
__global__ void positions(const unsigned *in, unsigned *count, unsigned *seen, int n) {
    for (int i = FIRST; i < n; i += STEP)
        if (in[i] % 3 == 0) atomicAdd(&seen[atomicAdd(count, 1)], 1);
}
__global__ void extremes(const unsigned *in, unsigned *least, unsigned *bits, int n) {
    for (int i = FIRST; i < n; i += STEP) {
        atomicMin(&least[i % 10], in[i]);
        atomicXor(&bits[i % 33], in[i]);
    }
}
/* Each thread goes on from what it stored a turn before. */
__global__ void chained(int *a, int n) {
    const int step = STEP;
    for (int i = FIRST; i < n; i += step)
        if (i >= step) a[i] += a[i - step];
}
/* Each thread sees its own additions of earlier turns, and none of later ones. */
__global__ void counted(int *own, int *before, int *behind, int n) {
    const int me = FIRST;
    for (int i = me; i < n; i += STEP) {
        before[i] = own[me];
        atomicAdd(&own[me], 2);
        behind[i] = own[me];
    }
}
__global__ void around(const unsigned *in, int *out, int *sums, int n) {
    out[FIRST % 1000] = 5;
    for (int i = FIRST; i < n; i += STEP) atomicAdd(&sums[in[i] % 100], 1);
    atomicAdd(&sums[100], 1);
}
__global__ void leaves(const unsigned *in, int *sums, int n, int none) {
    if (none > int(blockIdx.x)) {
        atomicAdd(&sums[101], 1);
        return;
    }
    for (int i = FIRST; i < n; i += STEP) atomicAdd(&sums[in[i] % 100], 1);
}
__global__ void twice(const unsigned *in, int *sums, int n) {
    int i = FIRST;
    for (; i < n; i += STEP) atomicAdd(&sums[in[i] % 50], 1);
    atomicMax(&sums[102], i);
    for (i = FIRST; i < n / 2; i += STEP) atomicAdd(&sums[50 + in[i] % 50], 3);
}
__global__ void mirrored(const unsigned *in, int *sums, int n) {
    for (int i = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += STEP)
        atomicAdd(&sums[in[i] % 100], i);
}
__global__ void downwards(const unsigned *in, int *sums, int n) {
    for (int i = n - 1 - int(FIRST); i >= 0; i -= STEP) atomicAdd(&sums[in[i] % 100], i);
}
__global__ void rows(const unsigned *in, int *sums, int n) {
    for (int i = FIRST; i < n; i += STEP) atomicAdd(&sums[in[i] % 100], blockIdx.y + 1);
}
__global__ void last_one(const unsigned *in, int *sums, unsigned *ended, int *total, int n) {
    for (int i = FIRST; i < n; i += STEP) atomicAdd(&sums[in[i] % 100], 1);
    __threadfence();
    __syncthreads();
    if (threadIdx.x || atomicAdd(ended, 1) + 1 != gridDim.x) return;
    for (int i = 0; i < 100; i++) *total += *(volatile int *)&sums[i];
}
__global__ void own_tables(const unsigned *in, unsigned *bins, int n) {
    __shared__ unsigned mine[100];
    for (int i = threadIdx.x; i < 100; i += blockDim.x) mine[i] = 0;
    __syncthreads();
    for (int i = FIRST; i < n; i += STEP) atomicAdd(&mine[in[i] % 100], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 100; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}

enum { N = 200003, OUT = 3 * N };

static unsigned *in;
static int *out;

/* What came out, as one number; zeros again. */
static void take(const char *name) {
    static int host[OUT];
    unsigned hash = 1;
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < OUT; i++) hash = hash * 31 + host[i];
    cudaMemset(out, 0, sizeof host);
    printf(" %s %08x", name, hash);
}

static void run(int blocks, int threads, int n) {
    printf("%d x %d, %d:", blocks, threads, n);
    bytes<<<blocks, threads>>>((uchar4 *)in, (unsigned *)out, n);
    take("bytes");
    guarded<<<blocks, threads>>>(in, (wide *)out, 9000, n);
    take("guarded");
    weighted<<<blocks, threads>>>(in, (int *)in, out, n);
    take("weighted");
    positions<<<blocks, threads>>>(in, (unsigned *)out, (unsigned *)out + 1, n);
    take("positions");
    cudaMemset(out, 0xff, 40);
    extremes<<<blocks, threads>>>(in, (unsigned *)out, (unsigned *)out + 10, n);
    take("extremes");
    cudaMemcpy(out, in, 4 * N, cudaMemcpyDeviceToDevice);
    chained<<<blocks, threads>>>(out, n);
    take("chained");
    counted<<<blocks, threads>>>(out + 2 * N, out, out + N, n < N / 2 ? n : N / 2);
    take("counted");
    printf("\n   ");
    around<<<blocks, threads>>>(in, out + N, out, n);
    take("around");
    leaves<<<blocks, threads>>>(in, out, n, 1);
    leaves<<<blocks, threads>>>(in, out, n, blocks);
    take("leaves");
    twice<<<blocks, threads>>>(in, out, n);
    take("twice");
    mirrored<<<blocks, threads>>>(in, out, n);
    take("mirrored");
    downwards<<<blocks, threads>>>(in, out, n);
    take("downwards");
    rows<<<dim3(blocks, 3), threads>>>(in, out, n);
    take("rows");
    last_one<<<blocks, threads>>>(in, out, (unsigned *)out + 101, out + 102, n);
    take("last");
    own_tables<<<blocks, threads>>>(in, (unsigned *)out, n);
    take("own");
    printf("\n");
}

int main() {
    static unsigned host[N];
    for (unsigned i = 0; i < N; i++) host[i] = (i * 2654435761u >> 7) % 10007;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, OUT * sizeof *out);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, OUT * sizeof *out);
    run(1, 64, 5000);
    run(3, 100, 40009);
    run(7, 256, 40009);
    run(40, 1024, N);
    run(40, 1024, 4 * 40 * 1024);
    run(150, 64, 28800);
    run(70, 512, N);
    run(131, 96, 1000);
    run(2, 1024, 1);
    run(9, 128, 0);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
