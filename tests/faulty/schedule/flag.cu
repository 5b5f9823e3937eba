// Each block raises a flag once it has written, and others look at it without waiting: whether they see it depends on who
// is first.
// options: --only memory --schedules 2
// expect: order-dependent line 18
// says: With --schedule reverse, line 1 of the output is
#include <cstdio>
__global__ void parts(int *data, volatile int *ready, int *out) {
    int b = blockIdx.x;
    data[b] = b + 1;
    __threadfence();
    ready[b] = 1;
    int seen = 0;
    for (int k = 0; k < b; k++)
        if (ready[k]) {
            __threadfence();
            seen += data[k];
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
