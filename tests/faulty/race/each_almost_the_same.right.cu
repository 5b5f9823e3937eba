// Each block has places of its own.
const int N = 64;
struct alignas(16) Four {
    float v[4];
};
__global__ void fill(Four *out, const Four *in) {
    Four x = in[threadIdx.x];
    if (blockIdx.x == 2 && threadIdx.x == 5) x.v[3] += 1;
    out[blockIdx.x * N / 4 + threadIdx.x] = x;
}

int main() {
    float *in, *out;
    cudaMallocManaged(&in, N * sizeof(float));
    cudaMallocManaged(&out, 4 * N * sizeof(float));
    for (int i = 0; i < N; i++) in[i] = i, out[i] = 0;
    fill<<<4, N / 4>>>((Four *)out, (const Four *)in);
    return cudaDeviceSynchronize() != cudaSuccess;
}
