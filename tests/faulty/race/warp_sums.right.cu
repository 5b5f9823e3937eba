// The last steps of a sum in a warp: what is read is there, and what is written is read no more.
#include <cstdio>

__device__ void add(volatile int *s, int t, int far) {
    int sum = s[t] + s[t + far];
    __syncwarp();
    s[t] = sum;
    __syncwarp();
}

__device__ void warp_sum(volatile int *s, int t) {
    add(s, t, 32);
    add(s, t, 2);
    add(s, t, 1);
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
