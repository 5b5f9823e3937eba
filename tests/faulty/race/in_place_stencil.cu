// Each element becomes the mean of its neighbours, in place.
// expect: race-grid line 7 other 9
// expect: race-grid line 9 other 7
const int N = 4096;
__global__ void smooth(int *to, const int *from) {
    int i = blockIdx.x * 128 + threadIdx.x;
    int left = i > 0 ? from[i - 1] : 0, right = i + 1 < N ? from[i + 1] : 0;
    __syncthreads();
    to[i] = (left + right) / 2;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    smooth<<<N / 128, 128>>>(in, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
