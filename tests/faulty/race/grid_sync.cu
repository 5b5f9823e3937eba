// Blocks read what others wrote, each having waited for itself alone.
// expect: race-grid line 9 other 11
// (In either order of the two accesses: one finding.)
#include <cooperative_groups.h>
const int N = 1024;

__global__ void rotate(int *out, int *in) {
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = in[i] * 2;
    __syncthreads();
    in[i] = out[(i + 64) % N];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    void *args[] = {&out, &in};
    cudaLaunchCooperativeKernel((void *)rotate, N / 64, 64, args, 0, 0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
