// Two barriers are missing: before the neighbours are read, and before their places are written again. Two lines read the
// neighbours: what either barrier would order is one finding.
// expect: race-block line 16 other 17
// expect: race-block line 16 other 18
// expect: race-block line 17 other 19
// expect: race-block line 18 other 19
// causes: 2
#include <cstdio>
enum { N = 128 };

__global__ void smooth(const int *x, int *out) {
    __shared__ int tile[N];
    int t = threadIdx.x;
    tile[t] = 0;
    __syncthreads();
    tile[t] = x[t];
    int after = tile[(t + 32) % N];
    int before = tile[(t + N - 32) % N];
    tile[t] = after - before;
    __syncthreads();
    out[t] = tile[N - 1 - t];
}

int main() {
    int host[N], *x, *out;
    for (int i = 0; i < N; i++) host[i] = i * i;
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    smooth<<<1, N>>>(x, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host[0] > 0);
    cudaFree(x);
    cudaFree(out);
}
