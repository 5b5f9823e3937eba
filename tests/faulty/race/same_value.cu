// All say that something was found.
// expect: race-block line 6 other 6 benign
// status: 0
const int N = 1024;
__global__ void look(int *out, const int *in) {
    if (in[blockIdx.x * 64 + threadIdx.x] % 3 == 0) *out = 1;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    look<<<N / 64, 64>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
