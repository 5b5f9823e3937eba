// A loop over a small array of the thread's own, which is unrolled, has one iteration too many.
// expect: local-bounds line 8
// says: just past the end of the thread's 20 bytes of local memory
#include <cstdio>

__global__ void window(const int *in, int *out) {
    int w[5], i = threadIdx.x, sum = 0;
    for (int k = 0; k <= 5; k++) w[k] = in[i + k];
    for (int k = 0; k < 5; k++) sum += w[k];
    out[i] = sum;
}

int main() {
    int host[40] = {}, *in;
    cudaMalloc(&in, 2 * sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    window<<<1, 32>>>(in, in + 40);
    cudaMemcpy(host, in + 40, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", host[0]);
    cudaFree(in);
}
