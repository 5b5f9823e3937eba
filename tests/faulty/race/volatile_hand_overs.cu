// As the twin, but a block reads what the one before wrote without asking whether it is there.
// expect: race-volatile line 30 other 30
// expect: race-grid line 30 other 32
#include <cstdio>

__device__ int lock, turn, ended, ready[16];
__device__ long long states[16];
__device__ int total, order[16], data[16];

__device__ void locked(int *out) {
    if (threadIdx.x) return;
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
    *(volatile int *)&total += 1;
    out[blockIdx.x] = *(volatile int *)&total > 0;
    __threadfence();
    *(volatile int *)&lock = 0;
}
__device__ void in_turn() {
    if (threadIdx.x) return;
    while (*(volatile int *)&turn != (int)blockIdx.x);
    __threadfence();
    order[blockIdx.x] = blockIdx.x;
    __threadfence();
    *(volatile int *)&turn = blockIdx.x + 1;
}
__device__ void handed_on() {
    if (threadIdx.x) return;
    if (blockIdx.x > 0) {
        ((volatile int *)data)[blockIdx.x] = ((volatile int *)data)[blockIdx.x - 1] + 1;
    } else {
        data[0] = 1;
    }
    __threadfence();
    ((volatile int *)ready)[blockIdx.x] = 1;
}
__device__ void in_one_word() {
    if (threadIdx.x) return;
    volatile long long *s = states;
    long long before = 0;
    if (blockIdx.x > 0)
        while ((before = s[blockIdx.x - 1]) >> 32 == 0);
    s[blockIdx.x] = 1ll << 32 | (unsigned)((int)before + 1);
}
__device__ void ends_early(const int *in) {
    if (*(volatile int *)&ended) return;
    if (in[threadIdx.x] == 7) *(volatile int *)&ended = 1;
}
__global__ void all(const int *in, int *out) {
    locked(out);
    in_turn();
    handed_on();
    in_one_word();
    ends_early(in);
}

int main() {
    int *in, *out, host[64];
    for (int i = 0; i < 64; i++) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    all<<<8, 64>>>(in, out);
    cudaMemcpy(host, out, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[7]);
    cudaFree(in);
    cudaFree(out);
}
