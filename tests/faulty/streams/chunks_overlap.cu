// Parts of an array in streams of their own, each of which goes one element too far.
// expect: race-stream line 9 other 9
// expect: race-stream line 22 other 9
// says: The address is at byte 4096 of 16388 bytes
#include <cstdio>

__global__ void number(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

int main() {
    const int n = 4096, streams = 4, part = n / streams;
    int *x, *host;
    cudaMalloc(&x, (n + 1) * sizeof(int));
    cudaMallocHost(&host, n * sizeof(int));
    cudaStream_t s[streams];
    for (int k = 0; k < streams; k++) cudaStreamCreate(&s[k]);
    for (int k = 0; k < streams; k++) {
        int *p = x + k * part;
        number<<<part / 256 + 1, 256, 0, s[k]>>>(p, part + 1);
        cudaMemcpyAsync(host + k * part, p, part * sizeof(int), cudaMemcpyDeviceToHost, s[k]);
    }
    cudaDeviceSynchronize();
    printf("%d\n", host[n - 1]);
    return 0;
}
