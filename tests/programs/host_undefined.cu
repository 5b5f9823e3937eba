/* Host code that C++ calls undefined, and that works where nvcc builds it: nvcc does not optimise host code
 * unless it is told to. Squares overflow, in the kernel and in the loop that checks them, as in a public
 * occupancy sample; a float is read as an integer; a function ends without a value. */
#include <cstdio>

__global__ void squares(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = a[i] * a[i];
}

static unsigned bits(float f) { return *(unsigned *)&f; }

/* Written as int, read as float, through pointers of both types. */
__attribute__((noinline)) static float swapped(int *i, float *f) {
    *f = 1.0f;
    *i = 0x40400000;
    return *f;
}

int main() {
    const int n = 200000;
    int *host = new int[n], *device, wrong = 0;
    for (int i = 0; i < n; i++) host[i] = i;
    cudaMalloc(&device, n * sizeof *device);
    cudaMemcpy(device, host, n * sizeof *host, cudaMemcpyHostToDevice);
    squares<<<(n + 255) / 256, 256>>>(device, n);
    cudaMemcpy(host, device, n * sizeof *host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        if (host[i] != i * i) wrong++;
    }
    printf("%d of %d squares wrong\n", wrong, n);
    for (int k = 1; k > 0; k *= 2) wrong++;
    printf("%d doublings until the sign turns\n", wrong);
    printf("%08x %g\n", bits(1.5f), swapped(&host[0], (float *)&host[0]));
    cudaFree(device);
    delete[] host;
    return 0;
}
