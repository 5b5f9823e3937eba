// The last steps of a sum within one warp, as they were written before lanes of a warp were threads of their own.
// options: --only memory --schedules 2
// expect: order-dependent line 20
// says: With --schedule reverse,lanes, line 1 of the output is
#include <cstdio>
__device__ void last(volatile int *s, int t) {
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
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
