// What is written is found in memory: and it is other memory than what is read.
const int N = 1024;

__global__ void through(int *const *table, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *out = table[0];
    out[N - 1 - i] = in[i];
}

int main() {
    int *x, *y, **table;
    cudaMallocManaged(&x, N * sizeof(int));
    cudaMallocManaged(&y, N * sizeof(int));
    cudaMallocManaged(&table, sizeof(int *));
    for (int i = 0; i < N; i++) x[i] = i;
    table[0] = y;
    through<<<N / 128, 128>>>(table, x);
    return cudaDeviceSynchronize() != cudaSuccess;
}
