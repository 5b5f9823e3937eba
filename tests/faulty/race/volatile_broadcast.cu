// A lane's volatile value is read by the others of its warp, which nothing makes wait for it.
// expect: race-volatile line 9 other 8
#include <cstdio>

__global__ void broadcast(const int *in, int *out) {
    __shared__ volatile int first[2];
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) first[warp] = in[threadIdx.x];
    out[threadIdx.x] = first[warp];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    broadcast<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
