// Warps 0 and 1 exchange through shared memory.
const int N = 1024;
__global__ void exchange(int *out, const int *in) {
    __shared__ int part[96];
    int t = threadIdx.x;
    part[t] = in[t];
    if (t < 64) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[t] = part[63 - t];
    }
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    exchange<<<1, 96>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
