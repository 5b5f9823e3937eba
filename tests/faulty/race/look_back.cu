// Each block adds the sum of those before it, which it waits for; the flag may be seen before the sum.
// expect: race-grid line 14 other 16
const int N = 1024;
__device__ volatile int ready[N / 32];
__device__ int sums[N / 32];
__global__ void scan(int *out, const int *in) {
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        int before = 0;
        if (b > 0) {
            while (!ready[b - 1]) {
            }
            __threadfence();
            before = sums[b - 1];
        }
        sums[b] = before + in[b];
        ready[b] = 1;
        out[b] = sums[b];
    }
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    scan<<<N / 32, 32>>>(out, in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
