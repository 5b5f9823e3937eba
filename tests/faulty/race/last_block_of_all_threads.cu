// All threads of a block leave something, and thread 0 says so before they have.
// expect: race-grid line 14 other 8
// expect: race-grid line 16 other 8
const int N = 1024;
__device__ unsigned tickets;
__global__ void sum(int *out, const int *in) {
    __shared__ bool last;
    out[blockIdx.x * 128 + threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x] * 2;
    __threadfence();
    if (threadIdx.x == 0) last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        int all = 0;
        for (int i = 0; i < gridDim.x; i++) all += out[i * 128 + 127 - threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = all;
    }
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    sum<<<N / 128, 128>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
