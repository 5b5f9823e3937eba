// A counter behind a lock, whose release has no fence.
// expect: race-block line 11 other 11
// (In either order of the two accesses: one finding.)
// (In either order of the two accesses: one finding.)
const int N = 1024;
__device__ int lock;
__global__ void count(int *out, const int *in) {
    if (threadIdx.x % 32) return;
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    out[0] += in[blockIdx.x];
    atomicExch(&lock, 0);
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    count<<<8, 64>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
