// What is written is found in memory: nothing in the arguments says that it is what is read.
// expect: race-grid line 8 other 8
const int N = 1024;

__global__ void through(int *const *table, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *out = table[0];
    out[N - 1 - i] = in[i];
}

int main() {
    int *x, **table;
    cudaMallocManaged(&x, N * sizeof(int));
    cudaMallocManaged(&table, sizeof(int *));
    for (int i = 0; i < N; i++) x[i] = i;
    table[0] = x;
    through<<<N / 128, 128>>>(table, x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
