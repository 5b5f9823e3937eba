// The last steps of a sum in a warp, each of which needs what other lanes wrote in the one before: one missing
// __syncwarp() after another is one finding.
// expect: race-volatile line 13 other 12
// expect: race-volatile line 13 other 13
// expect: race-volatile line 14 other 13
// expect: race-volatile line 14 other 13
// expect: race-volatile line 14 other 14
// causes: 1
#include <cstdio>

__device__ void warp_sum(volatile int *s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

__global__ void sum(const int *x, int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 64] = 0;
    __syncthreads();
    if (t < 32) warp_sum(s, t);
    if (t == 0) *out = s[0];
}

int main() {
    int host[64], *x, *out;
    for (int i = 0; i < 64; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(x, out);
    cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(x);
    cudaFree(out);
}
