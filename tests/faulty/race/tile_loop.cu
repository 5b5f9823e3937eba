// Tiles are read by all, and overwritten while they are.
// expect: race-block line 9 other 11
// (In either order of the two accesses: one finding.)
const int N = 4096;
__global__ void sums(int *out, const int *in) {
    __shared__ int part[64];
    int sum = 0;
    for (int tile = 0; tile < N; tile += 64) {
        part[threadIdx.x] = in[tile + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; i++) sum += part[i] * (i + threadIdx.x);
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    sums<<<4, 64>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
