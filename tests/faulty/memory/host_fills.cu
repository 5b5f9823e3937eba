// Device memory is filled and read by the host as if it were its own.
// expect: device-memory line 14
// says: On a GPU the program ends there with a segmentation fault
#include <cstdio>

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

int main() {
    int *x, n = 64;
    cudaMalloc(&x, n * sizeof(int));
    cudaMemset(x, 0, n * sizeof(int));

    for (int i = 0; i < n; i++) {
        x[i] = i;
    }

    twice<<<1, n>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", x[3]);
    cudaFree(x);
    return 0;
}
