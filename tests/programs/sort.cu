/* sort: bitonic in shared and in global memory, radix by ballots; and a sum whose last block ends it. */
#include "program.h"

__global__ void bitonic_shared(unsigned *a) {
    __shared__ unsigned t[1024];
    int i = threadIdx.x;
    t[i] = a[blockIdx.x * 1024 + i];
    for (int size = 2; size <= 1024; size *= 2)
        for (int stride = size / 2; stride; stride /= 2) {
            __syncthreads();
            int other = i ^ stride;
            if (other > i && (t[i] > t[other]) == !(i & size)) {
                unsigned v = t[i];
                t[i] = t[other], t[other] = v;
            }
        }
    __syncthreads();
    a[blockIdx.x * 1024 + i] = t[i];
}

__global__ void bitonic_step(unsigned *a, int stride, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ stride;
    if (other <= i) return;
    unsigned u = a[i], v = a[other];
    if ((u > v) == !(i & size)) a[i] = v, a[other] = u;
}

/* One warp, one bit at a time: zeros before ones, each in its order. */
__global__ void radix_warp(unsigned *a) {
    unsigned v = a[blockIdx.x * 32 + threadIdx.x], lane = threadIdx.x;
    for (int bit = 0; bit < 32; bit++) {
        unsigned ones = __ballot_sync(~0u, v >> bit & 1), below = (1u << lane) - 1;
        unsigned to = v >> bit & 1 ? __popc(~ones) + __popc(ones & below) : __popc(~ones & below);
        __shared__ unsigned t[32];
        t[to] = v;
        __syncwarp();
        v = t[lane];
        __syncwarp();
    }
    a[blockIdx.x * 32 + threadIdx.x] = v;
}

__device__ unsigned finished;
__global__ void sum_once(const unsigned *a, int n, unsigned long long *parts, unsigned long long *sum) {
    __shared__ unsigned long long t[128];
    __shared__ bool last;
    unsigned long long s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += a[i];
    t[threadIdx.x] = s;
    for (int d = 64; d; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) t[threadIdx.x] += t[threadIdx.x + d];
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = t[0];
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        *sum = 0;
        for (int b = 0; b < gridDim.x; b++) *sum += ((volatile unsigned long long *)parts)[b];
    }
}

static void fill(Array<unsigned> &a) {
    uint32_t state = 8;
    for (size_t i = 0; i < a.n; i++) a[i] = next_random(state) >> (i % 3 ? 0 : 20);
}

int main() {
    Array<unsigned> a(8192);
    Array<unsigned long long> parts(24), sum(1);
    fill(a);
    bitonic_shared<<<8, 1024>>>(a);
    show("eight sorted runs", a);
    fill(a);
    for (int size = 2; size <= 8192; size *= 2)
        for (int stride = size / 2; stride; stride /= 2) bitonic_step<<<32, 256>>>(a, stride, size);
    show("sorted", a);
    int wrong = 0;
    for (size_t i = 1; i < a.n; i++) wrong += a[i - 1] > a[i];
    printf("%d out of order\n", wrong);
    fill(a);
    radix_warp<<<256, 32>>>(a);
    show("radix", a);
    for (int round = 0; round < 3; round++) {
        sum_once<<<24, 128>>>(a, 8192 - round, parts, sum);
        CALL(cudaDeviceSynchronize());
        printf("sum %llu\n", sum[0]);
    }
    return 0;
}
