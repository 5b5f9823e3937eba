// All blocks add to one sum, with a plain addition.
// expect: race-grid line 8 other 8
// (In either order of the two accesses: one finding.)
const int N = 1024;
__global__ void add(int *out, const int *in) {
    int sum = in[blockIdx.x * 32 + threadIdx.x];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (threadIdx.x == 0) *out += sum;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    add<<<N / 32, 32>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
