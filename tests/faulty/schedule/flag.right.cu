// Each block raises a flag once it has written, and others wait for it.
// options: --only memory --schedules 2
// says: output is the same in 4 other orders
#include <cstdio>
__global__ void parts(int *data, volatile int *ready, int *out) {
    int b = blockIdx.x;
    data[b] = b + 1;
    __threadfence();
    ready[b] = 1;
    int seen = 0;
    for (int k = 0; k < b; k++)
        for (;;)
            if (ready[k]) {
                __threadfence();
                seen += data[k];
                break;
            }
    out[b] = seen;
}
int main() {
    int *data, *ready, *out, h[32], sum = 0;
    cudaMalloc(&data, sizeof h);
    cudaMalloc(&ready, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemset(ready, 0, sizeof h);
    parts<<<32, 1>>>(data, ready, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int x : h) sum += x;
    printf("%d\n", sum);
    return 0;
}
