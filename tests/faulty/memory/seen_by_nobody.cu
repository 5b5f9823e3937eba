// Faults of which nobody sees what comes of them: a compiler that looks for that leaves them out.
// expect: shared-bounds line 14 other 0
// expect: read-only line 16 other 0
// expect: race-block line 20 other 20
// expect: uninitialised-copy line 36 other 0
#include <cstdio>

__constant__ int table[4];

__global__ void behind_the_end() {
    __shared__ int row[32];

    // One thread is beyond it.
    row[threadIdx.x + 1] = 3;
}
__global__ void to_a_constant(const int *in) { ((int *)table)[0] = in[3]; }
__global__ void by_all() {
    __shared__ int last;

    last = threadIdx.x;
}
__global__ void never_written(int *out) {
    int a[4];
    out[threadIdx.x] = a[threadIdx.x & 3];
}

int main() {
    int *p, host[32];
    cudaMalloc(&p, sizeof host);
    cudaMemset(p, 0, sizeof host);
    behind_the_end<<<1, 32>>>();
    to_a_constant<<<1, 1>>>(p);
    by_all<<<2, 64>>>();
    never_written<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
    printf("done\n");
    cudaFree(p);
}
