// A product in two buffers that is launched through a pointer: the first tile is not waited for.
// expect: race-block line 13 other 16
// options: --only race
// says: launched at second_buffer.cu:27 in measure
// says: of shared variable 's_a' (2048 bytes)
#include <cstdio>
typedef void (*multiply)(float *, float *, float *, int);

__global__ void product_V3(float *a, float *b, float *c, int n) {
    __shared__ float s_a[2][256];
    int t = threadIdx.x;
    float sum = 0;
    s_a[0][t] = a[t];
    // Here a barrier is missing.
    for (int k = 1; k <= n; k++) {
        sum += s_a[(k - 1) % 2][255 - t] * b[k];
        s_a[k % 2][t] = a[k * 256 + t];
        __syncthreads();
    }
    c[t] = sum;
}

__attribute__((noinline)) void measure(multiply kernel) {
    float *x;
    cudaMallocManaged(&x, 4096 * sizeof *x);
    for (int i = 0; i < 4096; i++) x[i] = i % 7;
    kernel<<<1, 256>>>(x, x + 256, x + 3840, 8);
    cudaDeviceSynchronize();
    printf("%g\n", x[3840]);
    cudaFree(x);
}

int main(int argc, char **argv) {
    volatile multiply chosen = product_V3; // so that the kernel's host function is not inlined
    measure(chosen);
    return 0;
}
