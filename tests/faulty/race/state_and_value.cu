// State and value are one word, which goes past the first-level cache; but who writes it does not.
// expect: race-grid line 10 other 14
const int N = 1024;
__device__ unsigned long long state[N / 32];
__global__ void scan(int *out, const int *in) {
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        unsigned long long before = 0;
        if (b > 0) {
            while (!((before = __ldcg(&state[b - 1])) & 1)) {
            }
            before >>= 1;
        }
        state[b] = (unsigned long long)(before + in[b]) << 1 | 1;
        out[b] = (int)before + in[b];
    }
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, N * sizeof(int));
    cudaMallocManaged(&out, N * sizeof(int));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    scan<<<N / 32, 32>>>(out, in);
    cudaDeviceSynchronize();
    return out[3] != in[0] + in[1] + in[2] + in[3];
}
