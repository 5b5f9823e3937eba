// Bins are counted up without atomics.
// expect: race-block line 10 other 10
// (In either order of the two accesses: one finding.)
const int N = 1024;
__global__ void histogram(int *out, const int *in) {
    __shared__ int bins[16];
    if (threadIdx.x < 16) bins[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * 128 + threadIdx.x;
    bins[in[i] % 16]++;
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    histogram<<<N / 128, 128>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
