// The last block adds up what the others left, without a fence.
// expect: race-grid line 19 other 13
const int N = 1024;
__device__ unsigned tickets;
__device__ int parts[N / 128];
__global__ void sum(int *out, const int *in) {
    __shared__ bool last;
    int s = __reduce_add_sync(~0u, in[blockIdx.x * 128 + threadIdx.x]);
    __shared__ int warps[4];
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3];
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (int i = 0; i < gridDim.x; i++) all += parts[i];
        *out = all;
        tickets = 0; // for the next launch: all have drawn theirs
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
