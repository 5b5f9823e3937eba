// Blocks add to one sum with atomics of a block's scope.
// expect: race-grid line 4 other 4
const int N = 1024;
__global__ void add(int *out, const int *in) { atomicAdd_block(out, in[blockIdx.x * 32 + threadIdx.x]); }

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    add<<<N / 32, 32>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
