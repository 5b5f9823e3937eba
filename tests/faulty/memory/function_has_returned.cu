// A pointer to an array of a function that was not inlined, and has returned.
// expect: local-bounds line 21
// expect: local-bounds line 22
// says: a read of 4 bytes by block (0,0,0), thread (0,0,0)
// says: It is memory of a function that has returned: another one's variables may be there by now.
#include <cstdio>

__device__ __noinline__ int *fill(int n) {
    int own[16];
    for (int i = 0; i < 16; i++) own[i] = n + i;
    int *volatile p = own;
    return p;
}

__device__ __noinline__ void add(int *to, int n) {
    for (int i = 0; i < 16; i++) to[i] += n;
}

__global__ void sums(int *out, int n) {
    int *p = fill(n);
    out[threadIdx.x] = p[n];
    p[n + 1] = out[threadIdx.x];
    int later[16];
    for (int i = 0; i < 16; i++) later[i] = n;
    add(later, n);
    out[threadIdx.x] += later[n];
}

int main() {
    int *out, h[32];
    cudaMalloc(&out, sizeof h);
    sums<<<1, 32>>>(out, 3);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0] == h[31]);
    return 0;
}
