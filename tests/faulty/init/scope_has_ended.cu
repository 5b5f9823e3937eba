// Pointers to a variable whose scope has ended, to one of a function that has returned, and to one of an earlier iteration.
// expect: uninitialised-copy line 36
// says: The value is of a variable whose scope ended at scope_has_ended.cu:17
#include <cstdio>

struct view {
    const int *data;
    int n;
};

__device__ view fill(int n) {
    int own[16];
    for (int i = 0; i < 16; i++) own[i] = n + i;
    view v;
    v.data = own, v.n = 16;
    return v;
}

__global__ void sums(int *out, int n) {
    view v = fill(n);
    int other[16];
    for (int i = 0; i < 16; i++) other[i] = i * n + threadIdx.x;
    out[threadIdx.x] = v.data[n];
    const int *last = nullptr;
    for (int i = 0; i < n; i++) {
        int square[2] = {i * i, i};
        last = &square[i & 1];
    }
    out[32 + threadIdx.x] = *last + other[n & 15];
}

int main() {
    int *out, h[64];
    cudaMalloc(&out, sizeof h);
    sums<<<1, 32>>>(out, 3);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0] == h[32]);
    return 0;
}
