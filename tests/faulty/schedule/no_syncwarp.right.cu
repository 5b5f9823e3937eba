// Each lane reads before any lane of the warp goes on to write.
// options: --only memory --schedules 2
// says: output is the same in 4 other orders
#include <cstdio>
__device__ void last(volatile int *s, int t) {
    int v = s[t];
    v += s[t + 16], __syncwarp(), s[t] = v, __syncwarp();
    v += s[t + 8], __syncwarp(), s[t] = v, __syncwarp();
    v += s[t + 4], __syncwarp(), s[t] = v, __syncwarp();
    v += s[t + 2], __syncwarp(), s[t] = v, __syncwarp();
    v += s[t + 1], __syncwarp(), s[t] = v, __syncwarp();
}
__global__ void sum(const int *x, int *out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = 0;
    __syncthreads();
    last(s, t);
    if (t == 0) *out = s[0];
}
int main() {
    int h[32], *x, *out;
    for (int i = 0; i < 32; i++) h[i] = i + 1;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<1, 32>>>(x, out);
    cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    return 0;
}
