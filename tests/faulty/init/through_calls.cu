// Values go through functions that are not inlined: one that nobody wrote is told of where it decides.
// expect: uninitialised-branch line 28
// expect: uninitialised-address line 32
// says: The address is at byte 0 of 16 bytes of device memory
// options: --only init

#include <cstdio>

struct pair {
    int a;
    short b;
};

__device__ __noinline__ int twice(int x, unsigned char by) { return 2 * x + by; }

__device__ __noinline__ pair make(const int *x, short b) {
    pair p;
    p.a = x[0];
    p.b = b;
    return p;
}

__device__ __noinline__ long long deeper(const int *x, int i) { return twice(x[i], 1); }

__device__ __noinline__ int pick(pair p, int i) { return (&p.a)[i & (p.b - 5)]; }

__global__ void choose(const int *x, int *out) {
    if (twice(make(x, 3).a, 2) > 4) out[0] = 1;
    if (make(x, 5).b > 4) out[1] = 1;
    if (deeper(x, 2) > 0) out[2] = 1;
    if (pick({1, 5}, x[3]) > 0) out[3] = 1;
    out[deeper(x, 1) & 3] = 1;
}

int main() {
    int *x, *out, result[4];
    cudaMalloc(&x, 4 * sizeof(int));
    cudaMalloc(&out, sizeof result);
    cudaMemset(x + 2, 0, 2 * sizeof(int));
    cudaMemset(out, 0, sizeof result);
    choose<<<1, 1>>>(x, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[0] + result[1] + result[2] + result[3]);
    cudaFree(x);
    cudaFree(out);
}
