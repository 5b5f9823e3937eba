// Two buffers need one barrier a step; here the second is never used.
// expect: race-block line 9 other 11
// (In either order of the two accesses: one finding.)
const int N = 4096;
__global__ void sums(int *out, const int *in) {
    __shared__ int part[2][64];
    int sum = 0;
    for (int tile = 0; tile < N / 64; tile++) {
        part[tile & 0][threadIdx.x] = in[tile * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; i++) sum += part[tile & 0][i] * (i + threadIdx.x);
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
