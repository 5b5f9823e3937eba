// Bins are cleared while others count already.
// expect: race-block line 7 other 6
const int N = 1024;
__global__ void histogram(int *out, const int *in) {
    __shared__ int bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0;
    atomicAdd(&bins[in[blockIdx.x * 128 + threadIdx.x] % 64], 1);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    histogram<<<N / 128, 128>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
