// The host reads what a kernel made of memory that nobody wrote: managed memory, and page-locked memory by its own pointer.
// expect: uninitialised-copy line 25
// expect: uninitialised-copy line 26
// says: 7 more like it
// says: seen_by_the_host.cu:11
// says: page-locked
#include <cstdio>

__global__ void scale(const float *in, float *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = 2 * in[i] + 1;
}

int main() {
    const int n = 32;
    float *in, *managed, *locked, *mapped;
    cudaMalloc(&in, n * sizeof *in);
    cudaMallocManaged(&managed, n * sizeof *managed);
    cudaHostAlloc(&locked, n * sizeof *locked, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&mapped, locked, 0);
    scale<<<1, 32>>>(in, managed, n);
    scale<<<1, 32>>>(in, mapped, n);
    cudaDeviceSynchronize();
    int ones = 0;
    for (int i = 0; i < n; i++) ones += managed[i] == 1;
    for (int i = 0; i < n; i++) ones += locked[i] == 1;
    printf("%d\n", ones >= 0);
}
