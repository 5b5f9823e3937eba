// Sums of pairs, written over what other blocks read.
// expect: race-grid line 9 other 7
// expect: race-grid line 9 other 7
const int N = 4096;
__global__ void pairs(int *to, const int *from, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    int sum = i < n ? from[2 * i] + from[2 * i + 1] : 0;
    __syncthreads();
    if (i < n) to[i] = sum;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    pairs<<<N / 256, 128>>>(in, in, N / 2);
    return cudaDeviceSynchronize() != cudaSuccess;
}
