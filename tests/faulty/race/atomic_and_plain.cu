// A counter is cleared by a plain store while other blocks count.
// expect: race-warp line 6 other 5
const int N = 1024;
__global__ void count(int *out, const int *in) {
    if (threadIdx.x == 0 && blockIdx.x == 0) out[1] = 0;
    atomicAdd(&out[in[threadIdx.x] & 1], 1);
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    count<<<8, 32>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
