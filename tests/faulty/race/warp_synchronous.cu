// The last steps of a reduction, as before Volta.
// expect: race-volatile line 12 other 10
// expect: race-volatile line 12 other 13
// (In either order of the two accesses: one finding.)
const int N = 1024;
__global__ void reduce(int *out, const int *in) {
    __shared__ volatile int part[64];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 64 + t];
    part[t + 32] = in[blockIdx.x * 64 + t + 32];
    for (int step = 32; step > 0; step /= 2) {
        int sum = part[t] + (t + step < 64 ? part[t + step] : 0);
        part[t] = sum;
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    reduce<<<N / 64, 32>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
